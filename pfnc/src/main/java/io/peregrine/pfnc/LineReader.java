package io.peregrine.pfnc;

import io.peregrine.pfnc.PixelLayout.LineRule;
import java.nio.ByteBuffer;

/** Reads the values of single lines of an image, as they are. Its buffer grows to the longest line that it has read. */
final class LineReader {
    /** How a kind of line is unpacked. */
    private enum Kind {
        BYTES,
        THREE_OF_FOUR_BYTES,
        SHORTS,
        INTS,
        LONGS,
        STREAM,
        P32,
        FIVE_SIX_FIVE,
        PACKED10,
        PACKED12,
        RGB10_V1,
        RGB12_V1
    }

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int PAIR_BITS = 24;
    private static final int HALF_PAIR_BITS = 12;

    private byte[] line = new byte[Unpacker.SLACK_BYTES];
    private ByteBuffer source = NOTHING;
    private int position;
    private PixelLayout layout = PixelLayout.of(PixelFormat.of(PfncCodes.MONO8), 0, 0);
    private Kind kind = Kind.BYTES;
    private int bits;
    private ValueType type = ValueType.UNSIGNED;

    /** Where the first value of the line that was loaded begins: a bit, or a place in a pair. */
    private int phase;

    /**
     * Prepares reading an image.
     *
     * @throws PixelFormatException if the buffer is too short or the geometry too large
     */
    void open(PixelLayout newLayout, ByteBuffer newSource) {
        PixelFormat format = newLayout.format();
        check(newLayout, newSource);
        layout = newLayout;
        source = newSource;
        position = newSource.position();
        bits = format.significantBits();
        type = format.valueType();
        kind = kind(format);
    }

    /** Checks that a buffer has all lines of an image. */
    static void check(PixelLayout layout, ByteBuffer source) {
        PixelFormat format = layout.format();
        if (layout.neededBytes() > source.remaining()) {
            throw new PixelFormatException("An image of " + layout.width() + " x " + layout.height() + " pixels of "
                    + format + " needs " + layout.neededBytes() + " bytes, but only " + source.remaining()
                    + " are there");
        }
        if (layout.rule() == LineRule.CONTIGUOUS
                && layout.width() % format.subsampling().columns() != 0) {
            throw new PixelFormatException("Lines of " + format + " that run on need a width that is a multiple of "
                    + format.subsampling().columns() + ", not " + layout.width());
        }
    }

    /** Releases the buffer. */
    void close() {
        source = NOTHING;
    }

    private static Kind kind(PixelFormat format) {
        int bits = format.significantBits();
        return switch (AssumedLayouts.packing(format)) {
            case UNPACKED -> {
                if (bits == Byte.SIZE
                        && format.componentsPerPixel() == 3
                        && format.storedBitsPerPixel() == Integer.SIZE) {
                    yield Kind.THREE_OF_FOUR_BYTES;
                }
                if (bits <= Byte.SIZE) {
                    yield Kind.BYTES;
                }
                yield bits <= Short.SIZE ? Kind.SHORTS : bits <= Integer.SIZE ? Kind.INTS : Kind.LONGS;
            }
            case LSB_PACKED -> {
                if (format.fiveSixFive()) {
                    yield Kind.FIVE_SIX_FIVE;
                }
                yield format.code() == PfncCodes.RGB10P32 ? Kind.P32 : Kind.STREAM;
            }
            case GIGE_VISION_PACKED -> {
                if (format.componentsPerPixel() == 3) {
                    yield bits == 10 ? Kind.RGB10_V1 : Kind.RGB12_V1;
                }
                yield bits == 10 ? Kind.PACKED10 : Kind.PACKED12;
            }
            case OTHER ->
                throw new PixelFormatException(
                        "How the bytes of " + format + " lie is not known; take them as they are");
        };
    }

    /** Values of a line of a plane. */
    int valuesOfLine(int plane) {
        PixelFormat format = layout.format();
        int width = (int) layout.width();
        return switch (format.arrangement()) {
            case PLANAR -> width;
            case SEMI_PLANAR -> plane == 0 ? width : 2 * (int) PixelFormat.dividedUp(width, 2);
            case INTERLEAVED ->
                switch (format.subsampling()) {
                    case NONE -> Math.multiplyExact(width, format.componentsPerPixel());
                    case HALF_WIDTH -> Math.multiplyExact(width, 2);
                    case QUARTER_WIDTH -> (int) PixelFormat.dividedUp(3L * width, 2);
                    case HALF_WIDTH_AND_HEIGHT -> throw new IllegalStateException(format + " has no planes");
                };
        };
    }

