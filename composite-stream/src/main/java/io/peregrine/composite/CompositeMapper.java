package io.peregrine.composite;

import io.peregrine.gendc.ComponentType;
import io.peregrine.gendc.GenDcComponent;
import io.peregrine.gendc.GenDcContainer;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.GenDcException;
import io.peregrine.gendc.GenDcPart;
import io.peregrine.gendc.PartType;
import io.peregrine.gvsp.PayloadType;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pfnc.PixelFormat;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.FlowSet;
import io.peregrine.stream.IncompleteCause;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The rule by which a filled flow set becomes a composite. All of it is here.
 *
 * <p>Payloads:
 *
 * <ul>
 *   <li>An image becomes one {@link ImageItem} with the geometry of its leader; purpose {@link CompositePurpose#IMAGE}.
 *   <li>A GenDC container becomes items as below. With one flow, parts are found by DataOffset; with several, by FlowId
 *       and FlowOffset. The descriptor is at the start of flow 0.
 *   <li>Everything else becomes one {@link BufferItem}.
 * </ul>
 *
 * <p>Parts of a GenDC container, each one item in the order of the descriptor:
 *
 * <ul>
 *   <li>An uncompressed 2D part is an {@link ImageItem}; a {@link PlaneItem} when its component has several such parts
 *       (planar images and coordinates, bands), or when it is confidence.
 *   <li>All other parts are a {@link BufferItem}: compressed, one-dimensional, metadata, custom and unknown ones, and
 *       those that are rejected or have no place in the flow set. The last have no data.
 *   <li>A component that the device marked as invalid keeps its items, without data.
 * </ul>
 *
 * <p>Purpose of a GenDC composite, by its components without metadata and confidence:
 *
 * <ul>
 *   <li>One range component: {@link CompositePurpose#POINT_CLOUD} when its format has three coordinates, else {@link
 *       CompositePurpose#RANGE_MAP}.
 *   <li>One multispectral component: {@link CompositePurpose#IMAGE_CUBE}.
 *   <li>One component of intensity, infrared or ultraviolet: {@link CompositePurpose#IMAGE}.
 *   <li>Several of the same of these three types: {@link CompositePurpose#MULTI_AOI} when only regions differ, else
 *       {@link CompositePurpose#IMAGE_LIST}.
 *   <li>Everything else, mixtures among it: {@link CompositePurpose#CUSTOM}.
 * </ul>
 *
 * <p>A composite is complete when the transport says that the block is whole, the descriptor arrived and is final, and
 * the data of every valid part arrived. Memory of a flow set is used again and again, so nothing is believed that did
 * not arrive with this block.
 */
final class CompositeMapper {
    private static final int CONTAINER_HEADER_BYTES = 56;
    private static final int DESCRIPTOR_SIZE_AT = 48;
    private static final ByteBuffer NO_DATA = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private CompositeMapper() {}

    /** Makes a composite of a flow set that the caller holds a lease on. The composite takes the lease over. */
    static Composite map(FlowSet flowSet) {
        BlockInfo block = flowSet.block();
        Lease lease = new Lease(flowSet);
        Optional<String> transport = block.incomplete().map(cause -> describe(cause, block.missingPackets()));
        if (block.payloadType() == PayloadType.GENDC) {
            return container(flowSet, block, lease, transport);
        }
        if (block.image().isPresent()) {
            return image(flowSet, block, lease, transport, block.image().get());
        }
        if (block.payloadType() == PayloadType.IMAGE || block.payloadType() == 0) {
            return empty(block, lease, transport.orElse("the geometry of the image did not arrive"));
        }
        return raw(flowSet, block, lease, transport);
    }

    private static String describe(IncompleteCause cause, long missingPackets) {
        String text = cause.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return missingPackets > 0 ? text + " (" + missingPackets + ")" : text;
    }

    private static Composite empty(BlockInfo block, Lease lease, String reason) {
        return new Composite(
                lease,
                block.blockId(),
                block.blockId(),
                block.timestampTicks(),
                CompositePurpose.CUSTOM,
                Optional.of(reason),
                List.of());
    }

    private static Composite single(BlockInfo block, Lease lease, CompositePurpose purpose, Item item) {
        return new Composite(
                lease,
                block.blockId(),
                block.blockId(),
                block.timestampTicks(),
                purpose,
                item.incompleteReason(),
                List.of(item));
    }

    // ---- Image and raw payloads

    private static Composite image(
            FlowSet flowSet,
            BlockInfo block,
            Lease lease,
            Optional<String> transport,
            BlockInfo.ImageGeometry geometry) {
        PixelFormat format = PixelFormat.of(geometry.pixelFormat());
        long size = imageSizeBytes(format, geometry, block.payloadBytes());
        boolean placed = size >= 0
                && size <= flowSet.flowSizeBytes(0)
                && geometry.width() <= Integer.MAX_VALUE
                && geometry.height() <= Integer.MAX_VALUE;
        Optional<String> missing = transport;
        if (!placed) {
            missing = Optional.of("an image of " + geometry.width() + "x" + geometry.height() + " pixels of " + format
                    + " does not fit the flow set of " + flowSet.flowSizeBytes(0) + " bytes");
        } else if (missing.isEmpty() && !flowSet.covered(0, 0, size)) {
            missing = Optional.of("only " + flowSet.filledBytes(0) + " of " + size + " bytes of the image arrived");
        }
        Item.Values values = new Item.Values(
                ComponentType.INTENSITY.id(),
                0,
                format,
                placed ? (int) geometry.width() : 0,
                placed ? (int) geometry.height() : 0,
                geometry.paddingX(),
                geometry.paddingY(),
                geometry.offsetX(),
                geometry.offsetY(),
                0,
                0,
                0,
                block.timestampTicks(),
                true,
                missing);
        ByteBuffer data = placed ? flowSet.flow(0).slice(0, (int) size) : NO_DATA;
        return single(block, lease, CompositePurpose.IMAGE, new ImageItem(lease, values, data));
    }

    /** Lines that end on a byte, or lines that run on when only that is what the block has; -1 when not possible. */
    private static long imageSizeBytes(PixelFormat format, BlockInfo.ImageGeometry geometry, long payloadBytes) {
        try {
            long aligned = format.imageSizeBytes(
                    geometry.width(), geometry.height(), geometry.paddingX(), geometry.paddingY());
            long unaligned = Math.addExact(
                    format.unalignedSizeBytes(Math.multiplyExact(geometry.width(), geometry.height())),
                    (long) geometry.paddingY());
            return geometry.paddingX() == 0 && unaligned == payloadBytes ? unaligned : aligned;
        } catch (ArithmeticException | IllegalArgumentException e) {
            return -1;
        }
    }

    private static Composite raw(FlowSet flowSet, BlockInfo block, Lease lease, Optional<String> transport) {
        long size = Math.max(0, Math.min(block.payloadBytes(), flowSet.flowSizeBytes(0)));
        Optional<String> missing = transport;
        if (missing.isEmpty() && (size != block.payloadBytes() || !flowSet.covered(0, 0, size))) {
            missing = Optional.of(
                    "only " + flowSet.filledBytes(0) + " of " + block.payloadBytes() + " bytes of the block arrived");
        }
        Item.Values values = new Item.Values(
                ComponentType.UNDEFINED.id(),
                0,
                PixelFormat.of(PfncCodes.DATA8),
                (int) size,
                1,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                block.timestampTicks(),
                true,
                missing);
        BufferItem item = new BufferItem(lease, values, flowSet.flow(0).slice(0, (int) size));
        return single(block, lease, CompositePurpose.CUSTOM, item);
    }

    // ---- GenDC

    private static Composite container(FlowSet flowSet, BlockInfo block, Lease lease, Optional<String> transport) {
        boolean linear = flowSet.flowCount() == 1;
        ByteBuffer start = flowSet.flow(0).duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
        if (!flowSet.covered(0, 0, CONTAINER_HEADER_BYTES)
                || !flowSet.covered(0, 0, Integer.toUnsignedLong(start.getInt(DESCRIPTOR_SIZE_AT)))) {
            return empty(block, lease, withTransport("the descriptor did not arrive", transport));
        }
        GenDcDescriptor descriptor;
        try {
            descriptor = linear ? GenDcContainer.parse(start).descriptor() : GenDcDescriptor.parse(start);
        } catch (GenDcException e) {
            return empty(block, lease, withTransport("the descriptor cannot be used: " + e.getMessage(), transport));
        }
        List<Item> items = new ArrayList<>();
        Optional<String> reason = transport;
        if (reason.isEmpty() && !descriptor.isFinal()) {
            reason = Optional.of("the final descriptor did not arrive");
        }
        for (int c = 0; c < descriptor.components().size(); c++) {
            GenDcComponent component = descriptor.components().get(c);
            for (int p = 0; p < component.parts().size(); p++) {
                Item item = item(flowSet, lease, linear, component, p);
                items.add(item);
                if (reason.isEmpty() && item.valid() && !item.complete()) {
                    reason = Optional.of("component " + c + " part " + p + ": "
                            + item.incompleteReason().orElseThrow());
                }
            }
        }
        return new Composite(
                lease, descriptor.id(), block.blockId(), block.timestampTicks(), purpose(descriptor), reason, items);
    }

    private static String withTransport(String reason, Optional<String> transport) {
        return transport.map(text -> reason + ", " + text).orElse(reason);
    }

    private static Item item(FlowSet flowSet, Lease lease, boolean linear, GenDcComponent component, int index) {
        GenDcPart part = component.parts().get(index);
        int flow = linear ? 0 : part.flowId();
        long offset = linear ? part.dataOffset() : part.flowOffset();
        long size = part.dataSize();
        boolean sensible = part.sizeX() <= Integer.MAX_VALUE && part.sizeY() <= Integer.MAX_VALUE;
        boolean placed = part.usable()
                && sensible
                && flow < flowSet.flowCount()
                && offset >= 0
                && size >= 0
                && size <= flowSet.flowSizeBytes(flow) - offset;
        Optional<String> missing = Optional.empty();
        if (!placed) {
            missing = Optional.of("its header has no possible place or geometry");
        } else if (!flowSet.covered(flow, offset, size)) {
            missing = Optional.of("not all of its " + size + " bytes arrived");
        }
        boolean hasData = placed && !component.invalid();
        ByteBuffer data = hasData ? flowSet.flow(flow).slice((int) offset, (int) size) : NO_DATA;
        Item.Values values = values(component, part, placed, missing);
        if (!placed || part.headerType() != PartType.IMAGE_2D || component.type() == ComponentType.METADATA) {
            return new BufferItem(lease, values, data);
        }
        int planes = component.parts().size();
        if (planes > 1 || component.type() == ComponentType.CONFIDENCE) {
            return new PlaneItem(lease, values, data, role(component, part), index, planes);
        }
        return new ImageItem(lease, values, data);
    }

    private static Item.Values values(
            GenDcComponent component, GenDcPart part, boolean placed, Optional<String> missing) {
        int width = 0;
        int height = 0;
        if (placed && part.is2d()) {
            width = (int) part.sizeX();
            height = (int) part.sizeY();
        } else if (placed && part.is1d()) {
            width = (int) Math.max(0, Math.min(part.size(), Integer.MAX_VALUE));
            height = 1;
        }
        return new Item.Values(
                component.typeId(),
                part.headerType(),
                PixelFormat.of(part.format()),
                width,
                height,
                part.paddingX(),
                part.paddingY(),
                component.regionOffsetX(),
                component.regionOffsetY(),
                component.groupId(),
                component.sourceId(),
                component.regionId(),
                component.timestamp(),
                !component.invalid(),
                missing);
    }

    private static PlaneRole role(GenDcComponent component, GenDcPart part) {
        if (component.type() == ComponentType.CONFIDENCE) {
            return PlaneRole.CONFIDENCE;
        }
        if (component.type() == ComponentType.MULTISPECTRAL) {
            return PlaneRole.BAND;
        }
        String name = PixelFormat.of(part.format()).name();
        if (name.startsWith("Coord3D_")) {
            return switch (name.substring("Coord3D_".length()).replaceFirst("\\d.*", "")) {
                case "A" -> PlaneRole.X;
                case "B" -> PlaneRole.Y;
                case "C" -> PlaneRole.Z;
                default -> PlaneRole.UNDEFINED;
            };
        }
        return switch (name.replaceFirst("\\d.*", "")) {
            case "R" -> PlaneRole.RED;
            case "G" -> PlaneRole.GREEN;
            case "B" -> PlaneRole.BLUE;
            default -> PlaneRole.UNDEFINED;
        };
    }

    private static CompositePurpose purpose(GenDcDescriptor descriptor) {
        List<GenDcComponent> main = descriptor.components().stream()
                .filter(c -> c.type() != ComponentType.METADATA && c.type() != ComponentType.CONFIDENCE)
                .toList();
        if (main.isEmpty()) {
            return CompositePurpose.CUSTOM;
        }
        GenDcComponent first = main.get(0);
        boolean sameType = main.stream().allMatch(c -> c.typeId() == first.typeId());
        boolean one = main.size() == 1;
        return switch (first.type()) {
            case RANGE -> one ? rangePurpose(first) : CompositePurpose.CUSTOM;
            case MULTISPECTRAL -> one ? CompositePurpose.IMAGE_CUBE : CompositePurpose.CUSTOM;
            case INTENSITY, INFRARED, ULTRAVIOLET ->
                one ? CompositePurpose.IMAGE : sameType ? severalPurpose(main) : CompositePurpose.CUSTOM;
            default -> CompositePurpose.CUSTOM;
        };
    }

    private static CompositePurpose rangePurpose(GenDcComponent range) {
        return PixelFormat.of(range.format()).name().startsWith("Coord3D_ABC")
                ? CompositePurpose.POINT_CLOUD
                : CompositePurpose.RANGE_MAP;
    }

    private static CompositePurpose severalPurpose(List<GenDcComponent> images) {
        GenDcComponent first = images.get(0);
        Set<Integer> regions = new HashSet<>();
        boolean sameFrame = true;
        for (GenDcComponent image : images) {
            regions.add(image.regionId());
            sameFrame &= image.sourceId() == first.sourceId()
                    && image.groupId() == first.groupId()
                    && image.timestamp() == first.timestamp();
        }
        return sameFrame && regions.size() == images.size() ? CompositePurpose.MULTI_AOI : CompositePurpose.IMAGE_LIST;
    }
}
