package io.peregrine.composite;

import io.peregrine.gendc.PartType;

/**
 * Bytes whose meaning {@link #partType()} and {@link #format()} tell: one-dimensional, XML, raw, files, a vendor's own, and
 * whatever cannot be placed.
 */
public final class BufferItem extends Item {
    private final boolean zipped;

    BufferItem(Lease lease, Values values, Place place, boolean zipped) {
        super(lease, values, place);
        this.zipped = zipped;
    }

    @Override
    BufferItem on(Lease other) {
        return new BufferItem(other, values(), place(), zipped);
    }

    /** Whether it is a GenICam description of the chunk data beside it. */
    public boolean xml() {
        return partType() == PartType.METADATA_XML;
    }

    /** Whether the description is a zip file. */
    public boolean zipped() {
        return zipped;
    }

    @Override
    String details() {
        return xml() ? zipped ? ", zipped XML" : ", XML" : "";
    }
}
