package io.peregrine.stream;

import io.peregrine.nativeio.Libc;
import io.peregrine.nativeio.MappedFile;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.nativeio.NativeUnavailableException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A file in memory, of any size and at one address, for flows that other processes see ({@code /dev/shm}), of huge
 * pages (a file system of type {@code hugetlbfs}), or of more than 2 GiB. Linux, 64 bit.
 *
 * <p>Buffers and addresses of it must not be used after {@link #close()}, which refuses as long as a stream uses the
 * memory. Safe for use by several threads.
 */
public final class MemoryFile implements AutoCloseable {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final Path MOUNTS = Path.of("/proc/self/mounts");
    private static final String HUGE_PAGES = "hugetlbfs";

    private final Path path;
    private final MappedFile mapped;
    private final long pageBytes;
    private final boolean writable;

    private MemoryFile(Path path, MappedFile mapped, long pageBytes, boolean writable) {
        this.path = path;
        this.mapped = mapped;
        this.pageBytes = pageBytes;
        this.writable = writable;
    }

    /**
     * Makes a file, readable and writable by its owner only, and maps it. It has memory or disk space for all of it at
     * once, so that a lack of it shows here and not as the end of the process when it is first written. Who makes it
     * deletes it.
     *
     * @param path a file that does not exist, for example in {@code /dev/shm}
     * @param lengthBytes its length; in a file system of huge pages the next multiple of their size is taken
     * @throws StreamException if it exists, or there is not enough memory, with the reason
     */
    public static MemoryFile create(Path path, long lengthBytes) {
        return create(path, lengthBytes, true);
    }

    /**
     * Makes a file that gets memory or disk space only where it is written, and maps it. When there is none left then,
     * the process ends by a signal.
     *
     * @param path a file that does not exist
     * @param lengthBytes its length; in a file system of huge pages the next multiple of their size is taken
     * @throws StreamException if it exists, or cannot be made, with the reason
     */
    public static MemoryFile createSparse(Path path, long lengthBytes) {
        return create(path, lengthBytes, false);
    }

    private static MemoryFile create(Path path, long lengthBytes, boolean reserve) {
        if (lengthBytes < 1) {
            throw new StreamException("A memory file of " + lengthBytes + " bytes is not possible");
        }
        checkPlatform();
        boolean made = false;
        boolean done = false;
        try {
            Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            made = true;
            long page = pageBytes(path);
            long length = Math.multiplyExact((lengthBytes - 1) / page + 1, page);
            try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
                file.setLength(length);
            }
            // The kernel sets huge pages aside when they are mapped.
            MemoryFile opened = map(path, length, page, true, reserve && !isHuge(path));
            done = true;
            return opened;
        } catch (IOException | ArithmeticException | UnsupportedOperationException e) {
            throw new StreamException("The memory file " + path + " cannot be made: " + e, e);
        } finally {
            if (made && !done) {
                delete(path);
            }
        }
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new StreamException("The memory file " + path + " cannot be deleted: " + e, e);
        }
    }

    /**
     * Maps a file that exists, such as one that another process made.
     *
     * @throws StreamException if that is not possible, with the reason
     */
    public static MemoryFile open(Path path) {
        return open(path, true);
    }

    /**
     * Maps a file that exists, for reading only. It cannot be given to a stream.
     *
     * @throws StreamException if that is not possible, with the reason
     */
    public static MemoryFile openReadOnly(Path path) {
        return open(path, false);
    }

    private static MemoryFile open(Path path, boolean writable) {
        checkPlatform();
        try {
            long length = Files.size(path);
            if (length < 1) {
                throw new StreamException("The file " + path + " is empty and cannot be mapped");
            }
            return map(path, length, pageBytes(path), writable, false);
        } catch (IOException e) {
            throw new StreamException("The memory file " + path + " cannot be opened: " + e, e);
        }
    }

    /**
     * Makes memory without a name: of huge pages if a file system of them is mounted and has enough that are free,
     * otherwise in {@code /dev/shm}. {@link #pageBytes()} says which it became.
     *
     * @param lengthBytes its length; the next multiple of the size of pages is taken
     * @throws StreamException if there is not enough memory, with the reason
     */
    public static MemoryFile unnamed(long lengthBytes) {
        Optional<Path> huge = hugePageDirectory();
        if (huge.isPresent()) {
            try {
                return unnamed(huge.get(), lengthBytes);
            } catch (StreamException e) {
                System.getLogger(MemoryFile.class.getName())
                        .log(System.Logger.Level.DEBUG, "No huge pages, ordinary ones are used", e);
            }
        }
        return unnamed(SHARED_MEMORY, lengthBytes);
    }

    private static MemoryFile unnamed(Path directory, long lengthBytes) {
        Path path = directory.resolve("peregrine-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
        MemoryFile file = create(path, lengthBytes);
        delete(path);
        return file;
    }

    /**
     * Where a file system of huge pages is mounted that this process may write to; the first one if there are several.
     */
    public static Optional<Path> hugePageDirectory() {
        try {
            List<String> mounts = Files.exists(MOUNTS) ? Files.readAllLines(MOUNTS) : List.of();
            return mounts.stream()
                    .map(line -> line.split(" "))
                    .filter(fields -> fields.length > 2 && fields[2].equals(HUGE_PAGES))
                    .map(fields -> Path.of(fields[1]))
                    .filter(Files::isWritable)
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static void checkPlatform() {
        if (!Libc.problem().isEmpty()) {
            throw new StreamException("Memory files are not possible here: " + Libc.problem());
        }
    }

    private static boolean isHuge(Path path) throws IOException {
        return Files.getFileStore(path).type().equals(HUGE_PAGES);
    }

    private static long pageBytes(Path path) throws IOException {
        return isHuge(path) ? Files.getFileStore(path).getBlockSize() : FlowMemory.ALIGNMENT_BYTES;
    }

    private static MemoryFile map(Path path, long lengthBytes, long pageBytes, boolean writable, boolean reserve) {
        try {
            return new MemoryFile(path, MappedFile.map(path, lengthBytes, writable, reserve), pageBytes, writable);
        } catch (NativeUnavailableException e) {
            throw new StreamException("The memory file " + e.getMessage(), e);
        }
    }

    /** The file. */
    public Path path() {
        return path;
    }

    /** Length in bytes. */
    public long lengthBytes() {
        return mapped.lengthBytes();
    }

    /** Size of its pages in bytes: 4096, or that of huge pages. */
    public long pageBytes() {
        return pageBytes;
    }

    /**
     * Address of its first byte in this process.
     *
     * @throws StreamException if it is closed
     */
    public long address() {
        checkOpen();
        return mapped.address();
    }

    private void checkOpen() {
        if (mapped.closed()) {
            throw new StreamException("The memory file " + path + " is closed");
        }
    }

    /**
     * A view of a part of it, in big-endian order. Writing to one of a file that is open for reading only throws.
     *
     * @param offset first byte
     * @param lengthBytes number of bytes
     * @throws IndexOutOfBoundsException if the range is not within the file
     * @throws StreamException if it is closed
     */
    public ByteBuffer buffer(long offset, int lengthBytes) {
        Objects.checkFromIndexSize(offset, lengthBytes, lengthBytes());
        ByteBuffer view = NativeMemory.bytes(address() + offset, lengthBytes);
        return writable ? view : view.asReadOnlyBuffer();
    }

    /**
     * A part of it as the memory of a flow.
     *
     * @param offset first byte, a multiple of {@link FlowMemory#ALIGNMENT_BYTES}
     * @param lengthBytes number of bytes
     * @throws IndexOutOfBoundsException if the range is not within the file
     * @throws StreamException if it is closed or open for reading only, or the range does not begin on a page boundary
     */
    public FlowMemory flow(long offset, long lengthBytes) {
        Objects.checkFromIndexSize(offset, lengthBytes, lengthBytes());
        if (!writable) {
            throw new StreamException("The memory file " + path + " is open for reading only");
        }
        return FlowMemory.at(address() + offset, lengthBytes, mapped);
    }

    /**
     * Unmaps it. The file stays. Idempotent.
     *
     * @throws StreamException if a stream uses it: close it in {@code onRelease} of the pool
     */
    @Override
    public void close() {
        try {
            mapped.close();
        } catch (IllegalStateException e) {
            throw new StreamException(e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return "MemoryFile[" + path + ", " + lengthBytes() + " bytes]";
    }
}
