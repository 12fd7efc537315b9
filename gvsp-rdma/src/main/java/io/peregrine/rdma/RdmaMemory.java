package io.peregrine.rdma;

import io.peregrine.stream.FlowMemory;
import io.peregrine.stream.engine.FlowSegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;

/**
 * A contiguous piece of memory outside the heap that can be registered: a direct buffer, or an address that the user
 * supplies, also above 2 GiB. Offsets are 64 bit; reads and writes are bounds checked. Memory of a device, which the
 * processor cannot reach, can only be registered.
 */
public final class RdmaMemory {
    private final FlowSegment segment;

    private RdmaMemory(FlowSegment segment) {
        this.segment = segment;
    }

    /** The memory of a flow. */
    public static RdmaMemory of(FlowSegment segment) {
        return new RdmaMemory(segment);
    }

    /**
     * The memory of a direct buffer, from its first byte to its capacity.
     *
     * @param buffer a direct buffer; it is kept alive as long as this object
     */
    public static RdmaMemory of(ByteBuffer buffer) {
        if (!buffer.isDirect() || buffer.isReadOnly()) {
            throw new RdmaException("RDMA needs a direct buffer that can be written");
        }
        return new RdmaMemory(FlowSegment.of(buffer));
    }

    /**
     * Memory of the user's at an address, for example shared memory or a mapping of more than 2 GiB.
     *
     * @param address address of the first byte
     * @param lengthBytes length
     * @param owner whatever keeps the memory valid; it is kept alive as long as this object
     * @throws RdmaException if the range is not possible
     * @throws io.peregrine.nativeio.NativeUnavailableException if there is no native access
     */
    public static RdmaMemory at(long address, long lengthBytes, Object owner) {
        if (address == 0 || lengthBytes < 1 || Long.compareUnsigned(address + lengthBytes - 1, address) < 0) {
            throw new RdmaException(
                    "No memory of " + lengthBytes + " bytes can be at address 0x" + Long.toHexString(address));
        }
        return new RdmaMemory(FlowSegment.at(address, lengthBytes, Objects.requireNonNull(owner, "owner")));
    }

    /** Length in bytes. */
    public long lengthBytes() {
        return segment.lengthBytes();
    }

    /** What keeps the memory valid: the buffer, or what the user named as owner. */
    public Object owner() {
        return segment.owner();
    }

    /** Whether the processor can reach it: false for memory of a device, such as a GPU. */
    public boolean hostAccess() {
        return segment.hostAccess();
    }

    /** What it is the beginning of, if that is in a dmabuf. */
    public Optional<FlowMemory> dmaBuf() {
        return segment.dmaBuf();
    }

    /** Address of the first byte. Needs native access; not for memory in a dmabuf. */
    public long nativeAddress() {
        return lengthBytes() == 0
                ? 0
                : segment.address()
                        .orElseThrow(() -> new RdmaException("Memory in a dmabuf has no address in this process"));
    }

    /**
     * Writes bytes.
     *
     * @param offset where, from 0
     * @param source bytes to write, from its position to its limit; the position moves to the limit
     * @throws IndexOutOfBoundsException if they do not fit; nothing is written then
     */
    public void put(long offset, ByteBuffer source) {
        int count = source.remaining();
        check(offset, count);
        segment.put(offset, source, source.position(), count);
        source.position(source.position() + count);
    }

    /**
     * Reads bytes.
     *
     * @param offset where from
     * @param target where to, from its position on, which moves
     * @param count how many
     * @throws IndexOutOfBoundsException if the range is not inside
     */
    public void get(long offset, ByteBuffer target, int count) {
        check(offset, count);
        segment.get(offset, target, target.position(), count);
        target.position(target.position() + count);
    }

    /** Whether a range lies inside. */
    public boolean contains(long offset, long count) {
        return offset >= 0 && count >= 0 && offset <= lengthBytes() - count;
    }

    private void check(long offset, long count) {
        if (!contains(offset, count)) {
            throw new IndexOutOfBoundsException(
                    "Bytes " + offset + " to " + (offset + count) + " of memory of " + lengthBytes() + " bytes");
        }
        if (!hostAccess()) {
            throw new RdmaException("The processor cannot reach memory of a device");
        }
    }

    @Override
    public String toString() {
        return "RdmaMemory[" + lengthBytes() + " bytes]";
    }
}
