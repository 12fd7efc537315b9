package io.peregrine.stream.engine;

import io.peregrine.nativeio.NativeMemory;
import io.peregrine.nativeio.NativePlatform;
import io.peregrine.stream.FlowMemory;
import io.peregrine.stream.StreamException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one flow, of any size, by 64-bit offset. What is larger than a buffer can be is seen through windows,
 * each of which reaches a little into the next: every piece of up to {@link #PIECE_BYTES} lies in one of them. Of
 * memory that the processor cannot reach only address and size are known.
 */
public final class FlowSegment {
    /** Bytes from any place that lie in one window. */
    public static final int PIECE_BYTES = 1 << 20;

    private static final int WINDOW_BITS = 30;
    private static final long WINDOW_BYTES = 1L << WINDOW_BITS;

    private final long lengthBytes;
    /** The only window; null if there are several or none. */
    private final @Nullable ByteBuffer whole;

    private final ByteBuffer[] windows;
    /** What keeps the memory valid. */
    private final Object owner;

    private final @Nullable FlowMemory dmaBuf;
    /** Null until it is asked for. */
    private @Nullable OptionalLong address;

    private FlowSegment(
            ByteBuffer[] windows,
            long lengthBytes,
            Object owner,
            @Nullable OptionalLong address,
            @Nullable FlowMemory dmaBuf) {
        this.windows = windows;
        this.lengthBytes = lengthBytes;
        this.owner = owner;
        this.address = address;
        this.dmaBuf = dmaBuf;
        whole = windows.length == 1 ? windows[0] : null;
    }

    /**
     * The first bytes of memory.
     *
     * @param lengthBytes number of bytes, not more than there are
     * @throws io.peregrine.nativeio.NativeUnavailableException if it is at an address and native access is not possible
     */
    public static FlowSegment of(FlowMemory memory, long lengthBytes) {
        if (memory.buffer().isPresent()) {
            return of(memory.buffer().get().slice(0, Math.toIntExact(lengthBytes)));
        }
        if (memory.hostAccess()) {
            return at(memory.address().orElseThrow(), lengthBytes, memory.owner());
        }
        return new FlowSegment(
                new ByteBuffer[0],
                lengthBytes,
                memory.owner(),
                memory.address(),
                memory.dmaBufDescriptor().isPresent() ? memory : null);
    }

    /** The memory of a direct buffer, from index 0 to its capacity. */
    public static FlowSegment of(ByteBuffer buffer) {
        return new FlowSegment(new ByteBuffer[] {buffer.duplicate().clear()}, buffer.capacity(), buffer, null, null);
    }

    /**
     * Memory at an address.
     *
     * @param owner what keeps it valid
     * @throws io.peregrine.nativeio.NativeUnavailableException if native access is not possible
     */
    public static FlowSegment at(long address, long lengthBytes, Object owner) {
        return new FlowSegment(windows(address, lengthBytes), lengthBytes, owner, OptionalLong.of(address), null);
    }

    private static ByteBuffer[] windows(long address, long lengthBytes) {
        if (lengthBytes <= Integer.MAX_VALUE) {
            return new ByteBuffer[] {NativeMemory.bytes(address, (int) lengthBytes)};
        }
        ByteBuffer[] windows = new ByteBuffer[Math.toIntExact((lengthBytes + WINDOW_BYTES - 1) >>> WINDOW_BITS)];
        for (int i = 0; i < windows.length; i++) {
            long from = i * WINDOW_BYTES;
            windows[i] =
                    NativeMemory.bytes(address + from, (int) Math.min(WINDOW_BYTES + PIECE_BYTES, lengthBytes - from));
        }
        return windows;
    }

    /** Size in bytes. */
    public long lengthBytes() {
        return lengthBytes;
    }

    /** What keeps the memory valid. */
    public Object owner() {
        return owner;
    }

    /** The memory that it is the beginning of, if that is in a dmabuf. */
    public Optional<FlowMemory> dmaBuf() {
        return Optional.ofNullable(dmaBuf);
    }

    /** Whether the processor can reach it. */
    public boolean hostAccess() {
        return windows.length > 0;
    }

    /**
     * All of it in one buffer, the same every time: use absolute access.
     *
     * @throws StreamException if it is larger than a buffer can be, or the processor cannot reach it
     */
    public ByteBuffer whole() {
        if (whole == null) {
            throw hostAccess()
                    ? new StreamException("A flow of " + lengthBytes + " bytes does not fit a buffer")
                    : unreachable();
        }
        return whole;
    }

    private StreamException unreachable() {
        return new StreamException("The data is in memory of a device, which the processor cannot read: use its"
                + " address, or the library of the device");
    }

    /** The window that a piece from an offset on lies in; big-endian, the same every time. */
    public ByteBuffer window(long offset) {
        return whole != null ? whole : windows[(int) (offset >>> WINDOW_BITS)];
    }

    /** Offset of the first byte of {@link #window}. */
    public long windowOffset(long offset) {
        return whole != null ? 0 : offset >>> WINDOW_BITS << WINDOW_BITS;
    }

    /**
     * Writes bytes.
     *
     * @param offset where, from 0
     * @param source buffer with the bytes
     * @param from index of the first one
     * @param count how many
     */
    public void put(long offset, ByteBuffer source, int from, int count) {
        if (whole != null) {
            whole.put((int) offset, source, from, count);
            return;
        }
        for (int done = 0; done < count; ) {
            long at = offset + done;
            int piece = Math.min(count - done, PIECE_BYTES);
            window(at).put((int) (at - windowOffset(at)), source, from + done, piece);
            done += piece;
        }
    }

    /**
     * Reads bytes.
     *
     * @param offset where from
     * @param target buffer for the bytes
     * @param to index of the first one
     * @param count how many
     */
    public void get(long offset, ByteBuffer target, int to, int count) {
        if (whole != null) {
            target.put(to, whole, (int) offset, count);
            return;
        }
        for (int done = 0; done < count; ) {
            long at = offset + done;
            int piece = Math.min(count - done, PIECE_BYTES);
            target.put(to + done, window(at), (int) (at - windowOffset(at)), piece);
            done += piece;
        }
    }

    /** Writes the bytes of an array again and again, over a range. */
    void fill(long from, long to, byte[] piece) {
        long at = from;
        while (at < to) {
            int length = (int) Math.min(piece.length, to - at);
            window(at).put((int) (at - windowOffset(at)), piece, 0, length);
            at += length;
        }
    }

    /**
     * A new view of a range, big-endian.
     *
     * @throws StreamException if the processor cannot reach it
     */
    public ByteBuffer view(long offset, int count) {
        if (whole != null) {
            return whole.slice((int) offset, count);
        }
        if (!hostAccess()) {
            throw unreachable();
        }
        if (offset < 0 || count < 0 || count > lengthBytes - offset) {
            throw new IndexOutOfBoundsException(count + " bytes at " + offset + " of " + lengthBytes);
        }
        return NativeMemory.bytes(address().orElseThrow() + offset, count);
    }

    /**
     * Address of the first byte, for native code; empty where native access is not possible, and for a dmabuf. The
     * memory must stay reachable as long as the address is used.
     */
    public OptionalLong address() {
        OptionalLong known = address;
        if (known == null) {
            known = addressOf(windows[0]);
            address = known;
        }
        return known;
    }

    /** Address of memory; empty where native access is not possible, and for a dmabuf. */
    static OptionalLong addressOf(FlowMemory memory) {
        return memory.buffer().isPresent() ? addressOf(memory.buffer().get()) : memory.address();
    }

    private static OptionalLong addressOf(ByteBuffer buffer) {
        return NativePlatform.available() ? OptionalLong.of(NativeMemory.address(buffer)) : OptionalLong.empty();
    }

    @Override
    public String toString() {
        return "FlowSegment[" + lengthBytes + " bytes of " + owner + "]";
    }
}
