package io.peregrine.composite;

import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.GenDcReader;
import java.nio.ByteBuffer;

/**
 * Reads the descriptor of one frame after the other without allocation. It reads from a copy: over RDMA, a device that
 * breaks the rules can write into a frame while it is mapped. For one thread at a time.
 */
final class DescriptorReader {
    private static final int USUAL_BYTES = 4096;

    private final GenDcReader reader = new GenDcReader();
    private ByteBuffer copy = ByteBuffer.allocate(USUAL_BYTES);

    /**
     * Reads a descriptor.
     *
     * @param memory the frame
     * @param sizeBytes bytes of the descriptor at the start of flow 0, all of which arrived
     * @return a view that the next call moves
     * @throws io.peregrine.gendc.GenDcException if it cannot be used
     */
    GenDcDescriptor read(FrameMemory memory, int sizeBytes) {
        if (sizeBytes > copy.capacity()) {
            copy = ByteBuffer.allocate(sizeBytes);
        }
        copy.clear().limit(sizeBytes);
        memory.read(sizeBytes, copy);
        return reader.readDescriptor(copy);
    }
}
