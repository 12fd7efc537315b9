package io.peregrine.stream;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Memory of the user's for one flow of a flow set. It begins on a page boundary ({@link #ALIGNMENT_BYTES}) and may be
 * larger than the flow, and larger than 2 GiB. The object keeps its {@link #owner()} reachable; a stream that uses the
 * memory keeps the object reachable.
 *
 * <p>Immutable, for any thread.
 */
public final class FlowMemory {
    /** What the address of the first byte must be a multiple of: a page. */
    public static final int ALIGNMENT_BYTES = 4096;

    private static final int NONE = -1;

    private final @Nullable ByteBuffer buffer;
    /** In this process, or within a dmabuf. */
    private final long place;

    private final long lengthBytes;
    private final Object owner;
    private final boolean hostAccess;
    private final int descriptor;

    private FlowMemory(
            @Nullable ByteBuffer buffer,
            long place,
            long lengthBytes,
            Object owner,
            boolean hostAccess,
            int descriptor) {
        this.buffer = buffer;
        this.place = place;
        this.lengthBytes = lengthBytes;
        this.owner = Objects.requireNonNull(owner, "owner");
        this.hostAccess = hostAccess;
        this.descriptor = descriptor;
    }

    /**
     * The memory of a direct buffer, from its position to its limit.
     *
     * @param buffer direct and writable; kept reachable
     * @throws StreamException if it is not, or does not begin on a page boundary
     */
    public static FlowMemory of(ByteBuffer buffer) {
        if (!buffer.isDirect() || buffer.isReadOnly()) {
            throw new StreamException("Frames are received into direct buffers that can be written: use"
                    + " ByteBuffer.allocateDirect, or map a file for reading and writing");
        }
        ByteBuffer memory = buffer.slice();
        checkLength(memory.capacity());
        checkAligned(
                "A buffer",
                memory.alignmentOffset(0, ALIGNMENT_BYTES),
                ": take alignedSlice(" + ALIGNMENT_BYTES + ") of one that is a page larger");
        return new FlowMemory(memory, 0, memory.capacity(), buffer, true, NONE);
    }

    /**
     * Memory at an address that the processor can read and write.
     *
     * @param address address of the first byte in this process
     * @param lengthBytes length
     * @param owner what keeps the memory valid; kept reachable
     * @throws StreamException if the range is not possible, or does not begin on a page boundary
     */
    public static FlowMemory at(long address, long lengthBytes, Object owner) {
        checkRange(address, lengthBytes);
        return new FlowMemory(null, address, lengthBytes, owner, true, NONE);
    }

    /**
     * Memory of a device that an RDMA adapter writes by its address in this process, past the processor: for a GPU by
     * CUDA, with the kernel module {@code nvidia-peermem}. Not for flow 0, and by verbs only.
     *
     * @param address address of the first byte, as the device's library gave it
     * @param lengthBytes length
     * @param owner what keeps the memory valid; kept reachable
     * @throws StreamException if the range is not possible, or does not begin on a page boundary
     */
    public static FlowMemory peerDirect(long address, long lengthBytes, Object owner) {
        checkRange(address, lengthBytes);
        return new FlowMemory(null, address, lengthBytes, owner, false, NONE);
    }

    /**
     * Memory of a device that an RDMA adapter writes by a dmabuf, past the processor. Not for flow 0, and by verbs
     * only.
     *
     * @param descriptor file descriptor of the dmabuf; it stays the caller's, and open while the memory is in use
     * @param offset first byte within the dmabuf, on a page boundary
     * @param lengthBytes length
     * @param owner what keeps the memory valid; kept reachable
     * @throws StreamException if the range is not possible, or does not begin on a page boundary
     */
    public static FlowMemory dmaBuf(int descriptor, long offset, long lengthBytes, Object owner) {
        checkLength(lengthBytes);
        if (descriptor < 0 || offset < 0 || offset > Long.MAX_VALUE - lengthBytes) {
            throw new StreamException("There is no dmabuf with descriptor " + descriptor + " that has " + lengthBytes
                    + " bytes at " + offset);
        }
        checkAligned("An offset of " + offset, -offset, "");
        return new FlowMemory(null, offset, lengthBytes, owner, false, descriptor);
    }

    private static void checkRange(long address, long lengthBytes) {
        checkLength(lengthBytes);
        if (address == 0 || Long.compareUnsigned(address + lengthBytes - 1, address) < 0) {
            throw new StreamException(
                    "No memory of " + lengthBytes + " bytes can be at address 0x" + Long.toHexString(address));
        }
        checkAligned("The address 0x" + Long.toHexString(address), -address, "");
    }

    private static void checkLength(long lengthBytes) {
        if (lengthBytes < 1) {
            throw new StreamException("Memory of " + lengthBytes + " bytes holds no flow");
        }
    }

    private static void checkAligned(String what, long bytesToBoundary, String advice) {
        long missing = Math.floorMod(bytesToBoundary, (long) ALIGNMENT_BYTES);
        if (missing != 0) {
            throw new StreamException(what + " is " + missing + " bytes before a multiple of " + ALIGNMENT_BYTES
                    + ", where the memory of a flow begins" + advice);
        }
    }

    /** Length in bytes. */
    public long lengthBytes() {
        return lengthBytes;
    }

    /** What keeps the memory valid. */
    public Object owner() {
        return owner;
    }

    /** Whether the processor can read and write it; false for memory of a device, such as a GPU. */
    public boolean hostAccess() {
        return hostAccess;
    }

    /** The buffer that it is, from index 0 to its capacity; empty for memory at an address and of a device. */
    public Optional<ByteBuffer> buffer() {
        return Optional.ofNullable(buffer);
    }

    /** The address that it was given by; empty for a buffer and a dmabuf. */
    public OptionalLong address() {
        return buffer == null && descriptor == NONE ? OptionalLong.of(place) : OptionalLong.empty();
    }

    /** The descriptor of the dmabuf that it is in; empty for other memory. */
    public OptionalInt dmaBufDescriptor() {
        return descriptor == NONE ? OptionalInt.empty() : OptionalInt.of(descriptor);
    }

    /** First byte within the dmabuf; 0 for other memory. */
    public long dmaBufOffset() {
        return descriptor == NONE ? 0 : place;
    }

    @Override
    public String toString() {
        return "FlowMemory[" + lengthBytes + " bytes" + (hostAccess ? "" : " of a device") + "]";
    }
}
