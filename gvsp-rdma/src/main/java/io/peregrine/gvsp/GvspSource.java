package io.peregrine.gvsp;

import io.peregrine.stream.PacketReceiverKind;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.FrameTimes;
import io.peregrine.stream.engine.ResendRequester;
import io.peregrine.stream.engine.SharedReceiverThread;
import io.peregrine.stream.engine.StreamCounters;
import io.peregrine.stream.engine.StreamDiagnosis;
import io.peregrine.stream.engine.StreamEngine;
import io.peregrine.stream.engine.StreamSource;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A stream over UDP: a {@link PacketReceiver} and a {@link FrameAssembler}. */
public final class GvspSource implements StreamSource {
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** How long a frame waits for packets that take the receives which name its memory, before these are taken back. */
    private static final long RECALL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final int MAX_STALE_BATCHES = 10_000;
    /** The kernel takes at least as much of the buffer for a packet. */
    private static final int MIN_BUFFERED_BYTES = 256;

    private final GvspSettings settings;
    private final FlowSetPool pool;
    private final StreamCounters counters;
    private final PacketReceiver receiver;
    private final String name;
    /** Null for frames that did not come over the network. */
    private final @Nullable String reportedName;

    private final FrameAssembler assembler;
    private final TestPacketSizes testPackets;
    private final Arrivals arrivals = new Arrivals();
    /** Of a receiver whose adapter writes into flow sets; null otherwise. */
    private final @Nullable DirectPlacement placement;

    private final @Nullable HeldFrames held;

    private volatile int sourcePort;

    /** Held by the one that receives: the receiver thread during a turn, or a caller that waits for a test packet. */
    private final ReentrantLock receiving = new ReentrantLock(true);

    /** Between {@link #begin} and {@link #end}. */
    private volatile boolean begun;

    /** What of {@link GvspSettings#thread()} the system did not allow, in this run. */
    private volatile List<String> schedulingProblems = List.of();

    // Receiver thread only.
    private StreamEngine engine;
    private long nextTimeAt;
    private boolean scheduled;
    private @Nullable Rehearsal rehearsal;
    private int admitted = BlockNumber.ALL;

    /** Set while the receiver thread is to look whether it has to end. */
    private volatile boolean woken;

    private GvspSource(
            GvspSettings settings,
            FlowSetPool pool,
            ResendRequester resend,
            PacketReceiver receiver,
            StreamCounters counters) {
        this.settings = settings;
        this.pool = pool;
        this.counters = counters;
        this.receiver = receiver;
        name = settings.deviceAddress().getHostAddress() + "-" + receiver.localPort();
        reportedName = receiver.localPort() == 0 ? null : name;
        testPackets = new TestPacketSizes(counters);
        assembler = new FrameAssembler(settings, pool, resend, new Delivery(), counters);
        placement = receiver instanceof DirectPlacement adapter ? adapter : null;
        held = placement == null
                ? null
                : new HeldFrames(placement, (frame, overtaken) -> engine.deliver(frame, overtaken));
        if (placement != null) {
            assembler.beside(placement);
        }
    }

    /**
     * Opens a socket for a stream.
     *
     * @param settings addresses, packet size and the policy for missing packets
     * @param pool flow sets to fill
     * @param resend takes requests for missing packets; called on the receiver thread
     * @return the source, not begun
     * @throws StreamException if the socket cannot be opened
     */
    public static GvspSource open(GvspSettings settings, FlowSetPool pool, ResendRequester resend) {
        return open(settings, pool, resend, PacketReceiverKind.AUTO);
    }

    /**
     * Opens a socket for a stream, which receives in a way of the caller's choice.
     *
     * @param settings addresses, packet size and the policy for missing packets
     * @param pool flow sets to fill
     * @param resend takes requests for missing packets; called on the receiver thread
     * @param kind how packets are received
     * @return the source, not begun
     * @throws StreamException if the socket cannot be opened, or this host cannot receive in this way
     */
    public static GvspSource open(
            GvspSettings settings, FlowSetPool pool, ResendRequester resend, PacketReceiverKind kind) {
        return open(settings, pool, resend, counters -> PacketReceivers.open(kind, settings, counters));
    }

