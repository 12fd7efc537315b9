package io.peregrine.virtualcamera;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Sends blocks on its own thread: paces them, answers resend requests from recent blocks, commits the faults. */
final class StreamSender implements AutoCloseable {
    /** What one acquisition sends, and how. */
    record Job(
            PacketPlan plan,
            InetSocketAddress destination,
            boolean doNotFragment,
            long firstBlockId,
            long frameLimit,
            Session session) {}

    /** The part of a job that others change while it runs. */
    static final class Session {
        final AtomicInteger triggers = new AtomicInteger();
        volatile boolean stopAfterBlock;
        volatile boolean aborted;
        volatile boolean finished;
        volatile long framePeriodNanos;
        volatile long packetDelayNanos;

        private volatile boolean triggered;

        boolean active() {
            return !finished && !aborted && !stopAfterBlock;
        }

        /** Sets whether blocks wait for triggers. */
        void waitForTriggers(boolean wait) {
            if (!wait) {
                triggers.set(0);
            }
            triggered = wait;
        }

        /** Whether the next block starts now; takes the trigger that starts it. */
        boolean startsAt(long now, long dueNanos) {
            if (!triggered) {
                return dueNanos - now <= 0;
            }
            return triggers.get() > 0 && triggers.getAndDecrement() > 0;
        }

        /** When to look again at the latest. */
        long nextLookNanos(long now, long dueNanos) {
            return triggered ? now + TimeUnit.SECONDS.toNanos(1) : dueNanos;
        }

        /**
         * When the block after one is due. A sender that was held up by less than half a period makes up for it; blocks
         * that were missed for longer do not follow one upon another.
         */
        long dueAfter(long dueNanos, long now) {
            long period = framePeriodNanos;
            return Math.max(dueNanos + period - now, period / 2) + now;
        }
    }

    /** Is told what happens to blocks. */
    @FunctionalInterface
    interface BlockListener {
        void happened(EventKind kind, long blockId, long timestamp);
    }

    private record Resend(long blockId, long first, long last, boolean extended) {}

    private record Late(long dueNanos, ByteBuffer packet) {}

    private static final class KeptBlock {
        ByteBuffer bytes = ByteBuffer.allocateDirect(0);
        BlockPackets packets;
        InetSocketAddress destination;
        long blockId;
        int sentUpTo = -1;
        int resendAttempts;
        long picture = -1;
        int missingLines;
    }

    private static final System.Logger LOGGER = System.getLogger(StreamSender.class.getName());
    private static final long MEMORY_FOR_BLOCKS = 192L << 20;
    /** How long blocks are kept for resends unless the scenario says how many. */
    private static final long KEPT_NANOS = 250_000_000;

    private static final int MIN_KEPT_BLOCKS = 8;
    private static final int UDP_HEADERS = 28;
    private static final int RESEND_QUEUE = 1024;
    private static final int UNAVAILABLE_PER_REQUEST = 16;
    /** Below this a wait is not worth giving the processor away. */
    private static final long MIN_WAIT_NANOS = 80_000;
    /** At most this much is made up for at once, or a short sleep would become a long burst. */
    private static final long MAX_CATCH_UP_NANOS = 500_000;

    private final InetAddress bindAddress;
    private final PacketOutput output;
    private final Counters counters;
    private final Faults faults;
    private final LongSupplier clock;
    private final BlockListener events;
    private final long linkBytesPerSecond;
    private final int wantedBlocks;
    private final boolean marksResent;
    private final boolean picturesRepeat;
    private final Runnable whenIdle;
    private final BlockingQueue<Job> jobs = new ArrayBlockingQueue<>(16);
    private final BlockingQueue<Resend> resends = new ArrayBlockingQueue<>(RESEND_QUEUE);
    private final ArrayDeque<Late> late = new ArrayDeque<>();
    private final ByteBuffer packet = ByteBuffer.allocateDirect(65536);
    private final ByteBuffer held = ByteBuffer.allocateDirect(65536);
    private final ByteBuffer resendPacket = ByteBuffer.allocateDirect(65536);
    private final Thread thread;
    private KeptBlock[] ring = new KeptBlock[0];
    /** The block that packets are being sent of. */
    private KeptBlock sending;

