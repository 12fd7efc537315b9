package io.peregrine.recording;

/**
 * What a recorder did so far. Every frame that it was given is in one of the counts, or still in the queue.
 *
 * @param framesWritten frames that are in the recording: the file system has every byte of them
 * @param framesQueued frames that wait for the disk or are being written, here or in the memory of their stream
 * @param framesDroppedQueueFull frames that came faster than the disk takes them
 * @param framesDroppedAfterFailure frames that came, or were waiting, when writing failed or closing took too long
 * @param framesSkippedIncomplete frames that were dropped because they are not complete
 * @param bytesWritten bytes of the containers that were written
 * @param mostFramesQueued the most that ever waited in the memory of their stream
 */
public record RecorderStatistics(
        long framesWritten,
        int framesQueued,
        long framesDroppedQueueFull,
        long framesDroppedAfterFailure,
        long framesSkippedIncomplete,
        long bytesWritten,
        int mostFramesQueued) {

    /** Frames that should be in the recording and are not. */
    public long framesDropped() {
        return framesDroppedQueueFull + framesDroppedAfterFailure;
    }
}
