package io.peregrine.verbs;

import io.peregrine.nativeio.LibIbverbs;
import io.peregrine.nativeio.Libc;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.nativeio.PollSet;
import io.peregrine.nativeio.PreparedCall;
import io.peregrine.nativeio.VerbsOps;
import io.peregrine.nativeio.WakeEvent;
import io.peregrine.rdma.Completion;
import io.peregrine.rdma.CompletionHandler;
import io.peregrine.rdma.CompletionQueue;
import io.peregrine.rdma.CompletionQueueSettings;
import io.peregrine.rdma.RdmaException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A completion queue of the device. Notification is edge triggered: it is asked for first, then the queue must be seen
 * empty, only then may the thread sleep.
 */
final class VerbsCompletionQueue implements CompletionQueue {
    /** Acknowledging takes a lock in the library, so it is done for many at once. */
    private static final int ACKNOWLEDGE_BATCH = 64;

    private static final int EVENTS = 0;
    private static final int WAKE = 1;

    private final VerbsTransport transport;
    private final int maxPoll;
    private final boolean busy;
    private final long channel;
    private final long queue;
    private final WorkCompletions completions;
    private final PreparedCall pollCall;
    private final PreparedCall notifyCall;
    private final WakeEvent wake;
    private final PollSet descriptors;
    private final ByteBuffer eventMemory = NativeMemory.allocate(16);
    private final long eventAddress = NativeMemory.address(eventMemory);

    /** Held while polling and waiting, so that closing waits for both. */
    private final ReentrantLock polling = new ReentrantLock();

    private volatile List<Owner> owners = List.of();
    private volatile boolean closed;

    private int next;
    private int count;
    private boolean armed;
    private boolean seenEmpty;
    private int unacknowledged;

    /** A connection by the number of its queue pair; present once and for all, since each completion needs it so. */
    private record Owner(int queuePairNumber, Optional<VerbsConnection> connection) {}

    private VerbsCompletionQueue(VerbsTransport transport, CompletionQueueSettings settings, long channel, long queue) {
        this.transport = transport;
        this.maxPoll = settings.maxPoll();
        this.busy = settings.completionVector() < 0;
        this.channel = channel;
        this.queue = queue;
        this.completions = new WorkCompletions(maxPoll);
        this.pollCall = VerbsOps.pollCompletionQueue(transport.context(), queue, maxPoll, completions.address());
        this.notifyCall = VerbsOps.requestNotification(transport.context(), queue);
        this.wake = new WakeEvent();
        this.descriptors = new PollSet(busy ? -1 : descriptor(channel), wake.fileDescriptor());
    }

    static VerbsCompletionQueue open(VerbsTransport transport, CompletionQueueSettings settings) {
        if (settings.capacity() > transport.maxCompletions()) {
            throw new RdmaException("A completion queue of " + settings.capacity() + " entries is too long for "
                    + transport.deviceName() + ": at most " + transport.maxCompletions());
        }
        long channel = 0;
        long queue = 0;
        try {
            int vector = 0;
            if (settings.completionVector() >= 0) {
                channel = Errors.checkPointer(
                        LibIbverbs.ibv_create_comp_channel(transport.context()), "Making a completion channel");
                if (!Libc.setNonBlocking(descriptor(channel))) {
                    throw Errors.failed("Preparing a completion channel", Libc.errno());
                }
                vector = settings.completionVector() % transport.completionVectors();
            }
            queue = Errors.checkPointer(
                    LibIbverbs.ibv_create_cq(transport.context(), settings.capacity(), 0, channel, vector),
                    "Making a completion queue of " + settings.capacity() + " entries");
            ByteBuffer fields = NativeMemory.buffer(queue, VerbsLayout.CQ_BYTES_READ);
            if (fields.getLong(VerbsLayout.CQ_CONTEXT) != transport.context()
                    || fields.getInt(VerbsLayout.CQ_CQE) < settings.capacity()) {
                throw VerbsTransport.unknownLayout("ibv_cq");
            }
            return new VerbsCompletionQueue(transport, settings, channel, queue);
        } catch (RuntimeException e) {
            if (queue != 0) {
                LibIbverbs.ibv_destroy_cq(queue);
            }
            if (channel != 0) {
                LibIbverbs.ibv_destroy_comp_channel(channel);
            }
            throw e;
        }
    }

    private static int descriptor(long channel) {
        return NativeMemory.buffer(channel, VerbsLayout.COMP_CHANNEL_BYTES).getInt(VerbsLayout.COMP_CHANNEL_FD);
    }

    long queue() {
        return queue;
    }

    VerbsTransport transport() {
        return transport;
    }

