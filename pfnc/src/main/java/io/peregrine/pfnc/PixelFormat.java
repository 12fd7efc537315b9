package io.peregrine.pfnc;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pixel format by its 32-bit code (PFNC 2.4). Codes that are not in the published list, vendor codes among them, are
 * usable too: their bits per pixel come from the code itself. Two formats are equal when their codes are. Immutable.
 *
 * <p>Layout of a code: bit 31 vendor specific, bits 30 to 24 single (1) or multiple (2) components, bits 23 to 16
 * effective bits per pixel, bits 15 to 0 identity.
 */
public final class PixelFormat {
    /** Bits that a pixel of the deprecated 10 and 12-bit R, G, B codes really takes. */
    private static final int DEPRECATED_STORED_BITS = 16;

    private static final String DEPRECATED = "_Deprecated";

    private final int code;
    private final String name;
    private final boolean known;
    /** Null until somebody asks what the name means. Threads that read it at the same time read the same. */
    private @Nullable FormatTraits traits;

    /** A format of the list. */
    PixelFormat(int code, String name) {
        this.code = code;
        this.name = name;
        known = true;
    }

    /** A format that is not in the list. */
    private PixelFormat(int code) {
        this.code = code;
        name = String.format(Locale.ROOT, "0x%08X", code);
        known = false;
    }

    /** All formats of the list, in the order of their codes as signed numbers. */
    public static List<PixelFormat> all() {
        return PixelFormatTable.all();
    }

    /**
     * The format of a code.
     *
     * @param code any 32-bit code, published or not
     */
    public static PixelFormat of(int code) {
        PixelFormat listed = PixelFormatTable.byCode(code);
        return listed != null ? listed : new PixelFormat(code);
    }

    /**
     * The format of a published name.
     *
     * @param name as published, for example {@code Mono8} or {@code Coord3D_ABC32f}; case matters
     */
    public static Optional<PixelFormat> byName(String name) {
        return Optional.ofNullable(PixelFormatTable.byName(name));
    }

    /** The 32-bit code. */
    public int code() {
        return code;
    }

    /** Published name, or the code as {@code 0x%08X} when it is not in the list. */
    public String name() {
        return name;
    }

    /** Whether the code is in the list. */
    public boolean known() {
        return known;
    }

    /**
     * Effective bits per pixel, with the padding bits inside the pixel, summed over components and planes, averaged for
     * subsampled formats: bits 23 to 16 of the code. Not the depth: Mono10 has 16.
     */
    public int bitsPerPixel() {
        return (code >>> 16) & 0xFF;
    }

    /** Bits of a component that carry its value, the most of them when components differ; 0 when not known. */
    public int significantBits() {
        return traits().significantBits();
    }

    /**
     * Bits of one component that carry its value: those of {@link #significantBits()}, but 5 for red and blue of
     * RGB565p and BGR565p.
     *
     * @param component index in {@link #components()}
     * @throws IndexOutOfBoundsException if there is no such component
     */
    public int significantBits(int component) {
        boolean shortened = fiveSixFive() && components().get(component) != PixelComponent.GREEN;
        return shortened ? significantBits() - 1 : significantBits();
    }

    private FormatTraits traits() {
        FormatTraits read = traits;
        if (read == null) {
            read = known ? FormatName.read(name) : FormatTraits.UNKNOWN;
            traits = read;
        }
        return read;
    }

    boolean fiveSixFive() {
        return code == PfncCodes.RGB565P || code == PfncCodes.BGR565P;
    }

    /** How components share bytes. */
    public Packing packing() {
        return traits().packing();
    }

    /** Number of different components that make up a pixel, for example 3 for RGB8 and YCbCr422_8; 0 when not known. */
    public int componentsPerPixel() {
        return components().size();
    }

    /**
     * The components that make up a pixel, in the order in which they lie: blue, green, red for BGR8. Two-colour
     * formats have {@link PixelComponent#MOSAIC} for red and blue in turn. Empty when not known.
     */
    public List<PixelComponent> components() {
        return traits().components();
    }

    /**
     * The values of the smallest group that repeats, in the order in which they lie: Y, Cb, Y, Cr for YCbCr422_8. For
     * formats with planes, the components. Empty when not known.
     */
    public List<PixelComponent> sequence() {
        return traits().sequence();
    }

    /** What the components mean. */
    public ColourFamily family() {
        return traits().family();
    }

    /** What the bits of a component are. */
    public ValueType valueType() {
        return traits().valueType();
    }

    /** Where the components of a pixel lie. */
    public PlaneArrangement arrangement() {
        return traits().arrangement();
    }

    /** Pixels that share chroma. */
    public Subsampling subsampling() {
        return traits().subsampling();
    }

    /** Colour filters over the pixels; empty for formats that are no mosaic. */
    public Optional<ColourFilter> colourFilter() {
        return traits().filter();
    }

