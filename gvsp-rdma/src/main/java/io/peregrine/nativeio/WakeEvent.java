package io.peregrine.nativeio;

import java.nio.ByteBuffer;

/** Wakes a thread that waits in a {@link PollSet}. Any thread may set it; setting it twice is setting it once. */
public final class WakeEvent implements AutoCloseable {
    private final int fileDescriptor = Libc.newEvent();
    private final ByteBuffer memory = NativeMemory.allocate(16).putLong(0, 1);
    private final long one = NativeMemory.address(memory);
    private boolean closed;

    /** What to wait on. */
    public int fileDescriptor() {
        return fileDescriptor;
    }

    /** Makes the descriptor readable. */
    public synchronized void set() {
        if (!closed) {
            Libc.write(fileDescriptor, one, 8);
        }
    }

    /** Makes the descriptor not readable until it is set again. Only the waiting thread. */
    public void clear() {
        Libc.read(fileDescriptor, one + 8, 8);
    }

    /** Closes it, when no thread waits any more. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            Libc.close(fileDescriptor);
        }
    }
}
