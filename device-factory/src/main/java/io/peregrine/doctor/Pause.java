package io.peregrine.doctor;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Lets time pass. */
@FunctionalInterface
public interface Pause {
    /** Returns when the time is over, or the thread is asked to terminate. */
    void last(Duration time);

    /** Waits by the clock of this host. */
    static Pause ofSystem() {
        return time -> {
            long end = System.nanoTime() + time.toNanos();
            long left = time.toNanos();
            while (left > 0 && !Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(left);
                left = end - System.nanoTime();
            }
        };
    }
}
