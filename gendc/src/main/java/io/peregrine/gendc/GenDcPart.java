package io.peregrine.gendc;

import io.peregrine.pfnc.PixelFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.Optional;

/**
 * View of one part header (GenDC 1.1, tables 2-3 and 2-6 to 2-9). Nothing is copied; values are read from the
 * descriptor's bytes, and reading one allocates nothing. A part's data can be found in two ways: in one linear
 * container by {@link #dataOffset()}, or in its own flow by {@link #flowId()} and {@link #flowOffset()}. For as many
 * threads as its descriptor.
 */
public final class GenDcPart {
    static final int COMMON_SIZE_BYTES = 40;
    static final int SIZE_2D_BYTES = 56;
    /** Up to and with the padding of a one-dimensional part. */
    static final int NEEDED_1D_BYTES = 52;

    static final int SIZE_1D_BYTES = 64;
    static final int SIZE_H264_BYTES = 72;

    private static final int XML_FLAG_ZIP = 1 << 8;
    private static final int XML_FLAG_CHUNK = 1 << 9;

    static final GenDcPart[] NONE = {};
    static final PixelFormat NO_FORMAT = PixelFormat.of(0);

    private ByteBuffer bytes;
    private int at;
    private int headerOffset;
    private int headerSizeBytes;
    private int descriptorSizeBytes;
    private int componentIndex;
    private int partIndex;
    private boolean usable;
    private PixelFormat pixelFormat;

    GenDcPart(ByteBuffer bytes) {
        this.bytes = bytes;
        pixelFormat = NO_FORMAT;
    }

    /** Moves the view to another header, which lies within the buffer. */
    void move(
            ByteBuffer to,
            int descriptorAt,
            int offset,
            int sizeBytes,
            int wholeDescriptorBytes,
            int component,
            int part) {
        bytes = to;
        at = descriptorAt + offset;
        headerOffset = offset;
        headerSizeBytes = sizeBytes;
        descriptorSizeBytes = wholeDescriptorBytes;
        componentIndex = component;
        partIndex = part;
        usable = true;
    }

    int componentIndex() {
        return componentIndex;
    }

    int partIndex() {
        return partIndex;
    }

    /** What kind of part it is; see {@link PartType}. */
    public int headerType() {
        return LittleEndian.u16(bytes, at);
    }

    /** Flags; only XML parts have any. */
    public int flags() {
        return LittleEndian.u16(bytes, at + 2);
    }

    /** Where the header is, in bytes from the start of the descriptor. */
    public int headerOffset() {
        return headerOffset;
    }

    /** Bytes of the header, those of its kind and the vendor included. */
    public int headerSizeBytes() {
        return headerSizeBytes;
    }

    /** PFNC code of the part, for example R8 for the first plane of RGB8_Planar. */
    public int format() {
        return LittleEndian.i32(bytes, at + 8);
    }

    /** The format of the part. */
    public PixelFormat pixelFormat() {
        int code = format();
        PixelFormat last = pixelFormat;
        if (last.code() != code) {
            last = PixelFormat.of(code);
            pixelFormat = last;
        }
        return last;
    }

    /** Flow that carries the part. */
    public int flowId() {
        return LittleEndian.u16(bytes, at + 14);
    }

    /** First byte within the flow. */
    public long flowOffset() {
        return LittleEndian.i64(bytes, at + 16);
    }

    /**
     * Where to look for the first byte within the flow: {@link #flowOffset()}, but {@link #dataOffset()} for a part of
     * flow 0 whose flow offset is within the descriptor, where no data can be. Both are the same in flow 0 by the
     * standard, and some devices fill in only the latter.
     */
    public long flowPlace() {
        long offset = flowOffset();
        return flowId() == 0 && offset >= 0 && offset < descriptorSizeBytes ? dataOffset() : offset;
    }

    /** Bytes of data, padding included; the most there can be when the descriptor is not final. */
    public long dataSize() {
        return LittleEndian.i64(bytes, at + 24);
    }

    /** First byte within the linear container, counted from its descriptor's start. */
    public long dataOffset() {
        return LittleEndian.i64(bytes, at + 32);
    }

    /** False when the part was rejected: see {@link GenDcDescriptor#problems()}. */
    public boolean usable() {
        return usable;
    }

