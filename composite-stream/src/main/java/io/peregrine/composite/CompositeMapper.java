package io.peregrine.composite;

import io.peregrine.composite.CompressedItem.Compression;
import io.peregrine.gendc.ComponentType;
import io.peregrine.gendc.GenDcComponent;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.GenDcException;
import io.peregrine.gendc.GenDcPart;
import io.peregrine.gendc.H264Parameters;
import io.peregrine.gendc.PartType;
import io.peregrine.gvsp.PayloadType;
import io.peregrine.pfnc.LineRule;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pfnc.PixelFormat;
import io.peregrine.pfnc.PixelFormatException;
import io.peregrine.pfnc.PixelLayout;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.BlockInfo.ChunkRange;
import io.peregrine.stream.BlockInfo.ImageGeometry;
import io.peregrine.stream.BlockPart;
import io.peregrine.stream.IncompleteCause;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The rule by which a received block becomes a composite. All of it is here.
 *
 * <p>Payloads:
 *
 * <ul>
 *   <li>An image (also extended chunk and multi-zone) becomes one image by its format, as below, with the geometry of its
 *       leader. Its type is range or confidence when its format says so, else intensity.
 *   <li>JPEG, JPEG 2000 and H.264 become a {@link CompressedItem}.
 *   <li>Chunk data behind or instead of the payload becomes a {@link ChunkItem}, big-endian, after the other items.
 *   <li>Parts of a multi-part block: images by their format; planes that follow each other, with the same source, region
 *       and purpose, become one item; confidence a {@link PlaneItem}; chunk data a big-endian {@link ChunkItem}; JPEG and
 *       JPEG 2000 a {@link CompressedItem}; all others a {@link BufferItem}. The purpose id is the type when it is one of
 *       ComponentIDValue (SFNC 2.7.1) and does not contradict data type and format, else these tell the type.
 *   <li>A GenDC container becomes items as below. With one flow, parts are found by DataOffset; with several, by FlowId
 *       and FlowOffset (DataOffset in flow 0, where devices leave FlowOffset out). The descriptor is at the start of flow 0.
 *   <li>Everything else becomes one {@link BufferItem}.
 * </ul>
 *
 * <p>Images by their format, whatever the payload:
 *
 * <ul>
 *   <li>A component or format of confidence: a {@link PlaneItem}.
 *   <li>Three coordinates (Coord3D_ABC), planar or not: a {@link PointCloudItem}.
 *   <li>Two coordinates (Coord3D_AC), and planar and semi-planar formats: a {@link PlanesItem}.
 *   <li>Pixels and components of whole bytes: an {@link ImageItem}.
 *   <li>All others, unknown formats among them: a {@link PackedItem}.
 * </ul>
 *
 * <p>Components of a GenDC container, in the order of the descriptor:
 *
 * <ul>
 *   <li>One uncompressed 2D part: an image by its format.
 *   <li>Several 2D or several 1D parts: the planes of one {@link PointCloudItem} when the component's format or the planes
 *       are three coordinates, else of one {@link PlanesItem}; bands when the component is multispectral.
 *   <li>A 1D part with three coordinates: a {@link PointCloudItem} of one line.
 *   <li>JPEG, JPEG 2000, H.264: a {@link CompressedItem}. Chunk data: a {@link ChunkItem}, little-endian.
 *   <li>All other parts are a {@link BufferItem}: one-dimensional, XML, custom and unknown ones, those of a metadata
 *       component that are not chunk data, and single ones that are rejected or have no place in memory. The last have no
 *       data.
 *   <li>A component that the device marked as invalid keeps its items, without data.
 * </ul>
 *
 * <p>Purpose, by the components (or parts) without metadata and confidence:
 *
 * <ul>
 *   <li>One of range: {@link CompositePurpose#POINT_CLOUD} when it has three coordinates, else {@link
 *       CompositePurpose#RANGE_MAP}.
 *   <li>One multispectral: {@link CompositePurpose#IMAGE_CUBE}.
 *   <li>One of intensity, infrared or ultraviolet: {@link CompositePurpose#IMAGE}.
 *   <li>Several of the same of these three types: {@link CompositePurpose#MULTI_AOI} when only regions differ, else
 *       {@link CompositePurpose#IMAGE_LIST}.
 *   <li>Everything else, mixtures among it: {@link CompositePurpose#CUSTOM}.
 * </ul>
 *
 * <p>A composite is complete when the transport says that the block is whole, a descriptor arrived and is final, and the
 * data of every valid part arrived. Memory of a flow set is used again and again, so nothing is believed that did not
 * arrive with this block.
 */
final class CompositeMapper {
    private static final int CONTAINER_HEADER_BYTES = 56;
    private static final int DESCRIPTOR_SIZE_AT = 48;

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

    private final FrameMemory memory;
    private final BlockInfo block;
    private final Lease lease;
    private final DescriptorReader descriptors;
    private final List<Item> items = new ArrayList<>();
    private final Optional<String> transport;
    private Optional<String> reason;

    private CompositeMapper(FrameMemory memory, BlockInfo block, Lease lease, DescriptorReader descriptors) {
        this.memory = memory;
        this.block = block;
        this.lease = lease;
        this.descriptors = descriptors;
        transport = block.incomplete().map(cause -> describe(cause, block.missingPackets()));
        reason = transport;
    }

    /**
     * Makes a composite of a block.
     *
     * @param memory where it lies
     * @param block what the transport says about it
     * @param lease the lease on the memory, which the composite takes over
     * @param descriptors used for a GenDC container
     */
    static Composite map(FrameMemory memory, BlockInfo block, Lease lease, DescriptorReader descriptors) {
        CompositeMapper mapper = new CompositeMapper(memory, block, lease, descriptors);
        int base = block.payloadType() & ~PayloadType.CHUNK_BIT;
        return switch (base) {
            case PayloadType.GENDC -> mapper.container();
            case PayloadType.MULTI_PART -> mapper.multiPart();
            default -> mapper.plain(base);
        };
    }

    private static String describe(IncompleteCause cause, long missingPackets) {
        String text = cause.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return missingPackets > 0 ? text + " (" + missingPackets + ")" : text;
    }

    private Composite composite(long id, CompositePurpose purpose, int descriptorBytes) {
        return new Composite(lease, new Composite.Frame(id, block, purpose, reason, descriptorBytes), items);
    }

    private Composite nothing(String why) {
        reason = Optional.of(reason.map(transport -> why + ", " + transport).orElse(why));
        return composite(block.blockId(), CompositePurpose.CUSTOM, 0);
    }

    /** The first reason counts: the transport's, then that of the first item that has one. */
    private void incomplete(Item item, String prefix) {
        if (reason.isEmpty() && item.valid() && !item.complete()) {
            reason = Optional.of(prefix + item.incompleteReason().orElseThrow());
        }
    }

    // ---- Images by their format

    /** An uncompressed image of any format. */
    private Item image(Item.Values values, Place place) {
        PixelFormat format = values.format();
        FormatPlanes planes = FormatPlanes.of(format);
        if (values.typeId() == ComponentType.CONFIDENCE.id() || planes.role() == PlaneRole.CONFIDENCE) {
            return new PlaneItem(lease, values, place, PlaneRole.CONFIDENCE, 0, 1, pixelStride(format));
        }
        if (planes.planes().isEmpty()) {
            return planes.wholeBytes() ? new ImageItem(lease, values, place) : new PackedItem(lease, values, place);
        }
        if (!planes.interleaved()) {
            return group(values, place, consecutive(values, place, planes), false);
        }
        return planes.wholeBytes() || planes.points()
                ? group(values, place, interleaved(values, place, planes), false)
                : new PackedItem(lease, values, place);
    }

    private Item group(Item.Values values, Place place, List<PlaneItem> planes, boolean separate) {
        return FormatPlanes.of(values.format()).points() || coordinates(planes)
                ? new PointCloudItem(lease, values, place, planes, separate)
                : new PlanesItem(lease, values, place, planes, separate);
    }

    private static boolean coordinates(List<PlaneItem> planes) {
        return planes.size() == 3
                && planes.get(0).role() == PlaneRole.X
                && planes.get(1).role() == PlaneRole.Y
                && planes.get(2).role() == PlaneRole.Z;
    }

    private static int pixelStride(PixelFormat format) {
        return FormatPlanes.of(format).wholeBytes() ? (int) format.lineSizeBytes(1) : 0;
    }

    /** Views of the coordinates of points which lie point by point; none when coordinates share bytes. */
    private List<PlaneItem> interleaved(Item.Values values, Place place, FormatPlanes format) {
        List<PlaneItem> result = new ArrayList<>(format.planes().size());
        if (!format.wholeBytes()) {
            return result;
        }
        int pixelStride = (int) values.format().lineSizeBytes(1);
        long stride = values.strideBytes() == 0 ? 0 : values.strideBytes(place.lengthBytes());
        long skipped = 0;
        for (FormatPlanes.Plane plane : format.planes()) {
            Item.Values own = values.with(plane.format(), values.width(), values.height(), 0, 0, stride);
            Place from = skipped <= place.lengthBytes() ? place.within(skipped, place.lengthBytes() - skipped) : place;
            result.add(new PlaneItem(
                    lease,
                    own,
                    from,
                    plane.role(),
                    result.size(),
                    format.planes().size(),
                    pixelStride));
            skipped += plane.format().lineSizeBytes(1);
        }
        return result;
    }

    /** Planes of one part, one after the other; each has the padding of lines that the part has. */
    private List<PlaneItem> consecutive(Item.Values values, Place place, FormatPlanes format) {
        List<PlaneItem> result = new ArrayList<>(format.planes().size());
        Optional<PixelLayout> layout = values.layout(place.lengthBytes());
        boolean runOn = layout.filter(known -> known.rule() == LineRule.RUN_ON).isPresent();
        for (FormatPlanes.Plane plane : format.planes()) {
            int index = result.size();
            int width = divided(values.width(), plane.columns());
            int height = divided(values.height(), plane.rows());
            long from = layout.map(known -> known.planeOffsetBytes(index)).orElse(0L);
            long strideBits = layout.map(known -> known.strideBits(index)).orElse(0L);
            // The layout has this product and found it to be within 63 bits.
            long needed = (strideBits * height + Byte.SIZE - 1) / Byte.SIZE;
            long size = Math.max(0, Math.min(needed, place.lengthBytes() - from));
            Item.Values own = values.with(
                    plane.format(), width, height, values.paddingX(), 0, runOn ? 0 : strideBits / Byte.SIZE);
            if (size < needed && own.valid() && own.missing().isEmpty()) {
                own = own.missing(Optional.of("its data ends in the middle"));
            }
            result.add(new PlaneItem(
                    lease,
                    own,
                    size == 0 ? Place.NONE : place.within(from, size),
                    plane.role(),
                    index,
                    format.planes().size(),
                    pixelStride(plane.format())));
        }
        return result;
    }

    private static int divided(int value, int by) {
        return value / by + (value % by == 0 ? 0 : 1);
    }

    // ---- Image, compressed, chunk and raw payloads

    private Composite plain(int base) {
        Optional<ChunkRange> chunk = block.chunk();
        if (block.image().isPresent()) {
            items.add(plainImage(block.image().get(), chunk));
        } else if (base == 0
                || base == PayloadType.IMAGE
                || base == PayloadType.EXTENDED_CHUNK
                || base == PayloadType.MULTI_ZONE) {
            if (chunk.isEmpty()) {
                return reason.isPresent()
                        ? composite(block.blockId(), CompositePurpose.CUSTOM, 0)
                        : nothing("the geometry of the image did not arrive");
            }
        } else if (base != PayloadType.CHUNK || chunk.isEmpty()) {
            items.add(bytes(compressionOf(base), chunk));
        }
        chunk.ifPresent(range -> items.add(plainChunk(range)));
        items.forEach(item -> incomplete(item, ""));
        return composite(block.blockId(), purpose(), 0);
    }

    private Item plainImage(ImageGeometry geometry, Optional<ChunkRange> chunk) {
        PixelFormat format = PixelFormat.of(geometry.pixelFormat());
        // Extended chunk data of 1.2 is the whole payload, image included: then its start is no end of the image.
        long available = chunk.filter(range -> range.offsetBytes() > 0)
                .map(ChunkRange::offsetBytes)
                .orElse(block.payloadBytes());
        long size = imageBytes(format, geometry, available);
        boolean placed = size >= 0 && size <= memory.flowSizeBytes(0) && sensible(geometry);
        Optional<String> missing;
        if (!placed) {
            missing = Optional.of("an image of " + geometry.width() + "x" + geometry.height() + " pixels of " + format
                    + " does not fit the flow set of " + memory.flowSizeBytes(0) + " bytes");
        } else {
            missing = missing(0, 0, size);
        }
        FormatPlanes planes = FormatPlanes.of(format);
        ComponentType type = planes.coordinates()
                ? ComponentType.RANGE
                : planes.role() == PlaneRole.CONFIDENCE ? ComponentType.CONFIDENCE : ComponentType.INTENSITY;
        Item.Values values = values(type.id(), format, placed ? Optional.of(geometry) : Optional.empty(), missing, 0);
        return image(values, placed ? new Place(0, 0, (int) size) : Place.NONE);
    }

    /** Why a range cannot be relied on; empty when all of it arrived and the device does not take it back. */
    private Optional<String> missing(int flow, long offset, long length) {
        if (memory.covered(flow, offset, length)) {
            boolean withdrawn = block.incomplete()
                    .filter(cause -> cause == IncompleteCause.DEVICE_ERROR)
                    .isPresent();
            return withdrawn ? transport : Optional.empty();
        }
        return Optional.of("not all of its " + length + " bytes arrived");
    }

    /** Bytes of an image that is sent in a payload of a size; -1 when it cannot be. */
    private static long imageBytes(PixelFormat format, ImageGeometry geometry, long payloadBytes) {
        try {
            return PixelLayout.resolve(
                            format,
                            geometry.width(),
                            geometry.height(),
                            geometry.paddingX(),
                            geometry.paddingY(),
                            payloadBytes)
                    .sizeBytes();
        } catch (PixelFormatException e) {
            return -1;
        }
    }

    private static boolean sensible(ImageGeometry geometry) {
        return geometry.width() <= Integer.MAX_VALUE && geometry.height() <= Integer.MAX_VALUE;
    }

    private Item.Values values(
            long typeId, PixelFormat format, Optional<ImageGeometry> geometry, Optional<String> missing, int index) {
        return new Item.Values(
                typeId,
                0,
                format,
                geometry.map(g -> (int) g.width()).orElse(0),
                geometry.map(g -> (int) g.height()).orElse(0),
                geometry.map(ImageGeometry::paddingX).orElse(0),
                geometry.map(ImageGeometry::paddingY).orElse(0),
                geometry.map(ImageGeometry::offsetX).orElse(0L),
                geometry.map(ImageGeometry::offsetY).orElse(0L),
                0,
                0,
                0,
                block.timestampTicks(),
                true,
                missing,
                index,
                0,
                geometry.isPresent() ? Item.Values.BY_SIZE : 0);
    }

    private static Optional<Compression> compressionOf(int base) {
        return switch (base) {
            case PayloadType.JPEG -> Optional.of(Compression.JPEG);
            case PayloadType.JPEG2000 -> Optional.of(Compression.JPEG2000);
            case PayloadType.H264 -> Optional.of(Compression.H264);
            default -> Optional.empty();
        };
    }

    /** All bytes of the block up to the chunk data. */
    private Item bytes(Optional<Compression> compression, Optional<ChunkRange> chunk) {
        long promised = chunk.map(ChunkRange::offsetBytes).orElse(block.payloadBytes());
        int size = (int) Math.max(0, Math.min(promised, memory.flowSizeBytes(0)));
        Optional<String> missing = reason;
        if (missing.isEmpty() && (size != promised || !memory.covered(0, 0, size))) {
            missing = Optional.of("only " + memory.filledBytes(0) + " of " + promised + " bytes of the block arrived");
        }
        Place place = new Place(0, 0, size);
        if (compression.isPresent()) {
            int format =
                    block.compression().map(BlockInfo.Compression::dataFormat).orElse(0);
            return new CompressedItem(
                    lease,
                    values(ComponentType.INTENSITY.id(), PixelFormat.of(format), Optional.empty(), missing, 0),
                    place,
                    compression.get(),
                    block.compression().flatMap(BlockInfo.Compression::h264).flatMap(CompositeMapper::h264));
        }
        Item.Values values =
                values(ComponentType.UNDEFINED.id(), PixelFormat.of(PfncCodes.DATA8), Optional.empty(), missing, 0);
        return new BufferItem(lease, values.with(values.format(), size, 1, 0, 0, 0), place, false);
    }

    /** Empty when a number is larger than its field in any standard. */
    private static Optional<H264Parameters> h264(BlockInfo.H264Parameters sent) {
        try {
            return Optional.of(new H264Parameters(
                    sent.profileIdc(),
                    sent.constraintSets(),
                    sent.packetizationMode(),
                    sent.levelIdc(),
                    sent.interleavingDepth(),
                    Math.toIntExact(sent.maxDonDiff()),
                    sent.deinterleavingBufferBytes(),
                    sent.initialBufferTime()));
        } catch (IllegalArgumentException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    private Item plainChunk(ChunkRange range) {
        long offset = range.offsetBytes();
        long length = range.lengthBytes();
        boolean placed = offset <= memory.flowSizeBytes(0) && length <= memory.flowSizeBytes(0) - offset;
        Optional<String> missing;
        if (!placed) {
            missing = Optional.of("chunk data of " + length + " bytes at " + offset + " does not fit the flow set");
        } else {
            missing = missing(0, offset, length);
        }
        Place place = placed ? new Place(0, offset, (int) length) : Place.NONE;
        Item.Values values = values(
                        ComponentType.METADATA.id(), PixelFormat.of(PfncCodes.DATA8), Optional.empty(), missing, 0)
                .with(PixelFormat.of(PfncCodes.DATA8), place.lengthBytes(), 1, 0, 0, 0);
        return new ChunkItem(lease, values, place, ByteOrder.BIG_ENDIAN, range.layoutId(), place);
    }

    // ---- Multi-part

    private Composite multiPart() {
        List<BlockPart> parts = block.parts();
        if (parts.isEmpty()) {
            return nothing("the list of parts did not arrive");
        }
        int next = 0;
        while (next < parts.size()) {
            int count = planesFrom(parts, next);
            Item item = count > 1 ? planes(parts, next, count) : part(parts.get(next), next);
            items.add(item);
            incomplete(item, "part " + next + ": ");
            next += count;
        }
        return composite(block.blockId(), purpose(), 0);
    }

    /** Number of parts from an index on that are planes of the same image; 1 for what is no plane. */
    private static int planesFrom(List<BlockPart> parts, int from) {
        BlockPart first = parts.get(from);
        int planes = planeCount(first.dataType());
        int count = 1;
        while (count < planes && from + count < parts.size()) {
            BlockPart next = parts.get(from + count);
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

    private Item part(BlockPart part, int index) {
        Place place = place(0, part.offsetBytes(), part.lengthBytes());
        Item.Values values = values(part, place, index, PixelFormat.of(part.format()));
        return switch (part.dataType()) {
            case PART_CHUNK -> {
                Item.Values plain = values.with(PixelFormat.of(PfncCodes.DATA8), place.lengthBytes(), 1, 0, 0, 0);
                yield new ChunkItem(lease, plain, place, ByteOrder.BIG_ENDIAN, 0, place);
            }
            case PART_JPEG -> new CompressedItem(lease, values, place, Compression.JPEG, Optional.empty());
            case PART_JPEG2000 -> new CompressedItem(lease, values, place, Compression.JPEG2000, Optional.empty());
            default ->
                part.dataType() >= PART_IMAGE && part.dataType() <= PART_CONFIDENCE
                        ? imagePart(values, place)
                        : new BufferItem(lease, values, place, false);
        };
    }

    private Item imagePart(Item.Values values, Place place) {
        if (values.width() > 0 && values.height() > 0 && values.fit(place.lengthBytes())) {
            return image(values, place);
        }
        Item.Values known =
                values.missing().isPresent() ? values : values.missing(Optional.of(tooSmall(values, place)));
        return new BufferItem(lease, known, place, false);
    }

    private Item planes(List<BlockPart> parts, int first, int count) {
        List<PlaneItem> planes = new ArrayList<>(count);
        FormatPlanes whole = FormatPlanes.of(PixelFormat.of(parts.get(first).format()));
        boolean byWhole = whole.planes().size() == count;
        for (int i = 0; i < count; i++) {
            BlockPart part = parts.get(first + i);
            Place place = place(0, part.offsetBytes(), part.lengthBytes());
            PixelFormat format = byWhole ? whole.planes().get(i).format() : PixelFormat.of(part.format());
            PlaneRole role = byWhole ? whole.planes().get(i).role() : roleOf(part, format);
            Item.Values values = values(part, place, first + i, format);
            planes.add(plane(values, place, role, i, count));
        }
        PlaneItem leader = planes.get(0);
        Item.Values values = leader.values()
                .with(
                        PixelFormat.of(parts.get(first).format()),
                        leader.width(),
                        leader.height(),
                        leader.paddingX(),
                        leader.paddingY(),
                        leader.strideBytes())
                .missing(missingOf(planes));
        return group(values, PlaneGroup.place(planes), planes, true);
    }

    private static PlaneRole roleOf(BlockPart part, PixelFormat format) {
        return typeOf(part) == ComponentType.MULTISPECTRAL.id()
                ? PlaneRole.BAND
                : FormatPlanes.of(format).role();
    }

    /** A plane that is a part of its own; one whose geometry needs more bytes than it has says so. */
    private PlaneItem plane(Item.Values values, Place place, PlaneRole role, int index, int count) {
        Item.Values known = values;
        if (known.missing().isEmpty() && known.valid() && !known.fit(place.lengthBytes())) {
            known = known.missing(Optional.of(tooSmall(values, place)));
        }
        return new PlaneItem(lease, known, place, role, index, count, pixelStride(values.format()));
    }

    private static String tooSmall(Item.Values values, Place place) {
        return values.width() + "x" + values.height() + " values of " + values.format() + " do not fit its "
                + place.lengthBytes() + " bytes";
    }

    private static Optional<String> missingOf(List<PlaneItem> planes) {
        for (PlaneItem plane : planes) {
            if (plane.values().missing().isPresent()) {
                return Optional.of("plane " + plane.plane() + ": "
                        + plane.values().missing().get());
            }
        }
        return Optional.empty();
    }

    private Item.Values values(BlockPart part, Place place, int index, PixelFormat format) {
        Optional<ImageGeometry> geometry = part.image().filter(CompositeMapper::sensible);
        long length = part.lengthBytes();
        Optional<String> missing;
        if (place.lengthBytes() != length) {
            missing = Optional.of(length + " bytes at " + part.offsetBytes() + " do not fit the flow set");
        } else {
            missing = missing(0, part.offsetBytes(), length);
        }
        Item.Values plain = values(typeOf(part), format, geometry, missing, index);
        return new Item.Values(
                plain.typeId(),
                0,
                format,
                plain.width(),
                plain.height(),
                plain.paddingX(),
                plain.paddingY(),
                plain.offsetX(),
                plain.offsetY(),
                part.purposeId(),
                part.sourceId(),
                part.regionId(),
                plain.timestamp(),
                true,
                missing,
                index,
                0,
                plain.strideBytes());
    }

    /** What a part shows: its purpose id where it can be believed, else what data type and format say. */
    private static long typeOf(BlockPart part) {
        int dataType = part.dataType();
        FormatPlanes format = FormatPlanes.of(PixelFormat.of(part.format()));
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

    /** A range of a flow; none when the flow is not so large. */
    private Place place(int flow, long offset, long length) {
        long size = memory.flowSizeBytes(flow);
        return offset >= 0 && length >= 0 && offset <= size && length <= size - offset
                ? new Place(flow, offset, (int) length)
                : Place.NONE;
    }

    // ---- GenDC

    private Composite container() {
        boolean linear = memory.flowCount() == 1;
        if (!memory.covered(0, 0, CONTAINER_HEADER_BYTES)) {
            return nothing("the descriptor did not arrive");
        }
        long size = Integer.toUnsignedLong(memory.view(0, DESCRIPTOR_SIZE_AT, Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt(0));
        if (!memory.covered(0, 0, size)) {
            return nothing("the descriptor did not arrive");
        }
        GenDcDescriptor descriptor;
        try {
            descriptor = descriptors.read(memory, (int) size);
        } catch (GenDcException e) {
            return nothing("the descriptor cannot be used: " + e.getMessage());
        }
        if (reason.isEmpty() && !descriptor.isFinal()) {
            reason = Optional.of("the final descriptor did not arrive");
        }
        for (int c = 0; c < descriptor.components().size(); c++) {
            component(linear, descriptor.components().get(c), c);
        }
        return composite(descriptor.id(), purpose(), descriptor.descriptorSizeBytes());
    }

    private void component(boolean linear, GenDcComponent component, int c) {
        int count = component.parts().size();
        if (count > 1 && planar(component)) {
            Item item = planes(linear, component, c);
            items.add(item);
            incomplete(item, "component " + c + " ");
            return;
        }
        for (int p = 0; p < count; p++) {
            Item item = part(linear, component, c, p);
            items.add(item);
            incomplete(item, "component " + c + " part " + p + ": ");
        }
    }

    private static boolean planar(GenDcComponent component) {
        int type = component.parts().get(0).headerType();
        if (component.type() == ComponentType.METADATA || (type != PartType.IMAGE_2D && type != PartType.ARRAY_1D)) {
            return false;
        }
        for (GenDcPart part : component.parts()) {
            if (part.headerType() != type) {
                return false;
            }
        }
        return true;
    }

    private Item planes(boolean linear, GenDcComponent component, int c) {
        int count = component.parts().size();
        List<PlaneItem> planes = new ArrayList<>(count);
        FormatPlanes whole = FormatPlanes.of(PixelFormat.of(component.format()));
        for (int p = 0; p < count; p++) {
            GenDcPart part = component.parts().get(p);
            Found found = find(linear, component, part);
            Item.Values values = values(component, part, found, c, p);
            PlaneRole role = roleOf(component, whole, values.format(), p);
            planes.add(plane(values, found.place(), role, p, count));
        }
        PlaneItem first = planes.get(0);
        Item.Values values = first.values()
                .with(
                        PixelFormat.of(component.format()),
                        first.width(),
                        first.height(),
                        first.paddingX(),
                        first.paddingY(),
                        first.strideBytes())
                .missing(missingOf(planes).map(text -> text.replaceFirst("^plane", "part")));
        return group(values, PlaneGroup.place(planes), planes, true);
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

    /** Where a part lies, and what is wrong with it. */
    private record Found(boolean placed, Place place, Optional<String> missing) {}

    private Found find(boolean linear, GenDcComponent component, GenDcPart part) {
        int flow = linear ? 0 : part.flowId();
        long offset = linear ? part.dataOffset() : part.flowPlace();
        long size = part.dataSize();
        boolean sensible = part.sizeX() <= Integer.MAX_VALUE && part.sizeY() <= Integer.MAX_VALUE;
        boolean placed = part.usable()
                && sensible
                && flow < memory.flowCount()
                && offset >= 0
                && size >= 0
                && offset <= memory.flowSizeBytes(flow)
                && size <= memory.flowSizeBytes(flow) - offset;
        Optional<String> missing;
        if (!placed) {
            missing = Optional.of("its header has no possible place or geometry");
        } else {
            missing = missing(flow, offset, size);
        }
        boolean hasData = placed && !component.invalid();
        return new Found(placed, hasData ? new Place(flow, offset, (int) size) : Place.NONE, missing);
    }

    private Item part(boolean linear, GenDcComponent component, int c, int p) {
        GenDcPart part = component.parts().get(p);
        Found found = find(linear, component, part);
        Item.Values values = values(component, part, found, c, p);
        Place place = found.place();
        int type = part.headerType();
        if (!found.placed() || (component.type() == ComponentType.METADATA && type != PartType.METADATA_CHUNK)) {
            return new BufferItem(lease, values, place, part.xmlZipped());
        }
        return switch (type) {
            case PartType.IMAGE_2D -> image(values, place);
            case PartType.ARRAY_1D -> array(values, place);
            case PartType.IMAGE_2D_JPEG -> new CompressedItem(lease, values, place, Compression.JPEG, Optional.empty());
            case PartType.IMAGE_2D_JPEG2000 ->
                new CompressedItem(lease, values, place, Compression.JPEG2000, Optional.empty());
            case PartType.IMAGE_2D_H264 -> new CompressedItem(lease, values, place, Compression.H264, part.h264());
            case PartType.METADATA_CHUNK ->
                new ChunkItem(
                        lease, values, place, ByteOrder.LITTLE_ENDIAN, part.layoutId(), walked(values, part, place));
            default -> new BufferItem(lease, values, place, part.xmlZipped());
        };
    }

    private Item array(Item.Values values, Place place) {
        FormatPlanes planes = FormatPlanes.of(values.format());
        if (planes.points() && planes.interleaved()) {
            return group(values, place, interleaved(values, place, planes), false);
        }
        return new BufferItem(lease, values, place, false);
    }

    /** Chunk data without its padding, which is inside of the data (GenDC 1.1 does not say so of this part type). */
    private static Place walked(Item.Values values, GenDcPart part, Place place) {
        long elements = values.format().unalignedSizeBytes(values.width());
        long size = place.lengthBytes();
        long valid = elements > 0 && elements <= size ? elements : Math.max(0, size - part.padding());
        return place.none() ? place : place.within(0, valid);
    }

    private static Item.Values values(GenDcComponent component, GenDcPart part, Found found, int c, int p) {
        int width = 0;
        int height = 0;
        if (found.placed() && part.is2d()) {
            width = (int) part.sizeX();
            height = (int) part.sizeY();
        } else if (found.placed() && part.is1d()) {
            width = (int) Math.max(0, Math.min(part.size(), Integer.MAX_VALUE));
            height = 1;
        }
        return new Item.Values(
                component.typeId(),
                part.headerType(),
                part.pixelFormat(),
                width,
                height,
                part.paddingX(),
                part.is1d() ? part.padding() : part.paddingY(),
                component.regionOffsetX(),
                component.regionOffsetY(),
                component.groupId(),
                component.sourceId(),
                component.regionId(),
                component.timestamp(),
                !component.invalid(),
                found.missing(),
                c,
                p,
                part.headerType() == PartType.IMAGE_2D ? Item.Values.BY_SIZE : 0);
    }

    // ---- Purpose

    private CompositePurpose purpose() {
        List<Item> main = new ArrayList<>(items.size());
        int component = -1;
        for (Item item : items) {
            ComponentType type = item.componentType();
            // Further parts of the same component do not count.
            if (type != ComponentType.METADATA
                    && type != ComponentType.CONFIDENCE
                    && (main.isEmpty() || item.componentIndex() != component)) {
                main.add(item);
                component = item.componentIndex();
            }
        }
        if (main.isEmpty()) {
            return CompositePurpose.CUSTOM;
        }
        Item first = main.get(0);
        boolean sameType = main.stream().allMatch(item -> item.typeId() == first.typeId());
        boolean one = main.size() == 1;
        return switch (first.componentType()) {
            case RANGE -> one ? rangePurpose(first) : CompositePurpose.CUSTOM;
            case MULTISPECTRAL -> one ? CompositePurpose.IMAGE_CUBE : CompositePurpose.CUSTOM;
            case INTENSITY, INFRARED, ULTRAVIOLET ->
                one ? CompositePurpose.IMAGE : sameType ? severalPurpose(main) : CompositePurpose.CUSTOM;
            default -> CompositePurpose.CUSTOM;
        };
    }

    private static CompositePurpose rangePurpose(Item range) {
        return range instanceof PointCloudItem
                        || FormatPlanes.of(range.format()).points()
                ? CompositePurpose.POINT_CLOUD
                : CompositePurpose.RANGE_MAP;
    }

    private static CompositePurpose severalPurpose(List<Item> images) {
        Item first = images.get(0);
        Set<Integer> regions = new HashSet<>();
        boolean sameFrame = true;
        for (Item image : images) {
            regions.add(image.regionId());
            sameFrame &= image.sourceId() == first.sourceId()
                    && image.groupId() == first.groupId()
                    && image.timestamp() == first.timestamp();
        }
        return sameFrame && regions.size() == images.size() ? CompositePurpose.MULTI_AOI : CompositePurpose.IMAGE_LIST;
    }
}
