package io.peregrine.nativeio;

import com.sun.jna.Pointer;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory for frames, outside the heap, with all of its pages at once, and of huge pages where the system has some (by
 * {@code madvise}). The memory of direct buffers gets its pages one by one, which takes a virtual machine 12
 * microseconds for each 4 KiB, and never huge ones.
 *
 * <p>It is given back as that of {@link ByteBuffer#allocateDirect}: when no buffer over it is reachable any more. There
 * is as much of it as the largest heap, the limit that direct buffers have if none is set. Beyond that there are direct
 * buffers, whose limit has the JVM look for memory that is not reachable. Safe for use by several threads.
 */
public final class PageMemory {
    private static final int HUGE_PAGE_BYTES = 2 << 20;
    private static final int PAGE_BYTES = 4096;

    private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
    private static final int MADV_HUGEPAGE = 14;
    private static final int MADV_POPULATE_WRITE = 23;

    private static final AtomicLong LEFT = new AtomicLong(Runtime.getRuntime().maxMemory());
    private static final Cleaner CLEANER = Cleaner.create();

    private PageMemory() {}

    /**
     * Allocates zeroed memory in big-endian order, on the boundary of a huge page.
     *
     * @param lengthBytes its length
     * @return empty for less than a huge page, and where there is none: take a direct buffer
     */
    public static Optional<ByteBuffer> allocate(int lengthBytes) {
        return allocate(lengthBytes, LEFT);
    }

    /**
     * The same, of what is left of a limit.
     *
     * @param left bytes; what is given back is added again
     */
    static Optional<ByteBuffer> allocate(int lengthBytes, AtomicLong left) {
        if (lengthBytes < HUGE_PAGE_BYTES || !Libc.problem().isEmpty()) {
            return Optional.empty();
        }
        long length = (lengthBytes + (PAGE_BYTES - 1L)) & -PAGE_BYTES;
        boolean allowed = left.addAndGet(-length) >= 0;
        long address = allowed ? map(length) : 0;
        if (address == 0) {
            left.addAndGet(length);
            return Optional.empty();
        }
        ByteBuffer memory = NativeMemory.bytes(address, lengthBytes);
        CLEANER.register(memory, () -> {
            Libc.munmap(address, length);
            left.addAndGet(length);
        });
        return Optional.of(memory);
    }

    /** Address of the first byte; 0 where there is no memory. */
    private static long map(long length) {
        long mapped = Libc.mmap(0, length + HUGE_PAGE_BYTES, Libc.PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0);
        if (mapped == -1) {
            return 0;
        }
        long begin = (mapped + HUGE_PAGE_BYTES - 1) & -HUGE_PAGE_BYTES;
        if (begin > mapped) {
            Libc.munmap(mapped, begin - mapped);
        }
        Libc.munmap(begin + length, mapped + HUGE_PAGE_BYTES - begin);
        // Refused where the kernel has none.
        Libc.madvise(begin, length, MADV_HUGEPAGE);
        if (Libc.madvise(begin, length, MADV_POPULATE_WRITE) != 0) {
            if (Libc.errno() == Libc.ENOMEM) {
                Libc.munmap(begin, length);
                return 0;
            }
            // Linux before 5.14.
            new Pointer(begin).setMemory(0, length, (byte) 0);
        }
        return begin;
    }
}
