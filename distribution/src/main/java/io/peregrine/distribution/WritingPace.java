package io.peregrine.distribution;

import io.aeron.AeronCounters;
import io.aeron.archive.ArchiveCounters;
import java.util.Locale;
import java.util.Optional;
import org.agrona.concurrent.status.CountersReader;

/** Notices a disk that is slower than the cameras, by how long an archive waits for it. For one thread. */
final class WritingPace {
    /** An archive that writes for a larger part of the time does not keep up. */
    private static final double BUSY = 0.9;

    private static final double NANOS = 1e9;
    private static final double MEGABYTE = 1e6;

    private final CountersReader counters;
    private final long archiveId;
    private long atNanos = System.nanoTime();
    private long writtenBytes;
    private long writingNanos;
    private boolean slow;

    WritingPace(CountersReader counters, long archiveId) {
        this.counters = counters;
        this.archiveId = archiveId;
        writtenBytes = counted(AeronCounters.ARCHIVE_RECORDER_TOTAL_WRITE_BYTES_TYPE_ID);
        writingNanos = counted(AeronCounters.ARCHIVE_RECORDER_TOTAL_WRITE_TIME_TYPE_ID);
    }

    /** 0 where the archive has another media driver, so that its counters are not seen. */
    private long counted(int type) {
        int id = ArchiveCounters.find(counters, type, archiveId);
        return id == CountersReader.NULL_COUNTER_ID ? 0 : counters.getCounterValue(id);
    }

    /** What is to be said about the time since the last look; empty while it keeps up, and while it goes on not to. */
    Optional<String> look() {
        long now = System.nanoTime();
        long bytes = counted(AeronCounters.ARCHIVE_RECORDER_TOTAL_WRITE_BYTES_TYPE_ID);
        long nanos = counted(AeronCounters.ARCHIVE_RECORDER_TOTAL_WRITE_TIME_TYPE_ID);
        long elapsed = Math.max(1, now - atNanos);
        double megabytesPerSecond = (bytes - writtenBytes) / MEGABYTE / (elapsed / NANOS);
        boolean before = slow;
        slow = nanos - writingNanos > BUSY * elapsed;
        atNanos = now;
        writtenBytes = bytes;
        writingNanos = nanos;
        return slow && !before
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "The disk of the archive is slower than the frames: it takes %.1f MB/s. Frames that do not fit"
                                + " are not recorded. Use a faster disk, lower the frame rate, or record fewer streams"
                                + " there",
                        megabytesPerSecond))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return "WritingPace[" + writtenBytes + " bytes in " + writingNanos + " ns]";
    }
}
