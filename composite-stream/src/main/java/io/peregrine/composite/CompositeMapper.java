package io.peregrine.composite;

import io.peregrine.composite.CompressedItem.Compression;
import io.peregrine.composite.ItemValues.Kind;
import io.peregrine.gendc.ComponentType;
import io.peregrine.gendc.GenDcComponent;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.GenDcException;
import io.peregrine.gendc.GenDcPart;
import io.peregrine.gendc.H264Parameters;
import io.peregrine.gendc.PartType;
import io.peregrine.pfnc.DataFit;
import io.peregrine.pfnc.LineRule;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pfnc.PixelFormat;
import io.peregrine.pfnc.PixelLayout;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.BlockInfo.ChunkRange;
import io.peregrine.stream.BlockInfo.ImageGeometry;
import io.peregrine.stream.BlockPart;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.PayloadType;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The rule by which a received block becomes a composite. All of it is here: what is decided about a frame goes into
 * the {@link ItemTable} of its memory, and items are made of that when the user asks for them.
 *
 * <p>Payloads:
 *
 * <ul>
 *   <li>An image (also extended chunk and multi-zone) becomes one image by its format, as below, with the geometry of
 *       its leader. Its type is range or confidence when its format says so, else intensity.
 *   <li>JPEG, JPEG 2000 and H.264 become a {@link CompressedItem}.
 *   <li>Chunk data behind or instead of the payload becomes a {@link ChunkItem}, big-endian, after the other items.
 *   <li>Parts of a multi-part block: images by their format; planes that follow each other, with the same source,
 *       region and purpose, become one item; confidence a {@link PlaneItem}; chunk data a big-endian {@link ChunkItem};
 *       JPEG and JPEG 2000 a {@link CompressedItem}; all others a {@link BufferItem}. The purpose id is the type when
 *       it is one of ComponentIDValue (SFNC 2.7.1) and does not contradict data type and format, else these tell the
 *       type.
 *   <li>A GenDC container becomes items as below. With one flow, parts are found by DataOffset; with several, by FlowId
 *       and FlowOffset (DataOffset in flow 0, where devices leave FlowOffset out). The descriptor is at the start of
 *       flow 0.
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
 *   <li>Several 2D or several 1D parts: the planes of one {@link PointCloudItem} when the component's format or the
 *       planes are three coordinates, else of one {@link PlanesItem}; bands when the component is multispectral.
 *   <li>A 1D part with three coordinates: a {@link PointCloudItem} of one line.
 *   <li>JPEG, JPEG 2000, H.264: a {@link CompressedItem}. Chunk data: a {@link ChunkItem}, little-endian.
 *   <li>All other parts are a {@link BufferItem}: one-dimensional, XML, custom and unknown ones, those of a metadata
 *       component that are not chunk data, and single ones that are rejected or have no place in memory. The last have
 *       no data.
 *   <li>A component that the device marked as invalid keeps its items, without data.
 * </ul>
 *
 * <p>Purpose, by the components (or parts) without metadata and confidence:
 *
 * <ul>
 *   <li>One of range: {@link CompositePurpose#POINT_CLOUD} when it has three coordinates, else
 *       {@link CompositePurpose#RANGE_MAP}.
 *   <li>One multispectral: {@link CompositePurpose#IMAGE_CUBE}.
 *   <li>One of intensity, infrared or ultraviolet: {@link CompositePurpose#IMAGE}.
 *   <li>Several of the same of these three types: {@link CompositePurpose#MULTI_AOI} when only regions differ, else
 *       {@link CompositePurpose#IMAGE_LIST}.
 *   <li>Everything else, mixtures among it: {@link CompositePurpose#CUSTOM}.
 * </ul>
 *
 * <p>A composite is complete when the transport says that the block is whole, a descriptor arrived and is final, and
 * the data of every valid part arrived. Memory of a flow set is used again and again, so nothing is believed that did
 * not arrive with this block.
 */
final class CompositeMapper {
    private static final int CONTAINER_HEADER_BYTES = 56;
    private static final int DESCRIPTOR_SIZE_AT = 48;

    private static final int LARGEST_REGION = 0xFFFF;
    private static final BlockInfo NO_BLOCK = new BlockInfo(0, 0, 0, 0, Optional.empty(), 0, Optional.empty(), 0);

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

    /** Regions that were met among the items of a frame: ids have 16 bits. */
    private final BitSet regions = new BitSet();

    private final DescriptorReader descriptors = new DescriptorReader();

    // The frame that is being mapped.
    private FrameMemory memory = FrameMemory.NOTHING;
    private BlockInfo block = NO_BLOCK;
    private ItemTable items = memory.items();
    /** Why the block is not whole; null when it is. */
    private Supplier<String> transport;

    /** Makes a mapper for frame after frame, by one thread at a time. */
    CompositeMapper() {}

    /**
     * Decides what a block is, and writes it into the table of its memory ({@link FrameMemory#items()}). Takes no
     * memory for a frame that is complete and like the ones before it.
     *
     * @param frame where it lies
     * @param info what the transport says about it
     */
    void map(FrameMemory frame, BlockInfo info) {
        memory = frame;
        block = info;
        items = frame.items();
        try {
            map();
        } finally {
            memory = FrameMemory.NOTHING;
            block = NO_BLOCK;
            items = memory.items();
        }
    }

    private void map() {
        items.clear();
        items.id = block.blockId();
        transport = block.incomplete().isPresent() ? describe(block.incomplete().get(), block.missingPackets()) : null;
        items.incomplete = transport;
        int base = block.payloadType() & ~PayloadType.CHUNK_BIT;
        switch (base) {
            case PayloadType.GENDC -> container();
            case PayloadType.MULTI_PART -> multiPart();
            default -> plain(base);
        }
    }

    private static Supplier<String> describe(IncompleteCause cause, long missingPackets) {
        return () -> {
            String text = cause.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            return missingPackets > 0 ? text + " (" + missingPackets + ")" : text;
        };
    }

    private void nothing(Supplier<String> why) {
        Supplier<String> also = items.incomplete;
        items.incomplete = also == null ? why : () -> why.get() + ", " + also.get();
    }

    /** Whether an item is the first reason that counts: the transport's, then that of the first item that has one. */
    private boolean firstFlaw(ItemValues item) {
        return items.incomplete == null && item.valid && item.missing != null;
    }

    // ---- Items of what was decided

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
            case COMPRESSED -> new CompressedItem(lease, values);
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
        boolean runOn = layout.filter(known -> known.rule() == LineRule.RUN_ON).isPresent();
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
            own.geometry(width, height, whole.paddingX, 0, runOn ? 0 : strideBits / Byte.SIZE);
            if (size < needed && own.valid && own.missing == null) {
                own.missing = () -> "its data ends in the middle";
            }
            if (size == 0) {
                own.noPlace();
            } else {
                own.within(from, size);
            }
            own.plane(plane.role(), index, format.planes().size(), pixelStride(plane.format()));
            planes.add(new PlaneItem(lease, own));
        }
    }

    private static int divided(int value, int by) {
        return value / by + (value % by == 0 ? 0 : 1);
    }

    // ---- Images by their format

    /** An uncompressed image of any format. */
    private static void image(ItemValues item) {
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

    private static int pixelStride(PixelFormat format) {
        return FormatPlanes.of(format).wholeBytes() ? (int) format.lineSizeBytes(1) : 0;
    }

    /** Whether the data of a slot has all the pixels that its geometry promises. */
    private static boolean fits(ItemValues item) {
        Optional<PixelLayout> layout =
                item.sameLayout(item.width, item.height, item.paddingX, item.paddingY, item.lengthBytes);
        return layout.isPresent() && layout.get().fit() != DataFit.SHORT;
    }

    private static Supplier<String> tooSmall(ItemValues item) {
        int width = item.width;
        int height = item.height;
        PixelFormat format = item.format;
        int lengthBytes = item.lengthBytes;
        return () -> width + "x" + height + " values of " + format + " do not fit its " + lengthBytes + " bytes";
    }

    // ---- Planes that are parts of their own

    /** Makes a slot a plane; one whose geometry needs more bytes than it has says so. */
    private static void plane(ItemValues item, PlaneRole role, int index, int count) {
        if (item.missing == null && item.valid && !fits(item)) {
            item.missing = tooSmall(item);
        }
        item.plane(role, index, count, pixelStride(item.format));
    }

    /**
     * Decides about an item of planes that are in the slots behind its own, which has the format of the whole.
     *
     * @param slot slot of the item
     * @param count number of planes
     * @param what what a plane is called
     */
    private void group(int slot, int count, String what) {
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
        // Planes that lie one behind the other have one place, others none.
        if (together && length <= Integer.MAX_VALUE) {
            item.place(first.flow, first.offset, (int) length);
        }
    }

    // ---- Image, compressed, chunk and raw payloads

    private void plain(int base) {
        Optional<ChunkRange> chunk = block.chunk();
        if (block.image().isPresent()) {
            plainImage(block.image().get(), chunk);
        } else if (base == 0
                || base == PayloadType.IMAGE
                || base == PayloadType.EXTENDED_CHUNK
                || base == PayloadType.MULTI_ZONE) {
            if (chunk.isEmpty()) {
                if (items.incomplete == null) {
                    nothing(() -> "the geometry of the image did not arrive");
                }
                return;
            }
        } else if (base != PayloadType.CHUNK || chunk.isEmpty()) {
            bytes(base, chunk);
        }
        if (chunk.isPresent()) {
            plainChunk(chunk.get());
        }
        for (int slot = 0; slot < items.count(); slot = items.after(slot)) {
            if (firstFlaw(items.get(slot))) {
                items.incomplete = items.get(slot).missing;
            }
        }
        items.purpose = purpose();
    }

    private void plainImage(ImageGeometry geometry, Optional<ChunkRange> chunk) {
        ItemValues item = plainItem(ComponentType.INTENSITY, geometry.pixelFormat());
        // Extended chunk data of 1.2 is the whole payload, image included: then its start is no end of the image.
        long available =
                chunk.isPresent() && chunk.get().offsetBytes() > 0 ? chunk.get().offsetBytes() : block.payloadBytes();
        Optional<PixelLayout> layout = item.sameLayout(
                geometry.width(), geometry.height(), geometry.paddingX(), geometry.paddingY(), available);
        long size = layout.isPresent() ? layout.get().sizeBytes() : -1;
        FormatPlanes planes = FormatPlanes.of(item.format);
        if (planes.coordinates()) {
            item.typeId = ComponentType.RANGE.id();
        } else if (planes.role() == PlaneRole.CONFIDENCE) {
            item.typeId = ComponentType.CONFIDENCE.id();
        }
        long flowBytes = memory.flowSizeBytes(0);
        if (size >= 0 && size <= flowBytes && sensible(geometry)) {
            geometry(item, geometry);
            item.missing = missing(0, 0, size);
            item.place(0, 0, (int) size);
        } else {
            PixelFormat format = item.format;
            item.missing = () -> "an image of " + geometry.width() + "x" + geometry.height() + " pixels of " + format
                    + " does not fit the flow set of " + flowBytes + " bytes";
        }
        image(item);
    }

    private ItemValues plainItem(ComponentType type, int format) {
        ItemValues item = items.add();
        item.typeId = type.id();
        item.format(format);
        item.timestamp = block.timestampTicks();
        item.valid = true;
        return item;
    }

    private static void geometry(ItemValues item, ImageGeometry geometry) {
        item.geometry(
                (int) geometry.width(),
                (int) geometry.height(),
                geometry.paddingX(),
                geometry.paddingY(),
                ItemValues.BY_SIZE);
        item.offsetX = geometry.offsetX();
        item.offsetY = geometry.offsetY();
    }

    private static boolean sensible(ImageGeometry geometry) {
        return geometry.width() <= Integer.MAX_VALUE && geometry.height() <= Integer.MAX_VALUE;
    }

    /** Why a range cannot be relied on; null when all of it arrived and the device does not take it back. */
    private Supplier<String> missing(int flow, long offset, long length) {
        if (memory.covered(flow, offset, length)) {
            boolean withdrawn =
                    block.incomplete().isPresent() && block.incomplete().get() == IncompleteCause.DEVICE_ERROR;
            return withdrawn ? transport : null;
        }
        return () -> "not all of its " + length + " bytes arrived";
    }

    /** All bytes of the block up to the chunk data. */
    private void bytes(int base, Optional<ChunkRange> chunk) {
        long promised = chunk.isPresent() ? chunk.get().offsetBytes() : block.payloadBytes();
        int size = (int) Math.max(0, Math.min(promised, memory.flowSizeBytes(0)));
        Supplier<String> missing = items.incomplete;
        if (missing == null && (size != promised || !memory.covered(0, 0, size))) {
            long filled = memory.filledBytes(0);
            missing = () -> "only " + filled + " of " + promised + " bytes of the block arrived";
        }
        ItemValues item;
        switch (base) {
            case PayloadType.JPEG -> item = compressed(Compression.JPEG);
            case PayloadType.JPEG2000 -> item = compressed(Compression.JPEG2000);
            case PayloadType.H264 -> item = compressed(Compression.H264);
            default -> {
                item = plainItem(ComponentType.UNDEFINED, PfncCodes.DATA8);
                item.geometry(size, 1, 0, 0, 0);
            }
        }
        item.missing = missing;
        item.place(0, 0, size);
    }

    private ItemValues compressed(Compression compression) {
        Optional<BlockInfo.Compression> told = block.compression();
        ItemValues item =
                plainItem(ComponentType.INTENSITY, told.isPresent() ? told.get().dataFormat() : 0);
        item.kind = Kind.COMPRESSED;
        item.compression = compression;
        if (told.isPresent()) {
            item.h264 = told.get().h264().flatMap(CompositeMapper::h264);
        }
        return item;
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

    private void plainChunk(ChunkRange range) {
        long offset = range.offsetBytes();
        long length = range.lengthBytes();
        ItemValues item = plainItem(ComponentType.METADATA, PfncCodes.DATA8);
        if (offset <= memory.flowSizeBytes(0) && length <= memory.flowSizeBytes(0) - offset) {
            item.missing = missing(0, offset, length);
            item.place(0, offset, (int) length);
        } else {
            item.missing = () -> "chunk data of " + length + " bytes at " + offset + " does not fit the flow set";
        }
        networkChunk(item, range.layoutId());
    }

    /** Chunk data as it is in payloads of GigE Vision. */
    private static void networkChunk(ItemValues item, int layoutId) {
        item.kind = Kind.CHUNK;
        item.geometry(item.lengthBytes, 1, 0, 0, 0);
        item.layoutId = layoutId;
        item.walkedBytes = item.lengthBytes;
    }

    // ---- Multi-part

    private void multiPart() {
        List<BlockPart> parts = block.parts();
        if (parts.isEmpty()) {
            nothing(() -> "the list of parts did not arrive");
            return;
        }
        int next = 0;
        while (next < parts.size()) {
            int count = planesFrom(parts, next);
            int slot = items.count();
            if (count > 1) {
                planes(parts, next, count);
            } else {
                part(parts.get(next), next);
            }
            ItemValues item = items.get(slot);
            if (firstFlaw(item)) {
                Supplier<String> why = item.missing;
                int part = next;
                items.incomplete = () -> "part " + part + ": " + why.get();
            }
            next += count;
        }
        items.purpose = purpose();
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

    private void part(BlockPart part, int index) {
        ItemValues item = partItem(part, index);
        switch (part.dataType()) {
            case PART_CHUNK -> networkChunk(item, 0);
            case PART_JPEG -> {
                item.kind = Kind.COMPRESSED;
                item.compression = Compression.JPEG;
            }
            case PART_JPEG2000 -> {
                item.kind = Kind.COMPRESSED;
                item.compression = Compression.JPEG2000;
            }
            default -> {
                if (part.dataType() >= PART_IMAGE && part.dataType() <= PART_CONFIDENCE) {
                    imagePart(item);
                }
            }
        }
    }

    private static void imagePart(ItemValues item) {
        if (item.width > 0 && item.height > 0 && fits(item)) {
            image(item);
        } else if (item.missing == null) {
            item.missing = tooSmall(item);
        }
    }

    private void planes(List<BlockPart> parts, int first, int count) {
        int slot = items.count();
        ItemValues group = items.add();
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
            plane(item, role, i, count);
        }
        group(slot, count, "plane");
    }

    private ItemValues partItem(BlockPart part, int index) {
        ItemValues item = items.add();
        item.format(part.dataType() == PART_CHUNK ? PfncCodes.DATA8 : part.format());
        item.typeId = typeOf(part, item.format);
        item.groupId = part.purposeId();
        item.sourceId = part.sourceId();
        item.regionId = part.regionId();
        item.timestamp = block.timestampTicks();
        item.valid = true;
        item.component = index;
        if (part.image().isPresent() && sensible(part.image().get())) {
            geometry(item, part.image().get());
        }
        long offset = part.offsetBytes();
        long length = part.lengthBytes();
        if (inFlow(0, offset, length)) {
            item.place(0, offset, (int) length);
            item.missing = missing(0, offset, length);
        } else {
            item.missing = () -> length + " bytes at " + offset + " do not fit the flow set";
        }
        return item;
    }

    /** What a part shows: its purpose id where it can be believed, else what data type and format say. */
    private static long typeOf(BlockPart part, PixelFormat pixelFormat) {
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

    /** Whether a flow is large enough for a range. */
    private boolean inFlow(int flow, long offset, long length) {
        long size = memory.flowSizeBytes(flow);
        return flow < memory.flowCount() && offset >= 0 && length >= 0 && offset <= size && length <= size - offset;
    }

    // ---- GenDC

    private void container() {
        long size = memory.covered(0, 0, CONTAINER_HEADER_BYTES)
                ? Integer.toUnsignedLong(memory.littleEndianInt(DESCRIPTOR_SIZE_AT))
                : Long.MAX_VALUE;
        if (!memory.covered(0, 0, size)) {
            nothing(() -> "the descriptor did not arrive");
            return;
        }
        GenDcDescriptor descriptor;
        try {
            descriptor = descriptors.read(memory, (int) size);
        } catch (GenDcException e) {
            String why = e.getMessage();
            nothing(() -> "the descriptor cannot be used: " + why);
            return;
        }
        if (items.incomplete == null && !descriptor.isFinal()) {
            items.incomplete = () -> "the final descriptor did not arrive";
        }
        for (int c = 0; c < descriptor.components().size(); c++) {
            component(descriptor.components().get(c), c);
        }
        items.id = descriptor.id();
        items.descriptorBytes = descriptor.descriptorSizeBytes();
        items.purpose = purpose();
    }

    private void component(GenDcComponent component, int c) {
        int count = component.parts().size();
        if (count > 1 && planar(component)) {
            int slot = items.count();
            planes(component, c);
            if (firstFlaw(items.get(slot))) {
                Supplier<String> why = items.get(slot).missing;
                items.incomplete = () -> "component " + c + " " + why.get();
            }
            return;
        }
        for (int p = 0; p < count; p++) {
            ItemValues item = part(component, c, p);
            if (firstFlaw(item)) {
                Supplier<String> why = item.missing;
                int part = p;
                items.incomplete = () -> "component " + c + " part " + part + ": " + why.get();
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
        int slot = items.count();
        items.add().format = component.pixelFormat();
        FormatPlanes whole = FormatPlanes.of(component.pixelFormat());
        for (int p = 0; p < count; p++) {
            ItemValues item = items.add();
            fill(item, component, c, p);
            plane(item, roleOf(component, whole, item.format, p), p, count);
        }
        group(slot, count, "part");
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
        ItemValues item = items.add();
        boolean possible = fill(item, component, c, p);
        int type = part.headerType();
        if (!possible || (component.type() == ComponentType.METADATA && type != PartType.METADATA_CHUNK)) {
            item.zipped = part.xmlZipped();
            return item;
        }
        switch (type) {
            case PartType.IMAGE_2D -> image(item);
            case PartType.ARRAY_1D -> {
                FormatPlanes planes = FormatPlanes.of(item.format);
                if (planes.points() && planes.interleaved()) {
                    item.kind = Kind.POINT_CLOUD;
                }
            }
            case PartType.IMAGE_2D_JPEG -> {
                item.kind = Kind.COMPRESSED;
                item.compression = Compression.JPEG;
            }
            case PartType.IMAGE_2D_JPEG2000 -> {
                item.kind = Kind.COMPRESSED;
                item.compression = Compression.JPEG2000;
            }
            case PartType.IMAGE_2D_H264 -> {
                item.kind = Kind.COMPRESSED;
                item.compression = Compression.H264;
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
        return (int) (elements > 0 && elements <= size ? elements : Math.max(0, size - padding));
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
        boolean linear = memory.flowCount() == 1;
        int flow = linear ? 0 : part.flowId();
        long offset = linear ? part.dataOffset() : part.flowPlace();
        long size = part.dataSize();
        boolean sensible = part.sizeX() <= Integer.MAX_VALUE && part.sizeY() <= Integer.MAX_VALUE;
        boolean possible = part.usable() && sensible && inFlow(flow, offset, size);
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
        item.missing = possible ? missing(flow, offset, size) : () -> "its header has no possible place or geometry";
        if (possible && item.valid) {
            item.place(flow, offset, (int) size);
        }
        return possible;
    }

    // ---- Purpose

    private CompositePurpose purpose() {
        ItemValues first = null;
        int component = -1;
        int count = 0;
        boolean sameType = true;
        boolean sameFrame = true;
        regions.clear();
        for (int slot = 0; slot < items.count(); slot = items.after(slot)) {
            ItemValues item = items.get(slot);
            ComponentType type = ComponentType.of(item.typeId);
            // Further parts of the same component do not count.
            if (type == ComponentType.METADATA
                    || type == ComponentType.CONFIDENCE
                    || (first != null && item.component == component)) {
                continue;
            }
            first = first == null ? item : first;
            component = item.component;
            count++;
            sameType &= item.typeId == first.typeId;
            sameFrame &= item.sourceId == first.sourceId
                    && item.groupId == first.groupId
                    && item.timestamp == first.timestamp;
            regions.set(item.regionId & LARGEST_REGION);
        }
        if (first == null) {
            return CompositePurpose.CUSTOM;
        }
        return switch (ComponentType.of(first.typeId)) {
            case RANGE -> count > 1 ? CompositePurpose.CUSTOM : rangePurpose(first);
            case MULTISPECTRAL -> count > 1 ? CompositePurpose.CUSTOM : CompositePurpose.IMAGE_CUBE;
            case INTENSITY, INFRARED, ULTRAVIOLET -> {
                if (count == 1) {
                    yield CompositePurpose.IMAGE;
                }
                if (!sameType) {
                    yield CompositePurpose.CUSTOM;
                }
                yield sameFrame && regions.cardinality() == count
                        ? CompositePurpose.MULTI_AOI
                        : CompositePurpose.IMAGE_LIST;
            }
            default -> CompositePurpose.CUSTOM;
        };
    }

    private static CompositePurpose rangePurpose(ItemValues range) {
        return range.kind == Kind.POINT_CLOUD || FormatPlanes.of(range.format).points()
                ? CompositePurpose.POINT_CLOUD
                : CompositePurpose.RANGE_MAP;
    }
}
