package io.peregrine.recording;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How a {@link Recorder} works. Change single values by the {@code with} methods.
 *
 * @param form one file, or a file for each frame
 * @param queueFrames most frames that wait in the memory of their stream, while as much as the recorder has memory for
 *     (16 MiB) waits for the disk. They hold flow sets: let the stream have at least two more, or it will be the stream
 *     that drops frames when the disk is slow
 * @param incomplete what is done with frames that are not complete
 * @param camera what is known of the camera
 * @param checkpointBytes how much is written until it is forced to the disk and an index is written
 * @param closeTimeout how long {@link Recorder#close()} waits for frames that are still to be written
 * @param onFailure called once, on the writer's thread, when writing fails; without it, the next
 *     {@link Recorder#record} throws, or {@link Recorder#close()}
 */
public record RecorderSettings(
        Form form,
        int queueFrames,
        Incomplete incomplete,
        Camera camera,
        long checkpointBytes,
        Duration closeTimeout,
        Optional<Consumer<RecordingException>> onFailure) {

    /** What a recording is made of. */
    public enum Form {
        /** One file. */
        FILE,
        /** A directory with a {@code .gendc} file for each frame. */
        DIRECTORY
    }

    /** What is done with a frame that is not complete. */
    public enum Incomplete {
        /** It is dropped, and counted. */
        SKIP,
        /** It is recorded with what is known of what is missing, and replayed as incomplete. */
        RECORD
    }

    /** Checks the ranges. */
    public RecorderSettings {
        Objects.requireNonNull(form, "form");
        Objects.requireNonNull(incomplete, "incomplete");
        Objects.requireNonNull(camera, "camera");
        Objects.requireNonNull(onFailure, "onFailure");
        if (queueFrames < 1) {
            throw new IllegalArgumentException("A queue of " + queueFrames + " frames is not possible");
        }
        if (checkpointBytes < 1) {
            throw new IllegalArgumentException("A checkpoint after " + checkpointBytes + " bytes is not possible");
        }
        if (closeTimeout.isNegative()) {
            throw new IllegalArgumentException("closeTimeout is " + closeTimeout);
        }
    }

    /** One file, 6 frames in the queue, incomplete frames dropped, a checkpoint every GiB, 30 s to close. */
    public static RecorderSettings defaults() {
        return new RecorderSettings(
                Form.FILE, 6, Incomplete.SKIP, Camera.UNKNOWN, 1L << 30, Duration.ofSeconds(30), Optional.empty());
    }

    /** With another form. */
    public RecorderSettings withForm(Form value) {
        return new RecorderSettings(value, queueFrames, incomplete, camera, checkpointBytes, closeTimeout, onFailure);
    }

    /** With another queue. */
    public RecorderSettings withQueueFrames(int value) {
        return new RecorderSettings(form, value, incomplete, camera, checkpointBytes, closeTimeout, onFailure);
    }

    /** With another way to treat incomplete frames. */
    public RecorderSettings withIncomplete(Incomplete value) {
        return new RecorderSettings(form, queueFrames, value, camera, checkpointBytes, closeTimeout, onFailure);
    }

    /** With what is known of the camera. */
    public RecorderSettings withCamera(Camera value) {
        return new RecorderSettings(form, queueFrames, incomplete, value, checkpointBytes, closeTimeout, onFailure);
    }

    /** With another distance of checkpoints. */
    public RecorderSettings withCheckpointBytes(long value) {
        return new RecorderSettings(form, queueFrames, incomplete, camera, value, closeTimeout, onFailure);
    }

    /** With another time to close. */
    public RecorderSettings withCloseTimeout(Duration value) {
        return new RecorderSettings(form, queueFrames, incomplete, camera, checkpointBytes, value, onFailure);
    }

    /** With a listener for the failure. */
    public RecorderSettings withOnFailure(Consumer<RecordingException> value) {
        return new RecorderSettings(
                form, queueFrames, incomplete, camera, checkpointBytes, closeTimeout, Optional.of(value));
    }
}
