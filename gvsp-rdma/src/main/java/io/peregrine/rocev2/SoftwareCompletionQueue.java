package io.peregrine.rocev2;

import io.peregrine.rdma.Completion;
import io.peregrine.rdma.CompletionHandler;
import io.peregrine.rdma.CompletionQueue;
import io.peregrine.rdma.CompletionQueueSettings;
import io.peregrine.rdma.RdmaConnection;
import java.util.Arrays;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Finished work in a ring. Filled by the port's thread, emptied by the one that polls. */
final class SoftwareCompletionQueue implements CompletionQueue {

    private final boolean busy;
    private final boolean quietSends;
    private final Entry[] batch;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private Entry[] ring;
    private int head;
    private int size;
    private boolean woken;
    /** Whether something was added since the last {@link #announce} that ends a wait. */
    private boolean worthWaking;

    SoftwareCompletionQueue(CompletionQueueSettings settings) {
        busy = settings.completionVector() < 0;
        quietSends = settings.quietSends();
        batch = entries(settings.maxPoll());
        ring = entries(settings.capacity());
    }

    private static Entry[] entries(int count) {
        Entry[] made = new Entry[count];
        Arrays.setAll(made, i -> new Entry());
        return made;
    }

    /** Adds finished work; {@link #announce} makes it known. */
    void add(
            RdmaConnection connection,
            long workId,
            Completion.Operation operation,
            Completion.Status status,
            long lengthBytes,
            boolean hasImmediate,
            int immediate) {
        lock.lock();
        try {
            if (size == ring.length) {
                grow();
            }
            Entry entry = ring[(head + size) % ring.length];
            entry.connection = connection;
            entry.workId = workId;
            entry.operation = operation;
            entry.status = status;
            entry.lengthBytes = lengthBytes;
            entry.hasImmediate = hasImmediate;
            entry.immediate = immediate;
            size++;
            boolean received =
                    operation == Completion.Operation.RECEIVE || operation == Completion.Operation.RECEIVE_WRITE;
            worthWaking |= !quietSends || received || status != Completion.Status.SUCCESS;
        } finally {
            lock.unlock();
        }
    }

    /** Wakes who waits for what was added. */
    void announce() {
        lock.lock();
        try {
            if (worthWaking) {
                worthWaking = false;
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** More work was posted than the queue was made for: bounded by the depths of its connections. */
    private void grow() {
        Entry[] larger = entries(ring.length * 2);
        for (int i = 0; i < size; i++) {
            larger[i] = ring[(head + i) % ring.length];
        }
        ring = larger;
        head = 0;
    }

    @Override
    public int poll(CompletionHandler handler) {
        int count;
        lock.lock();
        try {
            count = Math.min(size, batch.length);
            for (int i = 0; i < count; i++) {
                Entry taken = ring[head];
                ring[head] = batch[i];
                batch[i] = taken;
                head = head + 1 == ring.length ? 0 : head + 1;
            }
            size -= count;
        } finally {
            lock.unlock();
        }
        for (int i = 0; i < count; i++) {
            handler.onCompletion(batch[i]);
        }
        return count;
    }

    @Override
    public void await(long deadlineNanos) {
        if (busy) {
            Thread.onSpinWait();
            return;
        }
        lock.lock();
        try {
            while (size == 0 && !woken) {
                long left = deadlineNanos - System.nanoTime();
                if (left <= 0) {
                    break;
                }
                try {
                    changed.awaitNanos(left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    break;
                }
            }
            woken = false;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void wakeUp() {
        lock.lock();
        try {
            woken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        wakeUp();
    }

    private static final class Entry implements Completion {
        private RdmaConnection connection;
        private long workId;
        private Operation operation;
        private Status status;
        private long lengthBytes;
        private boolean hasImmediate;
        private int immediate;

        @Override
        public long workId() {
            return workId;
        }

        @Override
        public Status status() {
            return status;
        }

        @Override
        public Operation operation() {
            return operation;
        }

        @Override
        public RdmaConnection connection() {
            return connection;
        }

        @Override
        public long lengthBytes() {
            return lengthBytes;
        }

        @Override
        public boolean hasImmediate() {
            return hasImmediate;
        }

        @Override
        public int immediate() {
            return immediate;
        }
    }
}
