package io.peregrine.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Test data that is not part of the project: real containers, device descriptions of vendors, captures. It is optional;
 * see "Test data" in CONTRIBUTING.md.
 */
public final class TestData {
    /** System property with the folder of the test data. Absolute: each module runs its tests in its own folder. */
    public static final String PROPERTY = "peregrine.testData";

    /** System property with the folder of programs and libraries of others that tests run. Absolute. */
    public static final String PEERS_PROPERTY = "peregrine.testPeers";

    private static final Path BESIDE_THE_PROJECT = Path.of("shared");

    private TestData() {}

    /**
     * A file or folder of the test data; skips the test where it is missing.
     *
     * @param name path in the folder of the test data, such as {@code gendc/little_boxes.gendc}
     * @throws IllegalStateException if the property names a folder that is not there
     */
    public static Path file(String name) {
        return find(PROPERTY, "data", name);
    }

    /**
     * A file of the programs and libraries of others; skips the test where it is missing.
     *
     * @param name path in their folder, such as {@code baumer-gige/libbgapi2_gige.cti}
     * @throws IllegalStateException if the property names a folder that is not there
     */
    public static Path peer(String name) {
        return find(PEERS_PROPERTY, "peers", name);
    }

    private static Path find(String property, String folder, String name) {
        Optional<Path> file =
                folder(property, folder).map(found -> found.resolve(name)).filter(Files::isReadable);
        Needs.that(
                file.isPresent(),
                () -> "test data " + name + ": set -D" + property + "=FOLDER, see \"Test data\" in CONTRIBUTING.md");
        return file.orElseThrow();
    }

    private static Optional<Path> folder(String name, String folder) {
        String property = System.getProperty(name);
        if (property != null) {
            Path named = Path.of(property);
            if (!Files.isDirectory(named)) {
                throw new IllegalStateException(
                        "-D" + name + " names no folder: " + named.toAbsolutePath() + "; give an absolute path");
            }
            return Optional.of(named);
        }
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path candidate = at.resolve(BESIDE_THE_PROJECT).resolve(folder);
            if (Files.isDirectory(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }
}
