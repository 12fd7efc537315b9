package io.peregrine.composite;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Planes that belong together: a planar image (RGB8_Planar), semi-planar YCbCr, the bands of a multispectral component,
 * or the two coordinates of a profile (Coord3D_AC). Format and geometry of the item are those of the whole.
 */
public final class PlanesItem extends Item {
    private final List<PlaneItem> planes;

    PlanesItem(Lease lease, ItemValues values, List<PlaneItem> planes) {
        super(lease, values);
        this.planes = List.copyOf(planes);
    }

    @Override
    List<? extends Item> pieces() {
        return values().separatePlanes > 0 ? planes : super.pieces();
    }

    /** The planes, in the order of the format's name. */
    public List<PlaneItem> planes() {
        return planes;
    }

    /** The first plane of a role. */
    public Optional<PlaneItem> plane(PlaneRole role) {
        return PlaneGroup.find(planes, role);
    }

    /** Bytes of all planes together. */
    @Override
    public long sizeBytes() {
        return values().separatePlanes > 0 ? PlaneGroup.sizeBytes(planes) : super.sizeBytes();
    }

    /**
     * All planes in one view, when that is how they lie in memory; empty when they lie apart. {@link #planes()} has
     * them in both cases.
     *
     * @throws IllegalStateException if the composite is closed
     */
    @Override
    public ByteBuffer data() {
        return super.data();
    }

    @Override
    String details() {
        return PlaneGroup.details(planes);
    }
}
