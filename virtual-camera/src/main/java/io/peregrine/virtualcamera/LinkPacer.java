package io.peregrine.virtualcamera;

/**
 * When the next packet is due on the simulated link. The time is passed in, by {@link System#nanoTime}. Not
 * thread-safe.
 */
final class LinkPacer {
    /** Below this, a wait is not worth yielding the processor. */
    static final long MIN_WAIT_NANOS = 80_000;
    /** At most this much is made up for at once, or a short sleep would become a long burst. */
    static final long MAX_CATCH_UP_NANOS = 500_000;

    private final long bytesPerSecond;
    private long nextNanos;

    /**
     * Makes a pacer.
     *
     * @param megabitsPerSecond speed of the link; 0 for no limit
     */
    LinkPacer(int megabitsPerSecond) {
        bytesPerSecond = megabitsPerSecond * 125_000L;
    }

    /** Whether the link has a speed. */
    boolean limited() {
        return bytesPerSecond > 0;
    }

    /** Starts a block, whose first packet is due now. */
    void start(long nowNanos) {
        nextNanos = nowNanos;
    }

    /** Time from a packet to the next: the packet delay, or the time on the link if that is longer. */
    long gapNanos(long packetBytes, long packetDelayNanos) {
        return bytesPerSecond == 0
                ? packetDelayNanos
                : Math.max(packetDelayNanos, packetBytes * 1_000_000_000L / bytesPerSecond);
    }

    /** Makes the next packet due one gap later; true if it is worth waiting for that. */
    boolean advance(long gapNanos, long nowNanos) {
        nextNanos += gapNanos;
        if (nowNanos - nextNanos > MAX_CATCH_UP_NANOS) {
            nextNanos = nowNanos - MAX_CATCH_UP_NANOS;
        }
        return nextNanos - nowNanos > MIN_WAIT_NANOS;
    }

    /** Time until the next packet is due; 0 or less if it is. */
    long remainingNanos(long nowNanos) {
        return nextNanos - nowNanos;
    }
}
