package io.peregrine.composite;

/**
 * One plane of values: the confidence, or a part of a {@link PlanesItem} or {@link PointCloudItem}. The values of a plane
 * can lie between those of other planes; {@link #pixelStrideBytes()} and {@link #strideBytes()} lead through it.
 */
public final class PlaneItem extends Item {
    private final PlaneRole role;
    private final int plane;
    private final int planeCount;
    private final int pixelStrideBytes;

    PlaneItem(
            Lease lease, Values values, Place place, PlaneRole role, int plane, int planeCount, int pixelStrideBytes) {
        super(lease, values, place);
        this.role = role;
        this.plane = plane;
        this.planeCount = planeCount;
        this.pixelStrideBytes = pixelStrideBytes;
    }

    @Override
    PlaneItem on(Lease other) {
        return new PlaneItem(other, values(), place(), role, plane, planeCount, pixelStrideBytes);
    }

    /** What it holds. */
    public PlaneRole role() {
        return role;
    }

    /** Position among the planes that belong together, from 0. */
    public int plane() {
        return plane;
    }

    /** Number of planes that belong together. */
    public int planeCount() {
        return planeCount;
    }

    /** Bytes from a value to the next in its line; 0 when values share bytes. */
    public int pixelStrideBytes() {
        return pixelStrideBytes;
    }

    @Override
    String details() {
        return ", " + role + " " + (plane + 1) + " of " + planeCount;
    }
}
