package io.peregrine.virtualcamera;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The part of an acquisition that others change while it runs: its end, its pace, its triggers. The time is passed in,
 * by {@link System#nanoTime}. Thread-safe.
 */
final class StreamSession {
    final AtomicInteger triggers = new AtomicInteger();
    volatile boolean stopAfterBlock;
    volatile boolean aborted;
    volatile boolean finished;
    volatile long framePeriodNanos;
    volatile long packetDelayNanos;

    private volatile boolean triggered;

    boolean active() {
        return !finished && !aborted && !stopAfterBlock;
    }

    /** Sets whether blocks wait for triggers. */
    void waitForTriggers(boolean wait) {
        if (!wait) {
            triggers.set(0);
        }
        triggered = wait;
    }

    /** Whether the next block starts now; takes the trigger that starts it. */
    boolean startsAt(long now, long dueNanos) {
        if (!triggered) {
            return dueNanos - now <= 0;
        }
        return triggers.get() > 0 && triggers.getAndDecrement() > 0;
    }

    /** When to check again at the latest. */
    long nextLookNanos(long now, long dueNanos) {
        return triggered ? now + TimeUnit.SECONDS.toNanos(1) : dueNanos;
    }

    /**
     * When the block after one is due. A sender that was held up by less than half a period makes up for it; blocks
     * that were missed for longer do not follow one upon another.
     */
    long dueAfter(long dueNanos, long now) {
        long period = framePeriodNanos;
        return Math.max(dueNanos + period - now, period / 2) + now;
    }
}
