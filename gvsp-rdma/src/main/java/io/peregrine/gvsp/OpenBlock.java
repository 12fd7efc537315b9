package io.peregrine.gvsp;

import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.BlockInfo.ImageGeometry;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.engine.Coverage;
import io.peregrine.stream.engine.FlowSet;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * What is known about one block on its way: which packets arrived, when the missing ones were noticed, and what leader
 * and trailer told. When the block is over, it tells the user about it. Used again for later blocks, so that its arrays
 * grow only once.
 */
final class OpenBlock implements Supplier<BlockInfo> {
    /** Value of {@link #tries} for a packet that is not worth asking for any more. */
    static final byte GIVEN_UP = 126;
    /** Value of {@link #tries} for a packet that the device cannot send again. */
    static final byte UNAVAILABLE = 127;

    /** Most bytes of a preliminary descriptor that are kept: room for more than ten thousand parts. */
    static final int LARGEST_DESCRIPTOR_BYTES = 1 << 20;

    private static final int NANOS_PER_TICK = 1000;

    long blockId;
    long sequence;
    boolean extended;
    /** Null before there is one, and after it was delivered. */
    FlowSet flowSet;

    boolean hadFlowSet;
    long openedAt;
    long lastUsefulAt;
    boolean newerSeen;
    long newerSeenAt;

    /** Nothing more is accepted; waits for its turn to be delivered. */
    boolean finished;

    /** No packet of it arrived: it is open because block ids around it did. */
    boolean awaited;

    /** Nothing that is missing will come any more. */
    boolean hopeless;

    /** Its outcome was told; it keeps its place until older blocks have ended. */
    boolean delivered;

    boolean usable;
    boolean whole;
    long payloadBytes;
    /** Why a usable block is not whole; null when it is. */
    IncompleteCause incomplete;

    long missingPackets;
    /** Left the open blocks. */
    boolean retired;
    /** A flow set has this block, or had it last. */
    boolean tells;

    // Packets by id. Bits of all packets, times and tries of those that were noticed to be missing.
    private long[] received = new long[0];
    private int[] noticedAt = new int[0];
    private byte[] tries = new byte[0];
    int receivedCount;
    /** First packet id that was neither received nor noticed to be missing. */
    int noticedEnd;
    /** All packets below this id were received. */
    int contiguousEnd;

    /** Whatever is missing below this id cannot be sent again. */
    private int unavailableEnd;

    boolean anyUnavailable;

    int highestPayload;
    long scanDueAt;
    boolean scanPending;
    /** No packet before this id is missing and not asked for yet. */
    int unaskedFrom;

    boolean tailNoticed;
    /** The last packet that came in its turn, not as an answer, and when. */
    int progressId;

    long progressAt;
    /** First packet id behind the one that was asked for to find out whether the device pauses. */
    int probedEnd;

    long requestedPackets;
    long longestPauseNanos;

    boolean leaderSeen;
    int payloadType;
    /** Time that the leader tells; 0 for H.264. */
    long leaderTicks;

    long timestampTicks;
    /** The leader as it came, for what is not needed before the end. */
    ByteBuffer leader = ByteBuffer.allocate(0);

    int leaderBytes;
    ImageGeometry image;
    /** Of the block before: most often that of the next is the same. */
    ImageGeometry lastImage = new ImageGeometry(0, 0, 0, 0, 0, 0, 0);
    /** Least number of bytes that a whole block has, from the leader; 0 if it does not tell. */
    long expectedBytes;

    boolean trailerSeen;
    int trailerId;
    /** The trailer as it came: only the leader tells for sure how it is laid out. */
    ByteBuffer trailer = ByteBuffer.allocate(0);

    int trailerBytes;

    /** Format of the payload packets, 0 before the first. */
    int contentFormat;

    long storedBytes;
    boolean excess;
    /** Leader and trailer do not go together. */
    boolean contradiction;
    /** The whole block came in one packet. */
    boolean allIn;

    // Generic payload: all packets but the last have the same size.
    int packetPayloadBytes;
    /** How often what had come was put where it does not belong. */
    int timesPlacedAnew;

    int fullPackets;
    int shortPacketId;
    int shortPacketBytes;

    // Payload that tells its own place: multi-zone, multi-part, GenDC.
    long storedEnd;
    final PartTable parts = new PartTable();
    final HeldPackets held = new HeldPackets();
    /** H.264: the packet whose place is known, and that place. */
    int nextInTurn;

