package io.peregrine.gvsp;

import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.ResendRequester;
import io.peregrine.stream.engine.StreamCounters;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.stream.LongStream;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Puts blocks together from GVSP packets: a state machine without threads and without a clock. Time comes in with every
 * call; nothing is allocated for a packet. {@link BlockWindow} knows which blocks are open and in which order they
 * leave, {@link PayloadPlacement} where their bytes belong, {@link ResendPlanner} which packets to ask for again, and
 * {@link BlockEnd} what a block is when it ends.
 *
 * <p>Several blocks are open at the same time, so that packets of neighbouring blocks may arrive in any order. Blocks
 * are delivered in the order of their ids, or each as it ends ({@link GvspSettings#inOrder()}), whole ones as complete,
 * others with the cause of what is missing. A block is complete only if its leader, its trailer and every packet
 * between them arrived, and if the bytes that they promise are in the flow set without a gap.
 *
 * <p>Missing packets are noticed by later packets of the block, by packets of a later block, or by silence. A block
 * whose missing packets are all given up ends at once; one without news ends after
 * {@link GvspSettings#frameRetention()}, which is also the longest that a whole block waits for an older one. It waits
 * less when newer ones need the memory.
 */
public final class FrameAssembler implements PacketSink {
    private static final long IDLE_NANOS = 1_000_000_000L;

    /** Of a longer gap, the last blocks tell enough. */
    private static final int MAX_JUDGED_GAP = 64;

    /** Most blocks in a row of which no packet came that are asked for. */
    private static final int MAX_SKIPPED_BLOCKS = 4;

    private static final int MIN_BYTES_PER_PACKET = 64;
    private static final int MAX_PACKET_COUNT = 1 << 26;

    private final FrameSink sink;
    private final StreamCounters counters;
    private final boolean inOrder;
    private final int packetSizeBytes;
    private final long flowSetBytes;
    private final int maxPackets;
    private final PayloadPlacement.Stream placement;
    private final BlockWindow window;
    private final ResendPlanner planner;
    private final OverloadShedding shedding = new OverloadShedding();
    private final ExpectedSize expected;
    private final InOrderRuns runs;
    private final FlowSetSupply supply;
    private final StatusPackets statusPackets;

    /**
     * Creates an assembler that has seen nothing.
     *
     * @param settings packet size and the policy for missing packets
     * @param pool where flow sets come from
     * @param resend takes requests for missing packets; not called when resending is off
     * @param sink takes the blocks
     * @param counters takes the counts
     */
    public FrameAssembler(
            GvspSettings settings, FlowSetPool pool, ResendRequester resend, FrameSink sink, StreamCounters counters) {
        this.sink = Objects.requireNonNull(sink, "sink");
        this.counters = Objects.requireNonNull(counters, "counters");
        inOrder = settings.inOrder();
        packetSizeBytes = settings.packetSizeBytes();
        flowSetBytes = LongStream.of(pool.flowSizesBytes()).reduce(0, Math::addExact);
        maxPackets = (int) Math.min(flowSetBytes / MIN_BYTES_PER_PACKET + 4096, MAX_PACKET_COUNT);
        placement = new PayloadPlacement.Stream(counters);
        window = new BlockWindow(settings, pool.count(), placement);
        planner = new ResendPlanner(settings, Objects.requireNonNull(resend, "resend"), counters);
        expected = new ExpectedSize(packetSizeBytes, maxPackets);
        runs = new InOrderRuns(planner, counters, maxPackets);
        supply = new FlowSetSupply(pool, sink::yieldToConsumer);
        statusPackets = new StatusPackets(window, planner, counters);
    }

    /** Writes into flow sets only where an adapter does not. */
    void beside(DirectPlacement adapter) {
        placement.adapter(adapter);
    }

    // ---- Packets

    @Override
    public boolean layout(BlockLayout next) {
        next.follow(expected.layout());
        return next.packets() > 0;
    }

    @Override
    public boolean next(NextPacket next) {
        return next.look(window.newest(), expected.layout());
    }

    @Override
    public @Nullable FlowSet reserve() {
        return supply.reserve();
    }

    @Override
    public boolean expect(ExpectedPackets next) {
        return runs.look(window.newest(), next.takesShortLast()) && runs.tell(next);
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
        int full = Math.min(count, lengthBytes / segmentBytes);
        int taken = runs.take(heads, offset, strideBytes, full, segmentBytes, true, nowNanos);
        int left = Math.min(segmentBytes, lengthBytes - taken * segmentBytes);
        // The last packet of a block or a flow.
        int last = offset + taken * strideBytes;
        if (taken < count && runs.fitsShort(heads, last, left)) {
            onPacket(heads, last, left, SeparateData.IN_PLACE, nowNanos);
            taken++;
        }
        return taken;
    }

    @Override
    public void onRun(ByteBuffer packets, int offset, int lengthBytes, int segmentBytes, long nowNanos) {
        GvspHeader.checkBuffer(packets, offset, lengthBytes);
        int at = offset;
        int left = lengthBytes;
        do {
            int length = Math.min(segmentBytes, left);
            int taken = length > 0 && placement.alone() && runs.look(window.newest())
                    ? runs.take(packets, at, length, left / length, length, false, nowNanos)
                    : 0;
            if (taken == 0) {
                onAny(packets, at, length, nowNanos);
                taken = 1;
            }
            at += taken * length;
            left -= taken * length;
        } while (left > 0);
    }

    @Override
    public void onPacket(ByteBuffer packet, int offset, int lengthBytes, SeparateData data, long nowNanos) {
        GvspHeader.checkBuffer(packet, offset, lengthBytes);
        placement.separate(data);
        try {
            onAny(packet, offset, lengthBytes, nowNanos);
        } finally {
            placement.separate(null);
        }
    }

    @Override
    public void onPacket(ByteBuffer packet, int offset, int lengthBytes, long nowNanos) {
        onRun(packet, offset, lengthBytes, lengthBytes, nowNanos);
    }

    /**
     * Takes a packet of any kind. Most of those that come in order do not get here, so that the JVM compiles what is
     * done for each of them apart from what is done once for a block. Together, it takes its second compiler 0.1 s and
     * more, in the first second of a stream.
     */
    private void onAny(ByteBuffer packet, int offset, int lengthBytes, long nowNanos) {
        counters.increment(Counter.PACKETS_RECEIVED);
        if (!GvspHeader.fits(packet, offset, lengthBytes)) {
            counters.increment(Counter.PACKETS_MALFORMED);
            return;
        }
        long blockId = GvspHeader.blockId(packet, offset);
        if (blockId == 0) {
            counters.increment(Counter.TEST_PACKETS);
            sink.onTestPacket(lengthBytes + GvspHeader.IP_UDP_LENGTH_BYTES);
            return;
        }
        boolean extended = GvspHeader.extended(packet, offset);
        long packetId = GvspHeader.packetId(packet, offset);
        OpenBlock block = window.find(blockId);
        if (block != null && block.extended() != extended) {
            counters.increment(Counter.PACKETS_MALFORMED);
            return;
        }
        int status = GvspHeader.status(packet, offset);
        if (!GvspStatus.carriesData(status)) {
            statusPackets.take(block, status, packetId, nowNanos);
            return;
        }
        int body = offset + GvspHeader.lengthBytes(packet, offset);
        int bodyBytes = offset + lengthBytes - body;
        int format = GvspHeader.format(packet, offset);
        int partCount = GvspHeader.partCount(packet, offset, bodyBytes);
        if (packetId >= maxPackets || !PacketRules.wellFormed(packet, body, bodyBytes, format, packetId, partCount)) {
            counters.increment(Counter.PACKETS_MALFORMED);
            return;
        }
        boolean resent = GvspHeader.resent(packet, offset);
        if (block == null || (block.placeholder() && !block.finished())) {
            boolean leader = format == GvspHeader.FORMAT_LEADER || format == GvspHeader.FORMAT_ALL_IN;
            long ticks = leader ? GvspLeader.timestampTicks(packet, body) : 0;
            block = block == null
                    ? open(blockId, extended, leader, ticks, resent, nowNanos)
                    : fillPlaceholder(block, leader, ticks, nowNanos);
            if (block == null) {
                return;
            }
        } else if (block.finished()) {
            counters.increment(
                    block.hadFlowSet() || block.placeholder()
                            ? Counter.PACKETS_LATE
                            : Counter.PACKETS_WITHOUT_FLOW_SET);
            return;
        }
        if (format == GvspHeader.FORMAT_ALL_IN) {
            onAllIn(block, packet, body, bodyBytes, resent, nowNanos);
        } else {
            onBlockPacket(block, packet, body, bodyBytes, format, (int) packetId, partCount, resent, nowNanos);
        }
    }

    private void onBlockPacket(
            OpenBlock block,
            ByteBuffer packet,
            int body,
            int bodyBytes,
            int format,
            int packetId,
            int partCount,
            boolean resent,
            long nowNanos) {
        PacketLedger packets = block.packets();
        boolean awaited = packets.isAwaited(packetId);
        if (resent || awaited) {
            counters.increment(Counter.RESENDS_RECEIVED);
        }
        if (!PacketRules.fits(block, packet, body, format, packetId)) {
            counters.increment(Counter.PACKETS_MALFORMED);
            return;
        }
        if (packets.has(packetId)) {
            counters.increment(Counter.PACKETS_DUPLICATE);
            return;
        }
        packets.ensureCapacity(packetId + 1);
        boolean accepted = true;
        if (format == GvspHeader.FORMAT_LEADER) {
            accepted = block.readLeader(packet, body, bodyBytes, partCount, nowNanos);
        } else if (format == GvspHeader.FORMAT_TRAILER) {
            block.readTrailer(packet, body, bodyBytes, packetId);
        } else {
            accepted = block.payload().store(packet, body, bodyBytes, format, packetId, nowNanos);
        }
        if (!accepted) {
            counters.increment(Counter.PACKETS_MALFORMED);
            return;
        }
        if (awaited) {
            counters.increment(Counter.PACKETS_RECOVERED);
        }
        planner.received(block, 1, packetId, nowNanos);
        block.taken(format, packetId, nowNanos);
        if (block.payload().takeWithoutPlace()) {
            counters.increment(Counter.PACKETS_WITHOUT_PLACE);
            planner.notice(block, packetId + 1, nowNanos);
            return;
        }
        packets.markReceived(packetId);
        if (packetId >= packets.scanEnd()) {
            planner.notice(block, packetId, nowNanos);
            packets.scannedTo(packetId + 1);
        }
        if (block.allPackets()) {
            planner.whole(block);
            finish(block, false);
            deliverReady(nowNanos);
        }
    }

    /** A packet that is a whole block. */
    private void onAllIn(OpenBlock block, ByteBuffer packet, int body, int bodyBytes, boolean resent, long nowNanos) {
        if (resent || block.packets().isAwaited(0)) {
            counters.increment(Counter.RESENDS_RECEIVED);
        }
        if (block.packets().count() > 0 || block.contentFormat() != 0) {
            counters.increment(Counter.PACKETS_MALFORMED);
            return;
        }
        block.readAllIn(packet, body, bodyBytes, nowNanos);
        finish(block, false);
        deliverReady(nowNanos);
    }

    // ---- Time

    /**
     * Lets time pass: asks for missing packets and gives up on blocks. Call it after each batch of packets, and when
     * the time that it returned has come.
     *
     * @param nowNanos current time
     * @return when to call again at the latest
     */
    public long onTime(long nowNanos) {
        supply.onTime();
        shedding.onTime(nowNanos);
        if (shedding.leavesNoRoom(window.newestSequence())) {
            planner.keptOut();
        }
        planner.kernelDrops(
                counters.get(Counter.KERNEL_DROPS), shedding.mayHaveShed(window.newestSequence()), nowNanos);
        long next = nowNanos + IDLE_NANOS;
        for (int i = 0; i < window.count(); i++) {
            OpenBlock block = window.get(i);
            if (block.finished()) {
                continue;
            }
            if (!block.resend().abandoned()) {
                long planned = planner.plan(block, expected.packets(block), nowNanos);
                next = planned - next < 0 ? planned : next;
            }
            if (block.resend().abandoned()) {
                finish(block, false);
            }
        }
        deliverReady(nowNanos);
        return next;
    }

    /** The receiver took all packets that had arrived. */
    void caughtUp() {
        shedding.caughtUp();
    }

    /** Ends the stream: what is open is delivered as incomplete, or dropped if nothing of it can be used. */
    public void end() {
        finishOldest(window.count(), true, 0);
        window.restart();
        expected.reset();
        planner.reset();
        shedding.reset();
        supply.end();
    }

    /** The share of blocks that packets are wanted of, from 1 to {@link BlockNumber#ALL}. */
    int blockShare() {
        return shedding.share();
    }

    /**
     * Packets of that share are admitted from now on.
     *
     * @param bufferBytes what the receiver's buffer holds
     */
    void admitted(long bufferBytes) {
        int packets = expected.learnedPackets();
        long blockBytes = packets > 0 ? (long) packets * packetSizeBytes : flowSetBytes;
        shedding.applied(window.newestSequence(), bufferBytes / blockBytes + 1);
    }

    /** The receiver cannot filter packets. */
    void cannotShed() {
        shedding.reset();
    }

    /** Number of blocks that are open or wait for their turn. */
    int openBlocks() {
        return window.count();
    }

    @Override
    public long remainingBytes() {
        return expected.remainingBytes(window.underWay());
    }

    @Override
    public long nanosToEnd(long nowNanos) {
        return expected.nanosToEnd(window.underWay(), nowNanos);
    }

    // ---- The begin of a block

    private @Nullable OpenBlock open(
            long blockId, boolean extended, boolean leader, long ticks, boolean resent, long nowNanos) {
        if (window.changesForm(extended)) {
            if (!leader) {
                counters.increment(Counter.PACKETS_MALFORMED);
                return null;
            }
            restart(nowNanos);
        }
        long sequence = window.sequenceOf(blockId, extended);
        if (window.hasLeft(sequence)) {
            if (!leader || resent || !window.restarted(blockId, sequence, ticks, nowNanos)) {
                counters.increment(
                        window.leftWithoutFlowSet(sequence) ? Counter.PACKETS_WITHOUT_FLOW_SET : Counter.PACKETS_LATE);
                return null;
            }
            restart(nowNanos);
            sequence = window.sequenceOf(blockId, extended);
        }
        if (window.count() == window.capacity()) {
            if (sequence - window.get(0).sequence() < 0) {
                counters.increment(Counter.PACKETS_LATE);
                return null;
            }
            finish(window.get(0), false);
            deliverReady(nowNanos);
            // Newer ones may have waited for the oldest only.
            if (window.hasLeft(sequence)) {
                counters.increment(Counter.PACKETS_LATE);
                return null;
            }
        }
        if (window.isNewer(sequence)) {
            openSkipped(blockId, sequence, extended, nowNanos);
            if (shedding.leavesNoRoom(sequence)) {
                // Packets of a block that two newer ones overtook are not asked for, and its memory is needed.
                finishOldest(window.count() - 1, false, nowNanos);
            }
            window.advance(blockId, sequence, extended);
        }
        return begin(window.insert(blockId, sequence, extended, nowNanos), leader, ticks, nowNanos);
    }

    /**
     * Opens the blocks between the newest one and one that is newer: they were lost as a whole, or skipped by the
     * device.
     */
    private void openSkipped(long blockId, long sequence, boolean extended, long nowNanos) {
        long skipped = window.skippedBefore(blockId, sequence);
        if (skipped <= 0
                || skipped > MAX_SKIPPED_BLOCKS
                || skipped + window.count() >= window.capacity()
                || shedding.mayHaveShed(sequence)
                || !planner.asksForSkippedBlocks()) {
            return;
        }
        for (long back = skipped; back > 0; back--) {
            window.insert(BlockWindow.idBefore(blockId, back, extended), sequence - back, extended, nowNanos)
                    .becomePlaceholder(nowNanos);
        }
    }

    private @Nullable OpenBlock fillPlaceholder(OpenBlock block, boolean leader, long ticks, long nowNanos) {
        planner.placeholderEnded(true);
        block.packetCame();
        return begin(block, leader, ticks, nowNanos);
    }

    /** Gives a block its memory; null if there is none, so that it is dropped. */
    private @Nullable OpenBlock begin(OpenBlock block, boolean leader, long ticks, long nowNanos) {
        int heldUp = window.heldUpBefore(block);
        // The user gives back a moment later, on another thread: the last one has to do until then.
        if (heldUp > 0 && supply.free() < Math.min(2, heldUp)) {
            finishOldest(window.holdingUp(), false, nowNanos);
        }
        FlowSet set = supply.take();
        if (set == null) {
            counters.increment(Counter.FRAMES_DROPPED_NO_FLOW_SET);
            counters.increment(Counter.PACKETS_WITHOUT_FLOW_SET);
            block.drop(leader, ticks);
            ended(block, false);
            deliverReady(nowNanos);
            return null;
        }
        block.begin(set, expected.packetPayloadBytes(block.extended()));
        return block;
    }

    /** The device restarted its block ids: what is open ends, and nothing is compared with what was before. */
    private void restart(long nowNanos) {
        finishOldest(window.count(), false, nowNanos);
        window.restart();
        shedding.renumbered();
    }

    // ---- The end of a block

    private void finish(OpenBlock block, boolean streamEnded) {
        block.finish();
        if (block.placeholder()) {
            return;
        }
        BlockEnd.judge(block);
        if (!streamEnded) {
            ended(block, block.allPackets());
        }
        if (block.whole()) {
            expected.learn(block);
            return;
        }
        int received = block.packets().count();
        int packets = Math.max(expected.packets(block), block.packets().scanEnd());
        long missing = Math.max(0, packets - received);
        IncompleteCause cause = BlockEnd.cause(block, packets, streamEnded);
        block.incomplete(cause, missing);
        boolean cutOff = streamEnded && !block.newerSeen() && !block.trailerSeen();
        // The device may not have sent the rest of a block that it was sending when it was stopped.
        long noticed = cutOff ? block.highestPayload() + 1L - received : missing;
        counters.add(Counter.PACKETS_MISSING, Math.max(0, noticed));
        if (FlightRecorder.isInitialized() && IncompleteFrameEvent.on()) {
            IncompleteFrameEvent.commit(block, packets, missing, cause, counters.get(Counter.KERNEL_DROPS));
        }
    }

    private void ended(OpenBlock block, boolean nothingLost) {
        shedding.ended(block.sequence(), block.blockId(), nothingLost, planner.overloaded());
    }

    private void finishOldest(int count, boolean streamEnded, long nowNanos) {
        for (int i = 0; i < count; i++) {
            if (!window.get(i).finished()) {
                finish(window.get(i), streamEnded);
            }
        }
        deliverReady(nowNanos);
    }

    /**
     * Delivers from the oldest on, up to the first block that is still being received, or all that have ended. Blocks
     * leave in order in any case, so that late and new packets can be distinguished.
     */
    private void deliverReady(long nowNanos) {
        if (!inOrder) {
            for (int i = 0; i < window.count(); i++) {
                deliver(window.get(i));
            }
        }
        int done = 0;
        while (done < window.count() && window.get(done).finished()) {
            OpenBlock block = window.get(done);
            deliver(block);
            countGapBefore(block);
            window.retire(block, nowNanos);
            done++;
        }
        if (done > 0) {
            window.removeOldest(done);
        }
    }

    private void deliver(OpenBlock block) {
        if (!block.finished() || block.delivered()) {
            return;
        }
        block.deliver();
        if (block.placeholder()) {
            planner.placeholderEnded(false);
            ended(block, false);
            counters.increment(Counter.BLOCK_ID_GAPS);
            counters.add(Counter.PACKETS_MISSING, expected.learnedPackets());
            return;
        }
        FlowSet set = block.flowSet();
        if (set == null) {
            return;
        }
        if (!block.usable()) {
            counters.increment(Counter.FRAMES_DROPPED_UNUSABLE);
            supply.giveBack(block.takeFlowSet());
            return;
        }
        IncompleteCause incomplete = block.incomplete();
        if (incomplete == null) {
            counters.increment(Counter.FRAMES_COMPLETE);
        } else {
            counters.incomplete(incomplete);
        }
        boolean overtaken = window.describe(set, block);
        set.finishFilling(block);
        sink.onFrame(set, overtaken);
    }

    private void countGapBefore(OpenBlock block) {
        long gap = window.gapBefore(block);
        if (gap <= 0) {
            return;
        }
        boolean shed = planner.overloaded() || shedding.mayHaveShed(block.sequence());
        counters.add(shed ? Counter.FRAMES_SHED : Counter.BLOCK_ID_GAPS, gap);
        counters.add(shed ? Counter.PACKETS_SHED : Counter.PACKETS_MISSING, gap * expected.learnedPackets());
        for (long back = Math.min(gap, MAX_JUDGED_GAP); back > 0; back--) {
            long id = BlockWindow.idBefore(block.blockId(), back, block.extended());
            shedding.ended(block.sequence() - back, id, false, planner.overloaded());
        }
    }
}
