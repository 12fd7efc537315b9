package io.peregrine.composite;

import org.jspecify.annotations.Nullable;

/**
 * What a composite stream asks of the device: the device half of starting and stopping an acquisition. Called by one
 * thread at a time.
 */
public interface AcquisitionControl {

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
     */
    @SuppressWarnings("exports") // Annotations are not needed to use it.
    default RuntimeException failure(String message, @Nullable Throwable cause) {
        return cause == null ? new CompositeException(message) : new CompositeException(message, cause);
    }
}
