package io.peregrine.recording;

import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Forces a file to the disk while it is still being written, on a thread of its own, so that the disk never waits for the
 * writer and little is left to force at the end.
 */
final class DiskSync {
    private final Output file;
    private final long stepBytes;
    private final Thread thread;

    // Guards everything below.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long writtenBytes;
    private long forcedBytes;
    private boolean ending;
    private IOException failure;

    /**
     * Prepares a thread.
     *
     * @param file what to force
     * @param stepBytes how much is written until it is forced
     * @param name of the thread
     */
    DiskSync(Output file, long stepBytes, String name) {
        this.file = file;
        this.stepBytes = stepBytes;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Tells how long the file is by now. */
    void written(long sizeBytes) {
        lock.lock();
        try {
            writtenBytes = sizeBytes;
            if (writtenBytes - forcedBytes >= stepBytes) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * How much of the file is on the disk.
     *
     * @throws IOException if forcing failed
     */
    long forcedBytes() throws IOException {
        lock.lock();
        try {
            if (failure != null) {
                throw new IOException(failure.getMessage(), failure);
            }
            return forcedBytes;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the thread and waits for it. */
    void end() {
        lock.lock();
        try {
            ending = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
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

    private void run() {
        long size = next();
        while (size >= 0) {
            try {
                file.force();
                done(size);
            } catch (IOException e) {
                failed(e);
            }
            size = next();
        }
    }

    /** Size of the file that is to be forced; negative at the end. */
    private long next() {
        lock.lock();
        try {
            while (!ending && (failure != null || writtenBytes - forcedBytes < stepBytes)) {
                changed.awaitUninterruptibly();
            }
            return ending ? -1 : writtenBytes;
        } finally {
            lock.unlock();
        }
    }

    private void done(long size) {
        lock.lock();
        try {
            forcedBytes = size;
        } finally {
            lock.unlock();
        }
    }

    private void failed(IOException e) {
        lock.lock();
        try {
            failure = e;
        } finally {
            lock.unlock();
        }
    }
}