    /**
     * Opens a stream over a receiver of the caller's choice.
     *
     * @param settings addresses, packet size and the policy for missing packets
     * @param pool flow sets to fill
     * @param resend takes requests for missing packets; called on the receiver thread
     * @param receiver makes the receiver, with the counters of the stream; the source closes it
     * @return the source, not begun
     */
    public static GvspSource open(
            GvspSettings settings,
            FlowSetPool pool,
            ResendRequester resend,
            Function<StreamCounters, PacketReceiver> receiver) {
        Objects.requireNonNull(settings, "settings");
        Objects.requireNonNull(pool, "pool");
        Objects.requireNonNull(resend, "resend");
        StreamCounters counters = new StreamCounters();
        return new GvspSource(settings, pool, resend, receiver.apply(counters), counters);
    }

    /**
     * Makes a source that receives nothing, for an application that has a device send to a group without being part of
     * it.
     *
     * @param settings addresses and the group
     * @param pool flow sets, none of which is filled
     * @param port UDP port that the device sends to
     * @return the source, not begun
     */
    public static GvspSource withoutReception(GvspSettings settings, FlowSetPool pool, int port) {
        return open(settings, pool, (blockId, first, last, extended) -> {}, counters -> new NullReceiver(port));
    }

    /** Where the device must send to. */
    public InetSocketAddress destination() {
        return new InetSocketAddress(
                settings.group().<InetAddress>map(MulticastGroup::address).orElse(settings.localAddress()),
                localPort());
    }

    /** Address of the interface that packets arrive at. */
    public InetAddress localAddress() {
        return settings.localAddress();
    }

    /** UDP port that the device must send to. */
    public int localPort() {
        return receiver.localPort();
    }

    /**
     * Takes packets of one port of the device only: another program may send under its address, and a device may send
     * from another port after it was stopped. Before this is called, and from each start on, it is the port that the
     * first packet of a block comes from.
     *
     * @param port UDP port that the device says it sends from; 0 when it does not say, for the one that the next packet
     *     of a block comes from
     */
    public void sourcePort(int port) {
        sourcePort = port;
        receiver.expectFrom(port);
    }

    /**
     * Has something run in the receiver thread shortly before a frame ends, at most every few milliseconds, which runs
     * the same code as a frame does at its end, so that the caches of the processor have it. The thread that waits for
     * the frame is woken then, too. Before {@link #begin}.
     *
     * @param frame puts a frame through that code
     * @param uncompiled whether that code is not compiled yet, so that it runs between the ends of frames, too
     */
    public void rehearse(Runnable frame, BooleanSupplier uncompiled) {
        rehearsal = new Rehearsal(frame, uncompiled, () -> engine.wakeEarly(), System.nanoTime());
    }

    /** How packets are received: never {@link PacketReceiverKind#AUTO}, but what that came to. */
    public PacketReceiverKind receiverKind() {
        return receiver.kind();
    }

    /** Size of the socket's buffer as the system granted it. */
    public int receiveBufferBytes() {
        return receiver.receiveBufferBytes();
    }

    /**
     * Waits for a test packet of a size, also when the stream is not running. A test packet that arrived since the last
     * call for this size counts.
     *
     * @param packetSizeBytes size as devices count it, with the IP and UDP headers
     * @param timeout how long to wait
     * @return whether it arrived
     * @throws StreamException if the waiting thread is interrupted
     */
    public boolean awaitTestPacket(int packetSizeBytes, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            if (testPackets.take(packetSizeBytes)) {
                return true;
            }
            long left = deadline - System.nanoTime();
            try {
                if (left <= 0) {
                    // One look at what is there already, for a time-out of zero.
                    receiveIfIdle(deadline);
                    return testPackets.take(packetSizeBytes);
                }
                if (begun) {
                    testPackets.await(packetSizeBytes, Math.min(left, TURN_NANOS));
                } else {
                    receiveIfIdle(System.nanoTime() + Math.min(left, TURN_NANOS));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StreamException("Interrupted while waiting for a test packet", e);
            }
        }
    }

