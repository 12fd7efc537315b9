package io.peregrine.distribution;

import io.aeron.ExclusivePublication;
import io.aeron.exceptions.AeronException;
import io.peregrine.composite.Composite;
import io.peregrine.distribution.driver.RunSenderSupplier;
import io.peregrine.genapi.NodeMap;
import io.peregrine.stream.engine.Threads;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes composites of any stream to other programs and hosts, as GenDC containers in fragments, on a separate
 * thread.
 *
 * <pre>{@code
 * PublisherSettings settings = PublisherSettings.of("line 3", "from:10.0.0.5:40456").withCamera(device.snapshot());
 * try (FramePublisher publisher = FramePublisher.start(settings)) {
 *     for (Composite composite : stream) {
 *         try (composite) {
 *             publisher.publish(composite);
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>{@link #publish} never waits for the network or for consumers: when they are slower than the frames, the queue
 * runs full, and whole frames are dropped and counted by cause. Bytes are copied once, from the memory of the stream
 * into Aeron's log. Thread-safe.
 */
public final class FramePublisher implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(FramePublisher.class.getName());
    private static final long ANNOUNCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** Settings and GenICam XML come with each fifth announcement. */
    private static final int DESCRIPTION_EACH = 5;

    /** While frames are on their way, and while consumers may come. */
    private static final long PARK_NANOS = 20_000;

    private static final long SHARED_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** For the thread to end what it does, and the media driver with it; both end by themselves afterwards. */
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(4);

    private static final int STREAM_CHANNEL = 0;

    private final PublisherSettings settings;
    private final AeronHost host;
    private final long idleNanos;
    private final ExclusivePublication announcements;
    private final ConsumerDesk desk;
    private final PublisherDiagnosis diagnosis;
    private final FrameOutlet outlet;
    private final PublisherCounters counters = new PublisherCounters();
    private final Thread thread;

    // Publisher thread only.
    private final byte[] cameraMessage;
    private long nextAnnouncement;
    private int announced;
    private boolean ended;

    // Guards everything below.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<WaitingFrame> queue = new ArrayDeque<>();
    private long frameIds;
    private boolean closing;
    private boolean closed;
    /** Nothing is taken from the queue any longer. */
    private boolean stopped;

    private volatile Optional<FeatureDesk> features = Optional.empty();
    private volatile boolean givenUp;
    /** What the media driver reported when publishing ended. */
    private volatile List<String> lastOfDriver = List.of();

    private volatile long notedPayloadBytes;
    private @Nullable DistributionException failure;
    /** Whether the program was given the failure. */
    private boolean failureThrown;

    private FramePublisher(PublisherSettings settings, AeronHost host, UnaryOperator<FrameOutlet> through) {
        this.settings = settings;
        this.host = host;
        counters.noteSize(settings.frameBytes());
        idleNanos = settings.shared() ? SHARED_TURN_NANOS : TURN_NANOS;
        Route route = Route.parse(settings.route());
        byte[] camera = Announcement.zipped(settings.camera());
        int largest = camera.length + Announcement.HEADER_BYTES;
        if (largest > Route.MAX_MESSAGE_BYTES) {
            throw new DistributionException("Settings, registers and GenICam XML of the camera are " + largest
                    + " bytes zipped and cannot be announced: give " + Route.MAX_MESSAGE_BYTES + " at the most");
        }
        try {
            announcements = host.aeron()
                    .addExclusivePublication(
                            route.announcing(settings.distribution(), largest), Announcement.STREAM_ID);
            requireRuns(route);
            if (settings.shared()) {
                int session = announcements.sessionId();
                desk = new ConsumerDesk(host.aeron(), route, settings.distribution(), session);
                outlet =
                        through.apply(new SharedOutlet(host.aeron(), settings, desk, session, counters, () -> givenUp));
            } else {
                ExclusivePublication frames = host.aeron()
                        .addExclusivePublication(
                                route.publication(settings.distribution()), Announcement.FRAMES_STREAM_ID);
                desk = new ConsumerDesk(host.aeron(), route, settings.distribution(), frames.sessionId());
                outlet = through.apply(new BroadcastOutlet(
                        host,
                        frames,
                        settings.distribution().mtuBytes(),
                        desk,
                        counters,
                        this::meanwhile,
                        () -> givenUp));
            }
        } catch (AeronException e) {
            throw new DistributionException(
                    "Nothing can be published on " + route + ": " + AeronReason.of(e) + ". " + route.publishingHint(),
                    e);
        }
        diagnosis = new PublisherDiagnosis(settings, counters, desk);
        cameraMessage = Announcement.toBytes(STREAM_CHANNEL, outlet.session(), camera);
        thread = new Thread(this::run, "peregrine-publisher-" + settings.name());
        thread.setDaemon(true);
    }

    /** Another driver would send each run as one datagram in IP fragments, which many networks drop. */
    private void requireRuns(Route route) {
        if (route.sentInRuns(settings.distribution())
                && !RunSenderSupplier.supplied(host.aeron().countersReader(), announcements.channelStatusId())) {
            announcements.close();
            throw new DistributionException("Nothing can be published on " + route + ": the media driver in "
                    + host.aeron().context().aeronDirectoryName() + " does not cut runs of datagrams. Start it with"
                    + " -Daeron.SendChannelEndpoint.supplier=" + RunSenderSupplier.class.getName() + ", or set "
                    + DistributionSettings.DRIVER + "=external");
        }
    }

    /**
     * Begins to publish: consumers can find the stream from now on.
     *
     * @throws DistributionException if the media driver cannot be started or reached, or the route is not possible
     */
    public static FramePublisher start(PublisherSettings settings) {
        return start(settings, UnaryOperator.identity());
    }

    /** With something between it and its outlet. */
    static FramePublisher start(PublisherSettings settings, UnaryOperator<FrameOutlet> through) {
        AeronHost host = AeronHost.open(settings.distribution());
        boolean started = false;
        try {
            FramePublisher publisher = new FramePublisher(settings, host, through);
            publisher.thread.start();
            started = true;
            return publisher;
        } finally {
            if (!started) {
                host.close();
            }
        }
    }

    /**
     * Lets consumers that have a key read and set the features of the camera, as this program could. Each request is
     * checked by the key, which is never sent, and executed on a separate thread. See {@code docs/distribution.md}.
     *
     * @param nodes the camera's own features, to which it is open as long as this publisher is
     * @param keyFile file with a secret of 32 characters or more, which other users cannot read
     * @throws DistributionException if the key is not good, or the camera has no registers
     * @throws IllegalStateException if features are forwarded already, or the publisher is closed
     */
    public synchronized void forwardFeatures(NodeMap nodes, Path keyFile) {
        if (features.isPresent()) {
            throw new IllegalStateException("Features are forwarded already");
        }
        // Frames that are published meanwhile do not wait.
        FeatureDesk desk = FeatureDesk.open(settings, outlet.session(), nodes, keyFile, counters.features);
        lock.lock();
        try {
            if (!closing) {
                features = Optional.of(desk);
                return;
            }
        } finally {
            lock.unlock();
        }
        desk.close();
        throw new IllegalStateException("The publisher is closed");
    }

    /**
     * Publishes a composite. Returns at once; the composite stays the caller's, to be closed at any time.
     *
     * @return whether it will be sent; if not, it was counted
     * @throws DistributionException if nothing is published any longer, see {@link #failure()}
     * @throws IllegalStateException if the composite or the publisher is closed
     */
    public boolean publish(Composite composite) {
        boolean consumers = connected();
        if (!consumers && composite.block().payloadBytes() > notedPayloadBytes) {
            // For those who come before the next one.
            notedPayloadBytes = composite.block().payloadBytes();
            WaitingFrame.container(composite).ifPresent(container -> counters.noteSize(container.flowBytes()));
        }
        lock.lock();
        try {
            if (closing) {
                throw new IllegalStateException("The publisher is closed");
            }
            long frameId = ++frameIds;
            if (failure != null || stopped) {
                counters.droppedAfterFailure.increment();
                throwFailure();
                return false;
            }
            if (!consumers) {
                counters.droppedNoSubscriber.increment();
                return false;
            }
            if (queue.size() + counters.inHand() >= settings.queueFrames()) {
                counters.droppedBackPressure.increment();
                outlet.heldUp();
                return false;
            }
            queue.add(new WaitingFrame(composite.retain(), frameId));
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Name under which consumers open the stream. */
    public String name() {
        return settings.name();
    }

    /** Whether a consumer receives frames now. */
    public boolean connected() {
        lock.lock();
        try {
            // Its memory is gone once the thread has stopped.
            return !stopped && outlet.connected();
        } finally {
            lock.unlock();
        }
    }

    /** What was done so far. */
    public Statistics statistics() {
        return counters.statistics();
    }

    /**
     * Consumers that report to this publisher, those that left first; the last 64 of these. Consumers of other
     * versions, archives, and those behind a firewall are not among them.
     */
    public List<Consumer> consumers() {
        return desk.view();
    }

    /** Why nothing is published any longer; empty while all is well. */
    public Optional<DistributionException> failure() {
        lock.lock();
        try {
            return Optional.ofNullable(failure);
        } finally {
            lock.unlock();
        }
    }

    /** What went wrong so far and what to do about it, most severe first; empty when nothing did. */
    public List<String> diagnosis() {
        return diagnosis.sentences(failure(), lastOfDriver.isEmpty() ? driver() : lastOfDriver);
    }

    private List<String> driver() {
        return host.sending(outlet.registrationIds());
    }

    /** With the lock. */
    private void throwFailure() {
        if (failure != null) {
            failureThrown = true;
            throw new DistributionException(String.valueOf(failure.getMessage()), failure);
        }
    }

    // ---- Publisher thread

    private void run() {
        try {
            while (!ended) {
                desk.turn();
                boolean soon = outlet.turn();
                boolean ready = outlet.ready();
                next(ready, soon).ifPresent(outlet::take);
                announce();
            }
            outlet.end();
        } catch (RuntimeException | Error e) {
            fail(e);
        } finally {
            dropQueue();
            release();
        }
    }

    private void dropQueue() {
        lock.lock();
        try {
            stopped = true;
            for (WaitingFrame left = queue.poll(); left != null; left = queue.poll()) {
                left.close();
                counters.droppedAfterFailure.increment();
            }
        } finally {
            lock.unlock();
        }
    }

    /** By the thread that writes to them: their memory is gone afterwards. */
    private void release() {
        try {
            lastOfDriver = driver();
            outlet.close();
            desk.close();
            announcements.close();
        } catch (RuntimeException | Error e) {
            fail(e);
        } finally {
            host.close();
        }
    }

    /**
     * The frame to send; empty when something else is due, or it is time to end.
     *
     * @param ready whether one can be sent
     * @param soon whether frames are on their way, so that waiting is short
     */
    private Optional<WaitingFrame> next(boolean ready, boolean soon) {
        lock.lock();
        try {
            long left = soon || !queue.isEmpty() ? PARK_NANOS : idleNanos;
            while (left > 0 && (queue.isEmpty() || !ready)) {
                if (closing && (queue.isEmpty() || givenUp)) {
                    ended = true;
                    return Optional.empty();
                }
                left = changed.awaitNanos(left);
            }
            WaitingFrame taken = ready ? queue.poll() : null;
            if (taken != null) {
                counters.taken();
            }
            return Optional.ofNullable(taken);
        } catch (InterruptedException e) {
            // This thread has no owner who would end it by that.
            fail(e);
            ended = true;
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** While a frame waits for room. */
    private void meanwhile() {
        desk.turn();
        announce();
    }

    private void announce() {
        long now = System.nanoTime();
        if (announced > 0 && now - nextAnnouncement < 0) {
            return;
        }
        nextAnnouncement = now + ANNOUNCE_NANOS;
        diagnosis.warning().ifPresent(text -> LOGGER.log(System.Logger.Level.WARNING, text));
        // Where no one listens, or the channel is full, this one is not missed.
        announcements.offer(new UnsafeBuffer(new Announcement(
                        STREAM_CHANNEL,
                        outlet.session(),
                        counters.largestFlowBytes(),
                        settings.name(),
                        settings.camera().properties(),
                        desk.contact(settings.shared()).withFeatures(features.map(FeatureDesk::contact)))
                .toBytes()));
        if (announced % DESCRIPTION_EACH == 0) {
            announcements.offer(new UnsafeBuffer(cameraMessage));
        }
        announced++;
    }

    private void fail(Throwable cause) {
        lock.lock();
        try {
            // The JDK reports mapped memory without room behind it as an internal error.
            String help = cause instanceof InternalError
                    ? ". Make room in /dev/shm, or set a smaller " + DistributionSettings.TERM
                    : "";
            failure = cause instanceof DistributionException own
                    ? own
                    : new DistributionException(
                            "Publishing on " + settings.route() + " failed: " + cause + help, cause);
        } finally {
            lock.unlock();
        }
    }

    // ---- End

    /**
     * Sends what waits, for as long as the settings allow, and ends; what is left is counted as dropped. Returns a few
     * seconds after that time at the latest, whatever consumers do. Idempotent.
     *
     * @throws DistributionException if publishing has failed, and {@link #publish} was not called since
     */
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            closing = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        features.ifPresent(FeatureDesk::close);
        Threads.join(thread, settings.closeTimeout().toNanos());
        givenUp = true;
        Threads.join(thread, END_NANOS);
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
        return "FramePublisher[" + settings.name() + " on " + settings.route() + ", " + statistics() + "]";
    }

    /**
     * A consumer as it reports to the publisher.
     *
     * @param name its address and process
     * @param connected whether it is still there
     * @param framesReceived frames that it received whole
     * @param framesHeld frames of a shared stream that it got and has not used yet
     * @param framesHeldUp frames that were dropped for all consumers because this one must have each frame, and was
     *     slower than the camera
     * @param framesDroppedNoFlowSet frames that it dropped, because it held all its memory
     * @param framesMissed frames that were not sent, or did not arrive there
     * @param framesIncomplete frames that it received with bytes missing
     * @param framesLost frames of a shared stream that it held when it left
     * @param joins how often it was cut off and joined again
     */
    public record Consumer(
            String name,
            boolean connected,
            long framesReceived,
            long framesHeld,
            long framesHeldUp,
            long framesDroppedNoFlowSet,
            long framesMissed,
            long framesIncomplete,
            long framesLost,
            long joins) {}

    /**
     * What a publisher has done.
     *
     * @param framesPublished frames that were sent whole
     * @param bytesPublished bytes of their containers
     * @param framesDroppedNoSubscriber frames that came while no consumer was connected
     * @param framesDroppedBackPressure frames that found the queue full, because consumers or the network are slower
     * @param framesDroppedUnusable frames of which nothing is known, or larger than a container can be
     * @param framesDroppedAfterFailure frames that came, or waited, when publishing failed or ended
     * @param framesAbandoned frames that were cut off, because the last consumer left or publishing ended
     * @param framesLostWithConsumers frames that were sent whole to the only consumer that gets them, which left before
     *     it had used them
     * @param featureRequests requests of consumers for the camera's features that were executed
     * @param featureRequestsForged those that were refused because their code is wrong
     * @param featureRequestsReplayed those that were refused because they had come before
     * @param featureRequestsTooMany those that were refused because they were too many
     * @param featureRequestsMalformed messages on their port that are no valid requests
     */
    public record Statistics(
            long framesPublished,
            long bytesPublished,
            long framesDroppedNoSubscriber,
            long framesDroppedBackPressure,
            long framesDroppedUnusable,
            long framesDroppedAfterFailure,
            long framesAbandoned,
            long framesLostWithConsumers,
            long featureRequests,
            long featureRequestsForged,
            long featureRequestsReplayed,
            long featureRequestsTooMany,
            long featureRequestsMalformed) {

        /** Frames that were given to the publisher and not sent whole. */
        public long framesDropped() {
            return framesDroppedNoSubscriber
                    + framesDroppedBackPressure
                    + framesDroppedUnusable
                    + framesDroppedAfterFailure
                    + framesAbandoned;
        }
    }
}
