package io.peregrine.composite;

import java.nio.ByteBuffer;

/** One plane of pixels that belongs to others: of a planar image, a band, a coordinate, or the confidence. */
public final class PlaneItem extends Item {
    private final PlaneRole role;
    private final int plane;
    private final int planeCount;

    PlaneItem(Lease lease, Values values, ByteBuffer bytes, PlaneRole role, int plane, int planeCount) {
        super(lease, values, bytes);
        this.role = role;
        this.plane = plane;
        this.planeCount = planeCount;
    }

    /** What it holds. */
    public PlaneRole role() {
        return role;
    }

    /** Position among the planes of its component, from 0. */
    public int plane() {
        return plane;
    }

    /** Number of planes of its component. */
    public int planeCount() {
        return planeCount;
    }
}
