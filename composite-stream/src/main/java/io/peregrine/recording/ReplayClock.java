package io.peregrine.recording;

import java.util.concurrent.locks.Condition;

/** The time that a replay keeps. */
interface ReplayClock {
    /** The clock of the system. */
    ReplayClock SYSTEM = new ReplayClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        @SuppressWarnings("WaitNotInLoop") // The caller loops.
        public void await(Condition condition, long nanos) throws InterruptedException {
            condition.awaitNanos(nanos);
        }
    };

    /** Like {@link System#nanoTime()}. */
    long nanoTime();

    /** Lets time pass, or less when the condition is signalled. The caller holds its lock. */
    void await(Condition condition, long nanos) throws InterruptedException;
}
