package io.peregrine.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.nativeio.Libc;
import io.peregrine.stream.engine.ExternalMemory;
import io.peregrine.testing.Needs;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryFileTest {
    private static final long GIBIBYTE = 1L << 30;

    @TempDir
    Path folder;

    @BeforeEach
    void possible() {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
    }

    private static String problem(Runnable action) {
        return assertThrows(StreamException.class, action::run).getMessage();
    }

    @Test
    void whatIsWrittenIsInTheFileAndInOtherMappings() throws Exception {
        Path path = folder.resolve("shared");
        try (MemoryFile file = MemoryFile.create(path, 8192);
                MemoryFile other = MemoryFile.open(path)) {
            file.buffer(4096, 3).put(new byte[] {1, 2, 3});

            assertEquals(ByteBuffer.wrap(new byte[] {1, 2, 3}), other.buffer(4096, 3));
            assertEquals(3, Files.readAllBytes(path)[4098]);
        }
    }

    @Test
    void onlyItsOwnerMayReadIt() throws Exception {
        Path path = folder.resolve("private");
        MemoryFile.create(path, 100).close();

        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    }

    @Test
    void lengthIsThatOfWholePages() {
        try (MemoryFile file = MemoryFile.create(folder.resolve("pages"), 4097)) {
            assertEquals(8192, file.lengthBytes());
        }
    }

    @Test
    void itMayBeLargerThanTwoGibibytes() {
        try (MemoryFile file = MemoryFile.createSparse(folder.resolve("large"), 5 * GIBIBYTE)) {
            file.buffer(5 * GIBIBYTE - 4, 4).putInt(42);

            assertEquals(42, file.buffer(5 * GIBIBYTE - 8, 8).getInt(4));
            assertEquals(3 * GIBIBYTE, file.flow(GIBIBYTE, 3 * GIBIBYTE).lengthBytes());
        }
    }

    @Test
    void moreThanThereIsRoomForIsRefusedAndLeavesNoFile() {
        Path path = folder.resolve("much");

        assertTrue(problem(() -> MemoryFile.create(path, 1L << 50)).contains("much"));
        assertFalse(Files.exists(path));
    }

    @Test
    void fileThatExistsIsNotMadeAgain() throws Exception {
        Path path = Files.writeString(folder.resolve("mine"), "text");

        assertTrue(problem(() -> MemoryFile.create(path, 100)).contains("FileAlreadyExistsException"));
        assertEquals("text", Files.readString(path));
    }

    @Test
    void fileThatIsNotThereIsNamed() {
        assertTrue(problem(() -> MemoryFile.open(folder.resolve("nothing"))).contains("nothing"));
    }

    @Test
    void emptyFileIsRefused() throws Exception {
        Path path = Files.createFile(folder.resolve("empty"));

        assertTrue(problem(() -> MemoryFile.open(path)).contains("is empty"));
    }

    @Test
    void readOnlyMappingIsNotWritten() {
        Path path = folder.resolve("read");
        try (MemoryFile file = MemoryFile.create(path, 100);
                MemoryFile reader = MemoryFile.openReadOnly(path)) {
            file.buffer(0, 1).put((byte) 9);

            assertEquals(9, reader.buffer(0, 1).get());
            assertThrows(
                    ReadOnlyBufferException.class, () -> reader.buffer(0, 1).put((byte) 1));
            assertTrue(problem(() -> reader.flow(0, 100)).contains("reading only"));
        }
    }

    @Test
    void partsOutsideAreRefused() {
        try (MemoryFile file = MemoryFile.create(folder.resolve("small"), 4096)) {
            assertThrows(IndexOutOfBoundsException.class, () -> file.buffer(4090, 7));
            assertThrows(IndexOutOfBoundsException.class, () -> file.flow(0, 4097));
            assertThrows(IndexOutOfBoundsException.class, () -> file.buffer(-1, 1));
        }
    }

    @Test
    void closedFileGivesNoMemory() {
        MemoryFile file = MemoryFile.create(folder.resolve("closed"), 4096);
        file.close();
        file.close();

        assertTrue(problem(() -> file.buffer(0, 1)).contains("is closed"));
    }

    @Test
    void itIsNotUnmappedWhileAStreamUsesIt() {
        try (MemoryFile file = MemoryFile.create(folder.resolve("used"), 8192)) {
            ExternalMemory memory =
                    new ExternalMemory(List.of(List.of(file.flow(0, 100)), List.of(file.flow(4096, 100))), () -> {});
            assertTrue(problem(file::close).contains("is in use by a stream"));
            memory.release();
        }
    }

    @Test
    void memoryOfAClosedFileIsRefused() {
        MemoryFile file = MemoryFile.create(folder.resolve("gone"), 8192);
        List<List<FlowMemory>> sets = List.of(List.of(file.flow(0, 100)), List.of(file.flow(4096, 100)));
        file.close();

        assertTrue(problem(() -> new ExternalMemory(sets, () -> {})).contains("is closed"));
    }

    @Test
    void unnamedMemoryHasNoFileAndIsZero() {
        try (MemoryFile file = MemoryFile.unnamed(100_000)) {
            byte[] bytes = new byte[100_000];
            file.buffer(0, bytes.length).get(bytes);

            assertTrue(Arrays.equals(new byte[100_000], bytes));
            assertFalse(Files.exists(file.path()));
            assertEquals(0, file.lengthBytes() % file.pageBytes());
        }
    }

    /** Needs a mounted hugetlbfs with a free page: not on most machines. */
    @Test
    void unnamedMemoryIsOfHugePagesWhereThereAre() throws Exception {
        long free = Files.readAllLines(Path.of("/proc/meminfo")).stream()
                .filter(line -> line.startsWith("HugePages_Free:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .sum();
        Needs.that(MemoryFile.hugePageDirectory().isPresent() && free > 0, "a mounted hugetlbfs with free pages");
        try (MemoryFile file = MemoryFile.unnamed(100)) {
            file.buffer(0, 100).putInt(7);

            assertTrue(file.pageBytes() > 4096);
            assertEquals(file.pageBytes(), file.lengthBytes());
        }
    }
}
