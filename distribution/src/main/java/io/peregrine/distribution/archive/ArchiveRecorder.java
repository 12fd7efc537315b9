package io.peregrine.distribution.archive;

import java.util.List;

/** Records streams that are published, until it is closed. Thread-safe. */
public interface ArchiveRecorder extends AutoCloseable {

    /** What was done so far. */
    Statistics statistics();

    /** What went wrong so far and what to do about it; empty when nothing did. */
    List<String> diagnosis();

    /** Ends recording; what was recorded stays. Idempotent. */
    @Override
    void close();

    /**
     * What a recorder has done.
     *
     * @param streams streams that are recorded now
     * @param bytesRecorded bytes of the log that were recorded since it was started
     * @param framesMissing frames that are not in the archive, because recording was interrupted: by their numbers,
     *     between the last whole one before and the first one after
     * @param interruptions how often recording of a stream was interrupted and went on
     * @param pauses how often recording paused for lack of room
     * @param paused whether it pauses now
     * @param segmentsDeleted files that were deleted by age, size or lack of room
     */
    record Statistics(
            int streams,
            long bytesRecorded,
            long framesMissing,
            long interruptions,
            long pauses,
            boolean paused,
            long segmentsDeleted) {}
}
