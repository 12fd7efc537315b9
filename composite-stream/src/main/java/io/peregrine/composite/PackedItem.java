package io.peregrine.composite;

/**
 * Uncompressed pixels in two dimensions which are no plain image: pixels or components share bytes (Mono12p,
 * Mono10Packed, RGB565p, YCbCr411_8), or the format is a vendor's own. They have to be unpacked.
 */
public final class PackedItem extends Item {
    PackedItem(Lease lease, ItemValues values) {
        super(lease, values);
    }
}
