package io.peregrine.gvsp;

import java.util.concurrent.TimeUnit;

/**
 * How many receives an adapter has at least, though the data of their packets has no place: rather a copy than a loss.
 * Twice as many as arrived between two looks within the last seconds, and never less than a share of all. Without
 * threads and without a clock.
 */
final class ReceiveReserve {
    private static final int MIN_SHARE = 16;
    private static final long SPAN_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final int depth;
    private int most;
    private int mostBefore;
    private long spanEnd;
    private boolean begun;

    /**
     * Nothing has arrived.
     *
     * @param depth most receives that can be posted
     */
    ReceiveReserve(int depth) {
        this.depth = depth;
    }

    /** As many packets were there at a look. */
    void arrived(int packets, long nowNanos) {
        if (!begun || nowNanos - spanEnd >= 0) {
            mostBefore = begun && nowNanos - spanEnd < SPAN_NANOS ? most : 0;
            most = 0;
            begun = true;
            spanEnd = nowNanos + SPAN_NANOS;
        }
        most = Math.max(most, packets);
    }

    /** Receives that are posted in any case. */
    int leastPosted() {
        return Math.min(depth, Math.max(2 * Math.max(most, mostBefore), Math.max(1, depth / MIN_SHARE)));
    }
}