    /** Whether it is of the 2D category and its header holds the geometry. */
    public boolean is2d() {
        return PartType.is2d(headerType()) && headerSizeBytes >= SIZE_2D_BYTES;
    }

    /** Whether it is of the 1D or metadata category and its header holds the size. */
    public boolean is1d() {
        int type = headerType();
        return (PartType.is1d(type) || PartType.isMetadata(type)) && headerSizeBytes >= NEEDED_1D_BYTES;
    }

    /** Pixels in a line of a 2D part; 0 for others. */
    public long sizeX() {
        return is2d() ? LittleEndian.u32(bytes, at + 40) : 0;
    }

    /** Lines of a 2D part; 0 for others. */
    public long sizeY() {
        return is2d() ? LittleEndian.u32(bytes, at + 44) : 0;
    }

    /** Bytes after each line of a 2D part; 0 for others. */
    public int paddingX() {
        return is2d() ? LittleEndian.u16(bytes, at + 48) : 0;
    }

    /** Bytes at the end of a 2D part; 0 for others. */
    public int paddingY() {
        return is2d() ? LittleEndian.u16(bytes, at + 50) : 0;
    }

    /** Elements of the format in a 1D or metadata part; 0 for others. */
    public long size() {
        return is1d() ? LittleEndian.i64(bytes, at + 40) : 0;
    }

    /** Bytes at the end of a 1D or metadata part; 0 for others. */
    public int padding() {
        return is1d() ? LittleEndian.u16(bytes, at + 48) : 0;
    }

    /** GenICam layout id of a chunk or XML part, which changes with the layout of the chunks; 0 when there is none. */
    public long layoutId() {
        int type = headerType();
        boolean metadata = type == PartType.METADATA_CHUNK || type == PartType.METADATA_XML;
        return metadata && headerSizeBytes >= SIZE_1D_BYTES ? LittleEndian.i64(bytes, at + 56) : 0;
    }

    /** Whether the data of an XML part is zipped. */
    public boolean xmlZipped() {
        return headerType() == PartType.METADATA_XML && (flags() & XML_FLAG_ZIP) != 0;
    }

    /** Whether an XML part describes the chunk part beside it. */
    public boolean xmlForChunk() {
        return headerType() == PartType.METADATA_XML && (flags() & XML_FLAG_CHUNK) != 0;
    }

    /** Whether it is H.264 and its header holds all of its parameters. */
    public boolean isH264() {
        return headerType() == PartType.IMAGE_2D_H264 && headerSizeBytes >= SIZE_H264_BYTES;
    }

    /** The parameters of an H.264 part; empty for others. */
    public Optional<H264Parameters> h264() {
        if (!isH264()) {
            return Optional.empty();
        }
        int flags = LittleEndian.u8(bytes, at + 58);
        return Optional.of(new H264Parameters(
                LittleEndian.u8(bytes, at + 57),
                flags & 0xF,
                (flags >> 4) & 3,
                LittleEndian.u8(bytes, at + 59),
                LittleEndian.u16(bytes, at + 60),
                LittleEndian.u16(bytes, at + 62),
                LittleEndian.u32(bytes, at + 64),
                LittleEndian.u32(bytes, at + 68)));
    }

    /** Number of 64-bit fields after the standard ones. */
    public int typeSpecificCount() {
        return Math.max(0, (headerSizeBytes - standardSizeBytes()) / 8);
    }

    /**
     * A 64-bit field after the standard ones, which only the vendor can explain.
     *
     * @param index 0 to {@link #typeSpecificCount()} - 1
     */
    public long typeSpecific(int index) {
        Objects.checkIndex(index, typeSpecificCount());
        return LittleEndian.i64(bytes, at + standardSizeBytes() + 8 * index);
    }

