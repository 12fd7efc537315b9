package io.peregrine.recording;

import io.peregrine.composite.BufferItem;
import io.peregrine.composite.ChunkItem;
import io.peregrine.composite.Composite;
import io.peregrine.composite.CompressedItem;
import io.peregrine.composite.Item;
import io.peregrine.composite.PlanesItem;
import io.peregrine.composite.PointCloudItem;
import io.peregrine.gendc.ComponentType;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.GenDcDescriptorBuilder.ComponentBuilder;
import io.peregrine.gendc.GenDcPart;
import io.peregrine.gendc.H264Parameters;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.stream.IncompleteCause;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A composite as one linear GenDC container, the content of a {@code .gendc} file. Nothing is copied: the pieces are
 * views of the composite's memory, to be used before it is closed.
 *
 * <p>A GenDC composite keeps its descriptor byte for byte, whatever number of flows it came in, and each part is at its
 * DataOffset; gaps are zero. Where that is not possible, because parts overlap or gaps are larger than the data, parts
 * are laid one after another and the descriptor's offsets are changed to it. Other payloads get a descriptor with one
 * component for each item. Chunk data of GigE Vision, which is big-endian, is a part of the vendor's type 0x40F0 there,
 * because a chunk part of GenDC is little-endian.
 */
final class LinearContainer {
    /** Header type of a part with chunk data as GigE Vision has it. */
    static final int BIG_ENDIAN_CHUNK = 0x40F0;

    /** Largest container: what one buffer can hold. */
    static final long MAX_BYTES = Integer.MAX_VALUE - 8;

    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(1 << 16).asReadOnlyBuffer();
    /** Gaps up to this do no harm, whatever the data. */
    private static final long SMALL_GAP_BYTES = 1 << 20;

    private static final int MAX_UINT16 = 0xFFFF;

    // Offsets in headers (GenDC 1.1, tables 2-1 to 2-3).
    private static final int DATA_SIZE = 32;
    private static final int DATA_OFFSET = 40;
    private static final int COMPONENT_COUNT = 52;
    private static final int COMPONENT_OFFSETS = 56;
    private static final int PART_OFFSETS = 48;
    private static final int PART_FLOW_ID = 14;
    private static final int PART_FLOW_OFFSET = 16;
    private static final int PART_DATA_SIZE = 24;
    private static final int PART_DATA_OFFSET = 32;

    private final List<ByteBuffer> pieces = new ArrayList<>();
    private final List<Segment> segments = new ArrayList<>();
    private long sizeBytes;

    private LinearContainer() {}

    /**
     * Works out the container of a composite. Empty when nothing is known about its content, because its leader or
     * descriptor did not arrive.
     *
     * @param composite what to write; it stays the caller's
     * @throws IllegalStateException if the composite is closed
     * @throws RecordingException if the container would be larger than 2 GiB
     */
    static Optional<LinearContainer> of(Composite composite) {
        if (composite.items().isEmpty()) {
            return Optional.empty();
        }
        LinearContainer container = new LinearContainer();
        Optional<GenDcDescriptor> descriptor = composite.descriptor();
        if (descriptor.isPresent()) {
            container.genDc(composite, descriptor.get());
        } else {
            container.wrapped(composite);
        }
        return Optional.of(container);
    }

    /** Bytes of the container. */
    long sizeBytes() {
        return sizeBytes;
    }

