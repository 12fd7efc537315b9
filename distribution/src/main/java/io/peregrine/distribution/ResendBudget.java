package io.peregrine.distribution;

import java.util.concurrent.TimeUnit;

/**
 * How much a publisher sends again at once, in bytes. A consumer that lags behind asks each half millisecond for the
 * hundreds of kilobytes that it lacks; while these are sent, its next requests wait before the messages of the others,
 * and answering all of them in full would hold up everyone. A single packet is always granted. Times are of
 * {@link System#nanoTime()}.
 */
final class ResendBudget {
    /** As much as a consumer loses that is held up for a window. */
    static final long MOST_BYTES = 1 << 20;

    static final long BYTES_PER_SECOND = 16 << 20;
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private long left = MOST_BYTES;
    private long updatedNanos;

    ResendBudget(long nowNanos) {
        updatedNanos = nowNanos;
    }

    /** Lets time pass. */
    void update(long nowNanos) {
        long elapsed = nowNanos - updatedNanos;
        if (elapsed >= (MOST_BYTES - left) * SECOND_NANOS / BYTES_PER_SECOND) {
            left = MOST_BYTES;
            updatedNanos = nowNanos;
            return;
        }
        long more = Math.max(0, elapsed) * BYTES_PER_SECOND / SECOND_NANOS;
        left += more;
        updatedNanos += more * SECOND_NANOS / BYTES_PER_SECOND;
    }

    /**
     * Takes what is granted of what a consumer asks for.
     *
     * @param asked bytes, 0 or more
     * @param packet bytes of a packet
     */
    int grant(int asked, int packet) {
        int granted = (int) Math.min(asked, Math.max(packet, left));
        left = Math.max(0, left - granted);
        return granted;
    }
}
