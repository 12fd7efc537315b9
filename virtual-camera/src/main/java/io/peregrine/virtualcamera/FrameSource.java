package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;

/** Fills the frames of a custom device, see {@link VirtualDevice.Builder#frames}. */
@FunctionalInterface
public interface FrameSource {
    /**
     * Fills a frame. Called on the thread that sends, during an acquisition, at most as often as the feature
     * {@code AcquisitionFrameRate} sets: it may wait for a sensor, but not for longer than a second or two, or else the
     * device cannot be stopped in time. An exception ends the acquisition.
     *
     * @param blockId id of the frame, from 1 on in each acquisition
     * @param frame little-endian buffer of exactly one frame, line after line without padding; bytes that are not
     *     written have any value
     */
    void fill(long blockId, ByteBuffer frame);
}
