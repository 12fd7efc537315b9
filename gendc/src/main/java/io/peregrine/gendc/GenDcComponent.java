package io.peregrine.gendc;

import io.peregrine.pfnc.PixelFormat;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * View of one component header (GenDC 1.1, table 2-2) with its parts. Nothing is copied; reading allocates nothing. For
 * as many threads as its descriptor.
 */
public final class GenDcComponent {
    static final int FIXED_SIZE_BYTES = 48;

    /** Group id of a component that belongs to all groups. */
    public static final int ALL_GROUPS = 0xFFFF;

    private static final int FLAG_INVALID = 1;

    static final GenDcComponent[] NONE = {};

    private final ViewList<GenDcPart> parts = new ViewList<>(GenDcPart.NONE);
    private ByteBuffer bytes;
    private int at;
    private int headerOffset;
    private int partCount;
    private PixelFormat pixelFormat;

    GenDcComponent(ByteBuffer bytes) {
        this.bytes = bytes;
        pixelFormat = GenDcPart.NO_FORMAT;
    }

    /** Moves the view to another header; its parts follow by {@link #setParts}. */
    void move(ByteBuffer to, int descriptorAt, int offset, int count) {
        bytes = to;
        at = descriptorAt + offset;
        headerOffset = offset;
        partCount = count;
    }

    void setParts(GenDcPart[] views, int first) {
        parts.set(views, first, partCount);
    }

    /** Flags as they are. */
    public int flags() {
        return LittleEndian.u16(bytes, at + 2);
    }

    /** Whether the component must not be used this time. It keeps its place, so that indices stay the same. */
    public boolean invalid() {
        return (flags() & FLAG_INVALID) != 0;
    }

    /** Relates components, for example those of the left view; {@link #ALL_GROUPS} for all. */
    public int groupId() {
        return LittleEndian.u16(bytes, at + 10);
    }

    /** Sensor. */
    public int sourceId() {
        return LittleEndian.u16(bytes, at + 12);
    }

    /** Region or processing module. */
    public int regionId() {
        return LittleEndian.u16(bytes, at + 14);
    }

    /** Pixels from the left edge of the sensor. */
    public long regionOffsetX() {
        return LittleEndian.u32(bytes, at + 16);
    }

    /** Lines from the top edge of the sensor. */
    public long regionOffsetY() {
        return LittleEndian.u32(bytes, at + 20);
    }

    /**
     * Nanoseconds at the start of the data's creation; since 1970 TAI when {@link GenDcDescriptor#timestampPtp()}, but
     * devices set that whose clocks were never set, too.
     */
    public long timestamp() {
        return LittleEndian.i64(bytes, at + 24);
    }

    /** What it shows, as a number; see {@link ComponentType}. */
    public long typeId() {
        return LittleEndian.i64(bytes, at + 32);
    }

    /** What it shows. */
    public ComponentType type() {
        return ComponentType.of(typeId());
    }

    /** PFNC code of the whole component. */
    public int format() {
        return LittleEndian.i32(bytes, at + 40);
    }

    /** The format of the whole component. */
    public PixelFormat pixelFormat() {
        int code = format();
        PixelFormat last = pixelFormat;
        if (last.code() != code) {
            last = PixelFormat.of(code);
            pixelFormat = last;
        }
        return last;
    }

    /** Where the header is, in bytes from the start of the descriptor. */
    public int headerOffset() {
        return headerOffset;
    }

    /** Bytes of the header with its list of parts. */
    public int headerSizeBytes() {
        return LittleEndian.i32(bytes, at + 4);
    }

    /** Its parts, in order. */
    public List<GenDcPart> parts() {
        return parts;
    }

    /** Sets the flag in a copy of the descriptor, and that of the container with it. */
    void markInvalid(byte[] descriptor) {
        descriptor[headerOffset + 2] |= FLAG_INVALID;
        descriptor[GenDcDescriptor.FLAGS_OFFSET] |= GenDcDescriptor.FLAG_COMPONENT_INVALID;
    }

    int partCount() {
        return partCount;
    }

    int reserved() {
        return LittleEndian.u16(bytes, at + 8) | LittleEndian.u16(bytes, at + 44);
    }

    /** Everything in the header; the parts are not included. */
    @Override
    public String toString() {
        ComponentType type = type();
        return "Component " + type + " @" + headerOffset + " typeId=0x" + Long.toHexString(typeId()) + " format="
                + pixelFormat()
                + " flags=" + Hex.of16(flags()) + (invalid() ? " INVALID" : "") + " headerSize="
                + headerSizeBytes() + " groupId=" + groupId()
                + " sourceId=" + sourceId() + " regionId=" + regionId() + " regionOffset=" + regionOffsetX() + ","
                + regionOffsetY() + " timestamp=" + timestamp() + " parts=" + parts.size();
    }
}
