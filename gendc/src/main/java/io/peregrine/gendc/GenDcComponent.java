package io.peregrine.gendc;

import io.peregrine.pfnc.PixelFormat;
import java.nio.ByteBuffer;
import java.util.List;

/** View of one component header (GenDC 1.1, table 2-2) with its parts. Nothing is copied. */
public final class GenDcComponent {
    static final int FIXED_SIZE_BYTES = 48;

    /** Group id of a component that belongs to all groups. */
    public static final int ALL_GROUPS = 0xFFFF;

    private static final int FLAG_INVALID = 1;

    private final ByteBuffer bytes;
    private final int at;
    private final List<GenDcPart> parts;

    GenDcComponent(ByteBuffer bytes, int at, List<GenDcPart> parts) {
        this.bytes = bytes;
        this.at = at;
        this.parts = parts;
    }

    /** Flags as they are. */
    public int flags() {
        return Short.toUnsignedInt(bytes.getShort(at + 2));
    }

    /** Whether the component must not be used this time. It keeps its place, so that indices stay the same. */
    public boolean invalid() {
        return (flags() & FLAG_INVALID) != 0;
    }

    /** Relates components, for example those of the left view; {@link #ALL_GROUPS} for all. */
    public int groupId() {
        return Short.toUnsignedInt(bytes.getShort(at + 10));
    }

    /** Sensor. */
    public int sourceId() {
        return Short.toUnsignedInt(bytes.getShort(at + 12));
    }

    /** Region or processing module. */
    public int regionId() {
        return Short.toUnsignedInt(bytes.getShort(at + 14));
    }

    /** Pixels from the left edge of the sensor. */
    public long regionOffsetX() {
        return Integer.toUnsignedLong(bytes.getInt(at + 16));
    }

    /** Lines from the top edge of the sensor. */
    public long regionOffsetY() {
        return Integer.toUnsignedLong(bytes.getInt(at + 20));
    }

    /**
     * Nanoseconds at the start of the data's creation; since 1970 TAI when {@link GenDcDescriptor#timestampPtp()}, but
     * devices set that with clocks that nobody set, too.
     */
    public long timestamp() {
        return bytes.getLong(at + 24);
    }

    /** What it shows, as a number; see {@link ComponentType}. */
    public long typeId() {
        return bytes.getLong(at + 32);
    }

    /** What it shows. */
    public ComponentType type() {
        return ComponentType.of(typeId());
    }

    /** PFNC code of the whole component. */
    public int format() {
        return bytes.getInt(at + 40);
    }

    /** Its parts, in order. */
    public List<GenDcPart> parts() {
        return parts;
    }

    int reserved() {
        return bytes.getShort(at + 8) | bytes.getShort(at + 44);
    }

    /** Everything in the header; the parts are not included. */
    @Override
    public String toString() {
        ComponentType type = type();
        return "Component " + type + " typeId=0x" + Long.toHexString(typeId()) + " format=" + PixelFormat.of(format())
                + " flags=" + GenDcDescriptor.hex16(flags()) + (invalid() ? " INVALID" : "") + " groupId=" + groupId()
                + " sourceId=" + sourceId() + " regionId=" + regionId() + " regionOffset=" + regionOffsetX() + ","
                + regionOffsetY() + " timestamp=" + timestamp() + " parts=" + parts.size();
    }
}
