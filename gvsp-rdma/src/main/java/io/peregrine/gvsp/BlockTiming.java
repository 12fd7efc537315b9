package io.peregrine.gvsp;

import java.util.Arrays;

/**
 * When a block may be whole at the earliest, by those that were whole recently. Without a clock.
 *
 * <p>A device sends each block at the same pace, so that the shortest time from a first packet to a last one is what a
 * block takes: a receiver that was held up saw the others late. Where blocks follow one another with little rest and
 * end at even intervals, the end before shows more: the first packet of a block is seen late by a receiver that sleeps,
 * and its last one is not.
 */
final class BlockTiming {
    /** When a device slows down, that is known as many blocks later. */
    private static final int REMEMBERED = 8;
    /** Intervals are even when they differ by no more than this part. */
    private static final int EVEN_PART = 16;

    private final long[] durations = new long[REMEMBERED];
    private final long[] intervals = new long[REMEMBERED];
    private int next;
    private long lastEnd;
    private long leastDuration;
    private long leastInterval;
    /** Not negative if blocks come at even intervals. Without branches, since made-up blocks come as they like. */
    private long evenness;

    BlockTiming() {
        reset();
    }

    /** Knows no block. */
    void reset() {
        Arrays.fill(durations, Long.MAX_VALUE);
        Arrays.fill(intervals, Long.MAX_VALUE);
        next = 0;
        leastDuration = Long.MAX_VALUE;
        leastInterval = Long.MAX_VALUE;
        evenness = -1;
    }

    /**
     * A block is whole.
     *
     * @param openedNanos time of its first packet
     * @param endedNanos time of its last one
     */
    void learn(long openedNanos, long endedNanos) {
        intervals[next] = knowsNone() ? Long.MAX_VALUE : endedNanos - lastEnd;
        durations[next] = endedNanos - openedNanos;
        next = (next + 1) % REMEMBERED;
        lastEnd = endedNanos;
        leastDuration = least(durations);
        leastInterval = least(intervals);
        evenness = Math.min(
                leastInterval / EVEN_PART - (most(intervals) - leastInterval), leastDuration - leastInterval / 2 - 1);
    }

    private boolean even() {
        return evenness >= 0;
    }

    private boolean knowsNone() {
        return leastDuration == Long.MAX_VALUE;
    }

    private static long least(long... times) {
        long least = Long.MAX_VALUE;
        for (long each : times) {
            least = Math.min(least, each);
        }
        return least;
    }

    private static long most(long... times) {
        long most = 0;
        for (long each : times) {
            most = Math.max(most, each);
        }
        return most;
    }

    /**
     * Returns when an open block may be whole.
     *
     * @param openedNanos time of its first packet
     * @param nowNanos current time
     * @return nanoseconds from now, 0 if that time has passed; {@link PacketSink#END_UNKNOWN} before any block was
     *     whole
     */
    long nanosToEnd(long openedNanos, long nowNanos) {
        if (knowsNone()) {
            return PacketSink.END_UNKNOWN;
        }
        return Math.max(0, even() ? leastInterval - (nowNanos - lastEnd) : leastDuration - (nowNanos - openedNanos));
    }

    /**
     * Returns when the next block may be whole, of which no packet was seen.
     *
     * @param nowNanos current time
     * @return nanoseconds from now; {@link PacketSink#NO_BLOCK} if that time has passed, and where a rest of unknown
     *     length is before it
     */
    long nanosToNextEnd(long nowNanos) {
        long left = leastInterval - (nowNanos - lastEnd);
        return even() && left > 0 ? left : PacketSink.NO_BLOCK;
    }
}
