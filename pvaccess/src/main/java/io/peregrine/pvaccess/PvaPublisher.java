package io.peregrine.pvaccess;

import io.peregrine.composite.Composite;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Offers the composites of any stream to EPICS clients as NTNDArray, through pvAccess, on a separate thread.
 *
 * <pre>{@code
 * try (PvaPublisher publisher = PvaPublisher.start(PvaSettings.of("CAM"))) { // CAM:Pva1:Image
 *     for (Composite composite : stream) {
 *         try (composite) {
 *             publisher.publish(composite);
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>{@link #publish} never waits: the newest frame replaces one that still waits, and each client gets the newest
 * frame when it has read the one before. What is skipped is counted. At most two frames of the stream are held.
 * pvAccess neither encrypts nor authenticates, so that only programs of this host may connect unless the settings say
 * otherwise; clients can only read. Thread-safe.
 */
public final class PvaPublisher implements AutoCloseable {
    private static final long COUNTERS_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long WITHOUT_CLIENT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long END_MILLIS = 10_000;

    private final PvaSettings settings;
    private final PvaEndpoint endpoint;
    private final SendCounters sent = new SendCounters();
    private final FrameVariables frames;
    private final CounterVariables counters;
    private final Thread thread;

    /** When a frame is offered even without a client. By the publisher thread. */
    private long nextWithoutClient = System.nanoTime();

    // Guards everything below.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable Waiting waiting;
    private boolean closing;
    private @Nullable PvaException failure;
    /** Whether the program was given the failure. */
    private boolean failureThrown;

    private long offered;
    private long replaced;
    private long unusable;
    private long withoutClient;

    /** A frame; the composite is a handle of the publisher's. */
    private record Waiting(Composite composite, Map<String, Object> attributes) {}

    private PvaPublisher(PvaSettings settings, PvaEndpoint endpoint) throws Exception {
        this.settings = settings;
        this.endpoint = endpoint;
        frames = new FrameVariables(settings, endpoint, sent);
        counters = new CounterVariables(
                endpoint,
                settings.prefix(),
                Map.of(
                        "ArrayCounter_RBV", () -> statistics().framesOffered(),
                        "DroppedArrays_RBV", () -> statistics().framesDropped()));
        thread = new Thread(this::run, "peregrine-pvaccess-" + settings.prefix());
        thread.setDaemon(true);
    }

    /**
     * Begins to listen.
     *
     * @throws PvaException if the address or a port cannot be used
     */
    public static PvaPublisher start(PvaSettings settings) {
        PvaEndpoint endpoint = new PvaEndpoint(settings);
        boolean started = false;
        try {
            PvaPublisher publisher = new PvaPublisher(settings, endpoint);
            publisher.thread.start();
            started = true;
            return publisher;
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new PvaException("The process variables of " + settings.prefix() + " cannot be made", e);
        } finally {
            if (!started) {
                endpoint.close();
            }
        }
    }

    /**
     * Offers a composite. Returns at once; the composite stays the caller's, to be closed at any time.
     *
     * @throws PvaException if nothing is offered any longer, see {@link #failure()}
     * @throws IllegalStateException if the composite or the publisher is closed
     */
    public void publish(Composite composite) {
        publish(composite, Map.of());
    }

    /**
     * Offers a composite with further attributes, for example of its chunk data.
     *
     * @param attributes name and value: Integer, Long, Double, Boolean, or what becomes a text
     * @throws PvaException if nothing is offered any longer, see {@link #failure()}
     * @throws IllegalStateException if the composite or the publisher is closed
     */
    public void publish(Composite composite, Map<String, Object> attributes) {
        Map<String, Object> copies = Map.copyOf(attributes);
        lock.lock();
        try {
            if (closing) {
                throw new IllegalStateException("The publisher is closed");
            }
            throwFailure();
            Waiting newest = new Waiting(composite.retain(), copies);
            if (waiting != null) {
                waiting.composite.close();
                replaced++;
            }
            waiting = newest;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Names of what is offered; further components are added with the first frame that has them. */
    public List<String> names() {
        return endpoint.names();
    }

    /** Where clients connect. */
    public InetSocketAddress address() {
        return endpoint.address();
    }

    /** Where names are searched, by UDP. */
    public InetSocketAddress searchAddress() {
        return endpoint.searchAddress();
    }

    /** Why nothing is offered any longer. */
    public Optional<PvaException> failure() {
        lock.lock();
        try {
            return Optional.ofNullable(failure);
        } finally {
            lock.unlock();
        }
    }

    /** What was offered and sent until now. */
    public Statistics statistics() {
        lock.lock();
        try {
            return new Statistics(
                    offered,
                    replaced,
                    unusable,
                    withoutClient,
                    sent.frames(),
                    sent.bytes(),
                    sent.framesSkipped(),
                    endpoint.clients(),
                    endpoint.refused());
        } finally {
            lock.unlock();
        }
    }

    /** What may be wrong, in sentences; empty when nothing is. */
    public List<String> diagnosis() {
        Statistics counted = statistics();
        List<String> found = new ArrayList<>();
        failure().ifPresent(cause -> found.add(cause.getMessage()));
        if (counted.framesUnusable() > 0) {
            found.add(counted.framesUnusable() + " frames had nothing to offer: incomplete or compressed, without a"
                    + " component that was asked for, or larger than the memory for clients");
        }
        if (counted.clientsRefused() > 0) {
            found.add(counted.clientsRefused() + " connections were refused: " + settings.maxClients()
                    + " clients, or the memory for them, are the most");
        }
        if (counted.framesSkipped() > counted.framesSent()) {
            found.add("Clients skip more frames than they get: they, or the network, are slower than the camera");
        }
        return List.copyOf(found);
    }

    /** With the lock. */
    private void throwFailure() {
        if (failure != null) {
            failureThrown = true;
            throw new PvaException(String.valueOf(failure.getMessage()), failure);
        }
    }

    // ---- Publisher thread

    private void run() {
        long nextCounters = System.nanoTime();
        try {
            while (true) {
                Optional<Waiting> next = next(nextCounters);
                if (next.isEmpty() && ending()) {
                    return;
                }
                next.ifPresent(this::offer);
                if (System.nanoTime() - nextCounters >= 0) {
                    nextCounters = System.nanoTime() + COUNTERS_NANOS;
                    counters.update();
                }
            }
        } catch (Exception | Error e) {
            // An interruption too: this thread has no owner who would end it by one.
            fail(e);
        }
    }

    private boolean ending() {
        lock.lock();
        try {
            return closing;
        } finally {
            lock.unlock();
        }
    }

    /** The newest frame; empty when counters are due, or it is time to end. */
    private Optional<Waiting> next(long until) throws InterruptedException {
        lock.lock();
        try {
            long left = until - System.nanoTime();
            while (waiting == null && !closing && left > 0) {
                left = changed.awaitNanos(left);
            }
            Waiting next = waiting;
            waiting = null;
            return Optional.ofNullable(next);
        } finally {
            lock.unlock();
        }
    }

    /** Without a client, one frame a second is enough for one that comes. */
    private void offer(Waiting frame) {
        boolean wanted = endpoint.clients() > 0 || System.nanoTime() - nextWithoutClient >= 0;
        boolean usable = false;
        try (Composite composite = frame.composite) {
            usable = wanted && frames.update(composite, frame.attributes);
            nextWithoutClient = wanted ? System.nanoTime() + WITHOUT_CLIENT_NANOS : nextWithoutClient;
        } catch (Exception | Error e) {
            // One frame that cannot be read, or that found no memory, is no reason to end.
            usable = false;
        } finally {
            lock.lock();
            try {
                if (usable) {
                    offered++;
                } else if (wanted) {
                    unusable++;
                } else {
                    withoutClient++;
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private void fail(Throwable cause) {
        lock.lock();
        try {
            failure = new PvaException("Nothing is offered any longer: " + cause + ". Start again", cause);
        } finally {
            lock.unlock();
        }
    }

    // ---- End

    /**
     * Ends all connections; a frame that waits is not offered any longer. Idempotent.
     *
     * @throws PvaException if offering has failed, and {@link #publish} was not called since
     */
    @Override
    public void close() {
        lock.lock();
        try {
            if (closing) {
                return;
            }
            closing = true;
            if (waiting != null) {
                waiting.composite.close();
                waiting = null;
                replaced++;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            thread.join(END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        endpoint.close();
        lock.lock();
        try {
            if (!failureThrown) {
                throwFailure();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "PvaPublisher[" + settings.prefix() + " on " + address() + ", " + statistics() + "]";
    }

    /**
     * What a publisher has done.
     *
     * @param framesOffered frames that clients could get
     * @param framesReplaced frames that were replaced by a newer one before they were offered
     * @param framesUnusable frames of which nothing could be offered: incomplete, compressed, too large
     * @param framesWithoutClient frames that were dropped because no client was connected
     * @param framesSent values that were sent, of all clients and components
     * @param bytesSent bytes of them
     * @param framesSkipped values that were replaced by newer ones before a client had read the one before
     * @param clients connections at present
     * @param clientsRefused connections that were closed at once because there were too many
     */
    public record Statistics(
            long framesOffered,
            long framesReplaced,
            long framesUnusable,
            long framesWithoutClient,
            long framesSent,
            long bytesSent,
            long framesSkipped,
            int clients,
            long clientsRefused) {

        /** Frames that were given to the publisher and not offered. */
        public long framesDropped() {
            return framesReplaced + framesUnusable + framesWithoutClient;
        }
    }
}
