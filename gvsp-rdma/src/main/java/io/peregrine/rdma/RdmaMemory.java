package io.peregrine.rdma;

import io.peregrine.nativeio.NativeMemory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * A contiguous piece of memory outside the heap that can be registered: a direct buffer, or an address that the user
 * supplies, also above 2 GiB. Offsets are 64 bit; reads and writes are bounds checked.
 */
public final class RdmaMemory {
    private static final int WINDOW_BITS = 30;
    private static final long WINDOW_BYTES = 1L << WINDOW_BITS;
    private static final long WINDOW_MASK = WINDOW_BYTES - 1;

    private final ByteBuffer[] windows;
    private final long lengthBytes;
    private final Object owner;

    private RdmaMemory(ByteBuffer[] windows, long lengthBytes, Object owner) {
        this.windows = windows;
        this.lengthBytes = lengthBytes;
        this.owner = owner;
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
        long length = buffer.capacity();
        ByteBuffer[] windows = new ByteBuffer[windowCount(length)];
        for (int i = 0; i < windows.length; i++) {
            long from = i * WINDOW_BYTES;
            windows[i] = buffer.duplicate().clear().slice((int) from, (int) Math.min(WINDOW_BYTES, length - from));
        }
        return new RdmaMemory(windows, length, buffer);
    }

    /**
     * Memory of the user's at an address, for example shared memory or a mapping of more than 2 GiB.
     *
     * @param address address of the first byte
     * @param lengthBytes length
     * @param owner whatever keeps the memory valid; it is kept alive as long as this object
     * @throws RdmaException if the range is not possible or there is no native access
     */
    public static RdmaMemory at(long address, long lengthBytes, Object owner) {
        if (address == 0 || lengthBytes < 1 || Long.compareUnsigned(address + lengthBytes - 1, address) < 0) {
            throw new RdmaException(
                    "No memory of " + lengthBytes + " bytes can be at address 0x" + Long.toHexString(address));
        }
        ByteBuffer[] windows = new ByteBuffer[windowCount(lengthBytes)];
        for (int i = 0; i < windows.length; i++) {
            long from = i * WINDOW_BYTES;
            windows[i] = NativeMemory.buffer(address + from, (int) Math.min(WINDOW_BYTES, lengthBytes - from));
        }
        return new RdmaMemory(windows, lengthBytes, Objects.requireNonNull(owner, "owner"));
    }

    private static int windowCount(long lengthBytes) {
        return Math.toIntExact((lengthBytes + WINDOW_BYTES - 1) >>> WINDOW_BITS);
    }

    /** Length in bytes. */
    public long lengthBytes() {
        return lengthBytes;
    }

    /** What keeps the memory valid: the buffer, or what the user named as owner. */
    public Object owner() {
        return owner;
    }

    /** Address of the first byte. Needs native access. */
    public long nativeAddress() {
        return lengthBytes == 0 ? 0 : NativeMemory.address(windows[0]);
    }

    /**
     * Writes bytes.
     *
     * @param offset where, from 0
     * @param source bytes to write, from its position to its limit; the position moves to the limit
     * @throws IndexOutOfBoundsException if they do not fit; nothing is written then
     */
    public void put(long offset, ByteBuffer source) {
        int left = source.remaining();
        check(offset, left);
        int limit = source.limit();
        long at = offset;
        while (left > 0) {
            ByteBuffer window = windows[(int) (at >>> WINDOW_BITS)];
            int within = (int) (at & WINDOW_MASK);
            int count = Math.min(left, window.capacity() - within);
            window.put(within, source, source.position(), count);
            source.position(source.position() + count);
            at += count;
            left -= count;
        }
        source.limit(limit);
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
        long at = offset;
        int left = count;
        while (left > 0) {
            ByteBuffer window = windows[(int) (at >>> WINDOW_BITS)];
            int within = (int) (at & WINDOW_MASK);
            int part = Math.min(left, window.capacity() - within);
            target.put(target.position(), window, within, part);
            target.position(target.position() + part);
            at += part;
            left -= part;
        }
    }

    /** Whether a range lies inside. */
    public boolean contains(long offset, long count) {
        return offset >= 0 && count >= 0 && offset <= lengthBytes - count;
    }

    private void check(long offset, long count) {
        if (!contains(offset, count)) {
            throw new IndexOutOfBoundsException(
                    "Bytes " + offset + " to " + (offset + count) + " of memory of " + lengthBytes + " bytes");
        }
    }

    @Override
    public String toString() {
        return "RdmaMemory[" + lengthBytes + " bytes, " + Arrays.toString(windows) + "]";
    }
}