    private int ringNext;
    private Job current;
    private int largestUdpPayload = Integer.MAX_VALUE;
    private long nextPacketNanos;
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
        this.linkBytesPerSecond = scenario.linkSpeedMegabits() * 125_000L;
        this.bindAddress = bindAddress;
        picturesRepeat = scenario.pictures() > 0;
        marksResent = scenario.markResentPackets();
        wantedBlocks = picturesRepeat ? scenario.pictures() : scenario.resendBlocks();
        output = PacketOutput.open(bindAddress, scenario.segmentationOffload(), scenario.multicastTtl(), counters);
        thread = new Thread(this::run, "peregrine-camera-stream-" + bindAddress.getHostAddress());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    int sourcePort() {
        return output.port();
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
        if (resends.offer(new Resend(blockId, first, last, extended))) {
            counters.resendRequests.increment();
        }
        LockSupport.unpark(thread);
    }

    /** Sends a packet of the given size, headers included, with block id 0. */
    void sendTestPacket(InetSocketAddress destination, int packetSizeBytes, boolean doNotFragment) {
        if (doNotFragment && packetSizeBytes > mtuTowards(destination.getAddress())) {
            counters.sendFailures.increment();
            return;
        }
        ByteBuffer test = ByteBuffer.allocate(packetSizeBytes - UDP_HEADERS);
        // The header, standard or extended, stays zero: block id 0 marks a test packet.
        for (int i = 20; i < test.capacity(); i++) {
            test.put(i, (byte) i);
        }
        output.send(test, destination);
    }

    private int mtuTowards(InetAddress destination) {
        try {
            NetworkInterface toItself = NetworkInterface.getByInetAddress(destination);
            if (toItself != null || destination.isLoopbackAddress()) {
                return 65536;
            }
            NetworkInterface out = NetworkInterface.getByInetAddress(bindAddress);
            return out == null ? 1500 : out.getMTU();
        } catch (SocketException e) {
            return 1500;
        }
    }

