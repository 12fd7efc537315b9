package io.peregrine.composite;

import java.nio.ByteBuffer;

/** Bytes whose meaning {@link #partType()} and {@link #format()} tell: compressed, one-dimensional, metadata, vendor. */
public final class BufferItem extends Item {
    BufferItem(Lease lease, Values values, ByteBuffer bytes) {
        super(lease, values, bytes);
    }
}
