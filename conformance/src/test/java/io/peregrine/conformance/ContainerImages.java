package io.peregrine.conformance;

import io.peregrine.testing.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.testcontainers.images.builder.ImageFromDockerfile;

/** Builds the images of the containers, each once in a run. */
final class ContainerImages {
    private static final Path FOLDER = Path.of("containers");
    private static final Duration LINK_LIMIT = Duration.ofMinutes(3);
    /** Larger than all the rest together, and only tests need them. */
    private static final Pattern NOT_NEEDED = Pattern.compile("testcontainers|docker-java|archunit");

    /** What Peregrine and its libraries need of the Java runtime. */
    private static final String MODULES =
            "java.base,java.desktop,java.logging,java.management,java.naming,java.sql,java.xml,jdk.jfr,jdk.unsupported";

    private static ImageFromDockerfile aravis;
    private static ImageFromDockerfile peregrine;

    private ContainerImages() {}

    /** A host with Aravis' tools; runs its fake camera. */
    static synchronized ImageFromDockerfile aravis() {
        if (aravis == null) {
            aravis = new ImageFromDockerfile("peregrine-test/aravis", false)
                    .withDockerfile(FOLDER.resolve("aravis").resolve("Dockerfile"));
        }
        return aravis;
    }

    /** A host with Peregrine; runs the virtual camera, or a main class of this class path. */
    static synchronized ImageFromDockerfile peregrine() {
        if (peregrine == null) {
            Path source = FOLDER.resolve("peregrine");
            ImageFromDockerfile image = new ImageFromDockerfile("peregrine-test/peregrine", false)
                    .withFileFromPath("Dockerfile", source.resolve("Dockerfile"))
                    .withFileFromPath("start", source.resolve("start"))
                    .withFileFromPath("jre", runtime());
            List<String> classPath = new ArrayList<>();
            for (String entry : System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                    .split(File.pathSeparator, -1)) {
                Path path = Path.of(entry);
                if (Files.exists(path) && !NOT_NEEDED.matcher(entry).find()) {
                    String name = "lib/" + classPath.size() + (Files.isDirectory(path) ? "" : ".jar");
                    image.withFileFromPath(name, path);
                    classPath.add("/peregrine/" + name);
                }
            }
            peregrine = image.withFileFromString("class-path", String.join(":", classPath));
        }
        return peregrine;
    }

    private static Path runtime() {
        Path jre = Path.of("target", "jre").toAbsolutePath();
        if (!Files.exists(jre.resolve("release"))) {
            delete(jre);
            ChildProcess.runToEnd(
                    LINK_LIMIT,
                    List.of(
                            Path.of(System.getProperty("java.home"), "bin", "jlink")
                                    .toString(),
                            "--add-modules",
                            MODULES,
                            "--strip-debug",
                            "--no-man-pages",
                            "--no-header-files",
                            "--output",
                            jre.toString()));
        }
        return jre;
    }

    private static void delete(Path folder) {
        if (Files.exists(folder)) {
            try (var paths = Files.walk(folder)) {
                for (Path path : paths.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(path);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
