package io.peregrine.distribution;

import java.util.concurrent.TimeUnit;

/** Lets things happen so often a second, and some at once. For one thread. */
final class Pace {
    private final long eachNanos;
    private final long burstNanos;
    /** Time that is saved up. */
    private long credit;

    private long last;

    Pace(int perSecond, int burst, long now) {
        eachNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        burstNanos = burst * eachNanos;
        credit = burstNanos;
        last = now;
    }

    /** Whether one more may happen now. */
    boolean ready(long now) {
        credit = Math.min(burstNanos, credit + (now - last));
        last = now;
        return credit >= eachNanos;
    }

    /** One has happened. */
    void spend() {
        credit -= eachNanos;
    }
}
