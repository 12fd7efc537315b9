package io.peregrine.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system in memory that is soon full. */
public final class SmallDisk implements AutoCloseable {
    private final Path path;

    private SmallDisk(Path path) {
        this.path = path;
    }

    /**
     * Mounts it; skips the test where that is not allowed.
     *
     * @param parent a directory of the test
     * @param size bytes, or a number with k, m or g
     */
    public static SmallDisk mount(Path parent, String size) {
        try {
            Path path = Files.createDirectory(parent.resolve("small-disk"));
            Needs.that(
                    run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", path.toString()),
                    "root, to mount a small disk");
            return new SmallDisk(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where it is mounted. */
    public Path path() {
        return path;
    }

    @Override
    public void close() {
        run("umount", "--lazy", path.toString());
    }

    private static boolean run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getInputStream().readAllBytes();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
