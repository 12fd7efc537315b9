package io.peregrine.distribution;

import io.aeron.CncFileDescriptor;
import io.aeron.CommonContext;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.agrona.BufferUtil;
import org.agrona.IoUtil;

/** Where a media driver within a program keeps its files: it deletes all that was there before. */
final class DriverDirectory {
    private static final System.Logger LOGGER = System.getLogger(DriverDirectory.class.getName());
    private static final String PREFIX = "peregrine-aeron-";
    private static final Pattern DIRECTORY = Pattern.compile(PREFIX + "(\\d{1,9})-\\d{1,9}");
    private static final long DRIVER_TIMEOUT_MILLIS = 10_000;
    private static final long KILLED_NANOS = TimeUnit.SECONDS.toNanos(12);
    private static final long PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final int MAX_NAMES = 1_000_000_000;

    private static final String ELSEWHERE =
            ": set " + DistributionSettings.DRIVER + "=external, or name another directory";

    private DriverDirectory() {}

    /** A new one; those of programs that were killed are removed. */
    static String fresh() {
        // Programs of several containers may have the same number, and see the same shared memory.
        String name = PREFIX + ProcessHandle.current().pid() + "-"
                + ThreadLocalRandom.current().nextInt(MAX_NAMES);
        Path parent = Files.isWritable(SHARED_MEMORY) ? SHARED_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
        removeLeftOvers(parent);
        return parent.resolve(name).toString();
    }

    /** A program that was killed, or ended without closing what it had opened, leaves its directory. */
    private static void removeLeftOvers(Path parent) {
        try (Stream<Path> entries = Files.list(parent)) {
            entries.filter(DriverDirectory::leftOver).forEach(path -> IoUtil.delete(path.toFile(), true));
        } catch (IOException | UncheckedIOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "Directories of programs that were killed are left", e);
        }
    }

    private static boolean leftOver(Path path) {
        Matcher name = DIRECTORY.matcher(path.getFileName().toString());
        // Processes of another container cannot be seen, but their driver, once it has started.
        return name.matches()
                && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()
                && System.currentTimeMillis() - path.toFile().lastModified() > DRIVER_TIMEOUT_MILLIS
                && Files.isWritable(path)
                && !mayBeInUse(path.toFile());
    }

    private static boolean mayBeInUse(File directory) {
        try {
            return CommonContext.isDriverActive(directory, DRIVER_TIMEOUT_MILLIS, text -> {});
        } catch (RuntimeException e) {
            // Another program removes it just now, or it is no driver's.
            LOGGER.log(System.Logger.Level.DEBUG, "A directory of a program that was killed is left", e);
            return true;
        }
    }

    /**
     * Takes a directory for as long as a media driver runs there, and makes sure that it deletes no other program's
     * files.
     *
     * @throws DistributionException if a driver starts or runs there, or other files are there
     */
    static DirectoryLock take(Path directory) {
        DirectoryLock lock;
        try {
            lock = DirectoryLock.take(directory)
                    .orElseThrow(() -> refusal(directory, "a media driver starts or runs there" + ELSEWHERE));
        } catch (IOException e) {
            throw refusal(directory, "no file next to it can be locked (" + e + "). Name another directory");
        }
        boolean free = false;
        try {
            requireFree(directory);
            free = true;
            return lock;
        } finally {
            if (!free) {
                lock.close();
            }
        }
    }

    private static void requireFree(Path directory) {
        if (!occupied(directory)) {
            return;
        }
        if (!Files.exists(directory.resolve(CncFileDescriptor.CNC_FILE))) {
            throw refusal(directory, "it would delete the files there. Name an empty directory");
        }
        boolean active;
        try {
            active = activeNow(directory);
            // One that was killed a moment ago seems to run.
            long begin = System.nanoTime();
            while (active
                    && processOf(directory).isEmpty()
                    && System.nanoTime() - begin < KILLED_NANOS
                    && !Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(PARK_NANOS);
                active = activeNow(directory);
            }
        } catch (RuntimeException e) {
            throw refusal(
                    directory,
                    "its " + CncFileDescriptor.CNC_FILE + " is malformed (" + e.getMessage()
                            + "). Name another directory");
        }
        if (active) {
            throw refusal(directory, "a media driver runs there" + ELSEWHERE);
        }
    }

    private static DistributionException refusal(Path directory, String reason) {
        return new DistributionException(
                "No media driver is started in " + directory + " of " + DistributionSettings.DIRECTORY + ": " + reason);
    }

    private static boolean activeNow(Path directory) {
        return CommonContext.isDriverActive(directory.toFile(), DRIVER_TIMEOUT_MILLIS, text -> {});
    }

    /** Process of the driver, if this program can see it. */
    private static Optional<ProcessHandle> processOf(Path directory) {
        File file = directory.resolve(CncFileDescriptor.CNC_FILE).toFile();
        MappedByteBuffer mapped = IoUtil.mapExistingFile(file, CncFileDescriptor.CNC_FILE);
        try {
            return ProcessHandle.of(CncFileDescriptor.pid(CncFileDescriptor.createMetaDataBuffer(mapped)));
        } finally {
            BufferUtil.free(mapped);
        }
    }

    private static boolean occupied(Path directory) {
        if (!Files.isDirectory(directory)) {
            return Files.exists(directory);
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.findAny().isPresent();
        } catch (IOException | UncheckedIOException e) {
            throw new DistributionException(directory + " cannot be read: " + e.getMessage(), e);
        }
    }
}
