package io.peregrine.composite;

import io.peregrine.gendc.ComponentType;
import io.peregrine.pfnc.DataFit;
import io.peregrine.pfnc.LineRule;
import io.peregrine.pfnc.PixelFormat;
import io.peregrine.pfnc.PixelFormatException;
import io.peregrine.pfnc.PixelLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One piece of a composite. Its values stay readable for ever, its data until the composite is closed.
 *
 * <p>The kinds: {@link ImageItem} whole-byte pixels; {@link PackedItem} pixels that share bytes; {@link PlanesItem} planes
 * that belong together; {@link PlaneItem} one plane; {@link PointCloudItem} points in space; {@link CompressedItem} coded
 * images; {@link ChunkItem} chunk data; {@link BufferItem} all other bytes.
 */
public abstract sealed class Item
        permits ImageItem, PackedItem, PlaneItem, PlanesItem, PointCloudItem, CompressedItem, ChunkItem, BufferItem {

    /**
     * Values that an item is made of.
     *
     * @param typeId what it shows, as a number
     * @param partType header type of the GenDC part, 0 when there is none
     * @param format pixel format
     * @param width pixels in a line, or elements of one-dimensional data
     * @param height lines
     * @param paddingX bytes after each line
     * @param paddingY bytes at the end
     * @param offsetX pixels from the left edge of the sensor
     * @param offsetY lines from its top edge
     * @param groupId group of related components
     * @param sourceId sensor
     * @param regionId region
     * @param timestamp time in the unit of the device
     * @param valid whether the device says that the data can be used
     * @param missing why the data is not whole; empty when it is
     * @param component position of the component in the descriptor, of the part in a multi-part block, or 0
     * @param part position of the part in the component
     * @param strideBytes bytes from line to line; 0 when lines do not end on bytes, or there are none; {@link #BY_SIZE}
     *     when the size of the data tells
     */
    record Values(
            long typeId,
            int partType,
            PixelFormat format,
            int width,
            int height,
            int paddingX,
            int paddingY,
            long offsetX,
            long offsetY,
            int groupId,
            int sourceId,
            int regionId,
            long timestamp,
            boolean valid,
            Optional<String> missing,
            int component,
            int part,
            long strideBytes) {
        static final long BY_SIZE = -1;

        /** How the pixels lie in data of a size; empty when there is no such image. */
        Optional<PixelLayout> layout(long dataBytes) {
            try {
                return Optional.of(PixelLayout.resolve(format, width, height, paddingX, paddingY, dataBytes));
            } catch (PixelFormatException e) {
                return Optional.empty();
            }
        }

        /** Whether data of a size has all the pixels. */
        boolean fit(long dataBytes) {
            return layout(dataBytes)
                    .filter(layout -> layout.fit() != DataFit.SHORT)
                    .isPresent();
        }

        /** Bytes from line to line in the first plane of data of a size; 0 when lines run on. */
        long strideBytes(long dataBytes) {
            return layout(dataBytes)
                    .filter(layout -> layout.rule() != LineRule.RUN_ON)
                    .map(layout -> layout.strideBits(0) / Byte.SIZE)
                    .orElse(0L);
        }

        /** The same with another format and geometry. */
        Values with(PixelFormat newFormat, int newWidth, int newHeight, int newPaddingX, int newPaddingY, long stride) {
            return new Values(
                    typeId,
                    partType,
                    newFormat,
                    newWidth,
                    newHeight,
                    newPaddingX,
                    newPaddingY,
                    offsetX,
                    offsetY,
                    groupId,
                    sourceId,
                    regionId,
                    timestamp,
                    valid,
                    missing,
                    component,
                    part,
                    stride);
        }

        /** The same with another reason for being incomplete. */
        Values missing(Optional<String> reason) {
            return new Values(
                    typeId,
                    partType,
                    format,
                    width,
                    height,
                    paddingX,
                    paddingY,
                    offsetX,
                    offsetY,
                    groupId,
                    sourceId,
                    regionId,
                    timestamp,
                    valid,
                    reason,
                    component,
                    part,
                    strideBytes);
        }
    }

    private final Lease lease;
    private final Values values;
    private final Place place;

    Item(Lease lease, Values values, Place place) {
        this.lease = Objects.requireNonNull(lease, "lease");
        this.values = values;
        this.place = place;
    }

    /** The same item for another lease on the same or on copied memory. */
    abstract Item on(Lease other);

    /** The items that have memory of their own: this one, or the planes that it is made of. */
    List<? extends Item> pieces() {
        return List.of(this);
    }

    final Lease lease() {
        return lease;
    }

    final Values values() {
        return values;
    }

    final Place place() {
        return place;
    }

    /** What it shows. */
    public ComponentType componentType() {
        return ComponentType.of(values.typeId);
    }

    /** What it shows, as a number; vendors have their own. */
    public long typeId() {
        return values.typeId;
    }

    /** Header type of the GenDC part that it comes from ({@link io.peregrine.gendc.PartType}), 0 for other payloads. */
    public int partType() {
        return values.partType;
    }

    /** Position of its component in the GenDC descriptor, or of its (first) part in a multi-part block; else 0. */
    public int componentIndex() {
        return values.component;
    }

    /** Position of its (first) part in the component; 0 for other payloads. */
    public int partIndex() {
        return values.part;
    }

    /** Pixel format, or the format of an element. */
    public PixelFormat format() {
        return values.format;
    }

    /** Pixels in a line, or elements of one-dimensional data; 0 when not known. */
    public int width() {
        return values.width;
    }

    /** Lines; 1 for one-dimensional data, 0 when not known. */
    public int height() {
        return values.height;
    }

    /** Bytes after each line. */
    public int paddingX() {
        return values.paddingX;
    }

    /** Bytes at the end. */
    public int paddingY() {
        return values.paddingY;
    }

    /**
     * Bytes from the start of a line to the start of the next, padding included; of the first plane when there are several
     * one after the other. 0 when lines do not start on bytes,
     * because each goes on in the byte in which the one before it ended ({@link #linesRunOn()}), and for data without
     * lines.
     */
    public long strideBytes() {
        return values.strideBytes == Values.BY_SIZE ? values.strideBytes(place.lengthBytes()) : values.strideBytes;
    }

    /**
     * Whether the lines of packed pixels follow each other bit by bit (image padding), so that only the first one is sure
     * to start on a byte. Devices do this or end each line on a byte (line padding); PFNC 2.4 allows both, and the size
     * of the data tells which.
     */
    public boolean linesRunOn() {
        boolean hasLines = !(this instanceof BufferItem || this instanceof CompressedItem || this instanceof ChunkItem);
        return hasLines && values.width > 0 && values.height > 1 && strideBytes() == 0;
    }

    /**
     * How the pixels lie in {@link #data()}, for {@link io.peregrine.pfnc.PixelConverter}. Empty when {@link #data()} is no
     * uncompressed image in one piece: for compressed, chunk and raw data, for planes that lie apart, and for one of
     * several interleaved coordinates. Made anew each time.
     */
    public Optional<PixelLayout> layout() {
        return values.strideBytes == Values.BY_SIZE && values.width > 0 && values.height > 0
                ? values.layout(place.lengthBytes())
                : Optional.empty();
    }

    /** Pixels from the left edge of the sensor. */
    public long offsetX() {
        return values.offsetX;
    }

    /** Lines from the top edge of the sensor. */
    public long offsetY() {
        return values.offsetY;
    }

    /** Group of related components, 0xFFFF for all. */
    public int groupId() {
        return values.groupId;
    }

    /** Sensor. */
    public int sourceId() {
        return values.sourceId;
    }

    /** Region. */
    public int regionId() {
        return values.regionId;
    }

    /** Nanoseconds for GenDC, ticks of the device's clock for other payloads. */
    public long timestamp() {
        return values.timestamp;
    }

    /** Whether the device says that the data can be used. An invalid item keeps its place, so that indices stay. */
    public boolean valid() {
        return values.valid;
    }

    /** Whether every byte of the data arrived and the device says that it can be used. */
    public boolean complete() {
        return values.valid && values.missing.isEmpty();
    }

    /** Why {@link #complete()} is false. */
    public Optional<String> incompleteReason() {
        return values.valid ? values.missing : Optional.of("the device marked the component as invalid");
    }

    /** Flow that the data lies in; 0 when it has no place. */
    public int flowId() {
        return place.flow();
    }

    /** First byte of the data within its flow; 0 when it has no place. */
    public long flowOffset() {
        return place.offset();
    }

    /** Bytes of the data. */
    public long sizeBytes() {
        return place.lengthBytes();
    }

    /**
     * The data, padding included: a read-only little-endian view of the memory that the frame was received into, not a
     * copy. It must not be used after the composite was closed. Of an item that is not complete, bytes that did not
     * arrive can be anything; it is empty when the data has no possible place.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public ByteBuffer data() {
        return view(place);
    }

    final ByteBuffer view(Place at) {
        FrameMemory memory = lease.memory();
        ByteBuffer bytes = at.none() ? Composite.NO_DATA : memory.view(at.flow(), at.offset(), at.lengthBytes());
        return bytes.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Address of the first byte of {@link #data()} for native code, which must not write there and must not use it after
     * the composite was closed. Empty for a copy on the heap, for an item without data, and where native access is not
     * possible.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public OptionalLong address() {
        FrameMemory memory = lease.memory();
        OptionalLong flow = place.none() ? OptionalLong.empty() : memory.address(place.flow());
        return flow.isEmpty() ? flow : OptionalLong.of(flow.getAsLong() + place.offset());
    }

    /** What a kind of item adds to {@link #toString()}. */
    String details() {
        return "";
    }

    /** Kind, type, format, size and state in one line. */
    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + typeName() + " " + format() + " " + width() + "x" + height()
                + details() + ", " + sizeBytes() + " bytes"
                + incompleteReason().map(reason -> ", " + reason).orElse("") + "]";
    }

    private String typeName() {
        ComponentType type = componentType();
        return type.id() == -1 ? type + " 0x" + Long.toHexString(values.typeId) : type.toString();
    }
}