    private void receiveIfIdle(long deadlineNanos) throws InterruptedException {
        receiving.lockInterruptibly();
        try {
            if (!begun) {
                receiver.receive(testPackets, deadlineNanos);
            }
        } finally {
            receiving.unlock();
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public FlowSetPool pool() {
        return pool;
    }

    @Override
    public StreamCounters counters() {
        return counters;
    }

    @Override
    public Optional<SharedReceiverThread> sharedThread() {
        return settings.sharedThread().map(SharedReceiverThread::named);
    }

    @Override
    public List<String> diagnosis(StreamStatistics counted) {
        List<String> found = new ArrayList<>(StreamDiagnosis.of(
                counted,
                new StreamDiagnosis.Reception(
                        receiveBufferBytes(),
                        settings.receiveBufferBytes(),
                        settings.resendEnabled(),
                        pool.count(),
                        receiver.longestRunPackets())));
        found.addAll(schedulingProblems);
        return List.copyOf(found);
    }

    @Override
    public void begin(StreamEngine by) {
        // Packets of an earlier acquisition that wait in the socket do not belong to this one.
        receiving.lock();
        try {
            int batches = 0;
            // More than the buffer held has arrived since: a device sends without a pause.
            long left = (long) MAX_STALE_BATCHES + receiver.receiveBufferBytes() / MIN_BUFFERED_BYTES;
            while (batches < MAX_STALE_BATCHES && left > 0) {
                int packets = receiver.receive(testPackets, System.nanoTime());
                left = packets == 0 ? 0 : left - packets;
                batches++;
            }
            // They may have come from a port that the device no longer sends from.
            receiver.expectFrom(sourcePort);
            begun = true;
        } finally {
            receiving.unlock();
        }
        engine = by;
        nextTimeAt = System.nanoTime();
        scheduled = false;
    }

    @Override
    public void turn() {
        long limit = System.nanoTime() + TURN_NANOS;
        turn(nextTimeAt - limit < 0 ? nextTimeAt : limit);
    }

    @Override
    public boolean look() {
        return turn(System.nanoTime());
    }

    private boolean turn(long deadline) {
        receiving.lock();
        try {
            if (!scheduled) {
                scheduled = true;
                schedulingProblems = settings.thread().apply();
            }
            long start = System.nanoTime();
            arrivals.any = false;
            arrivals.coming = true;
            int packets = receiver.receive(arrivals, held == null ? deadline : deadline(deadline, start));
            arrivals.coming = false;
            // Time passes only up to when the socket was known to be empty: packets that wait in it are not late,
            // even if this thread did not get to run for long.
            long now = System.nanoTime();
            if (arrivals.any) {
                now = arrivals.lastAt;
            } else if (packets == 0) {
                long empty = deadline - start > 0 ? deadline : start;
                now = empty - now < 0 ? empty : now;
            }
            if (receiver.emptied()) {
                assembler.caughtUp();
            }
            nextTimeAt = assembler.onTime(now);
            admit(assembler.blockShare());
            release(packets);
            return packets > 0;
        } finally {
            woken = false;
            receiving.unlock();
        }
    }

    /** Frames that wait for the adapter do not wait longer than others of the device. */
    private long deadline(long deadline, long now) {
        return held.isEmpty() || deadline - now < RECALL_NANOS ? deadline : now + RECALL_NANOS;
    }

    private void release(int packets) {
        if (held != null && !held.isEmpty()) {
            held.release();
            if (packets == 0 && !held.isEmpty()) {
                placement.recall(arrivals);
                held.release();
            }
        }
    }

    private void admit(int share) {
        if (share == admitted) {
            return;
        }
        if (receiver.admit(share)) {
            admitted = share;
            assembler.admitted(receiver.receiveBufferBytes());
        } else {
            assembler.cannotShed();
        }
    }

    @Override
    public void end() {
        begun = false;
        admit(BlockNumber.ALL);
        if (placement != null) {
            placement.recall(arrivals);
            placement.forget();
        }
        assembler.end();
    }

    @Override
    public void wakeUp() {
        woken = true;
        receiver.wakeUp();
    }

    @Override
    public void close() {
        receiver.close();
    }

    @Override
    public String toString() {
        return "GVSP on port " + localPort();
    }

    /** Passes packets on to the assembler, and notes when they came. Receiver thread only. */
    private final class Arrivals implements PacketSink {
        private long lastAt;
        private boolean any;
        /** While the receiver hands over. */
        private boolean coming;

        private void note(long nowNanos) {
            lastAt = nowNanos;
            any = true;
        }

        @Override
        public void onPacket(ByteBuffer packet, int offset, int lengthBytes, long nowNanos) {
            note(nowNanos);
            assembler.onPacket(packet, offset, lengthBytes, nowNanos);
        }

        @Override
        public void onRun(ByteBuffer packets, int offset, int lengthBytes, int segmentBytes, long nowNanos) {
            note(nowNanos);
            assembler.onRun(packets, offset, lengthBytes, segmentBytes, nowNanos);
        }

        @Override
        public boolean expect(ExpectedPackets next) {
            return assembler.expect(next);
        }

        @Override
        public int onRunInPlace(
                ByteBuffer heads,
                int offset,
                int strideBytes,
                int count,
                int lengthBytes,
                int segmentBytes,
                long nowNanos) {
            int taken = assembler.onRunInPlace(heads, offset, strideBytes, count, lengthBytes, segmentBytes, nowNanos);
            if (taken > 0) {
                note(nowNanos);
            }
            return taken;
        }

        @Override
        public void onPacket(ByteBuffer packet, int offset, int lengthBytes, SeparateData data, long nowNanos) {
            note(nowNanos);
            assembler.onPacket(packet, offset, lengthBytes, data, nowNanos);
        }

        @Override
        public boolean next(NextPacket next) {
            return assembler.next(next);
        }

        @Override
        public boolean layout(BlockLayout next) {
            return assembler.layout(next);
        }

        @Override
        public @Nullable FlowSet reserve() {
            return assembler.reserve();
        }

        @Override
        public long remainingBytes() {
            return assembler.remainingBytes();
        }

        @Override
        public long nanosToEnd(long nowNanos) {
            return assembler.nanosToEnd(nowNanos);
        }

        @Override
        public void farFromEnd(long nowNanos) {
            if (rehearsal != null) {
                rehearsal.farFromEnd(nowNanos);
            }
        }

        @Override
        public void beforeEnd(long nowNanos) {
            if (rehearsal != null) {
                rehearsal.beforeEnd(nowNanos);
            }
        }

        @Override
        public boolean enough() {
            return woken;
        }
    }

    /** Takes what the assembler makes. Receiver thread only. */
    private final class Delivery implements FrameSink {
        @Override
        public void onFrame(FlowSet filled, boolean overtaken) {
            FrameTimes times = filled.times();
            // A frame that waited for an older one ended before the packet that comes now.
            boolean now = FrameTimes.wanted() && arrivals.coming && times.lastPacketAt() == arrivals.lastAt;
            times.received(reportedName, now ? receiver.kernelEpochNanos() : FrameTimes.UNKNOWN);
            if (held == null) {
                engine.deliver(filled, overtaken);
            } else {
                held.onFrame(filled, overtaken);
            }
        }

        @Override
        public void onTestPacket(int packetSizeBytes) {
            testPackets.arrived(packetSizeBytes);
        }

        // Nothing depends on it but who goes first on a single processor.
        @SuppressWarnings("ThreadPriorityCheck")
        @Override
        public void yieldToConsumer() {
            Thread.yield();
        }
    }
}
