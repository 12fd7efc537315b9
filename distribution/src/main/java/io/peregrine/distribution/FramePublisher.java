package io.peregrine.distribution;

import io.aeron.AeronCounters;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.BufferClaim;
import io.peregrine.composite.Composite;
import io.peregrine.recording.FrameContainer;
import io.peregrine.recording.RecordingException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
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
 * into Aeron's log. For any number of threads.
 */
public final class FramePublisher implements AutoCloseable {
    private static final long ANNOUNCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** Settings and GenICam XML come with each fifth announcement. */
    private static final int DESCRIPTION_EACH = 5;

    private static final long PARK_NANOS = 20_000;
    /** For what is in the log when publishing ends. */
    private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long RESEND_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** For the thread to end what it does, and the media driver with it; both end by themselves afterwards. */
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(4);

    private static final int STREAM_CHANNEL = 0;

    private final PublisherSettings settings;
    private final AeronHost host;
    private final ExclusivePublication frames;
    private final ExclusivePublication announcements;
    private final Thread thread;

    // Publisher thread only.
    private final BufferClaim claim = new BufferClaim();
    private final byte[] cameraMessage;
    private long lastFrameId;
    /** When the present frame began to be sent, in nanoseconds since 1970: archives find frames by it. */
    private long sentNanos;

    private long nextAnnouncement;
    private int announced;
    private boolean ended;

    // Guards everything below.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Taken> queue = new ArrayDeque<>();
    private long frameIds;
    private boolean sending;
    private boolean closing;
    private boolean closed;
    /** Nothing is taken from the queue any longer. */
    private boolean stopped;

    private volatile boolean givenUp;
    /** What the media driver reported when publishing ended. */
    private volatile List<String> lastOfDriver = List.of();

    private volatile long notedPayloadBytes;
    private long largestFlowBytes;
    private @Nullable DistributionException failure;
    private long published;
    private long bytes;
    private long droppedNoSubscriber;
    private long droppedBackPressure;
    private long droppedUnusable;
    private long droppedAfterFailure;
    private long abandoned;

    /** A frame that waits; the composite is a handle of the publisher's. */
    private record Taken(Composite composite, long frameId) {}

    private FramePublisher(PublisherSettings settings, AeronHost host) {
        this.settings = settings;
        this.host = host;
        largestFlowBytes = settings.frameBytes();
        String channel = Route.parse(settings.route()).publication(settings.distribution());
        try {
            frames = host.aeron().addExclusivePublication(channel, Announcement.FRAMES_STREAM_ID);
            announcements = host.aeron().addExclusivePublication(channel, Announcement.STREAM_ID);
        } catch (AeronException e) {
            throw new DistributionException(
                    "Nothing can be published on " + settings.route() + ": " + e.getMessage()
                            + ". Check the address, and the settings of the media driver",
                    e);
        }
        cameraMessage = Announcement.toBytes(STREAM_CHANNEL, frames.sessionId(), settings.camera());
        thread = new Thread(this::run, "peregrine-publisher-" + settings.name());
        thread.setDaemon(true);
    }

