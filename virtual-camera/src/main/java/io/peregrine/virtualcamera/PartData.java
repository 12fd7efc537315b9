package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;

/** The bytes of a part; they follow from the stamp of the block. */
interface PartData {
    /** Most bytes that it can have. */
    int maxBytes();

    /** Bytes in one block. */
    default int bytes(Stamp stamp) {
        return maxBytes();
    }

    /** Lines or elements in one block. */
    int count(Stamp stamp);

    /** Writes the bytes of one block. */
    void fill(Stamp stamp, ByteBuffer target);
}
