package io.peregrine.stream.engine;

import java.time.Duration;

/**
 * How filled flow sets get to the threads that wait for them.
 *
 * @param newestOnly whether a frame that no one took is skipped as soon as a newer one is filled; otherwise each is
 *     handed over, oldest first
 * @param spin how long a waiting thread looks again and again before it sleeps, which takes a processor and saves the
 *     time of waking up; zero to sleep at once
 */
public record HandOff(boolean newestOnly, Duration spin) {
    // Before the default, which is checked against it.
    private static final Duration LONGEST = Duration.ofSeconds(1);

    /** Every frame, to a thread that sleeps until it is there. */
    public static final HandOff DEFAULT = new HandOff(false, Duration.ZERO);

    /** Checks the time. */
    public HandOff {
        if (spin.isNegative() || spin.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("spin must be between zero and " + LONGEST + ", not " + spin);
        }
    }

    /**
     * The same on a host with that many processors: where there are no more than two, no waiting thread spins. It would
     * take the processor from the receiver, which spins too, or from the sender.
     */
    HandOff on(int processors) {
        return processors <= 2 ? withSpin(Duration.ZERO) : this;
    }

    /** The same with the newest frame only, or all. */
    public HandOff withNewestOnly(boolean value) {
        return new HandOff(value, spin);
    }

    /** The same with another time before a waiting thread sleeps. */
    public HandOff withSpin(Duration value) {
        return new HandOff(newestOnly, value);
    }
}
