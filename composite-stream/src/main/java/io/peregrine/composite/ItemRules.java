package io.peregrine.composite;

import io.peregrine.composite.ItemValues.Kind;
import io.peregrine.gendc.ComponentType;
import io.peregrine.pfnc.PixelFormat;
import io.peregrine.pfnc.PixelLayout;
import io.peregrine.pfnc.PixelLayout.DataFit;
import io.peregrine.stream.BlockInfo.ImageGeometry;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What an item becomes by its format, whatever the payload:
 *
 * <ul>
 *   <li>A component or format of confidence: a {@link PlaneItem}.
 *   <li>Three coordinates (Coord3D_ABC), planar or not: a {@link PointCloudItem}.
 *   <li>Two coordinates (Coord3D_AC), and planar and semi-planar formats: a {@link PlanesItem}.
 *   <li>Pixels and components of whole bytes: an {@link ImageItem}.
 *   <li>All others, unknown formats among them: a {@link PackedItem}.
 * </ul>
 */
final class ItemRules {
    private ItemRules() {}

    /** An uncompressed image of any format. */
    static void image(ItemValues item) {
        FormatPlanes planes = FormatPlanes.of(item.format);
        if (item.typeId == ComponentType.CONFIDENCE.id() || planes.role() == PlaneRole.CONFIDENCE) {
            item.plane(PlaneRole.CONFIDENCE, 0, 1, pixelStride(item.format));
        } else if (planes.planes().isEmpty()) {
            item.kind = planes.wholeBytes() ? Kind.IMAGE : Kind.PACKED;
        } else if (planes.interleaved() && !planes.wholeBytes() && !planes.points()) {
            item.kind = Kind.PACKED;
        } else {
            item.kind = planes.points() ? Kind.POINT_CLOUD : Kind.PLANES;
        }
    }

    /** Bytes from a pixel to the next; 0 when pixels or their components share bytes. */
    static int pixelStride(PixelFormat format) {
        return FormatPlanes.of(format).wholeBytes() ? (int) format.lineSizeBytes(1) : 0;
    }

    /** Whether the data of a slot has all the pixels that its geometry promises. */
    static boolean fits(ItemValues item) {
        Optional<PixelLayout> layout =
                item.sameLayout(item.width, item.height, item.paddingX, item.paddingY, item.lengthBytes);
        return layout.isPresent() && layout.get().fit() != DataFit.SHORT;
    }

    /** Says that the data of a slot is too small for its geometry. */
    static Supplier<String> tooSmall(ItemValues item) {
        int width = item.width;
        int height = item.height;
        PixelFormat format = item.format;
        long lengthBytes = item.lengthBytes;
        return () -> width + "x" + height + " values of " + format + " do not fit its " + lengthBytes + " bytes";
    }

    /** Makes a slot a plane; one whose geometry needs more bytes than it has says so. */
    static void plane(ItemValues item, PlaneRole role, int index, int count) {
        if (item.missing == null && item.valid && !fits(item)) {
            item.missing = tooSmall(item);
        }
        item.plane(role, index, count, pixelStride(item.format));
    }

    /**
     * Decides about an item of planes that are in the slots after its own, which has the format of the whole.
     *
     * @param items the table
     * @param slot slot of the item
     * @param count number of planes
     * @param what what a plane is called
     */
    static void group(ItemTable items, int slot, int count, String what) {
        ItemValues item = items.get(slot);
        ItemValues first = items.get(slot + 1);
        item.typeId = first.typeId;
        item.partType = first.partType;
        item.offsetX = first.offsetX;
        item.offsetY = first.offsetY;
        item.groupId = first.groupId;
        item.sourceId = first.sourceId;
        item.regionId = first.regionId;
        item.timestamp = first.timestamp;
        item.valid = first.valid;
        item.component = first.component;
        item.part = first.part;
        long stride = first.strideBytes == ItemValues.BY_SIZE
                ? ItemValues.strideBytes(
                        first.sameLayout(first.width, first.height, first.paddingX, first.paddingY, first.lengthBytes))
                : first.strideBytes;
        item.geometry(first.width, first.height, first.paddingX, first.paddingY, stride);
        item.separatePlanes = count;
        boolean points = count == 3
                && first.role == PlaneRole.X
                && items.get(slot + 2).role == PlaneRole.Y
                && items.get(slot + 3).role == PlaneRole.Z;
        item.kind = points || FormatPlanes.of(item.format).points() ? Kind.POINT_CLOUD : Kind.PLANES;
        long end = first.offset + first.lengthBytes;
        boolean together = first.placed();
        for (int plane = 0; plane < count; plane++) {
            ItemValues own = items.get(slot + 1 + plane);
            if (plane > 0) {
                together &= own.placed() && own.flow == first.flow && own.offset == end;
                end += own.lengthBytes;
            }
            if (own.missing != null && item.missing == null) {
                Supplier<String> why = own.missing;
                int index = plane;
                item.missing = () -> what + " " + index + ": " + why.get();
            }
        }
        long length = end - first.offset;
        // Planes that lie one after the other have one place, others none.
        if (together) {
            item.place(first.flow, first.offset, length);
        }
    }

    /** Takes over the geometry of a leader or part header. */
    static void geometry(ItemValues item, ImageGeometry geometry) {
        item.geometry(
                (int) geometry.width(),
                (int) geometry.height(),
                geometry.paddingX(),
                geometry.paddingY(),
                ItemValues.BY_SIZE);
        item.offsetX = geometry.offsetX();
        item.offsetY = geometry.offsetY();
    }

    /** Whether a geometry can be that of an item. */
    static boolean sensible(ImageGeometry geometry) {
        return geometry.width() <= Integer.MAX_VALUE && geometry.height() <= Integer.MAX_VALUE;
    }

    /** Chunk data as it is in payloads of GigE Vision. */
    static void networkChunk(ItemValues item, int layoutId) {
        item.kind = Kind.CHUNK;
        int bytes = (int) Math.min(item.lengthBytes, Integer.MAX_VALUE);
        item.geometry(bytes, 1, 0, 0, 0);
        item.layoutId = layoutId;
        item.walkedBytes = bytes;
    }
}
