package io.peregrine.virtualcamera;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Sends blocks by GVSP on its own thread: paces them, serves resend requests between packets, injects faults. */
final class StreamSender implements AutoCloseable {
    /** What one acquisition sends, and how. */
    record Job(
            PacketPlan plan,
            InetSocketAddress destination,
            boolean doNotFragment,
            long firstBlockId,
            long frameLimit,
            StreamSession session) {}

    /** Notified of what happens to blocks. */
    @FunctionalInterface
    interface BlockListener {
        void happened(EventKind kind, long blockId, long timestamp);
    }

    private static final System.Logger LOGGER = System.getLogger(StreamSender.class.getName());
    private static final int MAX_PACKET_BYTES = 65536;
    private static final int MAX_JOBS = 16;
    private static final long JOIN_MILLIS = 2000;

    private final PacketOutput.Opened opened;
    private final PacketOutput output;
    private final PathOutput path;
    private final PacketDisorder disorder;
    private final BlockRing ring;
    private final ResendServer resends;
    private final LinkPacer pacer;
    private final Counters counters;
    private final Faults faults;
    private final LongSupplier clock;
    private final BlockListener events;
    private final boolean imagesRepeat;
    private final Runnable whenIdle;
    private final BlockingQueue<Job> jobs = new ArrayBlockingQueue<>(MAX_JOBS);
    private final ByteBuffer packet = ByteBuffer.allocateDirect(MAX_PACKET_BYTES);
    private final Thread thread;
    private @Nullable Job current;
    /** The block that packets are being sent of. */
    private BlockRing.@Nullable Kept sending;

    private volatile boolean closed;

