package io.peregrine.gvsp;

import java.util.Arrays;

/**
 * The packets of one block by id: which arrived, which are missing and since when, and how often each was asked for.
 * Used again for later blocks, so that its arrays grow only once.
 */
final class PacketLedger {
    /** Value of {@link #tries} for a packet that is not worth asking for any more. */
    static final byte GIVEN_UP = 126;
    /** Value of {@link #tries} for a packet that the device cannot send again. */
    static final byte UNAVAILABLE = 127;

    private static final int NANOS_PER_TICK = 1000;

    // Bits of all packets, times and tries of those that were found missing.
    private long[] received = new long[0];
    private int[] missingSince = new int[0];
    private byte[] tries = new byte[0];
    private long openedAt;
    private int count;
    private int scanEnd;
    /** All packets below this id were received. */
    private int contiguousEnd;
    /** Whatever is missing below this id cannot be sent again. */
    private int unavailableEnd;

    private boolean anyUnavailable;

    /** Forgets all packets, for a block that begins. */
    void open(long nowNanos) {
        Arrays.fill(received, 0L);
        openedAt = nowNanos;
        count = 0;
        scanEnd = 0;
        contiguousEnd = 0;
        unavailableEnd = 0;
        anyUnavailable = false;
    }

    /** Makes room for packet ids below a limit. */
    void ensureCapacity(int packets) {
        if (packets > tries.length) {
            int size = (int) Math.min(Math.max((long) packets, 2L * tries.length) + 63 & ~63L, Integer.MAX_VALUE - 63);
            received = Arrays.copyOf(received, size >>> 6);
            missingSince = Arrays.copyOf(missingSince, size);
            tries = Arrays.copyOf(tries, size);
        }
    }

    /** Number of packets that arrived. */
    int count() {
        return count;
    }

    /** First packet id that neither arrived nor was found missing. */
    int scanEnd() {
        return scanEnd;
    }

    boolean has(int packetId) {
        return packetId < tries.length && (received[packetId >>> 6] & (1L << packetId)) != 0;
    }

    void markReceived(int packetId) {
        received[packetId >>> 6] |= 1L << packetId;
        count++;
    }

    /** Notes packets one after another, none of which was there. */
    void markReceived(int first, int packets) {
        int id = first;
        int end = first + packets;
        while (id < end) {
            int bits = Math.min(64 - (id & 63), end - id);
            received[id >>> 6] |= -1L >>> (64 - bits) << id;
            id += bits;
        }
        count += packets;
    }

    /** Nothing below this id needs to be looked for: it is there, or was found missing. */
    void scannedTo(int end) {
        scanEnd = end;
    }

    /** The block ends before this id: more was expected than there is. */
    void endsAt(int end) {
        scanEnd = Math.min(scanEnd, end);
    }

    /** Takes back one packet, because it does not fit what became known later. */
    void takeBack(int packetId, long nowNanos) {
        received[packetId >>> 6] &= ~(1L << packetId);
        count--;
        contiguousEnd = Math.min(contiguousEnd, packetId);
        missingSince[packetId] = ticks(nowNanos);
        tries[packetId] = 0;
        unavailableEnd = Math.min(unavailableEnd, packetId);
    }

    /**
     * Takes back all packets but leader and trailer.
     *
     * @param trailerId id of the trailer, 0 if it did not arrive
     */
    void takeBackPayload(int trailerId, long nowNanos) {
        boolean leader = has(0);
        Arrays.fill(received, 0L);
        count = 0;
        contiguousEnd = 0;
        if (leader) {
            markReceived(0);
        }
        if (trailerId > 0) {
            markReceived(trailerId);
        }
        if (scanEnd > 1) {
            missing(1, scanEnd, nowNanos);
        }
    }

    /** The first packet id from the given one on that did not arrive. */
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

    /** The first packet id that did not arrive. */
    int firstMissing() {
        contiguousEnd = nextMissing(contiguousEnd);
        return contiguousEnd;
    }

    /**
     * Finds what is missing before an id.
     *
     * @param end first packet id that is not meant
     * @param sinceNanos since when it is missing
     * @return whether any packet is newly missing
     */
    boolean scan(int end, long sinceNanos) {
        if (end <= scanEnd) {
            return false;
        }
        ensureCapacity(end);
        boolean any = nextMissing(scanEnd) < end;
        missing(scanEnd, end, sinceNanos);
        scanEnd = end;
        return any;
    }

    /** The times of packets that are there are never read. */
    private void missing(int from, int end, long sinceNanos) {
        Arrays.fill(missingSince, from, end, ticks(sinceNanos));
        Arrays.fill(tries, from, end, (byte) 0);
        unavailableEnd = Math.min(unavailableEnd, from);
    }

    /** The device cannot send again what is missing in a range of packets that were found missing. */
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

    /** Whether a missing packet cannot be sent again. */
    boolean lacksUnavailable() {
        if (anyUnavailable) {
            for (int id = nextMissing(0); id < scanEnd; id = nextMissing(id + 1)) {
                if (tries[id] == UNAVAILABLE) {
                    return true;
                }
            }
        }
        return false;
    }

    /** How often a packet that was found missing was asked for; {@link #GIVEN_UP}, {@link #UNAVAILABLE}. */
    int tries(int packetId) {
        return tries[packetId];
    }

    void giveUp(int packetId) {
        tries[packetId] = GIVEN_UP;
    }

    /** The packet was asked for. */
    void asked(int packetId, long nowNanos) {
        tries[packetId]++;
        missingSince[packetId] = ticks(nowNanos);
    }

    /** The device will have the packet later: neither does the wait for it grow nor do the tries run out. */
    void postpone(int packetId, long nowNanos) {
        if (tries[packetId] > 1 && tries[packetId] < GIVEN_UP) {
            tries[packetId]--;
        }
        missingSince[packetId] = ticks(nowNanos);
    }

    /** Whether a missing packet was asked for and may still come. */
    boolean isAwaited(int packetId) {
        if (packetId >= scanEnd || has(packetId)) {
            return false;
        }
        return tries[packetId] > 0 && tries[packetId] < GIVEN_UP;
    }

    /** Since when a packet is missing, or when it was asked for last. */
    long missingSinceNanos(int packetId) {
        return openedAt + (long) missingSince[packetId] * NANOS_PER_TICK;
    }

    private int ticks(long nanos) {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, (nanos - openedAt) / NANOS_PER_TICK));
    }
}
