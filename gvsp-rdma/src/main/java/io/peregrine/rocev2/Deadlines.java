package io.peregrine.rocev2;

import java.time.Duration;

/** Durations as nanoseconds that do not overflow. */
final class Deadlines {
    private static final Duration LONGEST = Duration.ofDays(365);

    private Deadlines() {}

    static long nanos(Duration timeout) {
        if (timeout.isNegative()) {
            return 0;
        }
        return timeout.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : timeout.toNanos();
    }
}
