package io.peregrine.gvsp;

import io.peregrine.nativeio.BlockNumber;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.PayloadType;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.ResendRequester;
import io.peregrine.stream.engine.StreamCounters;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Puts blocks together from GVSP packets: a state machine without threads and without a clock. Time comes in with every
 * call; nothing is allocated for a packet.
 *
 * <p>Several blocks are open at the same time, so that packets of neighbouring blocks may arrive in any order. Blocks
 * are delivered in the order of their ids, or each as it ends ({@link GvspSettings#inOrder()}), whole ones as complete,
 * others with the cause of what is missing. A block is complete only if its leader, its trailer and every packet
 * between them arrived, and if the bytes that they tell of are in the flow set without a gap.
 *
 * <p>Where payload goes:
 *
 * <ul>
 *   <li>Image, raw, file, JPEG, JPEG 2000 and chunk data: flow 0, by packet id, as all packets but the last have one
 *       size.
 *   <li>H.264: flow 0, one packet behind another, as they may be of any size.
 *   <li>Multi-zone: flow 0, where each packet says.
 *   <li>Multi-part: flow 0, where each packet says within its part or within the block ({@link PartOffsets}). Parts lie
 *       one behind another with the lengths of the leader, each at a multiple of
 *       {@link GvspLeader#PART_ALIGNMENT_BYTES}.
 *   <li>GenDC: the flow and the place that each packet says. The preliminary descriptor waits elsewhere, so that no
 *       resend of it can overwrite the final one, and serves only if that did not arrive.
 * </ul>
 *
 * <p>A packet whose place is not known yet waits as far as there is room, and is asked for again beyond that.
 *
 * <p>Missing packets are noticed by later packets of the block, by packets of a later block, or by silence;
 * {@link ResendPlanner} asks for them, also for blocks of which no packet came. A block whose missing packets are all
 * given up ends at once; one without news ends after {@link GvspSettings#frameRetention()}, which is also the longest
 * that a whole block waits for an older one.
 */
public final class FrameAssembler implements PacketSink {
    private static final long IDLE_NANOS = 1_000_000_000L;
    /** Standard block ids go from 1 to 65535 and then to 1 again. */
    private static final int STANDARD_BLOCK_IDS = 65535;

    private static final int CLOSED_BLOCKS = 64;
    private static final int LARGEST_GAP = 32767;
    /** Of a longer gap, the last blocks tell enough. */
    private static final int MOST_JUDGED_GAP = 64;

    /** Most blocks in a row of which no packet came that are asked for. */
    private static final int MOST_SKIPPED_BLOCKS = 4;

    /** How often a batch of packets gives way to the user in vain before blocks are dropped for want of a flow set. */
    private static final int MAX_YIELDS = 8;

    /**
     * Packets of one block can have been told wrong a few times only: by the settings, and by its own short last one.
     */
    private static final int MOST_TIMES_PLACED_ANEW = 4;

    private static final int LEAST_BYTES_PER_PACKET = 64;
    private static final int LARGEST_PACKET_COUNT = 1 << 26;

    private final FlowSetPool pool;
    private final FrameSink sink;
    private final StreamCounters statistics;
    private final int packetSizeBytes;
    private final boolean inOrder;
    private final ResendPlanner planner;
    private final PartOffsets partOffsets = new PartOffsets();
    private final OverloadShedding shedding = new OverloadShedding();
    private final long flowSetBytes;
    private final int maxPackets;

    // Open blocks from the oldest to the newest.
    private final OpenBlock[] blocks;
    private int openCount;

    // Those that are neither open nor tell the user about a flow set.
    private final OpenBlock[] unused;
    private int unusedCount;

    /** Who tells about the last block of each flow set. */
    private final OpenBlock[] tellers;

    // Flow sets that were taken from the pool and not needed.
    private final FlowSet[] spare;
    private int spareCount;
    /** How often it was given way in vain lately. */
    private int yields;

    private final InOrderRuns runs;

    /** Whether the data of the packet is where it belongs already. */
    private boolean inPlace;

    // The newest block so far, from which the positions of others are counted.
    private boolean haveNewest;
    private boolean extendedIds;
    private long newestId;
    private long newestSequence;
    private boolean haveRetired;
    private long retiredSequence;

    // The last blocks that left, to tell late packets from a device that began to count anew.
    private final long[] closedSequence = new long[CLOSED_BLOCKS];
    private final long[] closedTimestamp = new long[CLOSED_BLOCKS];
    private final boolean[] closedHadLeader = new boolean[CLOSED_BLOCKS];
    private final boolean[] closedHadFlowSet = new boolean[CLOSED_BLOCKS];
    private int closedCount;
    private int closedNext;

    // What whole blocks of this stream looked like.
    private int learnedPayloadBytes;
    private int learnedPacketCount;

    /**
     * Creates an assembler that has seen nothing.
     *
     * @param settings packet size and the policy for missing packets
     * @param pool where flow sets come from
     * @param resend takes requests for missing packets; not called when resending is off
     * @param sink takes the blocks
     * @param statistics takes the counts
     */
    public FrameAssembler(
            GvspSettings settings,
            FlowSetPool pool,
            ResendRequester resend,
            FrameSink sink,
            StreamCounters statistics) {
        this.pool = Objects.requireNonNull(pool, "pool");
        this.sink = Objects.requireNonNull(sink, "sink");
        this.statistics = Objects.requireNonNull(statistics, "statistics");
        packetSizeBytes = settings.packetSizeBytes();
        inOrder = settings.inOrder();
        planner = new ResendPlanner(settings, Objects.requireNonNull(resend, "resend"), statistics);
        long bytes = 0;
        for (long size : pool.flowSizesBytes()) {
            bytes = Math.addExact(bytes, size);
        }
        flowSetBytes = bytes;
        maxPackets = (int) Math.min(flowSetBytes / LEAST_BYTES_PER_PACKET + 4096, LARGEST_PACKET_COUNT);
        runs = new InOrderRuns(planner, statistics, maxPackets);
        blocks = new OpenBlock[settings.openBlocks()];
        tellers = new OpenBlock[pool.count()];
        unused = new OpenBlock[blocks.length + tellers.length];
        for (unusedCount = 0; unusedCount < unused.length; unusedCount++) {
            unused[unusedCount] = new OpenBlock();
        }
        spare = new FlowSet[blocks.length];
    }

    private OpenBlock newest() {
        return openCount == 0 ? null : blocks[openCount - 1];
    }

    @Override
    public boolean expect(ExpectedPackets next) {
        return runs.look(newest()) && runs.tell(next);
    }

    @Override
    public int onRunInPlace(
            ByteBuffer heads, int strideBytes, int count, int lengthBytes, int segmentBytes, long nowNanos) {
        int full = Math.min(count, lengthBytes / segmentBytes);
        int taken = runs.take(heads, 0, strideBytes, full, segmentBytes, true, nowNanos);
        int left = Math.min(segmentBytes, lengthBytes - taken * segmentBytes);
        // The last packet of a block or a flow.
        if (taken < count && runs.fitsShort(heads, taken * strideBytes, left)) {
            inPlace = true;
            try {
                onPacket(heads, taken * strideBytes, left, nowNanos);
            } finally {
                inPlace = false;
            }
            taken++;
        }
        return taken;
    }

    @Override
    public void onRun(ByteBuffer packets, int offset, int lengthBytes, int segmentBytes, long nowNanos) {
        checkOrder(packets);
        Objects.checkFromIndexSize(offset, lengthBytes, packets.limit());
        int at = offset;
        int left = lengthBytes;
        do {
            int length = Math.min(segmentBytes, left);
            int taken = 0;
            if (length == segmentBytes && length > 0 && runs.look(newest())) {
                taken = runs.take(packets, at, length, left / length, length, false, nowNanos);
            }
            if (taken == 0) {
                onPacket(packets, at, length, nowNanos);
                taken = 1;
            }
            at += taken * length;
            left -= taken * length;
        } while (left > 0);
    }

    private static void checkOrder(ByteBuffer packet) {
        if (packet.order() != ByteOrder.BIG_ENDIAN) {
            throw new IllegalArgumentException("A GVSP packet is big-endian, the buffer must be too");
        }
    }

    @Override
    public void onPacket(ByteBuffer packet, int offset, int lengthBytes, long nowNanos) {
        checkOrder(packet);
        Objects.checkFromIndexSize(offset, lengthBytes, packet.limit());
        statistics.increment(Counter.PACKETS_RECEIVED);
        if (!GvspHeader.fits(packet, offset, lengthBytes)) {
            statistics.increment(Counter.PACKETS_MALFORMED);
            return;
        }
        long blockId = GvspHeader.blockId(packet, offset);
        if (blockId == 0) {
            statistics.increment(Counter.TEST_PACKETS);
            sink.onTestPacket(lengthBytes + GvspHeader.IP_UDP_LENGTH_BYTES);
            return;
        }
        boolean extended = GvspHeader.extended(packet, offset);
        long packetId = GvspHeader.packetId(packet, offset);
        OpenBlock block = find(blockId);
        if (block != null && block.extended != extended) {
            statistics.increment(Counter.PACKETS_MALFORMED);
            return;
        }
        int status = GvspHeader.status(packet, offset);
        if (!GvspStatus.carriesData(status)) {
            onErrorStatus(block, status, packetId, nowNanos);
            return;
        }
        int body = offset + GvspHeader.lengthBytes(packet, offset);
        int bodyBytes = offset + lengthBytes - body;
        int format = GvspHeader.format(packet, offset);
        int partCount = GvspHeader.partCount(packet, offset, bodyBytes);
        if (packetId >= maxPackets || !wellFormed(packet, body, bodyBytes, format, packetId, partCount)) {
            statistics.increment(Counter.PACKETS_MALFORMED);
            return;
        }
        boolean resent = GvspHeader.resent(packet, offset);
        if (block == null) {
            boolean leader = format == GvspHeader.FORMAT_LEADER || format == GvspHeader.FORMAT_ALL_IN;
            long timestamp = leader ? GvspLeader.timestampTicks(packet, body) : 0;
            block = open(blockId, extended, leader, timestamp, resent, nowNanos);
            if (block == null) {
                return;
            }
        } else if (block.awaited && !block.finished) {
            planner.awaitedEnded(true);
            block.awaited = false;
            boolean leader = format == GvspHeader.FORMAT_LEADER || format == GvspHeader.FORMAT_ALL_IN;
            if (!begin(block, leader, leader ? GvspLeader.timestampTicks(packet, body) : 0)) {
                deliverReady();
                return;
            }
        } else if (block.finished) {
            statistics.increment(
                    block.hadFlowSet || block.awaited ? Counter.PACKETS_LATE : Counter.PACKETS_WITHOUT_FLOW_SET);
            return;
        }
        if (format == GvspHeader.FORMAT_ALL_IN) {
            onAllIn(block, packet, body, bodyBytes, resent, nowNanos);
        } else {
            onBlockPacket(block, packet, body, bodyBytes, format, (int) packetId, partCount, resent, nowNanos);
        }
    }

    /**
     * Lets time pass: asks for missing packets and gives up on blocks. Call it after each batch of packets, and when
     * the time that it returned has come.
     *
     * @param nowNanos current time
     * @return when to call again at the latest
     */
    public long onTime(long nowNanos) {
        yields = 0;
        shedding.onTime(nowNanos);
        if (shedding.leavesNoRoom(newestSequence)) {
            planner.keptOut();
        }
        planner.kernelDrops(statistics.get(Counter.KERNEL_DROPS), shedding.mayHaveShed(newestSequence), nowNanos);
        long next = nowNanos + IDLE_NANOS;
        for (int i = 0; i < openCount; i++) {
            OpenBlock block = blocks[i];
            if (block.finished) {
                continue;
            }
            if (!block.hopeless) {
                next = earlier(next, planner.plan(block, expectedPackets(block), nowNanos), nowNanos);
            }
            if (block.hopeless) {
                finish(block, false);
            }
        }
        deliverReady();
        return next;
    }

    /** The receiver took all packets that had arrived. */
    void caughtUp() {
        shedding.caughtUp();
    }

    /** Ends the stream: what is open is delivered as incomplete, or dropped if nothing of it can be used. */
    public void end() {
        finishAll(true);
        haveNewest = false;
        haveRetired = false;
        closedCount = 0;
        closedNext = 0;
        learnedPayloadBytes = 0;
        learnedPacketCount = 0;
        planner.reset();
        shedding.reset();
        // The owner of the pool takes back what is left.
        spareCount = 0;
    }

    /** The share of blocks that packets are wanted of, from 1 to {@link BlockNumber#ALL}. */
    int blockShare() {
        return shedding.share();
    }

    /**
     * Packets of that share are let in from now on.
     *
     * @param bufferBytes what the receiver's buffer holds
     */
    void admitted(long bufferBytes) {
        long blockBytes = learnedPacketCount > 0 ? (long) learnedPacketCount * packetSizeBytes : flowSetBytes;
        shedding.applied(newestSequence, bufferBytes / blockBytes + 1);
    }

    /** The receiver cannot keep packets out. */
    void cannotShed() {
        shedding.reset();
    }

    /** Number of blocks that are open or wait for their turn. */
    int openBlocks() {
        return openCount;
    }

    private static boolean wellFormed(
            ByteBuffer packet, int body, int bodyBytes, int format, long packetId, int partCount) {
        return switch (format) {
            case GvspHeader.FORMAT_LEADER -> packetId == 0 && wellFormedLeader(packet, body, bodyBytes, partCount);
            case GvspHeader.FORMAT_TRAILER -> packetId > 0 && GvspTrailer.fits(bodyBytes);
            case GvspHeader.FORMAT_PAYLOAD -> packetId > 0 && bodyBytes > 0;
            case GvspHeader.FORMAT_ALL_IN -> AllInPacket.fits(packet, body, bodyBytes);
            case GvspHeader.FORMAT_H264 -> packetId > 0 && bodyBytes > GvspLeader.H264_PAYLOAD_HEAD_LENGTH_BYTES;
            case GvspHeader.FORMAT_MULTI_ZONE, GvspHeader.FORMAT_MULTI_PART ->
                packetId > 0 && PlacedPayload.fits(bodyBytes);
            case GvspHeader.FORMAT_GENDC -> packetId > 0 && GenDcPayload.fits(packet, body, bodyBytes);
            default -> false;
        };
    }

    private static boolean wellFormedLeader(ByteBuffer packet, int body, int bodyBytes, int partCount) {
        if (!GvspLeader.fits(packet, body, bodyBytes)) {
            return false;
        }
        int type = GvspLeader.payloadType(packet, body);
        return switch (PayloadType.base(type)) {
            case PayloadType.MULTI_PART ->
                partCount > 0 && partCount <= GvspLeader.MAX_PARTS && bodyBytes >= GvspLeader.lengthBytes(partCount);
            // Chunk data of a container is one of its parts.
            case PayloadType.GENDC -> type == PayloadType.GENDC;
            default -> true;
        };
    }

    private OpenBlock find(long blockId) {
        for (int i = openCount - 1; i >= 0; i--) {
            if (blocks[i].blockId == blockId) {
                return blocks[i];
            }
        }
        return null;
    }

    // ---- Blocks: opening, order, delivery

    private OpenBlock open(
            long blockId, boolean extended, boolean leader, long timestamp, boolean resent, long nowNanos) {
        if (haveNewest && extended != extendedIds) {
            if (!leader) {
                statistics.increment(Counter.PACKETS_MALFORMED);
                return null;
            }
            beginNumbering();
        }
        long sequence = sequenceOf(blockId, extended);
        if (haveRetired && sequence - retiredSequence <= 0) {
            int closed = findClosed(sequence);
            boolean countsAnew = leader
                    && !resent
                    && (closed >= 0
                            ? closedHadLeader[closed] && closedTimestamp[closed] != timestamp
                            : blockId == 1 || retiredSequence - sequence > CLOSED_BLOCKS);
            if (!countsAnew) {
                boolean dropped = closed >= 0 && !closedHadFlowSet[closed];
                statistics.increment(dropped ? Counter.PACKETS_WITHOUT_FLOW_SET : Counter.PACKETS_LATE);
                return null;
            }
            beginNumbering();
            sequence = sequenceOf(blockId, extended);
        }
        if (openCount == blocks.length) {
            if (sequence - blocks[0].sequence < 0) {
                statistics.increment(Counter.PACKETS_LATE);
                return null;
            }
            finish(blocks[0], false);
            deliverReady();
        }
        if (!haveNewest || sequence - newestSequence > 0) {
            awaitSkipped(blockId, sequence, extended, nowNanos);
            if (shedding.leavesNoRoom(sequence)) {
                // Nobody asks for packets of a block that two newer ones overtook, and its memory is needed.
                finishOldest(openCount - 1, false);
            }
            haveNewest = true;
            extendedIds = extended;
            newestId = blockId;
            newestSequence = sequence;
        }
        OpenBlock block = insert(blockId, sequence, extended, nowNanos);
        if (!begin(block, leader, timestamp)) {
            deliverReady();
            return null;
        }
        return block;
    }

    /**
     * Opens the blocks between the newest one and one that is newer: they were lost as a whole, or skipped by the
     * device. The first block of a stream has the id 1.
     */
    private void awaitSkipped(long blockId, long sequence, boolean extended, long nowNanos) {
        long skipped = haveNewest ? sequence - newestSequence - 1 : blockId - 1;
        if (skipped <= 0
                || skipped > MOST_SKIPPED_BLOCKS
                || skipped + openCount >= blocks.length
                || shedding.mayHaveShed(sequence)
                || !planner.asksForSkippedBlocks()) {
            return;
        }
        for (long back = skipped; back > 0; back--) {
            insert(idBefore(blockId, back, extended), sequence - back, extended, nowNanos)
                    .await(nowNanos);
        }
    }

    /** Id of the block that is so many before another one. No block has the id 0. */
    private static long idBefore(long blockId, long back, boolean extended) {
        long id = blockId - back;
        if (extended) {
            return Long.compareUnsigned(blockId, back) > 0 ? id : id - 1;
        }
        return id >= 1 ? id : id + STANDARD_BLOCK_IDS;
    }

    /** Gives a block its memory; false if there is none, so that it is dropped. */
    private boolean begin(OpenBlock block, boolean leader, long timestamp) {
        FlowSet set = takeFlowSet();
        if (set == null) {
            statistics.increment(Counter.FRAMES_DROPPED_NO_FLOW_SET);
            statistics.increment(Counter.PACKETS_WITHOUT_FLOW_SET);
            block.leaderSeen = leader;
            block.leaderTicks = timestamp;
            block.finished = true;
            ended(block, false);
            return false;
        }
        set.beginFilling();
        block.flowSet = set;
        block.hadFlowSet = true;
        block.packetPayloadBytes = learnedPayloadBytes > 0
                ? learnedPayloadBytes
                : packetSizeBytes
                        - GvspHeader.IP_UDP_LENGTH_BYTES
                        - (block.extended ? GvspHeader.EXTENDED_LENGTH_BYTES : GvspHeader.STANDARD_LENGTH_BYTES);
        return true;
    }

    /** Opens a block at the place of its position among the others. The older ones learn that there is a newer one. */
    private OpenBlock insert(long blockId, long sequence, boolean extended, long nowNanos) {
        OpenBlock block = unused[--unusedCount];
        int place = openCount;
        while (place > 0 && sequence - blocks[place - 1].sequence < 0) {
            blocks[place] = blocks[place - 1];
            place--;
        }
        blocks[place] = block;
        openCount++;
        block.open(blockId, sequence, extended, nowNanos);
        if (block != blocks[openCount - 1]) {
            block.newerSeen = true;
            block.newerSeenAt = nowNanos;
        }
        for (int i = 0; i < place; i++) {
            if (!blocks[i].newerSeen) {
                blocks[i].newerSeen = true;
                blocks[i].newerSeenAt = nowNanos;
            }
        }
        return block;
    }

    private FlowSet takeFlowSet() {
        if (spareCount > 0) {
            return spare[--spareCount];
        }
        FlowSet set = pool.take().orElse(null);
        while (set == null && yields < MAX_YIELDS) {
            yields++;
            sink.yieldToConsumer();
            set = pool.take().orElse(null);
            if (set != null) {
                yields = 0;
            }
        }
        return set;
    }

    /** Position of a block on an axis that does not wrap. */
    private long sequenceOf(long blockId, boolean extended) {
        if (!haveNewest) {
            return blockId;
        }
        if (extended) {
            long distance = blockId - newestId;
            boolean forward = distance > 0;
            boolean wraps = forward == Long.compareUnsigned(blockId, newestId) < 0;
            return newestSequence + (wraps && distance != 0 ? distance - (forward ? 1 : -1) : distance);
        }
        int distance = Math.floorMod((int) (blockId - newestId), STANDARD_BLOCK_IDS);
        return newestSequence + (distance > LARGEST_GAP ? distance - STANDARD_BLOCK_IDS : distance);
    }

    private int findClosed(long sequence) {
        for (int i = 0; i < closedCount; i++) {
            if (closedSequence[i] == sequence) {
                return i;
            }
        }
        return -1;
    }

    /** The device began to count anew: what is open ends, and nothing is compared with what was before. */
    private void beginNumbering() {
        finishAll(false);
        haveNewest = false;
        haveRetired = false;
        closedCount = 0;
        closedNext = 0;
        shedding.renumbered();
    }

    private void finishAll(boolean streamEnded) {
        finishOldest(openCount, streamEnded);
    }

    private void finishOldest(int count, boolean streamEnded) {
        for (int i = 0; i < count; i++) {
            if (!blocks[i].finished) {
                finish(blocks[i], streamEnded);
            }
        }
        deliverReady();
    }

    /**
     * Delivers from the oldest on, up to the first block that is still being received, or all that have ended. Blocks
     * leave in order in any case, so that what is late can be told from what is new.
     */
    private void deliverReady() {
        int done = 0;
        if (!inOrder) {
            for (int i = 0; i < openCount; i++) {
                if (blocks[i].finished && !blocks[i].delivered) {
                    deliver(blocks[i]);
                }
            }
        }
        while (done < openCount && blocks[done].finished) {
            if (!blocks[done].delivered) {
                deliver(blocks[done]);
            }
            retire(blocks[done]);
            done++;
        }
        if (done == 0) {
            return;
        }
        openCount -= done;
        System.arraycopy(blocks, done, blocks, 0, openCount);
    }

    private void retire(OpenBlock block) {
        if (haveRetired) {
            long gap = block.sequence - retiredSequence - 1;
            if (gap > 0 && gap <= LARGEST_GAP) {
                boolean shed = planner.overloaded() || shedding.mayHaveShed(block.sequence);
                statistics.add(shed ? Counter.FRAMES_SHED : Counter.BLOCK_ID_GAPS, gap);
                statistics.add(shed ? Counter.PACKETS_SHED : Counter.PACKETS_MISSING, gap * learnedPacketCount);
                for (long back = Math.min(gap, MOST_JUDGED_GAP); back > 0; back--) {
                    long id = idBefore(block.blockId, back, block.extended);
                    shedding.ended(block.sequence - back, id, false, planner.overloaded());
                }
            }
        }
        haveRetired = true;
        retiredSequence = block.sequence;
        closedSequence[closedNext] = block.sequence;
        closedTimestamp[closedNext] = block.leaderTicks;
        closedHadLeader[closedNext] = block.leaderSeen;
        closedHadFlowSet[closedNext] = block.hadFlowSet || block.awaited;
        closedNext = (closedNext + 1) % CLOSED_BLOCKS;
        closedCount = Math.min(closedCount + 1, CLOSED_BLOCKS);
        block.retired = true;
        reuse(block);
    }

    private void reuse(OpenBlock block) {
        if (block.retired && !block.tells) {
            unused[unusedCount++] = block;
        }
    }

    /** The block is what the flow set holds from now on. Whoever told about the one before is not asked any more. */
    private void tell(FlowSet set, OpenBlock block) {
        OpenBlock last = tellers[set.index()];
        tellers[set.index()] = block;
        block.tells = true;
        if (last != null) {
            last.tells = false;
            reuse(last);
        }
    }

    private void deliver(OpenBlock block) {
        block.delivered = true;
        if (block.awaited) {
            planner.awaitedEnded(false);
            ended(block, false);
            statistics.increment(Counter.BLOCK_ID_GAPS);
            statistics.add(Counter.PACKETS_MISSING, learnedPacketCount);
            return;
        }
        FlowSet set = block.flowSet;
        if (set == null) {
            return;
        }
        if (!block.usable) {
            block.flowSet = null;
            statistics.increment(Counter.FRAMES_DROPPED_UNUSABLE);
            set.abandonFilling();
            spare[spareCount++] = set;
            return;
        }
        if (block.incomplete == null) {
            statistics.increment(Counter.FRAMES_COMPLETE);
        } else {
            statistics.incomplete(block.incomplete);
        }
        tell(set, block);
        set.finishFilling(block);
        sink.onFrame(set);
    }

    // ---- Packets of an open block

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
        if (resent || wasAskedFor(block, packetId)) {
            statistics.increment(Counter.RESENDS_RECEIVED);
        }
        if (!fitsEnd(block, format, packetId) || !fitsContent(block, packet, body, format)) {
            statistics.increment(Counter.PACKETS_MALFORMED);
            return;
        }
        if (block.has(packetId)) {
            statistics.increment(Counter.PACKETS_DUPLICATE);
            return;
        }
        boolean recovered = wasAskedFor(block, packetId);
        block.ensureCapacity(packetId + 1);
        boolean accepted = switch (format) {
            case GvspHeader.FORMAT_LEADER -> onLeader(block, packet, body, bodyBytes, partCount, nowNanos);
            case GvspHeader.FORMAT_TRAILER -> onTrailer(block, packet, body, bodyBytes, packetId);
            case GvspHeader.FORMAT_PAYLOAD -> onGenericPayload(block, packet, body, bodyBytes, packetId, nowNanos);
            case GvspHeader.FORMAT_H264 -> onH264Payload(block, packet, body, bodyBytes, packetId);
            case GvspHeader.FORMAT_MULTI_ZONE -> onMultiZonePayload(block, packet, body, bodyBytes);
            case GvspHeader.FORMAT_MULTI_PART -> onMultiPartPayload(block, packet, body, bodyBytes, packetId);
            default -> onGenDcPayload(block, packet, body);
        };
        if (!accepted) {
            statistics.increment(Counter.PACKETS_MALFORMED);
            return;
        }
        if (recovered) {
            statistics.increment(Counter.PACKETS_RECOVERED);
        }
        planner.received(block, 1, packetId, nowNanos);
        block.lastUsefulAt = nowNanos;
        if (format != GvspHeader.FORMAT_LEADER && format != GvspHeader.FORMAT_TRAILER) {
            block.contentFormat = format;
            if (packetId > block.highestPayload) {
                block.highestPayload = packetId;
                // The end was estimated from fewer packets, and may lie further away.
                block.tailNoticed = false;
            }
        } else if (format == GvspHeader.FORMAT_LEADER) {
            block.tailNoticed = false;
        }
        if (block.noPlaceYet) {
            block.noPlaceYet = false;
            statistics.increment(Counter.PACKETS_WITHOUT_PLACE);
            planner.notice(block, packetId + 1, nowNanos);
            return;
        }
        block.markReceived(packetId);
        if (packetId >= block.noticedEnd) {
            planner.notice(block, packetId, nowNanos);
            block.noticedEnd = packetId + 1;
        }
        if (block.allPackets()) {
            planner.whole(block);
            finish(block, false);
            deliverReady();
        }
    }

    /** A packet that is a whole block. */
    private void onAllIn(OpenBlock block, ByteBuffer packet, int body, int bodyBytes, boolean resent, long nowNanos) {
        if (resent || wasAskedFor(block, 0)) {
            statistics.increment(Counter.RESENDS_RECEIVED);
        }
        int type = GvspLeader.payloadType(packet, body);
        int trailer = body + AllInPacket.leaderLengthBytes(packet, body, bodyBytes);
        int data = trailer + AllInPacket.trailerLengthBytes(type);
        int dataBytes = body + bodyBytes - data;
        if (block.receivedCount > 0 || block.contentFormat != 0) {
            statistics.increment(Counter.PACKETS_MALFORMED);
            return;
        }
        block.ensureCapacity(1);
        onLeader(block, packet, body, trailer - body, 0, nowNanos);
        onTrailer(block, packet, trailer, data - trailer, 0);
        block.allIn = true;
        block.markReceived(0);
        block.noticedEnd = 1;
        block.lastUsefulAt = nowNanos;
        switch (PayloadType.base(type)) {
            case PayloadType.H264 -> {
                block.timestampTicks = packet.getLong(data);
                int head = GvspLeader.H264_PAYLOAD_HEAD_LENGTH_BYTES;
                store(block, 0, 0, packet, data + head, dataBytes - head);
            }
            case PayloadType.MULTI_ZONE -> onMultiZonePayload(block, packet, data, dataBytes);
            default -> store(block, 0, 0, packet, data, dataBytes);
        }
        finish(block, false);
        deliverReady();
    }

    private boolean wasAskedFor(OpenBlock block, int packetId) {
        if (packetId >= block.noticedEnd || block.has(packetId)) {
            return false;
        }
        int tries = block.tries(packetId);
        return tries > 0 && tries < OpenBlock.GIVEN_UP;
    }

    /** Whether a packet is on the right side of the end of the block, as far as it is known. */
    private static boolean fitsEnd(OpenBlock block, int format, int packetId) {
        if (format == GvspHeader.FORMAT_TRAILER) {
            return packetId > block.highestPayload && (!block.trailerSeen || packetId == block.trailerId);
        }
        return !block.trailerSeen || packetId < block.trailerId;
    }

    /** Whether a packet is of the kind of payload that the block has. */
    private static boolean fitsContent(OpenBlock block, ByteBuffer packet, int body, int format) {
        if (format == GvspHeader.FORMAT_LEADER) {
            return block.contentFormat == 0
                    || block.contentFormat == GvspHeader.payloadFormat(GvspLeader.payloadType(packet, body));
        }
        if (format == GvspHeader.FORMAT_TRAILER) {
            return true;
        }
        if (block.contentFormat != 0 && block.contentFormat != format) {
            return false;
        }
        return !block.leaderSeen || GvspHeader.payloadFormat(block.payloadType) == format;
    }

    private boolean onLeader(
            OpenBlock block, ByteBuffer packet, int body, int bodyBytes, int partCount, long nowNanos) {
        int type = GvspLeader.payloadType(packet, body);
        int base = PayloadType.base(type);
        if (base == PayloadType.MULTI_PART) {
            if (block.storedEnd > GvspLeader.partLengthBytes(packet, body, 0)) {
                // What came for the first part contradicts it.
                return false;
            }
            block.parts.read(packet, body, partCount);
            block.parts.addStored(0, block.storedBytes);
        }
        block.leaderSeen = true;
        block.payloadType = type;
        block.leaderTicks = GvspLeader.timestampTicks(packet, body);
        block.keepLeader(packet, body, bodyBytes);
        if (base != PayloadType.H264) {
            block.timestampTicks = block.leaderTicks;
        }
        switch (base) {
            case PayloadType.IMAGE, PayloadType.EXTENDED_CHUNK -> {
                block.image = GvspLeader.geometry(packet, body, block.lastImage);
                block.lastImage = block.image;
                block.expectedBytes = GvspLeader.imageSizeBytes(block.image);
            }
            case PayloadType.MULTI_ZONE -> {
                block.image = GvspLeader.multiZoneGeometry(packet, body, block.lastImage);
                block.lastImage = block.image;
                block.expectedBytes = GvspLeader.imageSizeBytes(block.image);
            }
            case PayloadType.MULTI_PART -> {
                block.expectedBytes = block.parts.totalBytes();
                placeHeld(block, nowNanos);
            }
            case PayloadType.GENDC -> {
                block.expectedBytes = Math.max(0, GvspLeader.payloadSizeBytes(packet, body));
                block.descriptorBytes = GvspLeader.descriptorSizeBytes(packet, body);
            }
            case PayloadType.RAW, PayloadType.FILE -> {
                long size = GvspLeader.payloadSizeBytes(packet, body);
                block.expectedBytes = size < 0 ? Long.MAX_VALUE : size;
            }
            default -> {
                // Encoders begin to send before they know their size; chunk data tells it in its trailer.
            }
        }
        return true;
    }

    private static boolean onTrailer(OpenBlock block, ByteBuffer packet, int body, int bodyBytes, int packetId) {
        block.trailerSeen = true;
        block.trailerId = packetId;
        // More was expected than there is.
        block.noticedEnd = Math.min(block.noticedEnd, packetId + 1);
        block.keepTrailer(packet, body, bodyBytes);
        return true;
    }

    /**
     * All packets of a generic payload but the last are of the same size, so that a packet's id tells its place. The
     * size is that of the blocks before, or follows from the packet size in the settings, until the packets say
     * otherwise.
     */
    private boolean onGenericPayload(
            OpenBlock block, ByteBuffer packet, int body, int bodyBytes, int packetId, long nowNanos) {
        int full = block.packetPayloadBytes;
        if (bodyBytes != full && block.timesPlacedAnew > MOST_TIMES_PLACED_ANEW && block.fullPackets <= 1) {
            return false;
        }
        if (bodyBytes > full) {
            // At most the one packet that set the size may have been the short last one.
            if (block.fullPackets > 1) {
                return false;
            }
            placeAnew(block, bodyBytes, nowNanos);
        } else if (bodyBytes < full) {
            if (block.shortPacketId == 0) {
                boolean last = packetId != 1
                        && (block.expectedBytes == 0
                                || (packetId - 1L) * full + bodyBytes >= block.expectedBytes
                                || block.fullPackets > 0);
                if (!last && block.fullPackets == 0) {
                    placeAnew(block, bodyBytes, nowNanos);
                } else if (block.highestPayload > packetId) {
                    return false;
                }
            } else if (block.fullPackets == 0) {
                // Two short packets: neither tells the size that was assumed.
                placeAnew(block, Math.max(bodyBytes, block.shortPacketBytes), nowNanos);
            } else {
                return false;
            }
        } else if (block.shortPacketId != 0 && packetId > block.shortPacketId) {
            return false;
        }
        if (bodyBytes < block.packetPayloadBytes) {
            block.shortPacketId = packetId;
            block.shortPacketBytes = bodyBytes;
        } else {
            block.fullPackets++;
        }
        store(block, 0, (packetId - 1L) * block.packetPayloadBytes, packet, body, bodyBytes);
        return true;
    }

    /**
     * Packets of H.264 may be of any size, so that each one's place is behind the one before it. What comes before its
     * turn waits as far as there is room.
     */
    private boolean onH264Payload(OpenBlock block, ByteBuffer packet, int body, int bodyBytes, int packetId) {
        block.largestDataBytes =
                Math.max(block.largestDataBytes, bodyBytes - GvspLeader.H264_PAYLOAD_HEAD_LENGTH_BYTES);
        if (packetId != block.nextInTurn) {
            block.noPlaceYet = !block.held.add(packetId, packet, body, bodyBytes);
            return true;
        }
        append(block, packet, body, bodyBytes);
        HeldPackets held = block.held;
        for (int entry = held.find(block.nextInTurn); entry >= 0; entry = held.find(block.nextInTurn)) {
            append(block, held.bytes(), held.body(entry), held.bodyBytes(entry));
        }
        return true;
    }

    private void append(OpenBlock block, ByteBuffer packet, int body, int bodyBytes) {
        int head = GvspLeader.H264_PAYLOAD_HEAD_LENGTH_BYTES;
        block.timestampTicks = packet.getLong(body);
        store(block, 0, block.inTurnEnd, packet, body + head, bodyBytes - head);
        block.inTurnEnd += bodyBytes - head;
        block.nextInTurn++;
    }

    private boolean onMultiZonePayload(OpenBlock block, ByteBuffer packet, int body, int bodyBytes) {
        int size = bodyBytes - PlacedPayload.HEAD_LENGTH_BYTES;
        block.largestDataBytes = Math.max(block.largestDataBytes, size);
        store(
                block,
                0,
                PlacedPayload.destinationOffset(packet, body),
                packet,
                body + PlacedPayload.HEAD_LENGTH_BYTES,
                size);
        return true;
    }

    /**
     * Only the leader tells where a part lies. Of what comes before it, the first part is at the start anyway, and as
     * much of the others as there is room for waits; the rest is asked for again.
     */
    private boolean onMultiPartPayload(OpenBlock block, ByteBuffer packet, int body, int bodyBytes, int packetId) {
        block.largestDataBytes = Math.max(block.largestDataBytes, bodyBytes - PlacedPayload.HEAD_LENGTH_BYTES);
        if (block.leaderSeen) {
            return storePart(block, packet, body, bodyBytes);
        }
        if (PlacedPayload.partId(packet, body) == 0) {
            storeAt(block, PlacedPayload.destinationOffset(packet, body), packet, body, bodyBytes);
        } else {
            block.noPlaceYet = !block.held.add(packetId, packet, body, bodyBytes);
        }
        return true;
    }

    private boolean storePart(OpenBlock block, ByteBuffer packet, int body, int bodyBytes) {
        int part = PlacedPayload.partId(packet, body);
        int size = bodyBytes - PlacedPayload.HEAD_LENGTH_BYTES;
        long destination = partOffsets.inPart(block.parts, part, PlacedPayload.destinationOffset(packet, body), size);
        if (destination == PartOffsets.OUTSIDE) {
            return false;
        }
        storeAt(block, block.parts.offsetBytes(part) + destination, packet, body, bodyBytes);
        block.parts.addStored(part, size);
        return true;
    }

    private void storeAt(OpenBlock block, long place, ByteBuffer packet, int body, int bodyBytes) {
        store(
                block,
                0,
                place,
                packet,
                body + PlacedPayload.HEAD_LENGTH_BYTES,
                bodyBytes - PlacedPayload.HEAD_LENGTH_BYTES);
    }

    /** The leader came: packets that waited for it find their place. */
    private void placeHeld(OpenBlock block, long nowNanos) {
        HeldPackets held = block.held;
        for (int entry = 0; entry < held.end(); entry = held.next(entry)) {
            if (!storePart(block, held.bytes(), held.body(entry), held.bodyBytes(entry))) {
                statistics.increment(Counter.PACKETS_MALFORMED);
                block.forget(held.packetId(entry), nowNanos);
                planner.lookBy(block, nowNanos);
            }
        }
        held.clear();
    }

    private void placeAnew(OpenBlock block, int packetPayloadBytes, long nowNanos) {
        if (block.fullPackets > 0 || block.shortPacketId != 0) {
            block.forgetPayload(nowNanos);
            planner.lookBy(block, nowNanos);
        }
        block.packetPayloadBytes = packetPayloadBytes;
    }

    private static boolean overlapsEnd(long offset, int size, long limit) {
        return offset > limit || size > limit - offset;
    }

    private boolean onGenDcPayload(OpenBlock block, ByteBuffer packet, int body) {
        int size = GenDcPayload.dataSizeBytes(packet, body);
        long destination = GenDcPayload.destinationOffset(packet, body);
        int flow = GenDcPayload.flowId(packet, body);
        int kind = GenDcPayload.descriptorKind(packet, body);
        int data = body + GenDcPayload.HEAD_LENGTH_BYTES;
        block.largestDataBytes = Math.max(block.largestDataBytes, size);
        if (kind != GenDcPayload.KIND_DATA && flow != 0) {
            return false;
        }
        if (kind == GenDcPayload.KIND_PRELIMINARY) {
            long room = Math.min(block.flowSet.flowSizeBytes(0), OpenBlock.LARGEST_DESCRIPTOR_BYTES);
            if (overlapsEnd(destination, size, room)) {
                block.excess = true;
                return true;
            }
            int end = (int) destination + size;
            block.ensurePreliminary(end);
            block.preliminary.put((int) destination, packet, data, size);
            block.preliminaryCoverage.add(destination, end);
            if (GenDcPayload.descriptorEnd(packet, body)) {
                block.preliminaryEnd = end;
            }
            return true;
        }
        if (kind == GenDcPayload.KIND_FINAL && GenDcPayload.descriptorEnd(packet, body)) {
            block.finalDescriptorEnd = destination + size;
        }
        store(block, flow, destination, packet, data, size);
        block.nextFlow = flow;
        block.nextPlace = destination + size;
        block.nextDataBytes = kind == GenDcPayload.KIND_DATA && flow < block.flowSet.flowCount() ? size : 0;
        return true;
    }

    private void store(OpenBlock block, int flow, long destination, ByteBuffer packet, int data, int size) {
        FlowSet set = block.flowSet;
        if (flow >= set.flowCount()) {
            block.excess = true;
            return;
        }
        long limit = set.flowSizeBytes(flow);
        int fits = (int) Math.min(size, Math.max(0, limit - destination));
        if (fits < size) {
            block.excess = true;
        }
        if (fits > 0) {
            if (!inPlace) {
                set.flow(flow).put((int) destination, packet, data, fits);
            }
            set.markReceived(flow, destination, fits);
            block.storedBytes += fits;
            block.storedEnd = Math.max(block.storedEnd, destination + fits);
            statistics.add(Counter.BYTES_RECEIVED, fits);
        }
    }

    private void onErrorStatus(OpenBlock block, int status, long packetId, long nowNanos) {
        statistics.increment(Counter.PACKETS_WITH_ERROR_STATUS);
        boolean last = GvspStatus.isFinal(status);
        if (last) {
            statistics.increment(Counter.RESENDS_UNAVAILABLE);
        } else if (GvspStatus.isLater(status)) {
            statistics.increment(Counter.RESENDS_NOT_YET);
        }
        if (block == null || block.finished) {
            return;
        }
        planner.refused(block, status, packetId, nowNanos);
        for (int i = 0; status == GvspStatus.PACKET_AND_PREVIOUS_REMOVED && blocks[i] != block; i++) {
            if (!blocks[i].finished) {
                planner.removed(blocks[i], nowNanos);
            }
        }
    }

    @Override
    public long remainingBytes() {
        OpenBlock block = newest();
        if (block == null || block.finished || block.awaited) {
            return 0;
        }
        boolean known = block.trailerSeen || block.expectedBytes > 0 || learnedPacketCount > block.highestPayload;
        long packets = Math.max(0, expectedPackets(block) - (long) block.receivedCount);
        return known ? packets * packetSizeBytes : 0;
    }

    /** Number of packets that the block has, leader and trailer included: known from the trailer, else an estimate. */
    private int expectedPackets(OpenBlock block) {
        if (block.trailerSeen) {
            return block.trailerId + 1;
        }
        if (block.awaited && learnedPacketCount > 0) {
            return Math.min(learnedPacketCount, maxPackets);
        }
        long least = Math.max(block.highestPayload + 2L, block.noticedEnd);
        long estimate = least;
        if (packetsDiffer(block)) {
            if (learnedPacketCount > block.highestPayload) {
                estimate = learnedPacketCount;
            } else if (block.expectedBytes > block.storedBytes && block.largestDataBytes > 0) {
                estimate = least + (block.expectedBytes - block.storedBytes) / block.largestDataBytes;
            }
        } else if (block.expectedBytes > 0) {
            estimate = (block.expectedBytes - 1) / block.packetPayloadBytes + 3;
        } else if (learnedPacketCount > block.highestPayload) {
            estimate = learnedPacketCount;
        }
        return (int) Math.min(Math.max(least, estimate), maxPackets);
    }

    /** Whether the place of payload packets does not follow from their ids, so that their sizes may differ. */
    private static boolean packetsDiffer(OpenBlock block) {
        int format = block.contentFormat != 0 ? block.contentFormat : GvspHeader.payloadFormat(block.payloadType);
        return format != GvspHeader.FORMAT_PAYLOAD;
    }

    // ---- The end of a block

    private void finish(OpenBlock block, boolean streamEnded) {
        block.finished = true;
        if (block.awaited) {
            return;
        }
        BlockEnd.judge(block);
        if (!streamEnded) {
            ended(block, block.allPackets());
        }
        if (block.whole) {
            learnedPacketCount = block.trailerId + 1;
            if (block.fullPackets > 1) {
                learnedPayloadBytes = block.packetPayloadBytes;
            }
            return;
        }
        int expected = Math.max(expectedPackets(block), block.noticedEnd);
        block.missingPackets = Math.max(0, expected - block.receivedCount);
        block.incomplete = cause(block, expected, streamEnded);
        boolean cutOff = streamEnded && !block.newerSeen && !block.trailerSeen;
        // The device may not have sent the rest of a block that it was sending when it was stopped.
        long noticed = cutOff ? block.highestPayload + 1L - block.receivedCount : block.missingPackets;
        statistics.add(Counter.PACKETS_MISSING, Math.max(0, noticed));
        if (IncompleteFrameEvent.on()) {
            IncompleteFrameEvent.tell(
                    block, expected, block.missingPackets, block.incomplete, statistics.get(Counter.KERNEL_DROPS));
        }
    }

    private void ended(OpenBlock block, boolean nothingLost) {
        shedding.ended(block.sequence, block.blockId, nothingLost, planner.overloaded());
    }

    private static IncompleteCause cause(OpenBlock block, int expectedPackets, boolean streamEnded) {
        if (streamEnded) {
            return IncompleteCause.STREAM_ENDED;
        }
        if (block.excess) {
            return IncompleteCause.DATA_LARGER_THAN_FLOW_SET;
        }
        if (block.allPackets()) {
            return block.contradiction ? IncompleteCause.CONTRADICTION : IncompleteCause.DATA_MISSING;
        }
        if (!block.leaderSeen) {
            return IncompleteCause.LEADER_MISSING;
        }
        int lastPayload = block.trailerSeen ? block.trailerId : expectedPackets - 1;
        if (block.anyUnavailable) {
            for (int id = block.nextMissing(0); id < block.noticedEnd; id = block.nextMissing(id + 1)) {
                if (block.tries(id) == OpenBlock.UNAVAILABLE) {
                    return IncompleteCause.PACKETS_UNAVAILABLE;
                }
            }
        }
        boolean payloadMissing =
                block.nextMissing(0) < Math.min(block.noticedEnd, lastPayload) || block.noticedEnd < lastPayload;
        return payloadMissing || block.trailerSeen ? IncompleteCause.PACKETS_MISSING : IncompleteCause.TRAILER_MISSING;
    }

    private static long earlier(long a, long b, long nowNanos) {
        return a - nowNanos <= b - nowNanos ? a : b;
    }
}
