package io.peregrine.rocev2;

import io.peregrine.rdma.Completion;
import io.peregrine.rdma.CompletionHandler;
import io.peregrine.rdma.CompletionQueue;
import io.peregrine.rdma.CompletionQueueSettings;
import io.peregrine.rdma.RdmaConnection;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Finished work in a ring. Filled by the thread that serves the port, emptied by the one that polls. */
final class SoftwareCompletionQueue implements CompletionQueue, ServingRole.Waiter {

    private final @Nullable RocePort port;
    private final boolean busy;
    private final boolean streaming;
    private final Entry[] batch;
    private final ReentrantLock lock = new ReentrantLock();
    private Entry[] ring;
    private int head;
    private int size;
    /** Whether something was added since the last {@link #announce} that ends a wait. */
    private boolean worthWaking;

    /** Whether a wait is over: there is something, or somebody woke the queue. */
    private volatile boolean ready;

    private volatile boolean woken;
    /** The thread that waits, and whether it sleeps in the port's socket. */
    private volatile @Nullable Thread waiter;

    private volatile boolean inSocket;

    /**
     * Makes a queue.
     *
     * @param port what its thread serves while it waits; null for nothing
     */
    SoftwareCompletionQueue(CompletionQueueSettings settings, @Nullable RocePort port) {
        this.port = port;
        busy = settings.completionVector() < 0;
        streaming = settings.streaming();
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
            worthWaking |= !streaming || received || status != Completion.Status.SUCCESS;
        } finally {
            lock.unlock();
        }
    }

    /** Wakes who waits for what was added. */
    void announce() {
        lock.lock();
        try {
            if (!worthWaking) {
                return;
            }
            worthWaking = false;
            ready = true;
        } finally {
            lock.unlock();
        }
        wake();
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
        waiter = Thread.currentThread();
        if (!empty()) {
            ready = true;
        }
        if (port != null && streaming) {
            port.await(this, deadlineNanos);
        } else {
            while (!ready()
                    && deadlineNanos - System.nanoTime() > 0
                    && !Thread.currentThread().isInterrupted()) {
                park(deadlineNanos);
            }
        }
        waiter = null;
        woken = false;
        ready = false;
    }

    private boolean empty() {
        lock.lock();
        try {
            return size == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a wait is over. */
    boolean ready() {
        return ready || woken;
    }

    /** Sleeps until the wait may be over. */
    void park(long deadlineNanos) {
        LockSupport.parkNanos(this, deadlineNanos - System.nanoTime());
    }

    /** Whether the thread that waits may sleep in the port's socket; then {@link #endSleep} must follow. */
    boolean beginSleep() {
        // Before looking: who wakes looks in the other order.
        inSocket = true;
        if (ready()) {
            inSocket = false;
        }
        return inSocket;
    }

    void endSleep() {
        inSocket = false;
    }

    /** Makes the thread that waits look again. Any thread. */
    @Override
    public void wake() {
        if (inSocket && port != null) {
            port.wakeSocket();
        } else {
            LockSupport.unpark(waiter);
        }
    }

    @Override
    public void wakeUp() {
        woken = true;
        wake();
    }

    @Override
    public void close() {
        wakeUp();
        if (port != null && streaming) {
            // Its thread does not come back.
            port.recall();
        }
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
