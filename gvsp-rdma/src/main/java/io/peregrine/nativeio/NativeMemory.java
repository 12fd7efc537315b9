package io.peregrine.nativeio;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Addresses of buffers, and buffers at addresses. */
public final class NativeMemory {
    private NativeMemory() {}

    /**
     * Address of a direct buffer's first byte, whatever its position. The buffer must stay reachable as long as the
     * address is used.
     *
     * @throws NativeUnavailableException if native access is not possible
     */
    public static long address(ByteBuffer buffer) {
        NativePlatform.check();
        return Pointer.nativeValue(Native.getDirectBufferPointer(buffer));
    }

    /**
     * A buffer over memory at an address, in native byte order. The memory must outlive it.
     *
     * @throws NativeUnavailableException if native access is not possible
     */
    public static ByteBuffer buffer(long address, int lengthBytes) {
        NativePlatform.check();
        return new Pointer(address).getByteBuffer(0, lengthBytes).order(ByteOrder.nativeOrder());
    }

    /**
     * The same in big-endian order, as buffers are.
     *
     * @throws NativeUnavailableException if native access is not possible
     */
    public static ByteBuffer bytes(long address, int lengthBytes) {
        return buffer(address, lengthBytes).order(ByteOrder.BIG_ENDIAN);
    }

    /**
     * The zero-terminated text at an address.
     *
     * @throws NativeUnavailableException if native access is not possible
     */
    public static String text(long address) {
        NativePlatform.check();
        return new Pointer(address).getString(0, "UTF-8");
    }

    /** Allocates zeroed memory outside the heap in native byte order, on a boundary of 64 bytes. */
    public static ByteBuffer allocate(int lengthBytes) {
        ByteBuffer memory = ByteBuffer.allocateDirect(lengthBytes + 64);
        int from = (64 - memory.alignmentOffset(0, 64)) % 64;
        return memory.slice(from, lengthBytes).order(ByteOrder.nativeOrder());
    }
}
