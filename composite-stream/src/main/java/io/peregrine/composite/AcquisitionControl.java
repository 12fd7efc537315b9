package io.peregrine.composite;

/** What a composite stream asks of the device: the device half of starting and stopping an acquisition. */
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
    default RuntimeException failure(String message, Throwable cause) {
        return new CompositeException(message, cause);
    }
}
