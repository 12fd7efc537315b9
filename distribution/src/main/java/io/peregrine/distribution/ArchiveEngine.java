package io.peregrine.distribution;

import io.aeron.CommonContext;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.ArchiveTool;
import io.aeron.archive.checksum.Checksum;
import io.aeron.archive.client.AeronArchive;
import io.aeron.exceptions.AeronException;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32C;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An archive within this program, on its media driver. One program at a time has a directory: a lock says so, which the
 * system releases when a program is killed, so that the next one need not wait until the archive's own mark has aged.
 */
final class ArchiveEngine implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(ArchiveEngine.class.getName());
    private static final String LOCK = "peregrine.lock";
    private static final String MARK = "archive-mark.dat";
    /** An archive that was killed in another container is known to be gone after that. */
    private static final long MARK_AGE_NANOS = TimeUnit.SECONDS.toNanos(12);

    private static final long PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int MAX_AT_A_TIME = 256;

    private final FileChannel lockFile;
    private final Archive archive;

    private ArchiveEngine(FileChannel lockFile, Archive archive) {
        this.lockFile = lockFile;
        this.archive = archive;
    }

    /**
     * Starts it; what was there is kept, and checked as far as it was still being written.
     *
     * @throws DistributionException if another program has the directory, or it is damaged
     */
    static ArchiveEngine launch(AeronHost host, Path directory, ArchiveSettings settings) {
        FileChannel lock = lock(directory);
        boolean launched = false;
        try {
            removeMark(directory);
            ArchiveEngine engine = new ArchiveEngine(lock, launched(host, directory, settings));
            launched = true;
            return engine;
        } finally {
            if (!launched) {
                close(lock);
            }
        }
    }

    private static FileChannel lock(Path directory) {
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
            return channel;
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

    /** With the lock in hand: a mark that is left is of a program that was killed, unless it is no program of ours. */
    private static void removeMark(Path directory) {
        Path mark = directory.resolve(MARK);
        if (!Files.exists(mark)) {
            return;
        }
        try {
            long pid = ArchiveTool.pid(directory.toFile());
            if (ProcessHandle.of(pid).isEmpty()
                    || pid == ProcessHandle.current().pid()) {
                Files.delete(mark);
            }
        } catch (RuntimeException | IOException e) {
            // Unreadable: the archive says what is wrong with it.
            LOGGER.log(System.Logger.Level.DEBUG, "The mark of the archive is left", e);
        }
    }

    private static Archive launched(AeronHost host, Path directory, ArchiveSettings settings) {
        long begin = System.nanoTime();
        while (true) {
            try {
                return Archive.launch(context(host, directory.toFile(), settings));
            } catch (InternalError e) {
                throw new DistributionException(
                        "The archive in " + directory + " cannot be started, because its disk is full or fails ("
                                + e.getMessage() + "): make room, and leave some by " + ArchiveSettings.FREE,
                        e);
            } catch (RuntimeException e) {
                boolean marked = String.valueOf(e.getMessage()).contains("active");
                if (!marked || System.nanoTime() - begin > MARK_AGE_NANOS) {
                    throw new DistributionException(
                            "The archive in " + directory + " cannot be started: " + e.getMessage()
                                    + ". If files were deleted or cut off, see 'Recovery' in docs/distribution.md",
                            e);
                }
                LockSupport.parkNanos(PARK_NANOS);
            }
        }
    }

    private static Archive.Context context(AeronHost host, File directory, ArchiveSettings settings) {
        Archive.Context context = new Archive.Context()
                .aeronDirectoryName(host.aeron().context().aeronDirectoryName())
                .archiveDir(directory)
                .deleteArchiveOnStart(false)
                .threadingMode(ArchiveThreadingMode.SHARED)
                .idleStrategySupplier(() -> new BackoffIdleStrategy(1, 1, 1_000, 500_000))
                .segmentFileLength(settings.segmentBytes())
                .maxConcurrentRecordings(MAX_AT_A_TIME)
                .maxConcurrentReplays(MAX_AT_A_TIME)
                .recordChecksum(new Crc32c())
                .replayChecksum(new Crc32c())
                .lowStorageSpaceThreshold(0)
                .recordingEventsEnabled(false)
                .replicationChannel("aeron:udp?endpoint=127.0.0.1:0")
                .errorHandler(host::failed);
        if (settings.address().isEmpty() || settings.address().equals(ArchiveSettings.IPC)) {
            return context.controlChannelEnabled(false)
                    .archiveClientContext(new AeronArchive.Context().controlResponseChannel(CommonContext.IPC_CHANNEL));
        }
        return context.controlChannelEnabled(true)
                .controlChannel("aeron:udp?endpoint=" + settings.address())
                .archiveClientContext(
                        new AeronArchive.Context().controlResponseChannel("aeron:udp?endpoint=127.0.0.1:0"));
    }

    /** The checksum of files of an archive, by the JDK's class and without access to its inside. */
    static final class Crc32c implements Checksum {
        private static final int CHUNK_BYTES = 64 << 10;

        private final ThreadLocal<Work> work = ThreadLocal.withInitial(Work::new);

        private static final class Work {
            final CRC32C crc = new CRC32C();
            final UnsafeBuffer memory = new UnsafeBuffer(0, 0);
            final byte[] copy = new byte[CHUNK_BYTES];
        }

        @Override
        public int compute(long address, int offset, int length) {
            Work mine = work.get();
            mine.crc.reset();
            mine.memory.wrap(address + offset, length);
            for (int at = 0; at < length; at += CHUNK_BYTES) {
                int count = Math.min(CHUNK_BYTES, length - at);
                mine.memory.getBytes(at, mine.copy, 0, count);
                mine.crc.update(mine.copy, 0, count);
            }
            return (int) mine.crc.getValue();
        }
    }

    /** Whether it has ended by itself. */
    boolean dead() {
        return archive.context().aeron().isClosed();
    }

    @Override
    public void close() {
        try {
            archive.close();
        } catch (AeronException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "The archive does not end in order", e);
        } finally {
            close(lockFile);
        }
    }

    private static void close(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "The lock of the archive is left", e);
        }
    }
}
