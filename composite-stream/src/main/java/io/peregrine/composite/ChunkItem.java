package io.peregrine.composite;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * GenICam chunk data: pieces, each followed by its id and its length (4 bytes each), so that it is read from its end.
 * Tags and values are big-endian in payloads of GigE Vision and little-endian in a GenDC container (GenDC 1.1,
 * 2.2.8.1).
 */
public final class ChunkItem extends Item {
    ChunkItem(Lease lease, ItemValues values) {
        super(lease, values);
    }

    /** Order of the bytes in ids and lengths. */
    public ByteOrder byteOrder() {
        return values().byteOrder;
    }

    /** Number that changes with the layout of the chunks; 0 when the device does not give it. */
    public long layoutId() {
        return values().layoutId;
    }

    /**
     * The bytes to be read from their end: {@link #data()} without its padding, in {@link #byteOrder()}. Of a composite
     * that is not complete, they can be anything.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public ByteBuffer chunkData() {
        return view(values().walkedBytes).order(byteOrder());
    }

    @Override
    String details() {
        return ", " + byteOrder() + ", layout " + Long.toUnsignedString(layoutId());
    }
}
