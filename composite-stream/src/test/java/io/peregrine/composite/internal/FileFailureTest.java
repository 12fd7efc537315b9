package io.peregrine.composite.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.export.Images;
import java.awt.image.BufferedImage;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileFailureTest {
    @TempDir
    private Path directory;

    private interface Attempt {
        void run() throws IOException;
    }

    private static String reasonOf(Attempt attempt) {
        return FileFailure.reason(assertThrows(IOException.class, attempt::run));
    }

    @Test
    void aMissingFileIsCalledSo() {
        assertEquals("there is no such file", reasonOf(() -> Files.readString(directory.resolve("gone"))));
    }

    @Test
    void aMissingDirectoryIsNamed() {
        Path folder = directory.resolve("gone");
        assertEquals(
                "there is no directory " + folder, reasonOf(() -> Files.writeString(folder.resolve("file"), "text")));
    }

    @Test
    void aFileThatIsThereAlreadyIsCalledSo() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertEquals("it already exists", reasonOf(() -> Files.createFile(file)));
    }

    @Test
    void aFileInTheWayOfADirectoryIsCalledSo() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertEquals("Not a directory", reasonOf(() -> Files.writeString(file.resolve("inside"), "text")));
    }

    @Test
    void aDirectoryThatIsNotEmptyIsCalledSo() throws IOException {
        Files.createFile(directory.resolve("file"));
        assertEquals("the directory is not empty", reasonOf(() -> Files.delete(directory)));
    }

    @Test
    void bytesThatAreNoTextAreCalledSo() throws IOException {
        Path file = Files.write(directory.resolve("file"), new byte[] {(byte) 0xFF, 1, 2});
        assertEquals("it is no text in UTF-8", reasonOf(() -> Files.readString(file)));
    }

    @Test
    void aFullDiskIsCalledSo() {
        IOException full = assertThrows(IOException.class, () -> {
            try (OutputStream out = Files.newOutputStream(Path.of("/dev/full"))) {
                out.write(1);
            }
        });
        assertEquals("No space left on device", FileFailure.reason(new UncheckedIOException(full)));
    }

    @Test
    void aPictureThatCannotBeWrittenHasTheReasonOfItsFile() {
        assertEquals(
                "No space left on device",
                reasonOf(() -> Images.writePng(
                        new BufferedImage(64, 64, BufferedImage.TYPE_BYTE_GRAY), Path.of("/dev/full"))));
    }

    @Test
    void whatTheSystemSaysWithoutAWordIsSaidInWords() {
        assertEquals("permission denied", FileFailure.reason(new AccessDeniedException("file")));
        assertEquals("it ends too early", FileFailure.reason(new EOFException()));
        assertEquals("input or output failed", FileFailure.reason(new IOException()));
    }
}
