package io.peregrine.verbs;

import io.peregrine.nativeio.LibIbverbs;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.nativeio.PreparedCall;
import io.peregrine.nativeio.VerbsOps;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.SharedReceiveQueue;
import java.nio.ByteBuffer;

/** A shared receive queue of the device. */
final class VerbsSharedReceiveQueue implements SharedReceiveQueue {
    private final VerbsTransport transport;
    private final long queue;
    private final WorkSlots slots;
    private final ReceiveWork work = new ReceiveWork();
    private final PreparedCall postCall;
    private boolean closed;

    private VerbsSharedReceiveQueue(VerbsTransport transport, int depth, long queue) {
        this.transport = transport;
        this.queue = queue;
        this.slots = new WorkSlots(depth);
        this.postCall = VerbsOps.postSharedReceive(transport.context(), queue, work.address(), work.badAddress());
    }

    static VerbsSharedReceiveQueue open(VerbsTransport transport, int depth) {
        if (depth < 1 || depth > transport.maxSharedReceives()) {
            throw new RdmaException("A shared receive queue of " + depth + " receives is not possible on "
                    + transport.deviceName() + ": 1 to " + transport.maxSharedReceives());
        }
        ByteBuffer attributes = NativeMemory.allocate(VerbsLayout.SRQ_INIT_BYTES)
                .putInt(VerbsLayout.SRQ_INIT_MAX_WR, depth)
                .putInt(VerbsLayout.SRQ_INIT_MAX_SGE, 1);
        long queue = Errors.checkPointer(
                LibIbverbs.ibv_create_srq(transport.domain(), NativeMemory.address(attributes)),
                "Making a shared receive queue");
        return new VerbsSharedReceiveQueue(transport, depth, queue);
    }

    long queue() {
        return queue;
    }

    VerbsTransport transport() {
        return transport;
    }

    long workEnded(long number) {
        return slots.release(number);
    }

    @Override
    public synchronized void postReceive(long workId, MemoryRegion region, long offsetBytes, int lengthBytes) {
        if (closed) {
            throw new RdmaException("The shared receive queue is closed");
        }
        VerbsMemoryRegion own = VerbsMemoryRegion.of(region, transport, offsetBytes, lengthBytes);
        long number = slots.take(workId, WorkSlots.RECEIVE);
        if (number < 0) {
            throw new RdmaException("The shared receive queue is full");
        }
        work.fill(number, own.address() + offsetBytes, lengthBytes, own.localKey());
        int error = postCall.invoke();
        if (error != 0) {
            slots.release(number);
            throw Errors.failed("Posting a shared receive", Math.abs(error));
        }
    }

    @Override
    public synchronized void close() {
        if (transport.forget(this)) {
            closed = true;
            Errors.checkNumber(
                    LibIbverbs.ibv_destroy_srq(queue),
                    "Closing a shared receive queue, before the connections that use it,");
        }
    }
}