    /** Lets a connection's work complete here. */
    synchronized void add(int queuePairNumber, VerbsConnection connection) {
        List<Owner> changed = new ArrayList<>(owners);
        changed.removeIf(owner -> owner.queuePairNumber() == queuePairNumber);
        changed.add(new Owner(queuePairNumber, Optional.of(connection)));
        owners = List.copyOf(changed);
    }

    /** Forgets closed connections; what they left in the queue must have been polled. */
    private synchronized void forgetClosed() {
        List<Owner> changed = new ArrayList<>(owners);
        changed.removeIf(owner -> owner.connection().orElseThrow().closed());
        owners = List.copyOf(changed);
    }

    private Optional<VerbsConnection> owner(int queuePairNumber) {
        List<Owner> current = owners;
        for (int i = 0; i < current.size(); i++) {
            if (current.get(i).queuePairNumber() == queuePairNumber) {
                return current.get(i).connection();
            }
        }
        return Optional.empty();
    }

    private boolean anyClosed() {
        List<Owner> current = owners;
        for (int i = 0; i < current.size(); i++) {
            if (current.get(i).connection().orElseThrow().closed()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public int poll(CompletionHandler handler) {
        polling.lock();
        try {
            if (closed) {
                return 0;
            }
            // What a handler that threw left over comes first.
            if (next >= count) {
                fetch();
            }
            int handed = 0;
            while (next < count) {
                completions.select(next++);
                if (deliver(handler)) {
                    handed++;
                }
            }
            return handed;
        } finally {
            polling.unlock();
        }
    }

    private void fetch() {
        boolean leavers = anyClosed();
        int fetched = pollCall.invoke();
        next = 0;
        count = 0;
        if (fetched < 0) {
            throw new RdmaException("The completion queue of " + transport.deviceName() + " cannot be read: error "
                    + fetched + "; close the connections that use it");
        }
        count = Math.min(fetched, maxPoll);
        if (count < maxPoll) {
            seenEmpty = true;
            if (leavers && count == 0) {
                forgetClosed();
            }
        }
    }

    private boolean deliver(CompletionHandler handler) {
        Optional<VerbsConnection> owner = owner(completions.queuePairNumber());
        if (owner.isEmpty()) {
            return false;
        }
        VerbsConnection connection = owner.get();
        long workId = connection.workEnded(completions.number());
        completions.resolve(owner, workId);
        if (completions.status() != Completion.Status.SUCCESS) {
            connection.workFailed(completions);
        }
        handler.onCompletion(completions);
        return true;
    }

    @Override
    public void await(long deadlineNanos) {
        if (busy) {
            Thread.onSpinWait();
            return;
        }
        polling.lock();
        try {
            if (closed || next < count) {
                return;
            }
            if (!armed) {
                arm();
            }
            if (!seenEmpty) {
                return;
            }
            long left = deadlineNanos - System.nanoTime();
            if (left > 0 && descriptors.await(left)) {
                takeEvents();
            }
        } finally {
            polling.unlock();
        }
    }

    /** Asks for the next event; what completed before must be polled for. */
    private void arm() {
        int error = notifyCall.invoke();
        if (error != 0) {
            throw Errors.failed("Asking for completion events", Math.abs(error));
        }
        armed = true;
        seenEmpty = false;
    }

    private void takeEvents() {
        if (descriptors.ready(WAKE)) {
            wake.clear();
        }
        if (descriptors.ready(EVENTS) && LibIbverbs.ibv_get_cq_event(channel, eventAddress, eventAddress + 8) == 0) {
            armed = false;
            unacknowledged++;
            // The caller polls next, so that it may sleep as soon as the queue is empty.
            arm();
        }
        if (unacknowledged >= ACKNOWLEDGE_BATCH) {
            acknowledge();
        }
    }

    private void acknowledge() {
        LibIbverbs.ibv_ack_cq_events(queue, unacknowledged);
        unacknowledged = 0;
    }

    @Override
    public void wakeUp() {
        if (!busy) {
            wake.set();
        }
    }

    @Override
    public void close() {
        closed = true;
        wake.set();
        polling.lock();
        try {
            if (!transport.forget(this)) {
                return;
            }
            count = 0;
            if (unacknowledged > 0) {
                acknowledge();
            }
            int error = LibIbverbs.ibv_destroy_cq(queue);
            if (channel != 0) {
                LibIbverbs.ibv_destroy_comp_channel(channel);
            }
            wake.close();
            Errors.checkNumber(error, "Closing a completion queue, before the connections that use it,");
        } finally {
            polling.unlock();
        }
    }
}
