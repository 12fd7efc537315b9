package io.peregrine.cli;

import java.time.Duration;
import java.util.Optional;

/** Decides when a program that has ended is started again. One thread. */
final class RestartDelay {
    /** A program that ends sooner than that has not worked. */
    static final Duration WORKING = Duration.ofSeconds(10);

    private static final Duration SHORTEST = Duration.ofMillis(250);
    private static final Duration LONGEST = Duration.ofSeconds(8);
    /** Above it, a signal has ended the program. */
    private static final int LAST_OWN_STATUS = 128;

    private Duration next = SHORTEST;
    private boolean worked;

    /**
     * A run has ended.
     *
     * @param status its exit status
     * @param lived how long it ran
     * @return how long to wait before the next; empty when another one would end in the same way: it ended by itself,
     *     and none has worked yet
     */
    Optional<Duration> after(int status, Duration lived) {
        boolean longEnough = lived.compareTo(WORKING) >= 0;
        worked |= longEnough || status > LAST_OWN_STATUS;
        if (!worked) {
            return Optional.empty();
        }
        Duration delay = longEnough ? SHORTEST : next;
        Duration twice = delay.multipliedBy(2);
        next = twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
        return Optional.of(delay);
    }
}
