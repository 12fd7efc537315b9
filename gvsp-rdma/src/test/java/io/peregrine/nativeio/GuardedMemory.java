package io.peregrine.nativeio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.stream.FlowMemory;
import io.peregrine.testing.Needs;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Memory between two pages that nothing can write. From its end to the next page are bytes of one value, which show
 * whether anything was written there.
 */
public final class GuardedMemory implements AutoCloseable {
    private static final int PAGE = 4096;
    private static final int PROT_NONE = 0;
    private static final int PROT_READ_WRITE = 3;
    private static final int SHARED = 0x1;
    private static final int PRIVATE = 0x2;
    private static final int FIXED = 0x10;
    private static final int ANONYMOUS = 0x20;
    private static final int NO_RESERVE = 0x4000;
    private static final int O_RDWR = 2;
    private static final byte BEYOND = 0x5A;

    private final long reserved;
    private final long reservedBytes;
    private final long address;
    private final long lengthBytes;

    private GuardedMemory(long lengthBytes, int fd) {
        this.lengthBytes = lengthBytes;
        long usable = pages(lengthBytes);
        reservedBytes = usable + 2 * PAGE;
        reserved = Libc.mmap(0, reservedBytes, PROT_NONE, PRIVATE | ANONYMOUS | NO_RESERVE, -1, 0);
        Needs.that(reserved != -1, () -> "address space: " + Libc.text(Libc.errno()));
        address = reserved + PAGE;
        int kind = fd < 0 ? PRIVATE | ANONYMOUS | NO_RESERVE : SHARED;
        long mapped = Libc.mmap(address, usable, PROT_READ_WRITE, kind | FIXED, fd, 0);
        assertEquals(address, mapped, () -> Libc.text(Libc.errno()));
        for (long at = lengthBytes; at < usable; at++) {
            NativeMemory.bytes(address + at, 1).put(0, BEYOND);
        }
    }

    private static long pages(long lengthBytes) {
        return (lengthBytes + PAGE - 1) / PAGE * PAGE;
    }

    /** Memory that is zero. */
    public static GuardedMemory of(long lengthBytes) {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        return new GuardedMemory(lengthBytes, -1);
    }

    /** Memory of a new file, of which only what is written takes space. */
    public static GuardedMemory inSparseFile(Path file, long lengthBytes) throws IOException {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
            made.setLength(pages(lengthBytes));
        }
        byte[] name = (file + "\0").getBytes(StandardCharsets.UTF_8);
        ByteBuffer text = NativeMemory.allocate(name.length).put(0, name);
        int fd = Libc.open(NativeMemory.address(text), O_RDWR, 0);
        assertEquals(true, fd >= 0, () -> Libc.text(Libc.errno()));
        try {
            return new GuardedMemory(lengthBytes, fd);
        } finally {
            Libc.close(fd);
        }
    }

    /** As the memory of a flow. */
    public FlowMemory flow() {
        return FlowMemory.at(address, lengthBytes, this);
    }

    public long address() {
        return address;
    }

    public long lengthBytes() {
        return lengthBytes;
    }

    /** What is there now, by no class that is tested. */
    public byte[] bytes(long offset, int count) {
        byte[] bytes = new byte[count];
        NativeMemory.bytes(address + offset, count).get(bytes);
        return bytes;
    }

    /** Fails if anything was written after the end. */
    public void assertNothingBeyond() {
        for (long at = lengthBytes; at < pages(lengthBytes); at++) {
            assertEquals(BEYOND, bytes(at, 1)[0], "byte " + (at - lengthBytes) + " after the end");
        }
    }

    @Override
    public void close() {
        Libc.munmap(reserved, reservedBytes);
    }
}
