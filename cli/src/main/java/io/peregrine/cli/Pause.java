package io.peregrine.cli;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Lets time pass. */
@FunctionalInterface
interface Pause {
    /** Returns when the time is over, or the thread is told to end. */
    void last(Duration time);

    /** Waits by the clock of this host. */
    static Pause ofSystem() {
        return time -> {
            try {
                TimeUnit.NANOSECONDS.sleep(time.toNanos());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }
}
