package io.peregrine.device;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Writes a file as a whole: one that is there already is replaced when the new one is complete, and else stays as it
 * is.
 */
final class WholeFile {
    /** What is in the file. */
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    private WholeFile() {}

    static void write(Path file, Content content) throws IOException {
        Path target = Files.exists(file) ? file.toRealPath() : file;
        if (Files.exists(target) && !Files.isRegularFile(target)) {
            // A pipe or a device takes what it is given; a file in its place would be another thing.
            writeTo(target, content);
            return;
        }
        Path draft = target.resolveSibling(target.getFileName() + ".part");
        try {
            writeTo(draft, content);
            Files.move(draft, target, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | RuntimeException e) {
            try {
                Files.deleteIfExists(draft);
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    private static void writeTo(Path file, Content content) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            content.writeTo(out);
        }
    }
}
