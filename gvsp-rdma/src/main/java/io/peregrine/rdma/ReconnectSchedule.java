package io.peregrine.rdma;

/** When to try the next connection, by a policy. Knows no clock. */
final class ReconnectSchedule {
    private final ReconnectPolicy policy;
    private int used;
    private long nextNanos;

    ReconnectSchedule(ReconnectPolicy policy) {
        this.policy = policy;
    }

    /** The stream works: attempts count from the beginning again. */
    void reset() {
        used = 0;
    }

    /** The connection was lost, or an attempt failed. */
    void lost(long nowNanos) {
        nextNanos = nowNanos + policy.delay(used).toNanos();
    }

    /** Whether no attempt is left. */
    boolean exhausted() {
        return used >= policy.attempts();
    }

    /** When the next attempt is due, in the time given to {@link #lost}. */
    long nextNanos() {
        return nextNanos;
    }

    /** An attempt is made. */
    void attempt() {
        used++;
    }

    int attemptsUsed() {
        return used;
    }
}
