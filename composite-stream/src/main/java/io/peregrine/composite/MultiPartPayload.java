package io.peregrine.composite;

import io.peregrine.composite.ItemValues.Kind;
import io.peregrine.gendc.ComponentType;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pfnc.PixelFormat;
import io.peregrine.stream.BlockInfo;
import java.util.List;
import java.util.function.Supplier;

/**
 * Parts of a multi-part block: images by their format; planes that follow each other, with the same source, region and
 * purpose, become one item; confidence a {@link PlaneItem}; chunk data a big-endian {@link ChunkItem}; JPEG and JPEG
 * 2000 a {@link CompressedItem}; all others a {@link BufferItem}.
 *
 * <p>The purpose id is the type when it is one of ComponentIDValue (SFNC 2.7.1) and does not contradict data type and
 * format, else these decide the type.
 */
final class MultiPartPayload {
    private static final int PART_IMAGE = 1;
    private static final int PART_FIRST_PLANE = 2;
    private static final int PART_LAST_PLANE = 4;
    private static final int PART_3D_IMAGE = 5;
    private static final int PART_FIRST_3D_PLANE = 6;
    private static final int PART_LAST_3D_PLANE = 8;
    private static final int PART_CONFIDENCE = 9;
    private static final int PART_CHUNK = 10;
    private static final int PART_JPEG = 11;
    private static final int PART_JPEG2000 = 12;

    private final MappedFrame frame;
    private final PurposeRule purpose;

    MultiPartPayload(MappedFrame frame, PurposeRule purpose) {
        this.frame = frame;
        this.purpose = purpose;
    }

    /** Decides about a frame. */
    void map() {
        List<BlockInfo.Part> parts = frame.block.parts();
        if (parts.isEmpty()) {
            frame.nothing(() -> "the list of parts did not arrive");
            return;
        }
        int next = 0;
        while (next < parts.size()) {
            int count = planesFrom(parts, next);
            int slot = frame.items.count();
            if (count > 1) {
                planes(parts, next, count);
            } else {
                part(parts.get(next), next);
            }
            ItemValues item = frame.items.get(slot);
            if (frame.firstFlaw(item)) {
                Supplier<String> why = item.missing;
                int part = next;
                frame.items.incomplete = () -> "part " + part + ": " + why.get();
            }
            next += count;
        }
        frame.items.purpose = purpose.of(frame.items);
    }

    /** Number of parts from an index on that are planes of the same image; 1 for what is no plane. */
    private static int planesFrom(List<BlockInfo.Part> parts, int from) {
        BlockInfo.Part first = parts.get(from);
        int planes = planeCount(first.dataType());
        int count = 1;
        while (count < planes && from + count < parts.size()) {
            BlockInfo.Part next = parts.get(from + count);
            if (next.dataType() != first.dataType()
                    || next.sourceId() != first.sourceId()
                    || next.purposeId() != first.purposeId()
                    || next.regionId() != first.regionId()) {
                break;
            }
            count++;
        }
        return count;
    }

    private static int planeCount(int dataType) {
        if (dataType >= PART_FIRST_PLANE && dataType <= PART_LAST_PLANE) {
            return dataType;
        }
        return dataType >= PART_FIRST_3D_PLANE && dataType <= PART_LAST_3D_PLANE ? dataType - PART_3D_IMAGE + 1 : 1;
    }

    private void part(BlockInfo.Part part, int index) {
        ItemValues item = partItem(part, index);
        switch (part.dataType()) {
            case PART_CHUNK -> ItemRules.networkChunk(item, 0);
            case PART_JPEG -> {
                item.kind = Kind.JPEG;
            }
            case PART_JPEG2000 -> {
                item.kind = Kind.JPEG2000;
            }
            default -> {
                if (part.dataType() >= PART_IMAGE && part.dataType() <= PART_CONFIDENCE) {
                    imagePart(item);
                }
            }
        }
    }

    private static void imagePart(ItemValues item) {
        if (item.width > 0 && item.height > 0 && ItemRules.fits(item)) {
            ItemRules.image(item);
        } else if (item.missing == null) {
            item.missing = ItemRules.tooSmall(item);
        }
    }

    private void planes(List<BlockInfo.Part> parts, int first, int count) {
        int slot = frame.items.count();
        ItemValues group = frame.items.add();
        group.format(parts.get(first).format());
        FormatPlanes whole = FormatPlanes.of(group.format);
        boolean byWhole = whole.planes().size() == count;
        for (int i = 0; i < count; i++) {
            ItemValues item = partItem(parts.get(first + i), first + i);
            PlaneRole role = item.typeId == ComponentType.MULTISPECTRAL.id()
                    ? PlaneRole.BAND
                    : FormatPlanes.of(item.format).role();
            if (byWhole) {
                role = whole.planes().get(i).role();
                item.format = whole.planes().get(i).format();
            }
            ItemRules.plane(item, role, i, count);
        }
        ItemRules.group(frame.items, slot, count, "plane");
    }

    private ItemValues partItem(BlockInfo.Part part, int index) {
        ItemValues item = frame.items.add();
        item.format(part.dataType() == PART_CHUNK ? PfncCodes.DATA8 : part.format());
        item.typeId = typeOf(part, item.format);
        item.groupId = part.purposeId();
        item.sourceId = part.sourceId();
        item.regionId = part.regionId();
        item.timestamp = frame.block.timestampTicks();
        item.valid = true;
        item.component = index;
        if (part.image().isPresent() && ItemRules.sensible(part.image().get())) {
            ItemRules.geometry(item, part.image().get());
        }
        long offset = part.offsetBytes();
        long length = part.lengthBytes();
        if (frame.inFlow(0, offset, length)) {
            item.place(0, offset, length);
            item.missing = frame.missing(0, offset, length);
        } else {
            item.missing = () -> length + " bytes at " + offset + " do not fit the flow set";
        }
        return item;
    }

    /** What a part shows: its purpose id where it can be believed, else what data type and format say. */
    private static long typeOf(BlockInfo.Part part, PixelFormat pixelFormat) {
        int dataType = part.dataType();
        FormatPlanes format = FormatPlanes.of(pixelFormat);
        ComponentType named = ComponentType.of(part.purposeId());
        if (dataType == PART_CHUNK) {
            return ComponentType.METADATA.id();
        }
        if (dataType == PART_CONFIDENCE || format.role() == PlaneRole.CONFIDENCE) {
            return ComponentType.CONFIDENCE.id();
        }
        boolean isImage = dataType >= PART_IMAGE && dataType <= PART_JPEG2000;
        if (!isImage) {
            return part.purposeId();
        }
        boolean spatial = (dataType >= PART_3D_IMAGE && dataType <= PART_LAST_3D_PLANE) || format.coordinates();
        boolean believed = switch (named) {
            case RANGE, DISPARITY, CUSTOM -> true;
            case UNDEFINED, UNKNOWN, METADATA, CONFIDENCE -> false;
            default -> !spatial;
        };
        if (believed) {
            return part.purposeId();
        }
        return spatial ? ComponentType.RANGE.id() : ComponentType.INTENSITY.id();
    }
}
