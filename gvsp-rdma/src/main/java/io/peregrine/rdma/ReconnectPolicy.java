package io.peregrine.rdma;

import java.time.Duration;

/**
 * How often and how soon a broken connection is made again. The delay doubles with each attempt. Attempts are counted
 * until a block arrives again.
 *
 * @param attempts most attempts in a row, 0 to 1000; 0 never reconnects
 * @param initialDelay time before the first attempt
 * @param maximalDelay longest time before an attempt
 */
public record ReconnectPolicy(int attempts, Duration initialDelay, Duration maximalDelay) {
    private static final int MAX_ATTEMPTS = 1000;
    private static final int MAX_DOUBLINGS = 20;
    private static final Duration LONGEST = Duration.ofMinutes(10);

    /** Checks the ranges. */
    public ReconnectPolicy {
        if (attempts < 0 || attempts > MAX_ATTEMPTS) {
            throw new RdmaException("attempts is " + attempts + ": give 0 to " + MAX_ATTEMPTS);
        }
        if (initialDelay.isNegative()
                || maximalDelay.compareTo(initialDelay) < 0
                || maximalDelay.compareTo(LONGEST) > 0) {
            throw new RdmaException("Delays from " + initialDelay + " to " + maximalDelay
                    + " are not possible: give 0 or more, the maximal one not below the initial one, up to " + LONGEST);
        }
    }

    /** Eight attempts within seven seconds or so. */
    public static ReconnectPolicy defaults() {
        return new ReconnectPolicy(8, Duration.ofMillis(50), Duration.ofSeconds(2));
    }

    /** A broken connection ends the stream. */
    public static ReconnectPolicy never() {
        return new ReconnectPolicy(0, Duration.ZERO, Duration.ZERO);
    }

    /**
     * Time before an attempt.
     *
     * @param attempt number of attempts made before it
     */
    public Duration delay(int attempt) {
        Duration delay = initialDelay.multipliedBy(1L << Math.min(attempt, MAX_DOUBLINGS));
        return delay.compareTo(maximalDelay) < 0 ? delay : maximalDelay;
    }
}