    /** How luma and chroma were made; empty for formats without them. */
    Optional<ColourEncoding> colourEncoding() {
        return traits().encoding();
    }

    /**
     * Whether how the bytes lie is taken from the name or from one source alone, since no published text describes it:
     * RGB10V1Packed, RGB12V1Packed and the vendor codes. Check such a format on the device.
     */
    public boolean layoutAssumed() {
        return traits().assumed();
    }

    /** Whether the list has another code for the same data, because the size field of this one is wrong. */
    public boolean deprecated() {
        return known && name.endsWith(DEPRECATED);
    }

    /** The code to use in place of a deprecated one, or the deprecated one that stood for the same data before. */
    public Optional<PixelFormat> deprecatedTwin() {
        return known
                ? byName(deprecated() ? name.substring(0, name.length() - DEPRECATED.length()) : name + DEPRECATED)
                : Optional.empty();
    }

    /** Number of planes that lie one after the other in one buffer: 1, 2 for semi-planar, or one for each component. */
    public int planes() {
        return switch (arrangement()) {
            case INTERLEAVED -> 1;
            case SEMI_PLANAR -> 2;
            case PLANAR -> componentsPerPixel();
        };
    }

    /** Bits that a pixel takes in memory, on average; those of the code except for deprecated ones. */
    int storedBitsPerPixel() {
        return deprecated() ? DEPRECATED_STORED_BITS : bitsPerPixel();
    }

    /**
     * Bytes of one line that ends on a whole byte. For planar formats the sum over all planes.
     *
     * @param width pixels, 0 or more
     * @throws ArithmeticException if the result is beyond 64 bits
     */
    public long lineSizeBytes(long width) {
        checkNotNegative(width, "width");
        if (packing() == Packing.GIGE_VISION_PACKED && bitsPerPixel() % 8 != 0) {
            // Two pixels share a group: 3 bytes for the 12-bit ones, 9 for RGB12V1Packed.
            return Math.multiplyExact(dividedUp(width, 2), bitsPerPixel() / 4L);
        }
        return bytesFor(Math.multiplyExact(width, (long) storedBitsPerPixel()));
    }

    /**
     * Bytes of an image whose lines end on whole bytes. Planes lie one after the other; {@link PixelLayout} has their
     * places.
     *
     * @param width pixels
     * @param height lines
     * @param paddingX bytes after each line, of every plane
     * @param paddingY bytes at the end of the image
     * @throws ArithmeticException if the result is beyond 64 bits
     */
    public long imageSizeBytes(long width, long height, int paddingX, int paddingY) {
        checkNotNegative(height, "height");
        checkNotNegative(paddingX, "paddingX");
        checkNotNegative(paddingY, "paddingY");
        long size = paddingY;
        for (int plane = 0; plane < planes(); plane++) {
            long lineBytes = planes() == 1 ? lineSizeBytes(width) : bytesFor(planeLineBits(plane, width));
            long line = Math.addExact(lineBytes, (long) paddingX);
            size = Math.addExact(size, Math.multiplyExact(line, planeLines(plane, height)));
        }
        return size;
    }

    /** Lines of a plane; only the chroma plane of 4:2:0 has fewer than the image. */
    long planeLines(int plane, long height) {
        return arrangement() == PlaneArrangement.SEMI_PLANAR && plane == 1
                ? dividedUp(height, subsampling().lines())
                : height;
    }

    /** Bits of the pixels of one line of a plane. */
    long planeLineBits(int plane, long width) {
        checkNotNegative(width, "width");
        return switch (arrangement()) {
            case INTERLEAVED -> Math.multiplyExact(width, (long) storedBitsPerPixel());
            case PLANAR -> Math.multiplyExact(width, (long) storedBitsPerPixel() / planes());
            case SEMI_PLANAR -> {
                long values =
                        plane == 0 ? width : 2 * dividedUp(width, subsampling().columns());
                yield Math.multiplyExact(values, (long) significantBits());
            }
        };
    }

    static long dividedUp(long value, int divisor) {
        return value / divisor + (value % divisor == 0 ? 0 : 1);
    }

    /**
     * Bytes of a run of pixels which does not stop at line ends, as in an image whose lines are not aligned to bytes.
     *
     * @param pixels number of pixels
     * @throws ArithmeticException if the result is beyond 64 bits
     */
    public long unalignedSizeBytes(long pixels) {
        checkNotNegative(pixels, "pixels");
        return bytesFor(Math.multiplyExact(pixels, (long) storedBitsPerPixel()));
    }

    static long bytesFor(long bits) {
        return dividedUp(bits, Byte.SIZE);
    }

    private static void checkNotNegative(long value, String what) {
        if (value < 0) {
            throw new IllegalArgumentException(what + " is " + value + "; it must be 0 or more");
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PixelFormat format && format.code == code;
    }

    @Override
    public int hashCode() {
        return Integer.hashCode(code);
    }

    /** The name. */
    @Override
    public String toString() {
        return name;
    }
}
