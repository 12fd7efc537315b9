package io.peregrine.device;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Where a thread pauses until the device is being closed. */
final class Gate implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closes = lock.newCondition();
    private volatile boolean closed;

    boolean closed() {
        return closed;
    }

    /** Waits; false when it is closed. */
    boolean pause(long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (!closed && left > 0) {
                left = closes.awaitNanos(left);
            }
            return !closed;
        } catch (InterruptedException e) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            closes.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
