package io.peregrine.composite;

import io.peregrine.composite.ItemValues.Kind;
import io.peregrine.gendc.ComponentType;
import io.peregrine.gendc.GenDcComponent;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.GenDcException;
import io.peregrine.gendc.GenDcPart;
import io.peregrine.gendc.PartType;
import io.peregrine.pfnc.PixelFormat;
import java.nio.ByteOrder;
import java.util.function.Supplier;

/**
 * A GenDC container. With one flow, parts are found by DataOffset; with several, by FlowId and FlowOffset (DataOffset
 * in flow 0, where devices leave FlowOffset at 0). The descriptor is at the start of flow 0. Components, in its order:
 *
 * <ul>
 *   <li>One uncompressed 2D part: an image by its format.
 *   <li>Several 2D or several 1D parts: the planes of one {@link PointCloudItem} when the component's format or the
 *       planes are three coordinates, else of one {@link PlanesItem}; bands when the component is multispectral.
 *   <li>A 1D part with three coordinates: a {@link PointCloudItem} of one line.
 *   <li>JPEG, JPEG 2000, H.264: a {@link CompressedItem}. Chunk data: a {@link ChunkItem}, little-endian.
 *   <li>All other parts are a {@link BufferItem}: one-dimensional, XML, custom and unknown ones, those of a metadata
 *       component that are not chunk data, and single ones that are rejected or have no place in memory. The last have
 *       no data.
 *   <li>A component that the device marked as invalid keeps its items, without data.
 * </ul>
 */
final class GenDcPayload {
    private static final int CONTAINER_HEADER_BYTES = 56;
    private static final int DESCRIPTOR_SIZE_AT = 48;
    /** Far beyond what devices send. */
    private static final long MAX_DESCRIPTOR_BYTES = 1L << 28;

    private final DescriptorReader descriptors = new DescriptorReader();
    private final MappedFrame frame;
    private final PurposeRule purpose;

    GenDcPayload(MappedFrame frame, PurposeRule purpose) {
        this.frame = frame;
        this.purpose = purpose;
    }

    /** Decides about a frame. */
    void map() {
        long size = frame.memory.covered(0, 0, CONTAINER_HEADER_BYTES)
                ? Integer.toUnsignedLong(frame.memory.littleEndianInt(DESCRIPTOR_SIZE_AT))
                : Long.MAX_VALUE;
        if (!frame.memory.covered(0, 0, size)) {
            frame.nothing(() -> "the descriptor did not arrive");
            return;
        }
        if (size > MAX_DESCRIPTOR_BYTES) {
            frame.nothing(() -> "a descriptor of " + size + " bytes cannot be used");
            return;
        }
        GenDcDescriptor descriptor;
        try {
            descriptor = descriptors.read(frame.memory, (int) size);
        } catch (GenDcException e) {
            String why = e.getMessage();
            frame.nothing(() -> "the descriptor cannot be used: " + why);
            return;
        }
        if (frame.items.incomplete == null && !descriptor.isFinal()) {
            frame.items.incomplete = () -> "the final descriptor did not arrive";
        }
        for (int c = 0; c < descriptor.components().size(); c++) {
            component(descriptor.components().get(c), c);
        }
        frame.items.id = descriptor.id();
        frame.items.descriptorBytes = descriptor.descriptorSizeBytes();
        frame.items.purpose = purpose.of(frame.items);
    }

    private void component(GenDcComponent component, int c) {
        int count = component.parts().size();
        if (count > 1 && planar(component)) {
            int slot = frame.items.count();
            planes(component, c);
            if (frame.firstFlaw(frame.items.get(slot))) {
                Supplier<String> why = frame.items.get(slot).missing;
                frame.items.incomplete = () -> "component " + c + " " + why.get();
            }
            return;
        }
        for (int p = 0; p < count; p++) {
            ItemValues item = part(component, c, p);
            if (frame.firstFlaw(item)) {
                Supplier<String> why = item.missing;
                int part = p;
                frame.items.incomplete = () -> "component " + c + " part " + part + ": " + why.get();
            }
        }
    }

    private static boolean planar(GenDcComponent component) {
        int type = component.parts().get(0).headerType();
        if (component.type() == ComponentType.METADATA || (type != PartType.IMAGE_2D && type != PartType.ARRAY_1D)) {
            return false;
        }
        for (int p = 1; p < component.parts().size(); p++) {
            if (component.parts().get(p).headerType() != type) {
                return false;
            }
        }
        return true;
    }

