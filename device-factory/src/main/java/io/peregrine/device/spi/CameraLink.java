package io.peregrine.device.spi;

import io.peregrine.genapi.Port;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A way to the registers of the camera of a published stream. Methods fail as the camera's own port does, by a
 * {@link io.peregrine.device.DeviceException}. Thread-safe.
 */
public interface CameraLink extends AutoCloseable {

    /** Reads several places; see {@link Port#read(List)}. */
    void read(List<Port.Request> requests);

    /** Writes bytes; see {@link Port#write}. */
    void write(long address, ByteBuffer source);

    /** Asks for the state of the publisher. */
    State state();

    @Override
    void close();

    /**
     * The state of the publisher.
     *
     * @param locked whether the camera streams, so that some of its features are locked
     * @param foreignChanges grows, from 0, when something was changed that was not written through this
     */
    record State(boolean locked, long foreignChanges) {}
}
