package io.peregrine.virtualcamera;

import io.peregrine.rdma.MemoryRegion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Registered memory for one block under way, followed by room for the message that reports it done. */
final class RdmaSlot {
    final MemoryRegion region;
    final ByteBuffer block;
    final ByteBuffer done;
    final int doneOffset;
    /** Messages and writes posted and not completed. */
    int pending;
    /** Whether the block cannot become whole any more. */
    boolean broken;

    RdmaSlot(MemoryRegion region, ByteBuffer memory, int blockBytes) {
        this.region = region;
        this.doneOffset = doneOffset(blockBytes);
        this.block = memory.slice(0, blockBytes);
        this.done = memory.slice(doneOffset, memory.capacity() - doneOffset).order(ByteOrder.LITTLE_ENDIAN);
    }

    static int bytesFor(int blockBytes, int flowCount) {
        return Math.addExact(doneOffset(blockBytes), 32 + 8 * flowCount);
    }

    private static int doneOffset(int blockBytes) {
        return Math.addExact(blockBytes, 7) & ~7;
    }
}
