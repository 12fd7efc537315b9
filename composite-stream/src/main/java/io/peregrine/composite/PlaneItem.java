package io.peregrine.composite;

/**
 * One plane of values: the confidence, or a part of a {@link PlanesItem} or {@link PointCloudItem}. The values of a
 * plane can lie between those of other planes; {@link #pixelStrideBytes()} and {@link #strideBytes()} lead through it.
 */
public final class PlaneItem extends Item {
    PlaneItem(Lease lease, ItemValues values) {
        super(lease, values);
    }

    /** What it holds. */
    public PlaneRole role() {
        return values().role;
    }

    /** Position among the planes that belong together, from 0. */
    public int plane() {
        return values().plane;
    }

    /** Number of planes that belong together. */
    public int planeCount() {
        return values().planeCount;
    }

    /** Bytes from a value to the next in its line; 0 when values share bytes. */
    public int pixelStrideBytes() {
        return values().pixelStrideBytes;
    }

    @Override
    String details() {
        return ", " + role() + " " + (plane() + 1) + " of " + planeCount();
    }
}
