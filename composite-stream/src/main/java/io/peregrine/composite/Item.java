package io.peregrine.composite;

import io.peregrine.gendc.ComponentType;
import io.peregrine.pfnc.PixelFormat;
import io.peregrine.pfnc.PixelLayout;
import io.peregrine.stream.ByteRange;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One piece of a composite. Its values stay readable indefinitely, its data until the composite is closed.
 *
 * <p>May be read by several threads at the same time.
 *
 * <p>The kinds: {@link ImageItem} whole-byte pixels; {@link PackedItem} pixels that share bytes; {@link PlanesItem}
 * planes that belong together; {@link PlaneItem} one plane; {@link PointCloudItem} points in space;
 * {@link CompressedItem} coded images; {@link ChunkItem} chunk data; {@link BufferItem} all other bytes.
 */
public abstract sealed class Item
        permits ImageItem, PackedItem, PlaneItem, PlanesItem, PointCloudItem, CompressedItem, ChunkItem, BufferItem {

    private static final ByteBuffer NO_DATA = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final Lease lease;
    private final ItemValues values;

    /**
     * Makes an item.
     *
     * @param values a copy that no one else uses
     */
    Item(Lease lease, ItemValues values) {
        this.lease = Objects.requireNonNull(lease, "lease");
        this.values = values;
    }

    /** The items that have separate memory: this one, or the planes that it is made of. */
    List<? extends Item> pieces() {
        return List.of(this);
    }

    final ItemValues values() {
        return values;
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
     * Bytes from the start of a line to the start of the next, padding included; of the first plane when there are
     * several one after the other. 0 when lines do not start on bytes, because each goes on in the byte in which the
     * one before it ended ({@link #linesContiguous()}), and for data without lines.
     */
    public long strideBytes() {
        return values.strideBytes == ItemValues.BY_SIZE ? ItemValues.strideBytes(values.layout()) : values.strideBytes;
    }

    /**
     * Whether the lines of packed pixels follow each other bit by bit (image padding), so that only the first one is
     * sure to start on a byte. Devices do this or end each line on a byte (line padding); PFNC 2.4 allows both, and the
     * size of the data decides which.
     */
    public boolean linesContiguous() {
        boolean hasLines = !(this instanceof BufferItem || this instanceof CompressedItem || this instanceof ChunkItem);
        return hasLines && values.width > 0 && values.height > 1 && strideBytes() == 0;
    }

    /**
     * How the pixels lie in {@link #data()}, for {@link io.peregrine.pfnc.PixelConverter}. Empty when {@link #data()}
     * is no uncompressed image in one piece: for compressed, chunk and raw data, for planes that lie apart, and for one
     * of several interleaved coordinates. Made again each time.
     */
    public Optional<PixelLayout> layout() {
        return values.strideBytes == ItemValues.BY_SIZE && values.width > 0 && values.height > 0
                ? values.layout()
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
        return values.valid && values.missing == null;
    }

    /** Why {@link #complete()} is false. */
    public Optional<String> incompleteReason() {
        if (!values.valid) {
            return Optional.of("the device marked the component as invalid");
        }
        return values.missing == null ? Optional.empty() : Optional.of(values.missing.get());
    }

    /** Flow that the data lies in; 0 when it has no place. */
    public int flowId() {
        return values.flow;
    }

    /** First byte of the data within its flow; 0 when it has no place. */
    public long flowOffset() {
        return values.offset;
    }

    /** Bytes of the data. */
    public long sizeBytes() {
        return values.lengthBytes;
    }

    /**
     * The data, padding included: a read-only little-endian view of the memory that the frame was received into, not a
     * copy. It must not be used after the composite was closed. Of an item that is not complete, bytes that did not
     * arrive have the value of the parameter {@code MissingBytes}, 0 when nothing else was asked for; it is empty when
     * the data has no possible place.
     *
     * @throws IllegalStateException if the composite is closed
     * @throws CompositeException if it has 2 GiB or more: use {@link #data(long, int)} or {@link #address()}
     * @throws io.peregrine.stream.StreamException if it is in memory of a device, which the processor cannot read: use
     *     {@link #address()} or the library of the device
     */
    public ByteBuffer data() {
        if (values.lengthBytes > Integer.MAX_VALUE) {
            throw new CompositeException("Data of " + values.lengthBytes
                    + " bytes does not fit a buffer: use data(offset, length) for a piece of it, or address()");
        }
        return view((int) values.lengthBytes);
    }

    /**
     * A piece of the data, as {@link #data()}, which is of any size.
     *
     * @param offset first byte, from 0
     * @param lengthBytes number of bytes
     * @throws IndexOutOfBoundsException if the range is not within {@link #sizeBytes()}
     * @throws IllegalStateException if the composite is closed
     * @throws io.peregrine.stream.StreamException if it is in memory of a device, which the processor cannot read
     */
    public ByteBuffer data(long offset, int lengthBytes) {
        Objects.checkFromIndexSize(offset, lengthBytes, sizeBytes());
        return view(offset, lengthBytes);
    }

    /**
     * What of {@link #data()} arrived, in order: all of it, in one range, when no byte is missing. Nothing for data in
     * several pieces, such as planes each of which reports its own.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public List<ByteRange> arrivedRanges() {
        FrameMemory memory = lease.memory();
        if (!values.placed()) {
            return List.of();
        }
        return memory.received(values.flow, values.offset, values.lengthBytes).stream()
                .map(range -> new ByteRange(range.offset() - values.offset, range.lengthBytes()))
                .toList();
    }

    /**
     * Numbers of the lines of which every pixel arrived, from 0. None where lines do not start on bytes
     * ({@link #strideBytes()}).
     *
     * @throws IllegalStateException if the composite is closed
     */
    public BitSet arrivedLines() {
        BitSet lines = new BitSet();
        long stride = strideBytes();
        List<ByteRange> ranges = arrivedRanges();
        if (stride > 0) {
            for (ByteRange range : ranges) {
                long first = (range.offset() + stride - 1) / stride;
                long end = Math.min((range.end() + paddingX()) / stride, height());
                if (first < end) {
                    lines.set((int) first, (int) end);
                }
            }
        }
        return lines;
    }

    /** The first bytes of the data. */
    final ByteBuffer view(int lengthBytes) {
        return view(0, lengthBytes);
    }

    private ByteBuffer view(long from, int lengthBytes) {
        FrameMemory memory = lease.memory();
        ByteBuffer bytes = lengthBytes == 0 ? NO_DATA : memory.view(values.flow, values.offset + from, lengthBytes);
        return bytes.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Address of the first byte of {@link #data()} for native code, which must not write there and must not use it
     * after the composite was closed. Empty for a copy on the heap, for an item without data, in a dmabuf, and where
     * native access is not possible.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public OptionalLong address() {
        FrameMemory memory = lease.memory();
        OptionalLong flow = values.placed() ? memory.address(values.flow) : OptionalLong.empty();
        return flow.isEmpty() ? flow : OptionalLong.of(flow.getAsLong() + values.offset);
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
