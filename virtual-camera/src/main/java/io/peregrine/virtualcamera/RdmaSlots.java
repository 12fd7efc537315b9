package io.peregrine.virtualcamera;

import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RdmaTransport;
import java.nio.ByteBuffer;

/** The registered memory for blocks that are under way at a time. Used by one thread. */
final class RdmaSlots {
    private static final long MAX_MEMORY_BYTES = 192L << 20;

    private final RdmaTransport transport;
    private RdmaSlot[] slots = new RdmaSlot[0];

    RdmaSlots(RdmaTransport transport) {
        this.transport = transport;
    }

    RdmaSlot[] all() {
        return slots;
    }

    RdmaSlot get(int index) {
        return slots[index];
    }

    /** Registers memory for blocks of a layout, unless there is such memory already. */
    void prepare(GenDcLayout layout) {
        int bytes = RdmaSlot.bytesFor(layout.memoryBytes(), layout.flowRanges().size());
        int count = (int) Math.max(2, Math.min(RdmaLink.SLOTS, MAX_MEMORY_BYTES / bytes));
        if (slots.length == count
                && slots[0].region.lengthBytes() == bytes
                && slots[0].block.capacity() == layout.memoryBytes()) {
            return;
        }
        release();
        RdmaSlot[] made = new RdmaSlot[count];
        try {
            for (int i = 0; i < count; i++) {
                ByteBuffer memory = allocate(bytes);
                made[i] = new RdmaSlot(transport.register(RdmaMemory.of(memory)), memory, layout.memoryBytes());
            }
        } catch (RdmaException e) {
            for (RdmaSlot slot : made) {
                if (slot != null) {
                    slot.region.close();
                }
            }
            throw e;
        }
        slots = made;
    }

    private static ByteBuffer allocate(int bytes) {
        try {
            return ByteBuffer.allocateDirect(bytes);
        } catch (OutOfMemoryError e) {
            throw new VirtualCameraException("No memory for blocks of " + bytes + " bytes", e);
        }
    }

    /** Releases the memory. */
    void release() {
        RdmaSlot[] old = slots;
        slots = new RdmaSlot[0];
        for (RdmaSlot slot : old) {
            slot.region.close();
        }
    }

    /** Index of a slot without a block; -1 if there is none. */
    int free() {
        for (int i = 0; i < slots.length; i++) {
            if (slots[i].pending == 0) {
                return i;
            }
        }
        return -1;
    }

    /** Whether any block is under way. */
    boolean inFlight() {
        for (RdmaSlot slot : slots) {
            if (slot.pending > 0) {
                return true;
            }
        }
        return false;
    }
}
