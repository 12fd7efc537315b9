package io.peregrine.composite;

/**
 * Uncompressed pixels in two dimensions, all components of a pixel together, each pixel a whole number of bytes: Mono8,
 * Mono12, RGB8, BayerRG16, YCbCr422_8...
 */
public final class ImageItem extends Item {
    ImageItem(Lease lease, ItemValues values) {
        super(lease, values);
    }

    /** Bytes from a pixel to the next in its line. */
    public int pixelStrideBytes() {
        return (int) format().lineSizeBytes(1);
    }
}