    long inTurnEnd;
    /** The last packet had no place, and there was no room to keep it. */
    boolean noPlaceYet;

    // GenDC.
    long descriptorBytes;
    long finalDescriptorEnd;
    long preliminaryEnd;
    int largestDataBytes;
    // Where the data of the packet after the last one goes if it goes on behind that; 0 bytes: unknown.
    int nextFlow;
    long nextPlace;
    int nextDataBytes;
    final Coverage preliminaryCoverage = new Coverage();
    ByteBuffer preliminary = ByteBuffer.allocate(0);

    /** What the user is told: from delivery until the flow set is filled again, as long as nothing of it changes. */
    @Override
    public BlockInfo get() {
        return BlockEnd.info(this);
    }

    void open(long id, long position, boolean extendedIds, long nowNanos) {
        blockId = id;
        sequence = position;
        extended = extendedIds;
        flowSet = null;
        hadFlowSet = false;
        openedAt = nowNanos;
        lastUsefulAt = nowNanos;
        newerSeen = false;
        finished = false;
        awaited = false;
        hopeless = false;
        delivered = false;
        usable = false;
        whole = false;
        payloadBytes = 0;
        incomplete = null;
        missingPackets = 0;
        retired = false;
        Arrays.fill(received, 0L);
        receivedCount = 0;
        noticedEnd = 0;
        contiguousEnd = 0;
        unavailableEnd = 0;
        anyUnavailable = false;
        highestPayload = 0;
        scanPending = false;
        unaskedFrom = Integer.MAX_VALUE;
        tailNoticed = false;
        progressId = 0;
        progressAt = nowNanos;
        probedEnd = 0;
        requestedPackets = 0;
        longestPauseNanos = 0;
        leaderSeen = false;
        payloadType = 0;
        leaderTicks = 0;
        timestampTicks = 0;
        leaderBytes = 0;
        image = null;
        expectedBytes = 0;
        trailerSeen = false;
        trailerId = 0;
        trailerBytes = 0;
        contentFormat = 0;
        storedBytes = 0;
        storedEnd = 0;
        excess = false;
        contradiction = false;
        allIn = false;
        parts.clear();
        held.clear();
        nextInTurn = 1;
        inTurnEnd = 0;
        noPlaceYet = false;
        packetPayloadBytes = 0;
        timesPlacedAnew = 0;
        fullPackets = 0;
        shortPacketId = 0;
        shortPacketBytes = 0;
        descriptorBytes = 0;
        finalDescriptorEnd = 0;
        preliminaryEnd = 0;
        largestDataBytes = 0;
        nextDataBytes = 0;
        preliminaryCoverage.clear();
    }

    /** Makes this a block of which no packet arrived, but a packet of a newer one. */
    void await(long nowNanos) {
        awaited = true;
        newerSeen = true;
        newerSeenAt = nowNanos;
    }

    /** Makes room for packet ids below a limit. */
    void ensureCapacity(int packets) {
        if (packets > tries.length) {
            int size = (int) Math.min(Math.max((long) packets, 2L * tries.length) + 63 & ~63L, Integer.MAX_VALUE - 63);
            received = Arrays.copyOf(received, size >>> 6);
            noticedAt = Arrays.copyOf(noticedAt, size);
            tries = Arrays.copyOf(tries, size);
        }
    }

    boolean has(int packetId) {
        return packetId < tries.length && (received[packetId >>> 6] & (1L << packetId)) != 0;
    }

    void markReceived(int packetId) {
        received[packetId >>> 6] |= 1L << packetId;
        receivedCount++;
    }

    /** Notes packets one behind another, none of which was there. */
    void markReceived(int first, int count) {
        int id = first;
        int end = first + count;
        while (id < end) {
            int bits = Math.min(64 - (id & 63), end - id);
            received[id >>> 6] |= -1L >>> (64 - bits) << id;
            id += bits;
        }
        receivedCount += count;
    }

    /** Takes back one packet, because it does not fit what became known later. */
    void forget(int packetId, long nowNanos) {
        received[packetId >>> 6] &= ~(1L << packetId);
        receivedCount--;
        contiguousEnd = Math.min(contiguousEnd, packetId);
        noticedAt[packetId] = ticks(nowNanos);
        tries[packetId] = 0;
        unavailableEnd = Math.min(unavailableEnd, packetId);
    }

