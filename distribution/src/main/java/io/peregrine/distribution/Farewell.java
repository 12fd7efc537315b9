package io.peregrine.distribution;

import java.util.concurrent.TimeUnit;

/**
 * How long a publisher that has said that nothing more comes keeps its media driver, which sends again what consumers
 * lack: until they have left. Times are of {@link System#nanoTime()}.
 */
final class Farewell {
    /** Consumers that do not report ask within that time for what is lost at the very end. */
    static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** For consumers that are held up: they count against a publisher that has no more time. */
    static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final long begin;

    Farewell(long now) {
        begin = now;
    }

    /**
     * Whether it is over.
     *
     * @param someoneLeft whether a consumer has not said that it leaves, or something has not been sent
     * @param givenUp whether the time to end is over
     */
    boolean over(long now, boolean someoneLeft, boolean givenUp) {
        long elapsed = now - begin;
        if (someoneLeft) {
            return givenUp && elapsed >= LONGEST_NANOS;
        }
        return elapsed >= SHORTEST_NANOS;
    }
}
