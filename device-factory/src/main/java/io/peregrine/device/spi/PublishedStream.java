package io.peregrine.device.spi;

import io.peregrine.recording.Camera;
import io.peregrine.stream.engine.StreamSource;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** A stream that was found. */
public interface PublishedStream {

    /** Access token by which it is found again. */
    String accessToken();

    /** Name of the stream. */
    String name();

    /** The way that leads to it, for listings. */
    String route();

    /** What its camera says of itself, by name, as in {@link Camera#properties()}. */
    Map<String, String> properties();

    /**
     * The camera, as it was when publishing began; waits for it.
     *
     * @throws RuntimeException if it does not come in time
     */
    Camera camera();

    /**
     * Opens a way to the registers of the camera as it is now.
     *
     * @param keyFile file with the key of the publisher
     * @return empty when the publisher offers none
     * @throws RuntimeException if the key is not good, or the publisher does not accept it
     */
    default Optional<CameraLink> link(Path keyFile) {
        return Optional.empty();
    }

    /**
     * Makes a source of its frames, not begun.
     *
     * @param flowSetCount frames in memory at a time
     * @param memoryLimitBytes most memory of all flow sets together
     * @return the source, which holds what it needs until it is closed
     */
    StreamSource source(int flowSetCount, long memoryLimitBytes);
}
