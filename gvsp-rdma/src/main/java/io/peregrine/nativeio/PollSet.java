package io.peregrine.nativeio;

import java.nio.ByteBuffer;

/**
 * File descriptors to wait on until one can be read. Used by one thread. Structure pollfd: fd 4, events 2, revents 2.
 */
public final class PollSet {
    private static final int POLLFD_BYTES = 8;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final int count;
    private final ByteBuffer memory;
    private final long address;
    private final long timeoutAddress;

    /** A set of descriptors, which are named by their position from then on. */
    public PollSet(int... fileDescriptors) {
        count = fileDescriptors.length;
        int timeoutOffset = POLLFD_BYTES * count;
        memory = NativeMemory.allocate(timeoutOffset + 16);
        for (int i = 0; i < count; i++) {
            memory.putInt(POLLFD_BYTES * i, fileDescriptors[i]);
            memory.putShort(POLLFD_BYTES * i + 4, (short) Libc.POLLIN);
        }
        address = NativeMemory.address(memory);
        timeoutAddress = address + timeoutOffset;
    }

    /**
     * Waits until one can be read, or is broken. May return early.
     *
     * @param timeoutNanos how long at most; negative waits without end
     * @return whether any is ready
     */
    public boolean await(long timeoutNanos) {
        return await(timeoutNanos, 0);
    }

    /**
     * Waits for some of the descriptors.
     *
     * @param timeoutNanos how long at most; negative waits without end
     * @param from position of the first one that is waited for
     * @return whether any of them is ready
     */
    public boolean await(long timeoutNanos, int from) {
        for (int i = 0; i < count; i++) {
            memory.putShort(POLLFD_BYTES * i + 6, (short) 0);
        }
        long timeout = 0;
        if (timeoutNanos >= 0) {
            memory.putLong(POLLFD_BYTES * count, timeoutNanos / NANOS_PER_SECOND);
            memory.putLong(POLLFD_BYTES * count + 8, timeoutNanos % NANOS_PER_SECOND);
            timeout = timeoutAddress;
        }
        return Libc.ppoll(address + (long) POLLFD_BYTES * from, count - from, timeout, 0) > 0;
    }

    /** Whether the descriptor at a position was ready after the last wait. */
    public boolean ready(int position) {
        return memory.getShort(POLLFD_BYTES * position + 6) != 0;
    }

    /** Whether the descriptor at a position had an error at the last wait. */
    public boolean broken(int position) {
        return (memory.getShort(POLLFD_BYTES * position + 6) & Libc.POLLERR) != 0;
    }
}