    /** The bytes of a line, from index 0. They are overwritten by the next call. */
    byte[] load(int plane, int y) {
        long bit = y * layout.strideBits(plane);
        int unit = Byte.SIZE;
        phase = (int) (bit % Byte.SIZE);
        boolean pairs = kind == Kind.PACKED10 || kind == Kind.PACKED12 || kind == Kind.RGB12_V1;
        if (pairs && layout.rule() == LineRule.CONTIGUOUS) {
            unit = PAIR_BITS;
            phase = (int) (bit % PAIR_BITS) / HALF_PAIR_BITS;
        }
        long startBit = bit - bit % unit;
        long endByte = PixelFormat.bytesFor(bit + layout.lineBits(plane));
        int startByte = (int) (startBit / Byte.SIZE);
        int count = (int) (endByte - startByte);
        if (line.length < count + Unpacker.SLACK_BYTES) {
            line = new byte[count + Unpacker.SLACK_BYTES];
        }
        source.get(position + (int) layout.planeOffsetBytes(plane) + startByte, line, 0, count);
        return line;
    }

    /**
     * The values of a line of integers of up to 32 bits. Signed ones have their sign, unsigned ones of 32 bits need
     * {@link Integer#toUnsignedLong}.
     */
    void read(int plane, int y, int[] values) {
        load(plane, y);
        int count = valuesOfLine(plane);
        boolean signed = type == ValueType.SIGNED;
        switch (kind) {
            case BYTES -> Unpacker.bytes(line, signed, values, count);
            case THREE_OF_FOUR_BYTES -> Unpacker.threeOfFourBytes(line, values, count);
            case SHORTS -> Unpacker.shorts(line, signed, values, count);
            case INTS -> Unpacker.ints(line, values, count);
            case STREAM -> Unpacker.stream(line, phase, bits, values, count);
            case P32 -> Unpacker.p32(line, values, count);
            case FIVE_SIX_FIVE -> Unpacker.fiveSixFive(line, values, count);
            case PACKED10 -> Unpacker.packed10(line, phase, values, count);
            case PACKED12 -> Unpacker.packed12(line, phase, values, count);
            case RGB10_V1 -> AssumedLayouts.unpackRgb10V1(line, values, count);
            case RGB12_V1 -> AssumedLayouts.unpackRgb12V1(line, phase, values, count);
            case LONGS -> throw new IllegalStateException("Values of 64 bits are no int");
        }
    }

    /** Whether each pixel is one unsigned byte with 8 bits. */
    boolean bytesOfOneComponent() {
        return kind == Kind.BYTES
                && bits == Byte.SIZE
                && type == ValueType.UNSIGNED
                && layout.format().componentsPerPixel() == 1;
    }

    /** Whether each value is a float of 32 bits. */
    boolean floats() {
        return kind == Kind.INTS && type == ValueType.FLOAT;
    }

    /** The first bytes of a line as they are. */
    void bytes(int plane, int y, byte[] target, int targetAt, int count) {
        long at = position + layout.planeOffsetBytes(plane) + y * layout.strideBits(plane) / Byte.SIZE;
        source.get((int) at, target, targetAt, count);
    }

    /**
     * The values of a line of a format of one component with up to 16 bits.
     *
     * @return whether it was done; otherwise {@link #read} has to
     */
    boolean readShorts(int y, short[] target, int at) {
        int count = valuesOfLine(0);
        switch (kind) {
            case SHORTS -> Unpacker.shorts(load(0, y), target, at, count);
            case PACKED10 -> {
                load(0, y);
                if (phase != 0) {
                    return false;
                }
                Unpacker.packed10(line, target, at, count);
            }
            case PACKED12 -> {
                load(0, y);
                if (phase != 0) {
                    return false;
                }
                Unpacker.packed12(line, target, at, count);
            }
            case STREAM -> {
                load(0, y);
                if (phase != 0 || (bits != 10 && bits != 12)) {
                    return false;
                }
                if (bits == 10) {
                    Unpacker.stream10(line, target, at, count);
                } else {
                    Unpacker.stream12(line, target, at, count);
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** The values of a line of numbers of 32 or 64 bits. */
    void readWide(int plane, int y, double[] values) {
        load(plane, y);
        int count = valuesOfLine(plane);
        boolean single = kind == Kind.INTS;
        switch (type) {
            case FLOAT -> {
                for (int i = 0; i < count; i++) {
                    values[i] = single
                            ? (float) Unpacker.FLOATS.get(line, 4 * i)
                            : (double) Unpacker.DOUBLES.get(line, 8 * i);
                }
            }
            case SIGNED -> {
                for (int i = 0; i < count; i++) {
                    values[i] = single ? (int) Unpacker.INTS.get(line, 4 * i) : (long) Unpacker.LONGS.get(line, 8 * i);
                }
            }
            case UNSIGNED -> {
                for (int i = 0; i < count; i++) {
                    values[i] = single
                            ? Integer.toUnsignedLong((int) Unpacker.INTS.get(line, 4 * i))
                            : unsigned((long) Unpacker.LONGS.get(line, 8 * i));
                }
            }
        }
    }

    private static double unsigned(long value) {
        if (value >= 0) {
            return value;
        }
        // The lowest bit is kept, so that halving does not change how the number is rounded.
        return 2.0 * (double) (value >>> 1 | (value & 1));
    }
}
