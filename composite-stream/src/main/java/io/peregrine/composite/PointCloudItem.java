package io.peregrine.composite;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Points in space, three coordinates each (Coord3D_ABC): interleaved or in planes, in lines as the sensor sees them or
 * one after another. Scale, offset and the value that means "no measurement" are features of the device (Scan3d...),
 * not part of the data.
 */
public final class PointCloudItem extends Item {
    private final List<PlaneItem> planes;

    /**
     * Makes a point cloud.
     *
     * @param planes X, Y and Z; empty when coordinates share bytes
     */
    PointCloudItem(Lease lease, ItemValues values, List<PlaneItem> planes) {
        super(lease, values);
        this.planes = List.copyOf(planes);
    }

    @Override
    List<? extends Item> pieces() {
        return values().separatePlanes > 0 ? planes : super.pieces();
    }

    /**
     * The coordinates as planes X, Y, Z, whether they are interleaved or not; empty when they are interleaved and share
     * bytes (Coord3D_ABC10p), so that they have to be unpacked.
     */
    public List<PlaneItem> planes() {
        return planes;
    }

    /** The plane of a coordinate. */
    public Optional<PlaneItem> plane(PlaneRole role) {
        return PlaneGroup.find(planes, role);
    }

    /** Number of points, those without a measurement included. */
    public long pointCount() {
        return (long) width() * height();
    }

    /** Whether the points lie in lines and columns as the sensor sees them. */
    public boolean organized() {
        return height() > 1;
    }

    /** Whether the coordinates of a point follow each other in memory. */
    public boolean interleaved() {
        return planes.isEmpty() || planes.get(0).pixelStrideBytes() > bytesOf(planes.get(0));
    }

    private static long bytesOf(PlaneItem plane) {
        return plane.format().lineSizeBytes(1);
    }

    /** Bytes of all coordinates together. */
    @Override
    public long sizeBytes() {
        return values().separatePlanes > 0 ? PlaneGroup.sizeBytes(planes) : super.sizeBytes();
    }

    /**
     * All coordinates in one view, when that is how they lie in memory; empty when the planes lie apart.
     *
     * @throws IllegalStateException if the composite is closed
     */
    @Override
    public ByteBuffer data() {
        return super.data();
    }

    @Override
    String details() {
        return ", " + (interleaved() ? "interleaved" : "planar");
    }
}