    private void planes(GenDcComponent component, int c) {
        int count = component.parts().size();
        int slot = frame.items.count();
        frame.items.add().format = component.pixelFormat();
        FormatPlanes whole = FormatPlanes.of(component.pixelFormat());
        for (int p = 0; p < count; p++) {
            ItemValues item = frame.items.add();
            fill(item, component, c, p);
            ItemRules.plane(item, roleOf(component, whole, item.format, p), p, count);
        }
        ItemRules.group(frame.items, slot, count, "part");
    }

    private static PlaneRole roleOf(GenDcComponent component, FormatPlanes whole, PixelFormat format, int index) {
        ComponentType type = component.type();
        if (type == ComponentType.CONFIDENCE) {
            return PlaneRole.CONFIDENCE;
        }
        if (type == ComponentType.MULTISPECTRAL) {
            return PlaneRole.BAND;
        }
        return whole.planes().size() == component.parts().size()
                ? whole.planes().get(index).role()
                : FormatPlanes.of(format).role();
    }

    private ItemValues part(GenDcComponent component, int c, int p) {
        GenDcPart part = component.parts().get(p);
        ItemValues item = frame.items.add();
        boolean possible = fill(item, component, c, p);
        int type = part.headerType();
        if (!possible || (component.type() == ComponentType.METADATA && type != PartType.METADATA_CHUNK)) {
            item.zipped = part.xmlZipped();
            return item;
        }
        switch (type) {
            case PartType.IMAGE_2D -> ItemRules.image(item);
            case PartType.ARRAY_1D -> {
                FormatPlanes planes = FormatPlanes.of(item.format);
                if (planes.points() && planes.interleaved()) {
                    item.kind = Kind.POINT_CLOUD;
                }
            }
            case PartType.IMAGE_2D_JPEG -> {
                item.kind = Kind.JPEG;
            }
            case PartType.IMAGE_2D_JPEG2000 -> {
                item.kind = Kind.JPEG2000;
            }
            case PartType.IMAGE_2D_H264 -> {
                item.kind = Kind.H264;
                item.h264 = part.h264();
            }
            case PartType.METADATA_CHUNK -> {
                item.kind = Kind.CHUNK;
                item.byteOrder = ByteOrder.LITTLE_ENDIAN;
                item.layoutId = part.layoutId();
                item.walkedBytes = walkedBytes(item, part.padding());
            }
            default -> item.zipped = part.xmlZipped();
        }
        return item;
    }

    /** Chunk data without its padding, which is inside of the data (GenDC 1.1 does not say so of this part type). */
    private static int walkedBytes(ItemValues item, int padding) {
        long elements = item.format.unalignedSizeBytes(item.width);
        long size = item.lengthBytes;
        long bytes = elements > 0 && elements <= size ? elements : Math.max(0, size - padding);
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    /**
     * Writes what component and part say into a slot, and where the data lies.
     *
     * @return whether place and geometry are possible
     */
    private boolean fill(ItemValues item, GenDcComponent component, int c, int p) {
        GenDcPart part = component.parts().get(p);
        item.typeId = component.typeId();
        item.partType = part.headerType();
        item.format = part.pixelFormat();
        item.offsetX = component.regionOffsetX();
        item.offsetY = component.regionOffsetY();
        item.groupId = component.groupId();
        item.sourceId = component.sourceId();
        item.regionId = component.regionId();
        item.timestamp = component.timestamp();
        item.valid = !component.invalid();
        item.component = c;
        item.part = p;
        boolean linear = frame.memory.flowCount() == 1;
        int flow = linear ? 0 : part.flowId();
        long offset = linear ? part.dataOffset() : part.flowPlace();
        long size = part.dataSize();
        boolean sensible = part.sizeX() <= Integer.MAX_VALUE && part.sizeY() <= Integer.MAX_VALUE;
        boolean possible = part.usable() && sensible && frame.inFlow(flow, offset, size);
        int width = 0;
        int height = 0;
        if (possible && part.is2d()) {
            width = (int) part.sizeX();
            height = (int) part.sizeY();
        } else if (possible && part.is1d()) {
            width = (int) Math.max(0, Math.min(part.size(), Integer.MAX_VALUE));
            height = 1;
        }
        item.geometry(
                width,
                height,
                part.paddingX(),
                part.is1d() ? part.padding() : part.paddingY(),
                part.headerType() == PartType.IMAGE_2D ? ItemValues.BY_SIZE : 0);
        item.missing =
                possible ? frame.missing(flow, offset, size) : () -> "its header has no possible place or geometry";
        if (possible && item.valid) {
            item.place(flow, offset, size);
        }
        return possible;
    }
}
