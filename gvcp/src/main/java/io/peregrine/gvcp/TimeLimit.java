package io.peregrine.gvcp;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** By when a thread has to be done with all that it asks a device; other threads are not concerned. */
final class TimeLimit {
    private final Thread owner;
    private final String name;
    private final Duration limit;
    private final LongSupplier nanoClock;
    private final long startNanos;

    TimeLimit(Thread owner, String name, Duration limit, LongSupplier nanoClock) {
        this.owner = owner;
        this.name = name;
        this.limit = limit;
        this.nanoClock = nanoClock;
        startNanos = nanoClock.getAsLong();
    }

    /** Whether it concerns the thread that calls. */
    boolean ofThisThread() {
        return Thread.currentThread() == owner;
    }

    /** How long the thread still has; 0 or less if the limit is over. */
    long remainingNanos() {
        return limit.toNanos() - (nanoClock.getAsLong() - startNanos);
    }

    /**
     * Checks the time.
     *
     * @param progress how far the thread has come
     * @throws GvcpTimeoutException if the limit is over
     */
    void check(Supplier<String> progress) {
        if (remainingNanos() <= 0) {
            throw over(progress.get());
        }
    }

    /** The failure when the limit is over. */
    GvcpTimeoutException over(String progress) {
        return new GvcpTimeoutException(name + " of " + limit.toMillis() + " ms is over: " + progress);
    }
}
