package io.peregrine.distribution;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A directory of a media driver that no other program takes: by a locked file next to it, because the driver deletes
 * and makes the directory itself. The system unlocks it when the program ends, in whatever way.
 */
final class DirectoryLock implements AutoCloseable {
    static final String SUFFIX = ".peregrine-lock";

    private static final System.Logger LOGGER = System.getLogger(DirectoryLock.class.getName());
    private static final int MAX_TRIES = 100;
    /** Those of this program: a file that is opened a second time, and closed, is unlocked. Guarded by itself. */
    private static final Set<Path> HELD = new HashSet<>();

    private final Path file;
    private final FileChannel channel;

    private DirectoryLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Takes a directory, which need not be there.
     *
     * @return empty when another program has it, or another part of this one
     * @throws IOException if no file can be made or locked next to it
     */
    static Optional<DirectoryLock> take(Path directory) throws IOException {
        Path absolute = directory.toAbsolutePath().normalize();
        Path parent = Files.createDirectories(Objects.requireNonNullElse(absolute.getParent(), absolute));
        Path file = parent.toRealPath().resolve(absolute.getFileName() + SUFFIX);
        synchronized (HELD) {
            if (HELD.contains(file)) {
                return Optional.empty();
            }
            for (int tries = 0; tries < MAX_TRIES; tries++) {
                try {
                    Optional<Object> before = make(file);
                    FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                    boolean locked = false;
                    try {
                        FileLock lock = channel.tryLock();
                        if (lock == null) {
                            return Optional.empty();
                        }
                        // One that its owner has removed meanwhile keeps no other program away.
                        locked = before.equals(identity(file));
                    } finally {
                        if (!locked) {
                            channel.close();
                        }
                    }
                    if (locked) {
                        HELD.add(file);
                        return Optional.of(new DirectoryLock(file, channel));
                    }
                } catch (NoSuchFileException e) {
                    LOGGER.log(System.Logger.Level.DEBUG, "A lock was removed when its owner ended", e);
                }
            }
            return Optional.empty();
        }
    }

    private static Optional<Object> make(Path file) throws IOException {
        try {
            Files.createFile(file);
        } catch (FileAlreadyExistsException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "A lock of another program, or of one that was killed", e);
        }
        return identity(file);
    }

    /** Empty where the system has none. */
    private static Optional<Object> identity(Path file) throws IOException {
        return Optional.ofNullable(
                Files.readAttributes(file, BasicFileAttributes.class).fileKey());
    }

    /** Gives it back, and removes the file. */
    @Override
    public void close() {
        synchronized (HELD) {
            // Before it is unlocked, so that it is not another's already.
            try (channel) {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                LOGGER.log(System.Logger.Level.DEBUG, "The lock of a media driver's directory is left", e);
            } finally {
                HELD.remove(file);
            }
        }
    }
}
