package io.peregrine.distribution;

import io.aeron.CommonContext;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.checksum.Checksum;
import io.aeron.archive.client.AeronArchive;
import io.aeron.exceptions.AeronException;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32C;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/** An archive within this program, on its media driver. */
final class ArchiveEngine implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(ArchiveEngine.class.getName());
    /** An archive that was killed in another container is known to be gone after that. */
    private static final long MARK_AGE_NANOS = TimeUnit.SECONDS.toNanos(12);

    private static final long PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int MAX_AT_A_TIME = 256;

    private final ArchiveFiles files;
    private final Archive archive;
    private final List<Thread> threads;

    private ArchiveEngine(ArchiveFiles files, Archive archive, List<Thread> threads) {
        this.files = files;
        this.archive = archive;
        this.threads = threads;
    }

    /**
     * Starts it; what was there is kept, and checked as far as it was still being written.
     *
     * @throws DistributionException if another program has the directory, or it is damaged
     */
    static ArchiveEngine launch(AeronHost host, Path directory, ArchiveSettings settings) {
        ArchiveFiles files = ArchiveFiles.open(directory);
        boolean launched = false;
        try {
            files.removeMark();
            ArchiveEngine engine = launched(host, files, settings);
            launched = true;
            return engine;
        } finally {
            if (!launched) {
                files.close();
            }
        }
    }

    private static ArchiveEngine launched(AeronHost host, ArchiveFiles files, ArchiveSettings settings) {
        long begin = System.nanoTime();
        boolean repaired = false;
        while (true) {
            try {
                return launchOnce(host, files, settings);
            } catch (InternalError e) {
                throw new DistributionException(
                        "The archive in " + files.directory()
                                + " cannot be started, because its disk is full or fails (" + e.getMessage()
                                + "): make room, and leave some by " + ArchiveSettings.FREE,
                        e);
            } catch (DistributionException e) {
                throw e;
            } catch (RuntimeException e) {
                String reason = String.valueOf(e.getMessage());
                if (!repaired && files.repaired(reason)) {
                    repaired = true;
                } else if (!reason.contains("active") || System.nanoTime() - begin > MARK_AGE_NANOS) {
                    throw new DistributionException(
                            "The archive in " + files.directory() + " cannot be started: " + reason
                                    + ". If files were deleted or cut off, see 'Recovery' in docs/distribution.md",
                            e);
                } else {
                    LockSupport.parkNanos(PARK_NANOS);
                }
            }
        }
    }

    private static ArchiveEngine launchOnce(AeronHost host, ArchiveFiles files, ArchiveSettings settings) {
        files.requireRoom();
        boolean fresh = files.empty();
        if (!fresh) {
            files.reserveCatalog(false);
        }
        List<Thread> threads = new CopyOnWriteArrayList<>();
        ThreadFactory factory = task -> {
            Thread thread = new Thread(task);
            thread.setUncaughtExceptionHandler((dead, cause) -> host.failed(cause));
            threads.add(thread);
            return thread;
        };
        Archive archive = Archive.launch(
                context(host, files.directory().toFile(), settings).threadFactory(factory));
        boolean whole = false;
        try {
            if (fresh) {
                files.reserveCatalog(true);
            }
            files.reserveMark();
            whole = true;
            return new ArchiveEngine(files, archive, threads);
        } finally {
            if (!whole) {
                archive.close();
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
                .errorBufferLength(ArchiveFiles.ERROR_BYTES)
                .catalogCapacity(ArchiveFiles.CATALOG_BYTES)
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
        return archive.context().aeron().isClosed() || threads.stream().anyMatch(thread -> !thread.isAlive());
    }

    @Override
    public void close() {
        try {
            archive.close();
        } catch (AeronException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "The archive does not end in order", e);
        } finally {
            files.close();
        }
    }
}
