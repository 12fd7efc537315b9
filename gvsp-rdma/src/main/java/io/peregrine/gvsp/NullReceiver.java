package io.peregrine.gvsp;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Receives nothing: for an application that has a device send to a group without being part of it. */
final class NullReceiver implements PacketReceiver {
    private final int port;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    private boolean awake;

    /** Stands for a receiver at a port. */
    NullReceiver(int port) {
        this.port = port;
    }

    @Override
    public int receive(PacketSink into, long deadlineNanos) {
        lock.lock();
        try {
            long left = deadlineNanos - System.nanoTime();
            while (!awake && left > 0) {
                left = woken.awaitNanos(left);
            }
            awake = false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        return 0;
    }

    @Override
    public void wakeUp() {
        lock.lock();
        try {
            awake = true;
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int localPort() {
        return port;
    }

    @Override
    public int receiveBufferBytes() {
        return 0;
    }

    @Override
    public void close() {
        wakeUp();
    }
}
