package io.peregrine.device.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.DeviceException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class WholeFileTest {
    @TempDir
    private Path directory;

    private static void write(Path file, String text) throws IOException {
        WholeFile.write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> found = Files.list(directory)) {
            return found.toList();
        }
    }

    @Test
    void aFileIsReplaced() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "old and longer");
        write(file, "new");
        assertEquals("new", Files.readString(file));
        assertEquals(List.of(file), files());
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aFileThatIsReplacedKeepsItsReaders() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
        write(file, "new");
        assertEquals("rw-rw----", permissions(file));
    }

    /** Its old content was for fewer than may read other files, and so is the new one while it is written. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void noOneElseReadsAFileThatWillReplaceAnother() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "old");
        WholeFile.write(file, out -> {
            Path draft = files().stream()
                    .filter(each -> !each.equals(file))
                    .findFirst()
                    .orElseThrow();
            assertEquals("rw-------", permissions(draft));
        });
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aNewPrivateFileIsForItsOwnerOnly() throws IOException {
        Path file = directory.resolve("file");
        WholeFile.writePrivate(file, out -> out.write('n'));
        assertEquals("rw-------", permissions(file));
    }

    @Test
    void aFailureOfTheContentLeavesTheOldFileAndNothingElse() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "old");
        assertThrows(
                DeviceException.class,
                () -> WholeFile.write(file, out -> {
                    out.write('n');
                    throw new DeviceException("the device is lost");
                }));
        assertEquals("old", Files.readString(file));
        assertEquals(List.of(file), files());
    }

    @Test
    void aLinkStaysALink() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "old");
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        write(link, "new");
        assertTrue(Files.isSymbolicLink(link));
        assertEquals("new", Files.readString(file));
    }

    @Test
    void aLinkToAFileThatIsNotThereYetStaysALink() throws IOException {
        Path file = directory.resolve("file");
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("file"));
        write(link, "new");
        assertTrue(Files.isSymbolicLink(link));
        assertEquals("new", Files.readString(file));
    }

    @Test
    void linksThatLeadToEachOtherAreRefused() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("other"));
        Files.createSymbolicLink(directory.resolve("other"), Path.of("link"));
        assertThrows(FileSystemLoopException.class, () -> write(link, "new"));
    }

    @Test
    void aFileOfTheUserThatIsNamedLikeADraftStays() throws IOException {
        Path other = Files.writeString(directory.resolve("file.part"), "precious");
        write(directory.resolve("file"), "new");
        assertEquals("precious", Files.readString(other));
    }

    /** So do devices, such as /dev/full, but only root can make one. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aPipeStaysAPipeAndTakesTheContent() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        CompletableFuture<String> read = CompletableFuture.supplyAsync(() -> {
            try {
                return Files.readString(pipe);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        write(pipe, "new");
        assertFalse(Files.isRegularFile(pipe));
        assertEquals("new", read.get(10, TimeUnit.SECONDS));
    }
}
