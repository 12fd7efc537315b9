package io.peregrine.gvsp;

import java.util.Arrays;

/**
 * How long blocks take from their first packet to their last, by the shortest of those that were whole recently: a
 * device sends each at the same pace, and a receiver that was held up saw it late. Without a clock.
 */
final class BlockDuration {
    /** When a device slows down, that is known as many blocks later. */
    private static final int REMEMBERED = 8;

    private final long[] last = new long[REMEMBERED];
    private int next;
    private long leastNanos;

    BlockDuration() {
        reset();
    }

    /** Knows no block. */
    void reset() {
        Arrays.fill(last, Long.MAX_VALUE);
        next = 0;
        leastNanos = Long.MAX_VALUE;
    }

    /**
     * A block is whole.
     *
     * @param nanos time from its first packet to its last
     */
    void learn(long nanos) {
        last[next] = nanos;
        next = (next + 1) % REMEMBERED;
        long least = Long.MAX_VALUE;
        for (long each : last) {
            least = Math.min(least, each);
        }
        leastNanos = least;
    }

    /**
     * Returns when a block may be whole at the earliest.
     *
     * @param openNanos how long it has been open
     * @return nanoseconds from now, 0 if that time has passed; {@link Long#MAX_VALUE} before any block was whole
     */
    long nanosToEnd(long openNanos) {
        return leastNanos == Long.MAX_VALUE ? leastNanos : Math.max(0, leastNanos - openNanos);
    }
}
