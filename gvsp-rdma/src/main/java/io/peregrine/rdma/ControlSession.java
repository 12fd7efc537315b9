package io.peregrine.rdma;

import io.peregrine.stream.RdmaMode;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.StreamCounters;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The part of a stream that goes by the device's registers: what a run opens and closes there, and how many blocks the
 * device says it dropped. Any thread.
 */
final class ControlSession {
    private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final GvrspControl control;
    private final StreamCounters counters;
    private final AtomicBoolean open = new AtomicBoolean();

    /** Held while the device is asked what it dropped, and while that is begun or ended. */
    private final ReentrantLock asking = new ReentrantLock();
    /** Guarded by {@link #asking}. */
    private boolean askable;

    private long askedAt;
    /** Blocks dropped in earlier runs. */
    private volatile long droppedBefore;

    ControlSession(GvrspControl control, StreamCounters counters) {
        this.control = control;
        this.counters = counters;
    }

    /** Prepares the device for a connection; {@link #close} takes it back, also after an exception. */
    GvrspSession open(RdmaMode mode) {
        droppedBefore = counters.get(Counter.FRAMES_DROPPED_BY_DEVICE);
        open.set(true);
        GvrspSession session = control.open(mode);
        asking.lock();
        try {
            askable = true;
            askedAt = System.nanoTime();
        } finally {
            asking.unlock();
        }
        return session;
    }

    /** Prepares the device for another connection. */
    GvrspSession renew(GvrspSession before) {
        try {
            return control.renew(before);
        } catch (RdmaException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new RdmaException("Cannot prepare the device for another connection: " + e.getMessage(), e);
        }
    }

    /**
     * Asks the device a last time and takes back what was opened, if it is open. After the receiver thread has ended.
     */
    void close() {
        if (!open.compareAndSet(true, false)) {
            return;
        }
        asking.lock();
        try {
            askable = false;
            count(control.blocksDropped());
        } finally {
            asking.unlock();
            control.close();
        }
    }

    /** Asks the device what it dropped, unless it was asked a moment ago, another thread asks, or it is not open. */
    void askForDrops() {
        if (!open.get() || !asking.tryLock()) {
            return;
        }
        try {
            long now = System.nanoTime();
            if (askable && now - askedAt >= 0) {
                askedAt = now + ASK_NANOS;
                count(control.blocksDropped());
            }
        } finally {
            asking.unlock();
        }
    }

    /** The device says how many blocks it dropped since it was opened. */
    void count(long droppedSinceOpen) {
        if (droppedSinceOpen > 0) {
            counters.raise(Counter.FRAMES_DROPPED_BY_DEVICE, droppedBefore + droppedSinceOpen);
        }
    }
}