    /** The 64-bit fields after the standard ones, which only the vendor can explain. */
    public long[] typeSpecific() {
        long[] fields = new long[typeSpecificCount()];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = typeSpecific(i);
        }
        return fields;
    }

    /** Bytes that the standard gives a meaning; of vendors' own kinds, what the common layout gives one. */
    private int standardSizeBytes() {
        int type = headerType();
        if (is1d()) {
            return PartType.isStandard(type) ? SIZE_1D_BYTES : SIZE_2D_BYTES;
        }
        if (is2d()) {
            return type == PartType.IMAGE_2D_H264 ? SIZE_H264_BYTES : SIZE_2D_BYTES;
        }
        return COMMON_SIZE_BYTES;
    }

    /**
     * The data of this part in a linear container.
     *
     * @param container the container from position to limit
     * @return a read-only little-endian view of {@link #dataSize()} bytes
     * @throws GenDcException if the part was rejected or lies outside
     */
    public ByteBuffer sliceLinear(ByteBuffer container) {
        return slice(container, dataOffset(), "container");
    }

    /**
     * The data of this part in its flow.
     *
     * @param flow the flow {@link #flowId()} from position to limit
     * @return a read-only little-endian view of {@link #dataSize()} bytes
     * @throws GenDcException if the part was rejected or lies outside
     */
    public ByteBuffer sliceFlow(ByteBuffer flow) {
        return slice(flow, flowPlace(), "flow");
    }

    /**
     * Sets position and limit of a buffer to the data of this part, without making another.
     *
     * @param container a buffer whose byte 0 is the first of the linear container
     * @throws GenDcException if the part was rejected or lies beyond the buffer's capacity
     */
    public void selectLinear(ByteBuffer container) {
        select(container, dataOffset(), "container");
    }

    /**
     * Sets position and limit of a buffer to the data of this part, without making another.
     *
     * @param flow a buffer whose byte 0 is the first of the flow {@link #flowId()}
     * @throws GenDcException if the part was rejected or lies beyond the buffer's capacity
     */
    public void selectFlow(ByteBuffer flow) {
        select(flow, flowPlace(), "flow");
    }

    private void select(ByteBuffer source, long offset, String where) {
        long size = dataSize();
        check(offset, size, source.capacity(), where);
        source.limit((int) (offset + size)).position((int) offset);
    }

    private ByteBuffer slice(ByteBuffer source, long offset, String where) {
        long size = dataSize();
        check(offset, size, source.remaining(), where);
        return source.slice(source.position() + (int) offset, (int) size)
                .asReadOnlyBuffer()
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    private void check(long offset, long size, long available, String where) {
        if (!usable) {
            throw new GenDcException("The part was rejected: see the problems of its descriptor");
        }
        if (!fits(offset, size, available)) {
            throw new GenDcException("Part of " + size + " bytes at " + offset + " lies outside its " + where + " of "
                    + available + " bytes");
        }
    }

    /** Whether a range lies within the first bytes of something; never overflows. */
    static boolean fits(long offset, long size, long available) {
        return offset >= 0 && size >= 0 && offset <= available && size <= available - offset;
    }

    void reject() {
        usable = false;
    }

    /** Everything in the header. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(160)
                .append("Part ")
                .append(PartType.name(headerType()))
                .append(" @")
                .append(headerOffset)
                .append(" format=")
                .append(pixelFormat())
                .append(" flags=")
                .append(Hex.of16(flags()))
                .append(" headerSize=")
                .append(headerSizeBytes)
                .append(" flowId=")
                .append(flowId())
                .append(" flowOffset=")
                .append(flowOffset())
                .append(" dataSize=")
                .append(Long.toUnsignedString(dataSize()))
                .append(" dataOffset=")
                .append(dataOffset());
        if (is2d()) {
            text.append(" size=")
                    .append(sizeX())
                    .append('x')
                    .append(sizeY())
                    .append(" padding=")
                    .append(paddingX())
                    .append(',')
                    .append(paddingY());
        } else if (is1d()) {
            text.append(" size=")
                    .append(Long.toUnsignedString(size()))
                    .append(" padding=")
                    .append(padding());
        }
        int type = headerType();
        if (type == PartType.METADATA_CHUNK || type == PartType.METADATA_XML) {
            text.append(" layoutId=").append(Long.toUnsignedString(layoutId()));
        }
        if (type == PartType.METADATA_XML) {
            text.append(xmlZipped() ? " Zip" : "").append(xmlForChunk() ? " Chunk" : "");
        }
        h264().ifPresent(parameters -> text.append(' ').append(parameters));
        int specific = typeSpecificCount();
        if (specific > 0) {
            text.append(" typeSpecific=[");
            for (int i = 0; i < specific; i++) {
                text.append(i == 0 ? "" : ", ").append(Long.toUnsignedString(typeSpecific(i)));
            }
            text.append(']');
        }
        return usable ? text.toString() : text.append(" REJECTED").toString();
    }
}
