package io.peregrine.gvcp;

import java.util.concurrent.TimeUnit;

/** Waiting for threads. */
final class Threads {
    private Threads() {}

    /** Waits for the end of a thread, unless it is the one that calls; an interrupt does not shorten that. */
    static void join(Thread thread) {
        join(thread, Long.MAX_VALUE);
    }

    /** The same for so long at most; false if the thread still runs then, and is not the one that calls. */
    static boolean join(Thread thread, long limitNanos) {
        if (thread == Thread.currentThread()) {
            return true;
        }
        long start = System.nanoTime();
        boolean interrupted = false;
        long left = limitNanos;
        while (thread.isAlive() && left > 0) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            left = limitNanos - (System.nanoTime() - start);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