    /** Notes that the device cannot send again what is missing in a range of packets that were noticed. */
    void unavailable(int first, int end) {
        int from = first <= unavailableEnd ? unavailableEnd : first;
        for (int id = nextMissing(from); id < end; id = nextMissing(id + 1)) {
            tries[id] = UNAVAILABLE;
            anyUnavailable = true;
        }
        if (first <= unavailableEnd) {
            unavailableEnd = Math.max(unavailableEnd, end);
        }
    }

    /** Whether leader, trailer and every packet between them arrived. */
    boolean allPackets() {
        return allIn || (leaderSeen && trailerSeen && receivedCount == trailerId + 1);
    }

    void keepLeader(ByteBuffer packet, int body, int bodyBytes) {
        leader = copy(leader, packet, body, bodyBytes);
        leaderBytes = bodyBytes;
    }

    void keepTrailer(ByteBuffer packet, int body, int bodyBytes) {
        trailer = copy(trailer, packet, body, bodyBytes);
        trailerBytes = bodyBytes;
    }

    private static ByteBuffer copy(ByteBuffer room, ByteBuffer packet, int from, int bytes) {
        ByteBuffer target = bytes <= room.capacity() ? room : ByteBuffer.allocate(Math.max(64, bytes));
        return target.put(0, packet, from, bytes);
    }

    /** Takes back all payload packets, because they were put where they do not belong. */
    void forgetPayload(long nowNanos) {
        boolean leader = has(0);
        boolean trailer = trailerSeen;
        Arrays.fill(received, 0L);
        receivedCount = 0;
        contiguousEnd = 0;
        if (leader) {
            markReceived(0);
        }
        if (trailer) {
            markReceived(trailerId);
        }
        if (noticedEnd > 1) {
            noticeAnew(1, noticedEnd, nowNanos);
        }
        timesPlacedAnew++;
        storedEnd = 0;
        storedBytes = 0;
        excess = false;
        fullPackets = 0;
        shortPacketId = 0;
        flowSet.forgetReceived();
    }

    /** The first packet id from the given one on that was not received. */
    int nextMissing(int from) {
        int word = from >>> 6;
        if (word >= received.length) {
            return from;
        }
        long missing = ~received[word] & (-1L << from);
        while (missing == 0) {
            word++;
            if (word >= received.length) {
                return word << 6;
            }
            missing = ~received[word];
        }
        return (word << 6) + Long.numberOfTrailingZeros(missing);
    }

    /**
     * Notes that packets are missing.
     *
     * @param end first packet id that is not meant
     * @param sinceNanos since when they are missing
     * @return whether any is missing
     */
    boolean notice(int end, long sinceNanos) {
        if (end <= noticedEnd) {
            return false;
        }
        ensureCapacity(end);
        boolean any = nextMissing(noticedEnd) < end;
        noticeAnew(noticedEnd, end, sinceNanos);
        noticedEnd = end;
        return any;
    }

    /** Of packets that are there nobody asks when they were noticed to be missing. */
    private void noticeAnew(int from, int end, long sinceNanos) {
        Arrays.fill(noticedAt, from, end, ticks(sinceNanos));
        Arrays.fill(tries, from, end, (byte) 0);
        unavailableEnd = Math.min(unavailableEnd, from);
    }

    int tries(int packetId) {
        return tries[packetId];
    }

    void tries(int packetId, byte value) {
        tries[packetId] = value;
    }

    void asked(int packetId, long nowNanos) {
        tries[packetId]++;
        noticedAt[packetId] = ticks(nowNanos);
    }

    void postpone(int packetId, long nowNanos) {
        noticedAt[packetId] = ticks(nowNanos);
    }

    long noticedAtNanos(int packetId) {
        return openedAt + (long) noticedAt[packetId] * NANOS_PER_TICK;
    }

    private int ticks(long nanos) {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, (nanos - openedAt) / NANOS_PER_TICK));
    }

    /** Makes room for a preliminary descriptor of this many bytes, at most {@link #LARGEST_DESCRIPTOR_BYTES}. */
    void ensurePreliminary(int bytes) {
        if (bytes > preliminary.capacity()) {
            ByteBuffer larger = ByteBuffer.allocate(
                    Math.max(bytes, Math.min(2 * preliminary.capacity(), LARGEST_DESCRIPTOR_BYTES)));
            larger.put(0, preliminary, 0, preliminary.capacity());
            preliminary = larger;
        }
    }
}
