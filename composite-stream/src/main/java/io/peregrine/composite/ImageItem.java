package io.peregrine.composite;

import java.nio.ByteBuffer;

/** Uncompressed pixels in two dimensions, all components of a pixel together. */
public final class ImageItem extends Item {
    ImageItem(Lease lease, Values values, ByteBuffer bytes) {
        super(lease, values, bytes);
    }
}
