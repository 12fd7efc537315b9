package io.peregrine.distribution;

import io.peregrine.recording.Camera;
import java.time.Duration;
import java.util.Objects;

/**
 * What a {@link FramePublisher} publishes, and where to.
 *
 * @param name name under which consumers open the stream
 * @param route {@code ipc}, a multicast group or the address of one consumer with a port, or {@code from:} and the
 *     address of this host with a port, where any number of consumers register
 * @param camera what consumers see of the camera: its features, as they are when publishing begins
 * @param queueFrames frames that may wait in the memory of their stream, 1 or more; when it is full, frames are dropped
 * @param frameBytes memory that the largest frame needs, for consumers that come before the first frame; 0 when it is
 *     not known
 * @param closeTimeout how long {@link FramePublisher#close()} sends what waits, and waits for consumers that are held
 *     up
 * @param shared whether consumers share the work: each frame goes to only one of them, the one that holds the fewest
 * @param distribution driver, packet size and windows of this host
 */
public record PublisherSettings(
        String name,
        String route,
        Camera camera,
        int queueFrames,
        long frameBytes,
        Duration closeTimeout,
        boolean shared,
        DistributionSettings distribution) {
    private static final int QUEUE_FRAMES = 4;
    private static final int MAX_NAME = 200;

    /** Checks the ranges. */
    public PublisherSettings {
        Objects.requireNonNull(camera, "camera");
        Objects.requireNonNull(closeTimeout, "closeTimeout");
        Objects.requireNonNull(distribution, "distribution");
        if (name.isBlank() || name.length() > MAX_NAME) {
            throw new DistributionException("A stream needs a name of 1 to " + MAX_NAME + " characters");
        }
        Route.parse(route);
        if (queueFrames < 1 || frameBytes < 0) {
            throw new DistributionException(
                    "A queue of " + queueFrames + " frames, or frames of " + frameBytes + " bytes, are not possible");
        }
    }

    /** An unknown camera, 4 frames that wait, a second to end, and the settings of the environment. */
    public static PublisherSettings of(String name, String route) {
        return new PublisherSettings(
                name,
                route,
                Camera.UNKNOWN,
                QUEUE_FRAMES,
                0,
                Duration.ofSeconds(1),
                false,
                DistributionSettings.load());
    }

    /** With a camera. */
    public PublisherSettings withCamera(Camera value) {
        return new PublisherSettings(name, route, value, queueFrames, frameBytes, closeTimeout, shared, distribution);
    }

    /** With another length of the queue. */
    public PublisherSettings withQueueFrames(int value) {
        return new PublisherSettings(name, route, camera, value, frameBytes, closeTimeout, shared, distribution);
    }

    /** With the size of the largest frame. */
    public PublisherSettings withFrameBytes(long value) {
        return new PublisherSettings(name, route, camera, queueFrames, value, closeTimeout, shared, distribution);
    }

    /** With another time to end. */
    public PublisherSettings withCloseTimeout(Duration value) {
        return new PublisherSettings(name, route, camera, queueFrames, frameBytes, value, shared, distribution);
    }

    /** With the frames shared among consumers, or each of them sent to all. */
    public PublisherSettings withShared(boolean value) {
        return new PublisherSettings(name, route, camera, queueFrames, frameBytes, closeTimeout, value, distribution);
    }

    /** With other settings of this host. */
    public PublisherSettings withDistribution(DistributionSettings value) {
        return new PublisherSettings(name, route, camera, queueFrames, frameBytes, closeTimeout, shared, value);
    }
}
