package io.peregrine.composite.internal;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a composite stream asks of the device: the device half of starting and stopping an acquisition. Called by one
 * thread at a time.
 */
public interface AcquisitionControl {

    /**
     * Refuses a thread that holds what another may need that starts or stops a stream: they would wait for each other.
     *
     * @throws IllegalStateException if it does, with what to do instead
     */
    default void requireFreeThread() {}

    /** Locks the transport layer parameters and starts acquisition on the device. */
    void startAcquisition();

    /** Stops acquisition on the device and unlocks the transport layer parameters. */
    void stopAcquisition();

    /** Ends acquisition at once, without waiting for the frame in progress. */
    void abortAcquisition();

    /**
     * The exception that users of the device get when an iteration ends otherwise than it should.
     *
     * @param message what happened, and what to do about it
     * @param cause what led to it; null where nothing did
     * @return empty leaves it to the stream
     */
    default Optional<RuntimeException> failure(String message, @Nullable Throwable cause) {
        return Optional.empty();
    }

    /** Of a stream without a device: frames begin and end with its receiving half. */
    interface NoDevice extends AcquisitionControl {
        @Override
        default void startAcquisition() {}

        @Override
        default void stopAcquisition() {}

        @Override
        default void abortAcquisition() {}
    }
}
