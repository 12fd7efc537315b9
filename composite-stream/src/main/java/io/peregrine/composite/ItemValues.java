package io.peregrine.composite;

import io.peregrine.gendc.H264Parameters;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pfnc.PixelFormat;
import io.peregrine.pfnc.PixelFormatException;
import io.peregrine.pfnc.PixelLayout;
import io.peregrine.pfnc.PixelLayout.LineRule;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of one item. In an {@link ItemTable} it is a slot that frame after frame is written into; an
 * {@link Item} has a copy, which no one changes.
 */
final class ItemValues {
    /** {@link #strideBytes} when the size of the data decides. */
    static final long BY_SIZE = -1;

    /** Which kind of item it becomes. */
    enum Kind {
        IMAGE,
        PACKED,
        PLANE,
        PLANES,
        POINT_CLOUD,
        JPEG,
        JPEG2000,
        H264,
        CHUNK,
        BUFFER
    }

    Kind kind = Kind.BUFFER;
    /** What it shows, as a number. */
    long typeId;
    /** Header type of the GenDC part, 0 when there is none. */
    int partType;

    PixelFormat format = PixelFormat.of(PfncCodes.DATA8);
    /** Pixels in a line, or elements of one-dimensional data. */
    int width;

    int height;
    int paddingX;
    int paddingY;
    long offsetX;
    long offsetY;
    int groupId;
    int sourceId;
    int regionId;
    /** In the unit of the device. */
    long timestamp;
    /** Whether the device says that the data can be used. */
    boolean valid;
    /** Says why the data is not whole; null when it is. Refers to nothing that changes. */
    @Nullable
    Supplier<String> missing;
    /** Position of the component in the descriptor, of the part in a multi-part block, or 0. */
    int component;
    /** Position of the part in the component. */
    int part;
    /** From line to line; 0 when lines do not end on bytes, or there are none; {@link #BY_SIZE}. */
    long strideBytes;

    // Where the bytes lie, checked against the size of the flow; no bytes, no place.
    int flow;
    long offset;
    long lengthBytes;

    // Planes.
    PlaneRole role = PlaneRole.UNDEFINED;
    int plane;
    int planeCount;
    int pixelStrideBytes;
    /** Of planes that are separate parts: how many slots after this one they have. */
    int separatePlanes;

    // Compressed, chunk and other bytes.
    Optional<H264Parameters> h264 = Optional.empty();
    ByteOrder byteOrder = ByteOrder.BIG_ENDIAN;
    long layoutId;
    /** Bytes of chunk data without padding. */
    int walkedBytes;

    boolean zipped;

    private @Nullable LastLayout lastLayout;

    ItemValues() {}

    /**
     * An item without geometry, data and flaw. The format stays, because that of the next frame is most often the same.
     */
    void clear() {
        PixelFormat last = format;
        set(EMPTY);
        format = last;
    }

    private static final ItemValues EMPTY = new ItemValues();

    ItemValues copy() {
        ItemValues copy = new ItemValues();
        copy.set(this);
        return copy;
    }

    private void set(ItemValues other) {
        kind = other.kind;
        typeId = other.typeId;
        partType = other.partType;
        format = other.format;
        width = other.width;
        height = other.height;
        paddingX = other.paddingX;
        paddingY = other.paddingY;
        offsetX = other.offsetX;
        offsetY = other.offsetY;
        groupId = other.groupId;
        sourceId = other.sourceId;
        regionId = other.regionId;
        timestamp = other.timestamp;
        valid = other.valid;
        missing = other.missing;
        component = other.component;
        part = other.part;
        strideBytes = other.strideBytes;
        flow = other.flow;
        offset = other.offset;
        lengthBytes = other.lengthBytes;
        role = other.role;
        plane = other.plane;
        planeCount = other.planeCount;
        pixelStrideBytes = other.pixelStrideBytes;
        separatePlanes = other.separatePlanes;
        h264 = other.h264;
        byteOrder = other.byteOrder;
        layoutId = other.layoutId;
        walkedBytes = other.walkedBytes;
        zipped = other.zipped;
    }

    /** Sets the format. Codes that are not in the list take memory, unless the slot had the same one before. */
    void format(int code) {
        if (format.code() != code) {
            format = PixelFormat.of(code);
        }
    }

    void geometry(int newWidth, int newHeight, int newPaddingX, int newPaddingY, long newStrideBytes) {
        width = newWidth;
        height = newHeight;
        paddingX = newPaddingX;
        paddingY = newPaddingY;
        strideBytes = newStrideBytes;
    }

    void place(int newFlow, long newOffset, long newLengthBytes) {
        flow = newFlow;
        offset = newOffset;
        lengthBytes = newLengthBytes;
    }

    void noPlace() {
        place(0, 0, 0);
    }

    boolean placed() {
        return lengthBytes > 0;
    }

    /** Narrows the place to a range within it. */
    void within(long from, long length) {
        if (from < 0 || length < 0 || length > lengthBytes - from) {
            throw new IndexOutOfBoundsException(
                    length + " bytes at " + from + " of a place of " + lengthBytes + " bytes");
        }
        place(flow, offset + from, length);
    }

    void plane(PlaneRole newRole, int index, int count, int strideBetweenPixels) {
        kind = Kind.PLANE;
        role = newRole;
        plane = index;
        planeCount = count;
        pixelStrideBytes = strideBetweenPixels;
    }

    /** How the pixels lie in the data; empty when there is no such image. Made again each time. */
    Optional<PixelLayout> layout() {
        return layout(format, width, height, paddingX, paddingY, lengthBytes);
    }

    /** Bytes from line to line in the first plane; 0 when lines run on, or there is no such image. */
    static long strideBytes(Optional<PixelLayout> layout) {
        return layout.isPresent() && layout.get().rule() != LineRule.CONTIGUOUS
                ? layout.get().strideBits(0) / Byte.SIZE
                : 0;
    }

    private static Optional<PixelLayout> layout(
            PixelFormat format, long width, long height, int paddingX, int paddingY, long dataBytes) {
        try {
            return Optional.of(PixelLayout.resolve(format, width, height, paddingX, paddingY, dataBytes));
        } catch (PixelFormatException e) {
            return Optional.empty();
        }
    }

    /**
     * How an image of this format lies in data of a size; empty when there is no such image. Of a slot: takes no memory
     * when the image in it was the same before.
     */
    Optional<PixelLayout> sameLayout(long imageWidth, long imageHeight, int afterLine, int atEnd, long dataBytes) {
        LastLayout last = lastLayout;
        if (last == null || !last.isOf(format, imageWidth, imageHeight, afterLine, atEnd, dataBytes)) {
            last = new LastLayout(
                    format,
                    imageWidth,
                    imageHeight,
                    afterLine,
                    atEnd,
                    dataBytes,
                    layout(format, imageWidth, imageHeight, afterLine, atEnd, dataBytes));
            lastLayout = last;
        }
        return last.layout;
    }

    private record LastLayout(
            PixelFormat format,
            long width,
            long height,
            int paddingX,
            int paddingY,
            long dataBytes,
            Optional<PixelLayout> layout) {
        boolean isOf(PixelFormat other, long columns, long lines, int afterLine, int atEnd, long bytes) {
            return format.equals(other)
                    && width == columns
                    && height == lines
                    && paddingX == afterLine
                    && paddingY == atEnd
                    && dataBytes == bytes;
        }
    }
}
