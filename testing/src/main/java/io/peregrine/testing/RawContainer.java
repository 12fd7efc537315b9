package io.peregrine.testing;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Writes GenDC containers field by field, as tables 2-1 to 2-9 of GenDC 1.1 have them. All offsets and sizes are given
 * by the caller, worked out by hand: nothing here is shared with the library. Every call writes after the one before.
 */
public final class RawContainer {
    private final ByteBuffer bytes = ByteBuffer.allocate(8192).order(ByteOrder.LITTLE_ENDIAN);

    private RawContainer() {}

    /** The container header of version 1.minor.0. */
    public static RawContainer begin(
            int minor,
            int flags,
            long id,
            int variableFields,
            long dataSize,
            int descriptorSize,
            long... componentOffsets) {
        RawContainer raw = new RawContainer();
        raw.bytes.put(new byte[] {'G', 'N', 'D', 'C', 1, (byte) minor, 0, 0});
        raw.u16(0x1000).u16(flags).u32(56 + 8L * componentOffsets.length).u64(id);
        raw.u16(variableFields).u16(0).u32(0);
        raw.u64(dataSize).u64(descriptorSize).u32(descriptorSize).u32(componentOffsets.length);
        Arrays.stream(componentOffsets).forEach(raw::u64);
        return raw;
    }

    /** Changes the last number of the version in the container header. */
    public RawContainer subMinor(int subMinor) {
        bytes.put(6, (byte) subMinor);
        return this;
    }

    /** A component header with zeros from GroupId to Timestamp. */
    public RawContainer component(int at, int flags, long typeId, int format, long... partOffsets) {
        return component(at, flags, 0, 0, 0, 0, 0, 0, typeId, format, partOffsets);
    }

    /** A component header. */
    public RawContainer component(
            int at,
            int flags,
            int group,
            int source,
            int region,
            long offsetX,
            long offsetY,
            long timestamp,
            long typeId,
            int format,
            long... partOffsets) {
        expect(at);
        u16(0x2000).u16(flags).u32(48 + 8L * partOffsets.length);
        u16(0).u16(group).u16(source).u16(region);
        u32(offsetX).u32(offsetY).u64(timestamp).u64(typeId).u32(Integer.toUnsignedLong(format));
        u16(0).u16(partOffsets.length);
        Arrays.stream(partOffsets).forEach(this::u64);
        return this;
    }

    /** The 40 bytes that all parts have. */
    public RawContainer part(
            int at,
            int type,
            int flags,
            int headerSize,
            int format,
            int flow,
            long flowOffset,
            long dataSize,
            long dataOffset) {
        expect(at);
        u16(type).u16(flags).u32(headerSize).u32(Integer.toUnsignedLong(format));
        return u16(0).u16(flow).u64(flowOffset).u64(dataSize).u64(dataOffset);
    }

    /** A part of flow 0. */
    public RawContainer part(int at, int type, int headerSize, int format, long dataSize, long dataOffset) {
        return part(at, type, 0, headerSize, format, 0, dataOffset, dataSize, dataOffset);
    }

    /** SizeX, SizeY, PaddingX, PaddingY, reserved. */
    public RawContainer image(long x, long y, int paddingX, int paddingY) {
        return u32(x).u32(y).u16(paddingX).u16(paddingY).u32(0);
    }

    /** Size, Padding, reserved, LayoutId (or 0). */
    public RawContainer array(long size, int padding, long layoutId) {
        return u64(size).u16(padding).u16(0).u32(0).u64(layoutId);
    }

    /** Says where the next byte is, so that a wrong sum fails here and not in what is tested. */
    public RawContainer expect(int at) {
        if (bytes.position() != at) {
            throw new IllegalStateException("At " + bytes.position() + ", not " + at);
        }
        return this;
    }

    /** Bytes. */
    public RawContainer u8(int... values) {
        for (int value : values) {
            bytes.put((byte) value);
        }
        return this;
    }

    /** Counts up: first, first + 1, and so on. */
    public RawContainer count(int first, int length) {
        return count(first, 1, length);
    }

    /** Counts up: first, first + step, and so on. */
    public RawContainer count(int first, int step, int length) {
        for (int i = 0; i < length; i++) {
            bytes.put((byte) (first + step * i));
        }
        return this;
    }

    /** Zeros up to a place. */
    public RawContainer zerosTo(int at) {
        while (bytes.position() < at) {
            bytes.put((byte) 0);
        }
        return expect(at);
    }

    /** 16 bits. */
    public RawContainer u16(int value) {
        bytes.putShort((short) value);
        return this;
    }

    /** 32 bits. */
    public RawContainer u32(long value) {
        bytes.putInt((int) value);
        return this;
    }

    /** 64 bits. */
    public RawContainer u64(long value) {
        bytes.putLong(value);
        return this;
    }

    /** A single-precision number. */
    public RawContainer f32(float value) {
        bytes.putFloat(value);
        return this;
    }

    /** What was written, little-endian; its array is as long as it is. */
    public ByteBuffer end(int length) {
        return ByteBuffer.wrap(expect(length).bytes()).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** A copy of what was written. */
    public byte[] bytes() {
        return Arrays.copyOf(bytes.array(), bytes.position());
    }
}
