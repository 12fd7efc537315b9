package io.peregrine.stream.engine;

import io.peregrine.nativeio.TimeSlice;
import io.peregrine.stream.StreamStatistics.Counter;
import java.util.ArrayDeque;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Filled flow sets on their way from the receiver thread to the threads that wait for them. Its size is bounded by the
 * pool; it allocates nothing for a frame. Threads are woken without holding the monitor, one for each frame.
 */
final class FrameQueue {
    private enum State {
        /** More may come. */
        OPEN,
        /** What is there can be taken; no one waits. */
        ENDED,
        /** Nothing can be taken. */
        ABORTED
    }

    private static final int LOOKS_BETWEEN_YIELDS = 64;
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

    /** A thread that waits for frames, and is woken, does not wait for the end of another's slice then. */
    private static final ThreadLocal<Boolean> SHORT_SLICE = ThreadLocal.withInitial(TimeSlice::askForShortest);

    private final boolean newestOnly;
    private final long spinNanos;
    private final StreamCounters counters;

    // Guarded by this object.
    private final ArrayDeque<FlowSet> filled;
    /** Threads that sleep, or are about to. */
    private final ArrayDeque<Thread> sleepers = new ArrayDeque<>();

    private State state = State.ENDED;

    /** Grows with everything that ends a wait. */
    private volatile int changes;

    FrameQueue(HandOff handOff, int capacity, StreamCounters counters) {
        newestOnly = handOff.newestOnly();
        spinNanos = handOff.spin().toNanos();
        this.counters = counters;
        filled = new ArrayDeque<>(capacity);
    }

    /** More may come from now on. */
    synchronized void open() {
        state = State.OPEN;
    }

    /** No more comes: what is there can still be taken. */
    void end() {
        change(State.ENDED);
    }

    /** Nothing can be taken until it is opened again. */
    void abort() {
        change(State.ABORTED);
    }

    private synchronized void change(State to) {
        if (state != State.ABORTED) {
            state = to;
        }
        changes++;
        while (!sleepers.isEmpty()) {
            LockSupport.unpark(sleepers.poll());
        }
    }

    /** Forgets what was not taken; the pool takes it back. */
    synchronized void clear() {
        filled.clear();
    }

    /**
     * Puts a filled flow set in. Receiver thread only.
     *
     * @param overtaken whether a newer one was put in before
     */
    void put(FlowSet set, boolean overtaken) {
        FlowSet skipped = null;
        Thread sleeper = null;
        synchronized (this) {
            if (newestOnly) {
                skipped = overtaken ? set : filled.poll();
            }
            if (skipped != set) {
                filled.add(set);
                changes++;
                sleeper = sleepers.poll();
            }
        }
        if (sleeper != null) {
            LockSupport.unpark(sleeper);
        }
        if (skipped != null) {
            counters.increment(Counter.FRAMES_SKIPPED);
            skipped.skip();
        }
    }

    /**
     * Wakes the thread that the next flow set goes to, if one sleeps. It finds nothing, and sleeps on; when the flow
     * set comes, neither its processor nor the code is cold.
     */
    void wakeEarly() {
        Thread sleeper;
        synchronized (this) {
            sleeper = sleepers.peek();
        }
        if (sleeper != null) {
            LockSupport.unpark(sleeper);
        }
    }

    /**
     * Takes the next flow set for the caller, which leases it.
     *
     * @param nanos how long to wait; 0 looks without waiting
     * @return null when the time is over, or nothing more comes
     */
    @Nullable
    FlowSet poll(long nanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        int seen = changes;
        FlowSet set;
        synchronized (this) {
            set = take();
            if (set != null || nanos <= 0 || state != State.OPEN) {
                return set;
            }
        }
        long now = System.nanoTime();
        long deadline = now + Math.min(nanos, LONGEST_NANOS);
        if (spinNanos > 0) {
            spin(seen, now, Math.min(nanos, spinNanos));
        }
        return await(deadline);
    }

    /** Looks until something changed. */
    // Others of the same processor get their turn, the sender of a loopback among them.
    @SuppressWarnings("ThreadPriorityCheck")
    private void spin(int seen, long fromNanos, long nanos) {
        int looks = 0;
        while (changes == seen) {
            looks++;
            if (looks % LOOKS_BETWEEN_YIELDS == 0) {
                if (System.nanoTime() - fromNanos >= nanos
                        || Thread.currentThread().isInterrupted()) {
                    return;
                }
                Thread.yield();
            }
            Thread.onSpinWait();
        }
    }

    private @Nullable FlowSet await(long deadline) throws InterruptedException {
        SHORT_SLICE.get();
        Thread self = Thread.currentThread();
        while (true) {
            long left;
            synchronized (this) {
                // Whoever was woken takes what is there, also when its time is over: no other is woken for that.
                FlowSet set = take();
                left = deadline - System.nanoTime();
                boolean interrupted = set == null && Thread.interrupted();
                if (set != null || left <= 0 || state != State.OPEN || interrupted) {
                    sleepers.remove(self);
                    if (interrupted) {
                        throw new InterruptedException();
                    }
                    return set;
                }
                if (!sleepers.contains(self)) {
                    sleepers.add(self);
                }
            }
            LockSupport.parkNanos(this, left);
        }
    }

    private @Nullable FlowSet take() {
        FlowSet set = state == State.ABORTED ? null : filled.poll();
        if (set != null) {
            set.lease();
        }
        return set;
    }
}
