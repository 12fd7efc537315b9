package io.peregrine.stream.engine;

import java.time.Duration;

/** Times to wait as numbers, also the longest. */
public final class Timeouts {
    /** Half of what there is, so that a time can be added. */
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

    private Timeouts() {}

    /** Nanoseconds of a timeout, from zero to some hundred years. */
    public static long nanos(Duration timeout) {
        if (timeout.isNegative()) {
            return 0;
        }
        return (timeout.compareTo(LONGEST) > 0 ? LONGEST : timeout).toNanos();
    }
}