    StreamSender(
            InetAddress bindAddress,
            Scenario scenario,
            Counters counters,
            Faults faults,
            LongSupplier clock,
            BlockListener events,
            Runnable whenIdle)
            throws IOException {
        this.counters = counters;
        this.faults = faults;
        this.clock = clock;
        this.events = events;
        this.whenIdle = whenIdle;
        imagesRepeat = scenario.distinctImages() > 0;
        pacer = new LinkPacer(scenario.linkSpeedMegabits());
        ring = new BlockRing(imagesRepeat ? scenario.distinctImages() : scenario.resendBlocks());
        opened = PacketOutput.open(bindAddress, scenario, counters);
        output = opened.output();
        path = new PathOutput(bindAddress, output, counters);
        disorder = new PacketDisorder(path, counters);
        resends = new ResendServer(
                ring, path, counters, faults, scenario.markResentPackets(), pacer.limited(), () -> closed);
        thread = new Thread(this::run, "peregrine-camera-stream-" + bindAddress.getHostAddress());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    int sourcePort() {
        return output.port();
    }

    /** How packets are sent, as a phrase for people. */
    String state() {
        return opened.state();
    }

    void submit(Job job) {
        if (!jobs.offer(job)) {
            job.session.finished = true;
            LOGGER.log(System.Logger.Level.WARNING, "Acquisition not started: too many are waiting");
        }
        LockSupport.unpark(thread);
    }

    void wake() {
        LockSupport.unpark(thread);
    }

    void resend(long blockId, long first, long last, boolean extended) {
        resends.request(blockId, first, last, extended);
        LockSupport.unpark(thread);
    }

    /** Sends a packet of the given size, headers included, with block id 0. */
    void sendTestPacket(InetSocketAddress destination, int packetSizeBytes, boolean doNotFragment) {
        path.sendTestPacket(destination, packetSizeBytes, doNotFragment);
    }

    private void run() {
        while (!closed) {
            try {
                Job job = jobs.poll();
                if (job == null) {
                    serveResends();
                    if (jobs.isEmpty() && resends.idle()) {
                        LockSupport.park(this);
                    }
                    continue;
                }
                send(job);
            } catch (RuntimeException e) {
                LOGGER.log(System.Logger.Level.ERROR, "The stream of the virtual camera failed", e);
            }
        }
    }

    private void send(Job job) {
        try {
            current = job;
            path.limit(job.destination.getAddress(), job.doNotFragment);
            int blockBytes = job.plan.layout().memoryBytes();
            if (!ring.keepsMemory(blockBytes, job.session.framePeriodNanos)) {
                output.forget();
            }
            ring.prepare(blockBytes, job.session.framePeriodNanos);
            sendBlocks(job);
        } finally {
            disorder.clear();
            job.session.finished = true;
            whenIdle.run();
        }
    }

    private void sendBlocks(Job job) {
        StreamSession session = job.session;
        long blockId = job.firstBlockId;
        if (!job.plan.extended() && blockId > 0xFFFF) {
            blockId = 1;
        }
        long due = System.nanoTime();
        for (long frame = 0; frame < job.frameLimit && session.active() && !closed; frame++) {
            if (!awaitStart(due, session)) {
                return;
            }
            due = session.dueAfter(due, System.nanoTime());
            sendBlock(job, blockId);
            blockId = job.plan.extended() ? blockId + 1 : blockId % 0xFFFF + 1;
        }
    }

    private void sendBlock(Job job, long blockId) {
        FaultPlan plan = faults.plan();
        BlockRing.Kept block = ring.next();
        BlockLayout layout = job.plan.layout();
        long timestamp = clock.getAsLong();
        Stamp stamp = layout.stamp(blockId, timestamp);
        events.happened(EventKind.FRAME_START, blockId, timestamp);
        BlockPackets packets = job.plan.cut(stamp);
        output.awaitSent(block.bytes);
        block.begin(packets, job.destination, blockId);
        block.render(layout, stamp, plan.damagesDescriptor(blockId), imagesRepeat);
        events.happened(EventKind.EXPOSURE_END, blockId, clock.getAsLong());
        int count = packets.packetCount();
        if (plan.stalls(blockId)) {
            count = Math.max(1, count / 2);
        }
        boolean disordered = plan.disordersPackets();
        pacer.start(System.nanoTime());
        disorder.start();
        output.begin(job.destination, block.bytes);
        sending = block;
        for (int id = 0; id < count; id++) {
            if (job.session.aborted || closed) {
                sending = null;
                output.flush();
                return;
            }
            block.sentUpTo = id;
            int bytes = disordered ? sendDisordered(plan, block, packets, id) : add(plan, block, packets, id);
            pace(job, bytes);
        }
        sending = null;
        output.flush();
        disorder.flush(job.destination);
        counters.blocksSent.increment();
        events.happened(EventKind.FRAME_END, blockId, clock.getAsLong());
    }

    /** Sends a packet on its own; gives its bytes. */
    private int sendDisordered(FaultPlan plan, BlockRing.Kept block, BlockPackets packets, int id) {
        packet.clear();
        packets.write(packet, block.bytes, id, false);
        int bytes = packet.flip().limit();
        disorder.send(plan, block.blockId, id, packet, block.destination);
        return bytes;
    }

    /** Adds a packet to those that go to the network together; gives its bytes. */
    private int add(FaultPlan plan, BlockRing.Kept block, BlockPackets packets, int id) {
        packet.clear();
        packets.writeHead(packet, block.bytes, id, false);
        packet.flip();
        int dataBytes = packets.dataBytes(id);
        int bytes = packet.limit() + dataBytes;
        if (plan.loses(block.blockId, id)) {
            counters.packetsLostByFault.increment();
        } else if (path.fits(bytes)) {
            output.add(packet, packets.dataOffset(id), dataBytes);
        }
        return bytes;
    }

    /** Waits out the packet delay and the time that the packet takes on the simulated link. */
    private void pace(Job job, int packetBytes) {
        long gap = output.paced()
                ? job.session.packetDelayNanos
                : pacer.gapNanos(packetBytes + PathOutput.UDP_HEADERS, job.session.packetDelayNanos);
        if (!resends.idle()) {
            serveResends();
        }
        if (gap > 0 && pacer.advance(gap, System.nanoTime())) {
            output.flush();
            waitForLink(job.session);
        }
    }

    private void waitForLink(StreamSession session) {
        long remaining = pacer.remainingNanos(System.nanoTime());
        while (remaining > 0 && !session.aborted && !closed) {
            LockSupport.parkNanos(this, remaining);
            serveResends();
            remaining = pacer.remainingNanos(System.nanoTime());
        }
    }

    /** Waits until the next block is due and serves resends meanwhile. False when the acquisition ended. */
    private boolean awaitStart(long dueNanos, StreamSession session) {
        while (session.active() && !closed) {
            serveResends();
            long now = System.nanoTime();
            disorder.sendLate(now);
            if (session.startsAt(now, dueNanos)) {
                return true;
            }
            long next = disorder.untilLate(now, session.nextLookNanos(now, dueNanos) - now);
            LockSupport.parkNanos(this, Math.max(1, next));
        }
        return false;
    }

    private void serveResends() {
        resends.serve(current, sending);
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        output.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
