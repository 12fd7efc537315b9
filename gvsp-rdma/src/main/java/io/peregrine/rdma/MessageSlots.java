package io.peregrine.rdma;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Registered memory for messages, cut into slots of the same size. */
final class MessageSlots implements AutoCloseable {
    private final int slotBytes;
    private final ByteBuffer[] views;
    private final MemoryRegion region;

    MessageSlots(RdmaTransport transport, int count, int slotBytes) {
        this.slotBytes = slotBytes;
        ByteBuffer memory = ByteBuffer.allocateDirect(Math.multiplyExact(slotBytes, count));
        views = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            views[i] = memory.slice(i * slotBytes, slotBytes).order(ByteOrder.LITTLE_ENDIAN);
        }
        region = transport.register(RdmaMemory.of(memory));
    }

    int count() {
        return views.length;
    }

    int slotBytes() {
        return slotBytes;
    }

    MemoryRegion region() {
        return region;
    }

    long offsetBytes(int slot) {
        return (long) slot * slotBytes;
    }

    ByteBuffer view(int slot) {
        return views[slot];
    }

    @Override
    public void close() {
        region.close();
    }
}
