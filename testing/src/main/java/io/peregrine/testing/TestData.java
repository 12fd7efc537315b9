package io.peregrine.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Test data that is not part of the project: real containers, device descriptions of vendors, captures. It is optional; see
 * "Test data" in CONTRIBUTING.md.
 */
public final class TestData {
    /** System property with the folder of the test data. Absolute: each module runs its tests in its own folder. */
    public static final String PROPERTY = "peregrine.testData";

    private static final Path BESIDE_THE_PROJECT = Path.of("shared", "data");

    private TestData() {}

    /**
     * A file or folder of the test data; skips the test where it is missing.
     *
     * @param name path in the folder of the test data, such as {@code gendc/little_boxes.gendc}
     * @throws IllegalStateException if the property names a folder that is not there
     */
    public static Path file(String name) {
        Optional<Path> file = folder().map(folder -> folder.resolve(name)).filter(Files::isReadable);
        Needs.that(
                file.isPresent(),
                () -> "test data " + name + ": set -D" + PROPERTY + "=FOLDER, see \"Test data\" in CONTRIBUTING.md");
        return file.orElseThrow();
    }

    private static Optional<Path> folder() {
        String property = System.getProperty(PROPERTY);
        if (property != null) {
            Path named = Path.of(property);
            if (!Files.isDirectory(named)) {
                throw new IllegalStateException(
                        "-D" + PROPERTY + " names no folder: " + named.toAbsolutePath() + "; give an absolute path");
            }
            return Optional.of(named);
        }
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path candidate = at.resolve(BESIDE_THE_PROJECT);
            if (Files.isDirectory(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }
}
