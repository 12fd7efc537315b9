package io.peregrine.composite;

import io.peregrine.pfnc.PixelLayout;
import io.peregrine.pfnc.PixelLayout.LineRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes items of what was decided about a frame, when a user asks for them. */
final class ItemFactory {
    private ItemFactory() {}

    /**
     * Makes the items of a frame.
     *
     * @param table what was decided about it
     * @param lease the lease on its memory that they live as long as
     */
    static List<Item> items(ItemTable table, Lease lease) {
        List<Item> made = new ArrayList<>(table.count());
        for (int slot = 0; slot < table.count(); slot = table.after(slot)) {
            made.add(item(table, slot, lease));
        }
        return List.copyOf(made);
    }

    private static Item item(ItemTable table, int slot, Lease lease) {
        ItemValues values = table.get(slot).copy();
        return switch (values.kind) {
            case IMAGE -> new ImageItem(lease, values);
            case PACKED -> new PackedItem(lease, values);
            case PLANE -> new PlaneItem(lease, values);
            case PLANES -> new PlanesItem(lease, values, planes(table, slot, lease));
            case POINT_CLOUD -> new PointCloudItem(lease, values, planes(table, slot, lease));
            case JPEG, JPEG2000, H264 -> new CompressedItem(lease, values);
            case CHUNK -> new ChunkItem(lease, values);
            case BUFFER -> new BufferItem(lease, values);
        };
    }

    private static List<PlaneItem> planes(ItemTable table, int slot, Lease lease) {
        ItemValues whole = table.get(slot);
        FormatPlanes format = FormatPlanes.of(whole.format);
        List<PlaneItem> planes = new ArrayList<>();
        if (whole.separatePlanes > 0) {
            for (int plane = 1; plane <= whole.separatePlanes; plane++) {
                planes.add(new PlaneItem(lease, table.get(slot + plane).copy()));
            }
        } else if (format.interleaved()) {
            addInterleaved(planes, whole, format, lease);
        } else {
            addConsecutive(planes, whole, format, lease);
        }
        return planes;
    }

    /** Views of the coordinates of points which lie point by point; none when coordinates share bytes. */
    private static void addInterleaved(List<PlaneItem> planes, ItemValues whole, FormatPlanes format, Lease lease) {
        if (!format.wholeBytes()) {
            return;
        }
        int pixelStride = (int) whole.format.lineSizeBytes(1);
        long stride = whole.strideBytes == 0 ? 0 : ItemValues.strideBytes(whole.layout());
        long skipped = 0;
        for (FormatPlanes.Plane plane : format.planes()) {
            ItemValues own = whole.copy();
            own.format = plane.format();
            own.geometry(whole.width, whole.height, 0, 0, stride);
            if (skipped <= whole.lengthBytes) {
                own.within(skipped, whole.lengthBytes - skipped);
            }
            own.plane(plane.role(), planes.size(), format.planes().size(), pixelStride);
            planes.add(new PlaneItem(lease, own));
            skipped += plane.format().lineSizeBytes(1);
        }
    }

    /** Planes of one part, one after the other; each has the padding of lines that the part has. */
    private static void addConsecutive(List<PlaneItem> planes, ItemValues whole, FormatPlanes format, Lease lease) {
        Optional<PixelLayout> layout = whole.layout();
        boolean contiguous =
                layout.filter(known -> known.rule() == LineRule.CONTIGUOUS).isPresent();
        for (FormatPlanes.Plane plane : format.planes()) {
            int index = planes.size();
            int width = divided(whole.width, plane.columns());
            int height = divided(whole.height, plane.rows());
            long from = layout.map(known -> known.planeOffsetBytes(index)).orElse(0L);
            long strideBits = layout.map(known -> known.strideBits(index)).orElse(0L);
            // The layout has this product and found it to be within 63 bits.
            long needed = (strideBits * height + Byte.SIZE - 1) / Byte.SIZE;
            long size = Math.max(0, Math.min(needed, whole.lengthBytes - from));
            ItemValues own = whole.copy();
            own.format = plane.format();
            own.geometry(width, height, whole.paddingX, 0, contiguous ? 0 : strideBits / Byte.SIZE);
            if (size < needed && own.valid && own.missing == null) {
                own.missing = () -> "its data ends in the middle";
            }
            if (size == 0) {
                own.noPlace();
            } else {
                own.within(from, size);
            }
            own.plane(plane.role(), index, format.planes().size(), ItemRules.pixelStride(plane.format()));
            planes.add(new PlaneItem(lease, own));
        }
    }

    private static int divided(int value, int by) {
        return value / by + (value % by == 0 ? 0 : 1);
    }
}
