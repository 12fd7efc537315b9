package io.peregrine.gendc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Containers beside the project, not part of it. Tests that need them are skipped when they are not there. */
final class Samples {
    private static final String PROPERTY = "peregrine.gendc.samples";

    private Samples() {}

    static ByteBuffer read(String file) {
        Path folder = folder();
        Assumptions.assumeTrue(
                folder != null && Files.isReadable(folder.resolve(file)),
                () -> "No sample " + file + ": set -D" + PROPERTY + "=<folder>, or put it in ../shared/data/gendc");
        try {
            return ByteBuffer.wrap(Files.readAllBytes(folder.resolve(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path folder() {
        String property = System.getProperty(PROPERTY);
        if (property != null) {
            return Path.of(property);
        }
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path candidate = at.resolve("shared/data/gendc");
            if (Files.isDirectory(candidate)) {
                return candidate;
            }
        }
        return null;
    }
}
