package io.peregrine.composite;

/** What a composite stream asks of the device: the device half of starting and stopping an acquisition. */
public interface AcquisitionControl {

    /** Locks the transport layer parameters and starts acquisition on the device. */
    void startAcquisition();

    /** Stops acquisition on the device and unlocks the transport layer parameters. */
    void stopAcquisition();

    /** Ends acquisition at once, without waiting for the frame in progress. */
    void abortAcquisition();
}
