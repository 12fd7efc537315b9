package io.peregrine.gvcp;

/** Waiting for threads. */
final class Threads {
    private Threads() {}

    /** Waits for the end of a thread, unless it is the one that calls; an interrupt does not shorten that. */
    static void join(Thread thread) {
        boolean interrupted = false;
        while (thread != Thread.currentThread() && thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
