package io.peregrine.nativeio;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A file in this process's memory, of any size, at one address. Those that use the memory hold it, and it is unmapped
 * only when none does. Safe for use by several threads.
 */
public final class MappedFile implements AutoCloseable {
    private static final int O_RDONLY = 0;
    private static final int O_RDWR = 2;
    private static final int O_CLOEXEC = 0x80000;
    private static final int MAP_SHARED = 1;

    private final String name;
    private final long address;
    private final long lengthBytes;
    // Guarded by this.
    private int holds;
    private boolean closed;

    private MappedFile(String name, long address, long lengthBytes) {
        this.name = name;
        this.address = address;
        this.lengthBytes = lengthBytes;
    }

    /**
     * Maps a file, shared with all others that map it.
     *
     * @param lengthBytes bytes from its start; the file has at least as many
     * @param writable whether it may be written
     * @param reserve whether the file is to have memory or disk space for all of it at once
     * @throws NativeUnavailableException with the reason if that is not possible
     */
    public static MappedFile map(Path file, long lengthBytes, boolean writable, boolean reserve) {
        Libc.check();
        byte[] path = file.toString().getBytes(StandardCharsets.UTF_8);
        ByteBuffer text = NativeMemory.allocate(path.length + 1).put(0, path);
        int fd = Libc.open(NativeMemory.address(text), (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC, 0);
        if (fd < 0) {
            throw failed(file, "cannot be opened", Libc.errno());
        }
        try {
            if (reserve) {
                int error = Libc.posix_fallocate(fd, 0, lengthBytes);
                if (error != 0) {
                    throw failed(file, "has no room for " + lengthBytes + " bytes", error);
                }
            }
            long address =
                    Libc.mmap(0, lengthBytes, writable ? Libc.PROT_READ_WRITE : Libc.PROT_READ, MAP_SHARED, fd, 0);
            if (address == -1) {
                throw failed(file, "cannot be mapped with " + lengthBytes + " bytes", Libc.errno());
            }
            return new MappedFile(file.toString(), address, lengthBytes);
        } finally {
            Libc.close(fd);
        }
    }

    private static NativeUnavailableException failed(Path file, String what, int error) {
        return new NativeUnavailableException(file + " " + what + ": " + Libc.text(error), null);
    }

    /** Address of the first byte. */
    public long address() {
        return address;
    }

    /** Bytes that are mapped. */
    public long lengthBytes() {
        return lengthBytes;
    }

    /** Whether it is unmapped. */
    public synchronized boolean closed() {
        return closed;
    }

    /**
     * Something begins to use the memory.
     *
     * @throws IllegalStateException if it is closed
     */
    public synchronized void hold() {
        if (closed) {
            throw new IllegalStateException(name + " is closed and no longer in memory");
        }
        holds++;
    }

    /** Something that used the memory does not any more. */
    public synchronized void release() {
        holds--;
    }

    /**
     * Unmaps it: buffers and addresses must not be used any more. Idempotent.
     *
     * @throws IllegalStateException if something holds it
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        if (holds > 0) {
            throw new IllegalStateException(name + " is in use by a stream: close it when that gives its memory back");
        }
        closed = true;
        Libc.munmap(address, lengthBytes);
    }

    @Override
    public String toString() {
        return name;
    }
}
