package io.peregrine.device;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * Writes a file as a whole: one that is there already is replaced when the new one is complete, and else stays as it
 * is.
 */
final class WholeFile {
    /** What is in the file. */
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    private static final int MAX_LINKS = 40;

    private WholeFile() {}

    static void write(Path file, Content content) throws IOException {
        Path target = target(file);
        if (Files.exists(target) && !Files.isRegularFile(target)) {
            // A pipe or a device takes what it is given; a file in its place would be another thing.
            writeTo(target, content);
            return;
        }
        // No name that a file of the user has.
        Path draft = target.resolveSibling(target.getFileName() + "." + UUID.randomUUID() + ".part");
        try {
            writeTo(draft, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            // A plain move would delete the old file first, and an end of the program in between would lose it.
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException e) {
            try {
                Files.deleteIfExists(draft);
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    /** The file that a link leads to, also one that is not there yet. */
    private static Path target(Path file) throws IOException {
        if (Files.exists(file)) {
            return file.toRealPath();
        }
        Path target = file;
        for (int links = 0; Files.isSymbolicLink(target); links++) {
            if (links == MAX_LINKS) {
                throw new FileSystemLoopException(file.toString());
            }
            target = target.resolveSibling(Files.readSymbolicLink(target));
        }
        return target;
    }

    private static void writeTo(Path file, Content content, OpenOption... options) throws IOException {
        try (OutputStream out = Files.newOutputStream(file, options)) {
            content.writeTo(out);
        }
    }
}
