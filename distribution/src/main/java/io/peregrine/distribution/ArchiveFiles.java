package io.peregrine.distribution;

import io.aeron.archive.ArchiveTool;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The directory of an archive, for one program at a time. A lock says so, which the system releases when a program is
 * killed, so that the next one need not wait until the archive's own mark has aged.
 */
final class ArchiveFiles implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(ArchiveFiles.class.getName());
    private static final String LOCK = "peregrine.lock";
    private static final String MARK = "archive-mark.dat";
    private static final String CATALOG = "archive.catalog";
    /** The archive writes the first page of its mark and its catalog as it starts, and further ones later. */
    private static final int PAGE_BYTES = 4096;
    /** What comes before the errors in its mark. */
    private static final int HEADER_BYTES = 2 * PAGE_BYTES;
    /** Errors that the archive notes in its mark. */
    static final int ERROR_BYTES = 1 << 20;
    /** A new catalog; it grows after some thousand recordings. */
    static final int CATALOG_BYTES = 1 << 20;

    private static final Pattern CUT_OFF =
            Pattern.compile("straddling page boundary in file: .*?(\\d{1,19})-\\d+\\.rec");

    private final Path directory;
    private final FileChannel lock;

    private ArchiveFiles(Path directory, FileChannel lock) {
        this.directory = directory;
        this.lock = lock;
    }

    /**
     * Takes the directory, and makes it if there is none.
     *
     * @throws DistributionException if another program has it, or it cannot be used
     */
    static ArchiveFiles open(Path directory) {
        try {
            Files.createDirectories(directory);
            FileChannel channel =
                    FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            boolean locked = false;
            try {
                FileLock lock = channel.tryLock();
                locked = lock != null;
            } catch (OverlappingFileLockException e) {
                throw inUse(directory, e);
            } finally {
                if (!locked) {
                    channel.close();
                }
            }
            if (!locked) {
                throw inUse(directory, null);
            }
            return new ArchiveFiles(directory, channel);
        } catch (IOException e) {
            throw new DistributionException(
                    "The directory of the archive " + directory + " cannot be used: " + e
                            + ". Name one that can be written by " + ArchiveSettings.DIRECTORY,
                    e);
        }
    }

    private static DistributionException inUse(Path directory, @Nullable Throwable cause) {
        return new DistributionException(
                "Another archive uses " + directory + ": end it, or name another directory by "
                        + ArchiveSettings.DIRECTORY,
                cause);
    }

    Path directory() {
        return directory;
    }

    /**
     * Removes the mark of a program that was killed, or that found no room for all of it. It stays if it is of a
     * program that runs.
     */
    void removeMark() {
        Path mark = directory.resolve(MARK);
        try {
            if (unwritten(mark) || abandoned(ArchiveTool.pid(directory.toFile()))) {
                Files.delete(mark);
            }
        } catch (NoSuchFileException e) {
            // None was left.
        } catch (RuntimeException | IOException e) {
            // Unreadable: the archive says what is wrong with it.
            LOGGER.log(System.Logger.Level.DEBUG, "The mark of the archive is left", e);
        }
    }

    /** A mark begins with its version, which is written last. */
    private static boolean unwritten(Path mark) throws IOException {
        try (FileChannel file = FileChannel.open(mark)) {
            ByteBuffer version = ByteBuffer.allocate(Integer.BYTES);
            return file.size() < HEADER_BYTES
                    || file.read(version) < Integer.BYTES
                    || version.flip().getInt() == 0;
        }
    }

    private static boolean abandoned(long pid) {
        return ProcessHandle.of(pid).isEmpty() || pid == ProcessHandle.current().pid();
    }

    /** Whether it has no catalog yet. */
    boolean empty() {
        return !Files.exists(directory.resolve(CATALOG));
    }

    /**
     * An archive that begins without room for its mark and its catalog ends by a fault, and leaves what it cannot read.
     *
     * @throws DistributionException if there is none
     */
    void requireRoom() {
        long markBytes = Files.exists(directory.resolve(MARK)) ? 0 : HEADER_BYTES + (long) ERROR_BYTES;
        long needed = markBytes + (empty() ? CATALOG_BYTES : 0);
        try {
            long usable = Files.getFileStore(directory).getUsableSpace();
            if (usable < needed) {
                throw new DistributionException("The archive in " + directory
                        + " cannot be started, because its disk is"
                        + " full: it needs " + needed + " bytes to begin, and " + usable + " are left. Make room, and"
                        + " leave some by " + ArchiveSettings.FREE);
            }
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "The room of the archive is unknown", e);
        }
    }

    /**
     * Takes room on the disk for the whole catalog. The archive maps it, and would end by a fault where there is none.
     *
     * @param fresh whether the archive has just made it, and uses the begin of it
     */
    void reserveCatalog(boolean fresh) {
        reserve(directory.resolve(CATALOG), fresh ? PAGE_BYTES : 0);
    }

    /** The same for the mark, into which the archive writes its errors: that of a full disk, too. */
    void reserveMark() {
        reserve(directory.resolve(MARK), PAGE_BYTES);
    }

    private static void reserve(Path path, long from) {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            for (long at = from; at < file.size(); at += PAGE_BYTES) {
                file.read(one.clear(), at);
                file.write(one.flip(), at);
            }
        } catch (IOException e) {
            throw new DistributionException(
                    "There is no room for " + path + ": " + e.getMessage() + ". Make room on its disk", e);
        }
    }

    /**
     * Cuts a recording off before its last fragment when the archive refuses it because a part of it was not written:
     * the disk was full, and the archive ended before it could note so.
     *
     * @param refusal what the archive says
     * @return whether it can be started again
     */
    boolean repaired(String refusal) {
        Matcher found = CUT_OFF.matcher(refusal);
        if (!found.find()) {
            return false;
        }
        long recording = Long.parseLong(found.group(1));
        LOGGER.log(System.Logger.Level.DEBUG, "Recording " + recording + " is cut off at its last whole fragment");
        PrintStream silent = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        return ArchiveTool.verifyRecording(silent, directory.toFile(), recording, Set.of(), null, file -> true);
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "The lock of the archive is left", e);
        }
    }
}
