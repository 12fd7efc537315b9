package io.peregrine.device;

import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.StreamEngine;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The time of a stream between two receivers: what the first left can still be taken, and then is waited for. */
final class ReconnectGap {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Leased in the name of the later taker. */
    private final ArrayDeque<FlowSet> kept = new ArrayDeque<>();

    private volatile boolean active;
    private volatile boolean anyKept;

    void begin() {
        active = true;
    }

    boolean active() {
        return active;
    }

    /** There is a receiver again, or never will be. */
    void end() {
        lock.lock();
        try {
            active = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes over what a stopped receiver filled, before that is closed. */
    void keep(StreamEngine stopped) {
        lock.lock();
        try {
            Optional<FlowSet> filled = next(stopped);
            while (filled.isPresent()) {
                kept.add(filled.get());
                anyKept = true;
                filled = next(stopped);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static Optional<FlowSet> next(StreamEngine stopped) {
        boolean interrupted = false;
        while (true) {
            try {
                Optional<FlowSet> filled = stopped.poll(Duration.ZERO);
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                return filled;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    /** What was kept, oldest first. Costs next to nothing when that is nothing. */
    Optional<FlowSet> take() {
        if (!anyKept) {
            return Optional.empty();
        }
        lock.lock();
        try {
            Optional<FlowSet> first = Optional.ofNullable(kept.poll());
            anyKept = !kept.isEmpty();
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there is something to take, or a receiver, or the time is over. */
    void await(Duration timeout) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = timeout.toNanos();
            while (active && kept.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Gives back what was not taken. */
    void clear() {
        for (Optional<FlowSet> left = take(); left.isPresent(); left = take()) {
            left.get().release();
        }
    }
}