    private void run() {
        while (!closed) {
            try {
                Job job = jobs.poll();
                if (job == null) {
                    serveResends();
                    if (jobs.isEmpty() && resends.isEmpty()) {
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
            largestUdpPayload =
                    job.doNotFragment ? mtuTowards(job.destination.getAddress()) - UDP_HEADERS : Integer.MAX_VALUE;
            prepareRing(job.plan.layout().memoryBytes(), job.session.framePeriodNanos);
            sendBlocks(job);
        } finally {
            late.clear();
            job.session.finished = true;
            whenIdle.run();
        }
    }

    private void sendBlocks(Job job) {
        Session session = job.session;
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

    private void prepareRing(int blockBytes, long framePeriodNanos) {
        long affordable = MEMORY_FOR_BLOCKS / Math.max(1, blockBytes);
        long lasting = KEPT_NANOS / Math.max(1, framePeriodNanos);
        long wanted = wantedBlocks > 0
                ? wantedBlocks
                : Math.max(MIN_KEPT_BLOCKS, Math.min(Scenario.MAX_RESEND_BLOCKS, lasting));
        int count = (int) Math.max(2, Math.min(wanted, affordable));
        if (ring.length != count || ring[0].bytes.capacity() < blockBytes) {
            ring = new KeptBlock[0];
            KeptBlock[] blocks = new KeptBlock[count];
            for (int i = 0; i < count; i++) {
                blocks[i] = new KeptBlock();
                blocks[i].bytes = allocate(blockBytes);
            }
            ring = blocks;
        }
        for (KeptBlock block : ring) {
            block.packets = null;
            block.picture = -1;
        }
        ringNext = 0;
    }

    private static ByteBuffer allocate(int bytes) {
        try {
            return ByteBuffer.allocateDirect(bytes);
        } catch (OutOfMemoryError e) {
            throw new VirtualCameraException("No memory for blocks of " + bytes + " bytes", e);
        }
    }

    private void sendBlock(Job job, long blockId) {
        FaultPlan plan = faults.plan();
        KeptBlock block = ring[ringNext];
        ringNext = (ringNext + 1) % ring.length;
        BlockLayout layout = job.plan.layout();
        long timestamp = clock.getAsLong();
        Stamp stamp = layout.stamp(blockId, timestamp);
        events.happened(EventKind.FRAME_START, blockId, timestamp);
        block.packets = job.plan.cut(stamp);
        block.destination = job.destination;
        block.blockId = blockId;
        block.sentUpTo = -1;
        block.resendAttempts = 0;
        render(layout, stamp, plan.damagesDescriptor(blockId), block);
        events.happened(EventKind.EXPOSURE_END, blockId, clock.getAsLong());
        int packets = block.packets.packetCount();
        if (plan.stalls(blockId)) {
            packets = Math.max(1, packets / 2);
        }
        boolean disordered = plan.disordersPackets();
        nextPacketNanos = System.nanoTime();
        held.clear().limit(0);
        output.begin(block.destination, block.bytes);
        sending = block;
        for (int id = 0; id < packets; id++) {
            if (job.session.aborted || closed) {
                sending = null;
                output.flush();
                return;
            }
            packet.clear();
            block.sentUpTo = id;
            int bytes;
            if (disordered) {
                block.packets.write(packet, block.bytes, id, false);
                packet.flip();
                bytes = packet.limit();
                sendFaulty(plan, block, id);
            } else {
                block.packets.writeHead(packet, block.bytes, id, false);
                packet.flip();
                int dataBytes = block.packets.dataBytes(id);
                bytes = packet.limit() + dataBytes;
                if (plan.loses(block.blockId, id)) {
                    counters.packetsLostByFault.increment();
                } else if (bytes > largestUdpPayload) {
                    counters.sendFailures.increment();
                } else {
                    output.add(packet, block.packets.dataOffset(id), dataBytes);
                }
            }
            pace(job, bytes);
        }
        sending = null;
        output.flush();
        flushHeld(block.destination);
        counters.blocksSent.increment();
        events.happened(EventKind.FRAME_END, blockId, clock.getAsLong());
    }

    /** Draws a block, unless its memory shows it already. */
    private void render(BlockLayout layout, Stamp stamp, boolean damaged, KeptBlock block) {
        boolean keeps = picturesRepeat && layout.picturesOnly();
        if (!keeps || block.picture != stamp.picture() || block.missingLines != stamp.missingLines()) {
            layout.render(stamp, damaged, block.bytes);
            block.picture = keeps ? stamp.picture() : -1;
            block.missingLines = stamp.missingLines();
        }
    }

    private void sendFaulty(FaultPlan plan, KeptBlock block, int id) {
        sendLate(System.nanoTime());
        if (plan.loses(block.blockId, id)) {
            counters.packetsLostByFault.increment();
            return;
        }
        if (plan.delays(block.blockId, id)) {
            byte[] copy = new byte[packet.remaining()];
            packet.get(copy);
            late.add(new Late(System.nanoTime() + plan.delay().toNanos(), ByteBuffer.wrap(copy)));
            return;
        }
        if (plan.reorders(block.blockId, id) && !held.hasRemaining()) {
            held.clear();
            held.put(packet).flip();
            return;
        }
        boolean twice = plan.duplicates(block.blockId, id);
        transmit(packet, block.destination);
        if (twice) {
            packet.rewind();
            transmit(packet, block.destination);
        }
        flushHeld(block.destination);
    }

    private void flushHeld(InetSocketAddress destination) {
        if (held.hasRemaining()) {
            transmit(held, destination);
            held.limit(held.position());
        }
    }

    private void sendLate(long now) {
        while (!late.isEmpty() && late.peek().dueNanos - now <= 0) {
            transmit(late.remove().packet, current.destination);
        }
    }

    private void transmit(ByteBuffer data, InetSocketAddress destination) {
        int bytes = data.remaining();
        if (bytes > largestUdpPayload) {
            counters.sendFailures.increment();
            return;
        }
        output.send(data, destination);
    }

    /** Waits out the packet delay and the time that the packet takes on the simulated link. */
    private void pace(Job job, int packetBytes) {
        long gap = job.session.packetDelayNanos;
        if (linkBytesPerSecond > 0) {
            gap = Math.max(gap, (packetBytes + UDP_HEADERS) * 1_000_000_000L / linkBytesPerSecond);
        }
        if (!resends.isEmpty()) {
            serveResends();
        }
        if (gap > 0) {
            nextPacketNanos += gap;
            long now = System.nanoTime();
            if (nextPacketNanos - now > MIN_WAIT_NANOS) {
                output.flush();
                waitForLink(job.session);
            } else if (now - nextPacketNanos > MAX_CATCH_UP_NANOS) {
                nextPacketNanos = now - MAX_CATCH_UP_NANOS;
            }
        }
    }

    private void waitForLink(Session session) {
        long left = nextPacketNanos - System.nanoTime();
        while (left > 0 && !session.aborted && !closed) {
            LockSupport.parkNanos(this, left);
            serveResends();
            left = nextPacketNanos - System.nanoTime();
        }
    }

    /** Waits for the next block's turn and serves resends meanwhile. False when the acquisition ended. */
    private boolean awaitStart(long dueNanos, Session session) {
        while (session.active() && !closed) {
            serveResends();
            long now = System.nanoTime();
            sendLate(now);
            if (session.startsAt(now, dueNanos)) {
                return true;
            }
            long next = session.nextLookNanos(now, dueNanos) - now;
            if (!late.isEmpty()) {
                next = Math.min(next, late.peek().dueNanos - now);
            }
            LockSupport.parkNanos(this, Math.max(1, next));
        }
        return false;
    }

    private void serveResends() {
        Resend request = resends.poll();
        while (request != null) {
            serve(request);
            request = resends.poll();
        }
    }

    private void serve(Resend request) {
        KeptBlock block = null;
        for (KeptBlock candidate : ring) {
            if (candidate.packets != null
                    && candidate.blockId == request.blockId
                    && candidate.packets.plan().extended() == request.extended) {
                block = candidate;
            }
        }
        if (block == null) {
            refuse(request);
            return;
        }
        FaultPlan plan = faults.plan();
        int attempt = block.resendAttempts++;
        long last = Math.min(request.last, Math.min(block.packets.lastId(), block.sentUpTo));
        // A block that stalled is complete in the memory of the camera.
        if (plan.stalls(block.blockId) && block.sentUpTo + 1 >= block.packets.packetCount() / 2) {
            last = Math.min(request.last, block.packets.lastId());
        }
        for (long id = request.first; id <= last && !closed; id++) {
            if (plan.losesResend(block.blockId, id, attempt)) {
                counters.packetsLostByFault.increment();
                continue;
            }
            resendPacket.clear();
            block.packets.write(resendPacket, block.bytes, (int) id, marksResent);
            resendPacket.flip();
            transmit(resendPacket, block.destination);
            counters.packetsResent.increment();
            if ((id & 31) == 31 && linkBytesPerSecond > 0) {
                LockSupport.parkNanos(this, MIN_WAIT_NANOS);
            }
        }
        if (block == sending) {
            long unsent = Math.max(request.first, last + 1);
            answer(PacketPlan.STATUS_NOT_YET_AVAILABLE, request, unsent, block.packets.lastId());
        }
    }

    private void refuse(Resend request) {
        answer(PacketPlan.STATUS_UNAVAILABLE, request, request.first, request.first + UNAVAILABLE_PER_REQUEST - 1);
    }

    /** Says of packets that were asked for, up to a last one, why they are not sent. */
    private void answer(int status, Resend request, long first, long atMost) {
        Job job = current;
        if (job == null || job.plan.extended() != request.extended) {
            return;
        }
        for (long id = first; id <= Math.min(request.last, atMost) && !closed; id++) {
            resendPacket.clear();
            job.plan.writeStatus(resendPacket, status, request.blockId, id);
            resendPacket.flip();
            transmit(resendPacket, job.destination);
            counters.packetsUnavailable.increment();
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        try {
            thread.join(2000);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        output.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