    /**
     * Begins to publish: consumers can find the stream from now on.
     *
     * @throws DistributionException if the media driver cannot be started or reached, or the route is not possible
     */
    public static FramePublisher start(PublisherSettings settings) {
        AeronHost host = AeronHost.open(settings.distribution());
        boolean started = false;
        try {
            FramePublisher publisher = new FramePublisher(settings, host);
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
     * Publishes a composite. Returns at once; the composite stays the caller's, to be closed at any time.
     *
     * @return whether it will be sent; if not, it was counted
     * @throws IllegalStateException if the composite or the publisher is closed
     */
    public boolean publish(Composite composite) {
        boolean consumers = connected();
        if (!consumers && composite.block().payloadBytes() > notedPayloadBytes) {
            // For those who come before the next one.
            notedPayloadBytes = composite.block().payloadBytes();
            container(composite).ifPresent(container -> noteSize(container.flowBytes()));
        }
        lock.lock();
        try {
            if (closing) {
                throw new IllegalStateException("The publisher is closed");
            }
            long frameId = ++frameIds;
            if (failure != null || stopped) {
                droppedAfterFailure++;
                return false;
            }
            if (!consumers) {
                droppedNoSubscriber++;
                return false;
            }
            if (queue.size() + (sending ? 1 : 0) >= settings.queueFrames()) {
                droppedBackPressure++;
                return false;
            }
            queue.add(new Taken(composite.retain(), frameId));
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
            return !stopped && frames.isConnected();
        } finally {
            lock.unlock();
        }
    }

    /** What was done so far. */
    public Statistics statistics() {
        lock.lock();
        try {
            return new Statistics(
                    published,
                    bytes,
                    droppedNoSubscriber,
                    droppedBackPressure,
                    droppedUnusable,
                    droppedAfterFailure,
                    abandoned);
        } finally {
            lock.unlock();
        }
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
        Statistics counted = statistics();
        List<String> found = new ArrayList<>();
        failure().map(Throwable::getMessage).ifPresent(found::add);
        if (counted.framesAbandoned() > 0) {
            found.add(counted.framesAbandoned() + " frames were cut off because the last consumer left within them");
        }
        if (counted.framesDroppedBackPressure() > 0) {
            found.add(counted.framesDroppedBackPressure() + " frames were dropped because consumers or the network were"
                    + " slower than the camera: lower the frame rate, use larger packets (" + DistributionSettings.MTU
                    + "=8928 where the network carries 9000 bytes), or let slow consumers drop frames ("
                    + DistributionSettings.SLOW + "=drop)");
        }
        if (counted.framesDroppedUnusable() > 0) {
            found.add(counted.framesDroppedUnusable()
                    + " frames were dropped because nothing is known of their content: see the stream's own diagnosis");
        }
        if (counted.framesDroppedNoSubscriber() > 0 && counted.framesPublished() == 0) {
            found.add("No consumer has received a frame yet: check the route " + settings.route()
                    + ", and that a firewall lets UDP pass");
        }
        found.addAll(lastOfDriver.isEmpty() ? host.sending(frames.registrationId()) : lastOfDriver);
        return List.copyOf(found);
    }

    // ---- Publisher thread

    private void run() {
        try {
            Optional<Taken> next = next();
            while (!ended) {
                next.ifPresent(this::send);
                announce();
                next = next();
            }
            end();
        } catch (RuntimeException e) {
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
            for (Taken left = queue.poll(); left != null; left = queue.poll()) {
                left.composite().close();
                droppedAfterFailure++;
            }
        } finally {
            lock.unlock();
        }
    }

    /** By the thread that writes to them: their memory is gone afterwards. */
    private void release() {
        try {
            lastOfDriver = host.sending(frames.registrationId());
            frames.close();
            announcements.close();
        } catch (RuntimeException e) {
            fail(e);
        } finally {
            host.close();
        }
    }

    /** The frame to send; empty when an announcement is due, or it is time to end. */
    private Optional<Taken> next() {
        lock.lock();
        try {
            while (queue.isEmpty() && !closing) {
                long left = nextAnnouncement - System.nanoTime();
                if (left <= 0) {
                    return Optional.empty();
                }
                changed.awaitNanos(left);
            }
            Taken taken = queue.poll();
            sending = taken != null;
            ended = taken == null && closing;
            return Optional.ofNullable(taken);
        } catch (InterruptedException e) {
            ended = true;
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private void send(Taken taken) {
        boolean sent = false;
        boolean consumers = frames.isConnected();
        long size = 0;
        try (Composite composite = taken.composite()) {
            Optional<FrameContainer> container = consumers ? container(composite) : Optional.empty();
            if (container.isPresent()) {
                size = container.get().sizeBytes();
                noteSize(container.get().flowBytes());
                lastFrameId = taken.frameId();
                sentNanos = ArchiveTime.now();
                sent = fragments(container.get(), taken.frameId());
            }
        } finally {
            lock.lock();
            try {
                sending = false;
                if (sent) {
                    published++;
                    bytes += size;
                } else if (!consumers) {
                    droppedNoSubscriber++;
                } else if (size == 0) {
                    droppedUnusable++;
                } else {
                    abandoned++;
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private static Optional<FrameContainer> container(Composite composite) {
        try {
            return FrameContainer.of(composite);
        } catch (RecordingException e) {
            return Optional.empty();
        }
    }

    private void noteSize(long flowBytes) {
        lock.lock();
        try {
            if (flowBytes > largestFlowBytes) {
                largestFlowBytes = flowBytes;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Sends a frame; false if it was given up on the way. */
    private boolean fragments(FrameContainer container, long frameId) {
        byte[] description = container.description();
        boolean going =
                pieces(List.of(ByteBuffer.wrap(description)), FragmentHeader.DESCRIPTION, frameId, description.length);
        return going && pieces(container.pieces(), 0, frameId, container.sizeBytes());
    }

    private boolean pieces(List<ByteBuffer> pieces, int flags, long frameId, long total) {
        int most = frames.maxPayloadLength() - FragmentHeader.SIZE_BYTES;
        long offset = 0;
        int piece = 0;
        while (offset < total) {
            int length = (int) Math.min(most, total - offset);
            if (!claim(FragmentHeader.SIZE_BYTES + length, Long.MAX_VALUE)) {
                return false;
            }
            MutableDirectBuffer to = claim.buffer();
            int at = claim.offset();
            FragmentHeader.put(to, at, flags, STREAM_CHANNEL, length, frameId, total, offset);
            claim.reservedValue(sentNanos);
            at += FragmentHeader.SIZE_BYTES;
            int left = length;
            while (left > 0) {
                ByteBuffer from = pieces.get(piece);
                int count = Math.min(left, from.remaining());
                to.putBytes(at, from, from.position(), count);
                from.position(from.position() + count);
                at += count;
                left -= count;
                if (!from.hasRemaining()) {
                    piece++;
                }
            }
            claim.commit();
            offset += length;
        }
        return true;
    }

    /** Says that nothing more comes, and waits until all of it is under way: the media driver may end with this. */
    private void end() {
        long begin = System.nanoTime();
        if (claim(FragmentHeader.SIZE_BYTES, DRAIN_NANOS)) {
            FragmentHeader.put(
                    claim.buffer(),
                    claim.offset(),
                    FragmentHeader.END,
                    STREAM_CHANNEL,
                    0,
                    Math.max(1, lastFrameId),
                    0,
                    0);
            claim.commit();
        }
        CountersReader counters = host.aeron().countersReader();
        int sent = counters.findByTypeIdAndRegistrationId(
                AeronCounters.DRIVER_SENDER_POSITION_TYPE_ID, frames.registrationId());
        while (sent != CountersReader.NULL_COUNTER_ID
                && frames.isConnected()
                && counters.getCounterValue(sent) < frames.position()
                && System.nanoTime() - begin < DRAIN_NANOS) {
            LockSupport.parkNanos(PARK_NANOS);
        }
        if (sent != CountersReader.NULL_COUNTER_ID && frames.isConnected()) {
            // What is lost at the very end is asked for again within that time.
            LockSupport.parkNanos(RESEND_NANOS);
        }
    }

    /** Waits for room in the log; false when there is no one to send to, or it takes too long. */
    private boolean claim(int length, long patienceNanos) {
        long begin = System.nanoTime();
        while (true) {
            long result = frames.tryClaim(length, claim);
            if (result > 0) {
                return true;
            }
            if (result == Publication.NOT_CONNECTED) {
                return false;
            }
            if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED) {
                throw new DistributionException("The media driver has closed the publication on " + settings.route()
                        + ": check that it runs, and start publishing again");
            }
            if (givenUp || System.nanoTime() - begin > patienceNanos) {
                return false;
            }
            announce();
            LockSupport.parkNanos(PARK_NANOS);
        }
    }

    private void announce() {
        long now = System.nanoTime();
        if (announced > 0 && now - nextAnnouncement < 0) {
            return;
        }
        nextAnnouncement = now + ANNOUNCE_NANOS;
        long flowBytes;
        lock.lock();
        try {
            flowBytes = largestFlowBytes;
        } finally {
            lock.unlock();
        }
        // Where no one listens, or the channel is full, this one is not missed.
        announcements.offer(new UnsafeBuffer(new Announcement(
                        STREAM_CHANNEL,
                        frames.sessionId(),
                        flowBytes,
                        settings.name(),
                        settings.camera().properties())
                .toBytes()));
        if (announced % DESCRIPTION_EACH == 0 && cameraMessage.length <= announcements.maxMessageLength()) {
            announcements.offer(new UnsafeBuffer(cameraMessage));
        }
        announced++;
    }

    private void fail(RuntimeException cause) {
        lock.lock();
        try {
            failure = cause instanceof DistributionException own
                    ? own
                    : new DistributionException("Publishing on " + settings.route() + " failed: " + cause, cause);
        } finally {
            lock.unlock();
        }
    }

    // ---- End

    /**
     * Sends what waits, for as long as the settings allow, and ends; what is left is counted as dropped. Returns a few
     * seconds after that time at the latest, whatever consumers do. Idempotent.
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
        boolean interrupted = join(settings.closeTimeout().toNanos());
        givenUp = true;
        interrupted |= join(END_NANOS);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the thread; returns whether the waiting thread was interrupted. */
    private boolean join(long nanos) {
        boolean interrupted = false;
        long begin = System.nanoTime();
        long left = nanos;
        while (thread.isAlive() && left > 0) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            left = nanos - (System.nanoTime() - begin);
        }
        return interrupted;
    }

    @Override
    public String toString() {
        return "FramePublisher[" + settings.name() + " on " + settings.route() + ", " + statistics() + "]";
    }

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
     */
    public record Statistics(
            long framesPublished,
            long bytesPublished,
            long framesDroppedNoSubscriber,
            long framesDroppedBackPressure,
            long framesDroppedUnusable,
            long framesDroppedAfterFailure,
            long framesAbandoned) {

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
