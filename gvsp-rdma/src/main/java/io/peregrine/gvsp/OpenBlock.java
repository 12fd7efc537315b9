package io.peregrine.gvsp;

import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.BlockInfo.ImageGeometry;
import io.peregrine.stream.Coverage;
import io.peregrine.stream.FlowSet;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What is known about one block on its way: which packets arrived, when the missing ones were noticed, and what leader
 * and trailer told. Used again for later blocks, so that its arrays grow only once.
 */
final class OpenBlock {
    /** Value of {@link #tries} for a packet that is not worth asking for any more. */
    static final byte GIVEN_UP = 126;
    /** Value of {@link #tries} for a packet that the device cannot send again. */
    static final byte UNAVAILABLE = 127;

    private static final int NANOS_PER_TICK = 1000;

    long blockId;
    long sequence;
    boolean extended;
    FlowSet flowSet;
    long openedAt;
    long lastUsefulAt;
    boolean newerSeen;
    long newerSeenAt;

    /** Nothing more is accepted; waits for its turn to be delivered. */
    boolean finished;

    boolean usable;
    BlockInfo info;

    // Packets by id. Bits of all packets, times and tries of those that were noticed to be missing.
    private long[] received = new long[0];
    private int[] noticedAt = new int[0];
    private byte[] tries = new byte[0];
    int receivedCount;
    /** First packet id that was neither received nor noticed to be missing. */
    int noticedEnd;
    /** All packets below this id were received. */
    int contiguousEnd;

    int highestPayload;
    long scanDueAt;
    boolean scanPending;
    boolean tailNoticed;
    long requestedPackets;

    boolean leaderSeen;
    int payloadType;
    long timestampTicks;
    ImageGeometry image;
    /** Least number of bytes that a whole block has, from the leader; 0 if it does not tell. */
    long expectedBytes;

    boolean trailerSeen;
    int trailerId;
    long trailerSizeY;

    /** Format of the payload packets, 0 before the first. */
    int contentFormat;

    long storedBytes;
    boolean excess;

    // Generic payload: all packets but the last have the same size.
    int packetPayloadBytes;
    int fullPackets;
    int shortPacketId;
    int shortPacketBytes;

    // GenDC.
    long descriptorBytes;
    long finalDescriptorEnd;
    long preliminaryEnd;
    int largestDataBytes;
    final Coverage preliminaryCoverage = new Coverage();
    ByteBuffer preliminary = ByteBuffer.allocate(0);

    void open(long id, long position, boolean extendedIds, FlowSet set, long nowNanos) {
        blockId = id;
        sequence = position;
        extended = extendedIds;
        flowSet = set;
        openedAt = nowNanos;
        lastUsefulAt = nowNanos;
        newerSeen = false;
        finished = false;
        usable = false;
        info = null;
        Arrays.fill(received, 0L);
        receivedCount = 0;
        noticedEnd = 0;
        contiguousEnd = 0;
        highestPayload = 0;
        scanPending = false;
        tailNoticed = false;
        requestedPackets = 0;
        leaderSeen = false;
        payloadType = 0;
        timestampTicks = 0;
        image = null;
        expectedBytes = 0;
        trailerSeen = false;
        trailerId = 0;
        trailerSizeY = 0;
        contentFormat = 0;
        storedBytes = 0;
        excess = false;
        packetPayloadBytes = 0;
        fullPackets = 0;
        shortPacketId = 0;
        shortPacketBytes = 0;
        descriptorBytes = 0;
        finalDescriptorEnd = 0;
        preliminaryEnd = 0;
        largestDataBytes = 0;
        preliminaryCoverage.clear();
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
        for (int id = 1; id < noticedEnd; id++) {
            noticedAt[id] = ticks(nowNanos);
            tries[id] = 0;
        }
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
        boolean any = false;
        for (int id = nextMissing(noticedEnd); id < end; id = nextMissing(id + 1)) {
            noticedAt[id] = ticks(sinceNanos);
            tries[id] = 0;
            any = true;
        }
        noticedEnd = end;
        return any;
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

    /** Makes room for a preliminary descriptor of this many bytes. */
    void ensurePreliminary(int bytes) {
        if (bytes > preliminary.capacity()) {
            ByteBuffer larger = ByteBuffer.allocate(
                    (int) Math.min(Math.max((long) bytes, 2L * preliminary.capacity()), Integer.MAX_VALUE - 8));
            larger.put(0, preliminary, 0, preliminary.capacity());
            preliminary = larger;
        }
    }
}
