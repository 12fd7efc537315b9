package io.peregrine.device;

import java.time.Duration;

/** Times to wait as numbers, also the longest. */
final class Timeouts {
    /** Half of what there is, so that a time can be added. */
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 2;

    private Timeouts() {}

    /** Nanoseconds of a timeout, from zero to some hundred years. */
    static long nanos(Duration timeout) {
        if (timeout.isNegative()) {
            return 0;
        }
        return timeout.compareTo(Duration.ofNanos(LONGEST_NANOS)) > 0 ? LONGEST_NANOS : timeout.toNanos();
    }
}
