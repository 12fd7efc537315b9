package io.peregrine.composite;

import io.peregrine.gendc.PartType;

/**
 * Bytes whose meaning is given by {@link #partType()} and {@link #format()}: one-dimensional, XML, raw, files, a
 * vendor's own, and whatever cannot be placed.
 */
public final class BufferItem extends Item {
    BufferItem(Lease lease, ItemValues values) {
        super(lease, values);
    }

    /** Whether it is a GenICam description of the chunk data beside it. */
    public boolean xml() {
        return partType() == PartType.METADATA_XML;
    }

    /** Whether the description is a zip file. */
    public boolean zipped() {
        return values().zipped;
    }

    @Override
    String details() {
        return xml() ? zipped() ? ", zipped XML" : ", XML" : "";
    }
}