    /**
     * Writes the container.
     *
     * @param channel where to, from its position on
     * @throws IOException if that fails
     */
    void writeTo(WritableByteChannel channel) throws IOException {
        for (ByteBuffer piece : pieces) {
            ByteBuffer bytes = piece.duplicate();
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
    }

    /** The bytes in order; the buffers may be moved. */
    List<ByteBuffer> pieces() {
        List<ByteBuffer> copies = new ArrayList<>(pieces.size());
        for (ByteBuffer piece : pieces) {
            copies.add(piece.duplicate());
        }
        return copies;
    }

    List<Segment> segments() {
        return Collections.unmodifiableList(segments);
    }

    // ---- Laying out

    /** Data at its place in the container. */
    private record Placed(long offset, Item item, GenDcPart part, int headerAt) {}

    private void append(ByteBuffer bytes) {
        if (bytes.hasRemaining()) {
            pieces.add(bytes);
            sizeBytes += bytes.remaining();
        }
        if (sizeBytes > MAX_BYTES) {
            throw tooLarge();
        }
    }

    private static RecordingException tooLarge() {
        return new RecordingException(
                "The frame is larger than the 2 GiB that a container can have: record it in smaller frames");
    }

    private void zerosUntil(long offset) {
        while (sizeBytes < offset) {
            append(ZEROS.slice(0, (int) Math.min(ZEROS.capacity(), offset - sizeBytes)));
        }
    }

    private void data(Composite composite, Item item, long flowOffset) {
        if (item.sizeBytes() > MAX_BYTES) {
            throw tooLarge();
        }
        ByteBuffer bytes = item.data();
        // What the device withdrew had arrived all the same.
        boolean received = item.complete()
                || composite
                        .block()
                        .incomplete()
                        .filter(cause -> cause == IncompleteCause.DEVICE_ERROR)
                        .isPresent();
        if (bytes.hasRemaining()) {
            segments.add(new Segment(sizeBytes, flowOffset, bytes.remaining(), received));
        }
        append(bytes);
    }

    private void genDc(Composite composite, GenDcDescriptor descriptor) {
        byte[] header = descriptor.toBytes();
        ByteBuffer changed = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
        List<Placed> placed = places(composite, descriptor, changed);
        long dataBytes = 0;
        boolean possible = true;
        long end = header.length;
        List<Placed> ordered = new ArrayList<>(placed);
        ordered.sort(Comparator.comparingLong(Placed::offset));
        for (Placed data : ordered) {
            if (data.item().sizeBytes() > 0) {
                possible &= data.offset() >= end;
                end = Math.addExact(Math.max(end, data.offset()), data.item().sizeBytes());
                dataBytes += data.item().sizeBytes();
            }
        }
        long whole = descriptor.containerSizeBytes();
        possible &= whole >= end && whole - header.length - dataBytes <= dataBytes + SMALL_GAP_BYTES;
        if (possible) {
            hideUnplaced(placed, changed);
        } else {
            layOutAnew(placed, changed, header.length);
            ordered = placed;
        }
        segments.add(new Segment(0, 0, header.length, true));
        append(ByteBuffer.wrap(header));
        for (Placed data : ordered) {
            if (data.item().sizeBytes() > 0) {
                if (possible) {
                    zerosUntil(data.offset());
                }
                data(composite, data.item(), sizeBytes);
            }
        }
        if (possible) {
            zerosUntil(whole);
        }
    }

    /** Each part with its item and the place of its header. */
    private static List<Placed> places(Composite composite, GenDcDescriptor descriptor, ByteBuffer header) {
        if (header.getInt(COMPONENT_COUNT) != descriptor.components().size()) {
            throw new IllegalStateException("The descriptor has components without a view");
        }
        List<Placed> placed = new ArrayList<>();
        for (Item item : composite.parts()) {
            int c = item.componentIndex();
            int p = item.partIndex();
            GenDcPart part = descriptor.components().get(c).parts().get(p);
            long component = header.getLong(COMPONENT_OFFSETS + 8 * c);
            int at = Math.toIntExact(header.getLong(Math.toIntExact(component) + PART_OFFSETS + 8 * p));
            placed.add(new Placed(part.dataOffset(), item, part, at));
        }
        return placed;
    }

    /** A part that had no place in the frame's memory must not find bytes of another in the container. */
    private static void hideUnplaced(List<Placed> placed, ByteBuffer header) {
        for (Placed data : placed) {
            if (data.item().valid()
                    && data.item().sizeBytes() == 0
                    && data.part().dataSize() != 0) {
                header.putLong(data.headerAt() + PART_DATA_OFFSET, -1);
            }
        }
    }

    private static void layOutAnew(List<Placed> placed, ByteBuffer header, int descriptorBytes) {
        hideUnplaced(placed, header);
        long next = descriptorBytes;
        for (Placed data : placed) {
            if (data.item().sizeBytes() > 0) {
                header.putShort(data.headerAt() + PART_FLOW_ID, (short) 0);
                header.putLong(data.headerAt() + PART_FLOW_OFFSET, next);
                header.putLong(data.headerAt() + PART_DATA_OFFSET, next);
                next += data.item().sizeBytes();
            } else if (!data.item().valid()) {
                header.putShort(data.headerAt() + PART_FLOW_ID, (short) 0);
                header.putLong(data.headerAt() + PART_FLOW_OFFSET, next);
                header.putLong(data.headerAt() + PART_DATA_OFFSET, next);
                header.putLong(data.headerAt() + PART_DATA_SIZE, 0);
            }
        }
        header.putLong(DATA_OFFSET, descriptorBytes);
        header.putLong(DATA_SIZE, next - descriptorBytes);
    }

    // ---- Other payloads

    private void wrapped(Composite composite) {
        Set<Item> own = Collections.newSetFromMap(new IdentityHashMap<>());
        own.addAll(composite.parts());
        List<Item> ordered = new ArrayList<>();
        var builder = GenDcDescriptor.builder().id(composite.id());
        for (Item item : composite.items()) {
            List<? extends Item> parts = own.contains(item) ? List.of(item) : planes(item);
            ordered.addAll(parts);
            builder.component(component -> component(component, item, parts));
        }
        byte[] header = builder.build().toBytes();
        append(ByteBuffer.wrap(header));
        for (Item item : ordered) {
            data(composite, item, item.flowOffset());
        }
    }

    private static List<? extends Item> planes(Item item) {
        return item instanceof PlanesItem planes ? planes.planes() : ((PointCloudItem) item).planes();
    }

    private static void component(ComponentBuilder component, Item item, List<? extends Item> parts) {
        component
                .typeId(item.typeId())
                .format(item.format().code())
                .groupId(item.groupId() & MAX_UINT16)
                .sourceId(item.sourceId() & MAX_UINT16)
                .regionId(item.regionId() & MAX_UINT16)
                .regionOffset(positive(item.offsetX()), positive(item.offsetY()))
                .timestamp(Math.max(0, item.timestamp()));
        for (Item part : parts) {
            part(component, part);
        }
    }

    private static int positive(long value) {
        return (int) Math.max(0, Math.min(value, Integer.MAX_VALUE));
    }

    private static void part(ComponentBuilder component, Item item) {
        long size = item.sizeBytes();
        int format = item.format().code();
        if (item instanceof ChunkItem chunk && chunk.byteOrder() == ByteOrder.BIG_ENDIAN) {
            component.partCustom(
                    BIG_ENDIAN_CHUNK,
                    part -> part.format(PfncCodes.DATA8).size(size).dataSize(size));
        } else if (item instanceof CompressedItem compressed) {
            compressed(component, compressed);
        } else if (item.width() > 0
                && item.height() > 0
                && size > 0
                && item.typeId() != ComponentType.METADATA.id()
                && !(item instanceof BufferItem)) {
            component.part2d(part -> part.format(format)
                    .size(item.width(), item.height())
                    .padding(item.paddingX() & MAX_UINT16, item.paddingY() & MAX_UINT16)
                    .dataSize(size));
        } else {
            component.part1d(part -> part.format(PfncCodes.DATA8).size(size));
        }
    }

    private static void compressed(ComponentBuilder component, CompressedItem item) {
        int format = item.format().code();
        switch (item.compression()) {
            case JPEG ->
                component.partJpeg(part ->
                        part.format(format).size(item.width(), item.height()).dataSize(item.sizeBytes()));
            case JPEG2000 ->
                component.partJpeg2000(part ->
                        part.format(format).size(item.width(), item.height()).dataSize(item.sizeBytes()));
            case H264 ->
                component.partH264(
                        item.h264().orElse(new H264Parameters(0, 0, 0, 0, 0, 0, 0, 0)),
                        part -> part.format(format)
                                .size(item.width(), item.height())
                                .dataSize(item.sizeBytes()));
        }
    }

    /** Size, and what it is made of. */
    @Override
    public String toString() {
        return "LinearContainer[" + sizeBytes + " bytes, " + segments.size() + " segments]";
    }
}
