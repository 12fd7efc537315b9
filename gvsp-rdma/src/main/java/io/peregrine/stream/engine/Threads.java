package io.peregrine.stream.engine;

import java.util.concurrent.TimeUnit;

/** Waits for threads. */
public final class Threads {
    private Threads() {}

    /**
     * Waits for the end of a thread, also when interrupted meanwhile, which the caller sees by its own status.
     *
     * @return whether it ended in time
     */
    public static boolean join(Thread thread, long limitNanos) {
        long end = System.nanoTime() + limitNanos;
        boolean interrupted = false;
        while (thread.isAlive()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                break;
            }
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
