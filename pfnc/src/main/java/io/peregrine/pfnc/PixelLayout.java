package io.peregrine.pfnc;

/**
 * Where the pixels of an image lie in its bytes. Immutable: make one for a geometry and use it for every image of a
 * stream.
 *
 * <p>Planes lie one after the other, and each begins on a byte; each of their lines has the same padding after it. The
 * chroma plane of a semi-planar format has two bytes for every two pixels of a line, rounded up.
 */
public final class PixelLayout {
    /**
     * Where lines begin when pixels do not fill whole bytes. The naming convention leaves it open, and so do GenDC and
     * GVSP; the number of bytes that arrived decides.
     */
    public enum LineRule {
        /** Each line begins on a byte ("line padding"); also every format whose pixels are whole bytes. */
        WHOLE_BYTES,
        /**
         * Each line of a {@code Packed} format of GigE Vision 1.x begins with a pair of pixels; matters for odd widths.
         */
        WHOLE_PAIRS,
        /** Lines run on without a gap, as one long line ("image padding"). */
        CONTIGUOUS
    }

    /** How the number of bytes that came compares to the size of the image. */
    public enum DataFit {
        /** As many as the image has. */
        EXACT,
        /** More; what follows the image is not known. Worth a warning. */
        LARGER,
        /** Fewer; the last lines are missing. */
        SHORT
    }

    private final PixelFormat format;
    private final long width;
    private final long height;
    private final LineRule rule;
    private final DataFit fit;
    private final long sizeBytes;
    private final long neededBytes;
    private final long[] planeOffsetBytes;
    private final long[] strideBits;
    private final long[] lineBits;

    private PixelLayout(
            PixelFormat format,
            long width,
            long height,
            LineRule rule,
            long firstStrideBytes,
            long paddingYBytes,
            long dataSizeBytes) {
        this.format = format;
        this.width = width;
        this.height = height;
        this.rule = rule;
        int planes = format.planes();
        planeOffsetBytes = new long[planes];
        strideBits = new long[planes];
        lineBits = new long[planes];
        long paddingBytes = firstStrideBytes - PixelFormat.bytesFor(format.planeLineBits(0, width));
        long end = 0;
        long needed = 0;
        for (int plane = 0; plane < planes; plane++) {
            long lines = format.planeLines(plane, height);
            lineBits[plane] = format.planeLineBits(plane, width);
            strideBits[plane] = rule == LineRule.CONTIGUOUS
                    ? lineBits[plane]
                    : Math.multiplyExact(
                            Math.addExact(PixelFormat.bytesFor(lineBits[plane]), paddingBytes), (long) Byte.SIZE);
            planeOffsetBytes[plane] = end;
            long before = lines == 0 ? 0 : Math.multiplyExact(lines - 1, strideBits[plane]);
            long pixels = lines == 0 ? 0 : Math.addExact(before, lineBits[plane]);
            needed = lines == 0 ? needed : Math.addExact(end, PixelFormat.bytesFor(pixels));
            end = Math.addExact(end, PixelFormat.bytesFor(Math.multiplyExact(lines, strideBits[plane])));
        }
        neededBytes = needed;
        sizeBytes = Math.addExact(end, paddingYBytes);
        if (dataSizeBytes < 0 || dataSizeBytes == sizeBytes) {
            fit = DataFit.EXACT;
        } else {
            fit = dataSizeBytes > sizeBytes ? DataFit.LARGER : DataFit.SHORT;
        }
    }

    /**
     * An image without padding, of the usual size: lines begin on bytes, those of {@code Packed} formats with a pair.
     *
     * @param width pixels
     * @param height lines
     * @throws PixelFormatException if a number is negative, or the size beyond 64 bits
     */
    public static PixelLayout of(PixelFormat format, long width, long height) {
        return padded(format, width, height, 0, 0);
    }

    /**
     * An image with padding, of the usual size: lines begin on bytes, those of {@code Packed} formats with a pair.
     *
     * @param width pixels
     * @param height lines
     * @param paddingX bytes after each line
     * @param paddingY bytes after the last line
     * @throws PixelFormatException if a number is negative, or the size beyond 64 bits
     */
    public static PixelLayout padded(PixelFormat format, long width, long height, long paddingX, long paddingY) {
        check(width, height, paddingX, paddingY);
        return exact(format, width, height, () -> usual(format, width, height, paddingX, paddingY, -1));
    }

    /**
     * An image whose lines begin at a fixed distance.
     *
     * @param width pixels
     * @param height lines
     * @param strideBytes from the beginning of a line to that of the next one, in the first plane; at least the bytes
     *     of the pixels
     * @throws PixelFormatException if a number is negative, the stride too short, or the size beyond 64 bits
     */
    public static PixelLayout strided(PixelFormat format, long width, long height, long strideBytes) {
        check(width, height, 0, 0);
        return exact(format, width, height, () -> {
            long least = PixelFormat.bytesFor(format.planeLineBits(0, width));
            if (strideBytes < least) {
                throw new PixelFormatException("A stride of " + strideBytes + " bytes is too short for " + width
                        + " pixels of " + format + ", which take " + least);
            }
            LineRule rule = strideBytes == format.lineSizeBytes(width) && strideBytes > least && format.planes() == 1
                    ? LineRule.WHOLE_PAIRS
                    : LineRule.WHOLE_BYTES;
            return new PixelLayout(format, width, height, rule, strideBytes, 0, -1);
        });
    }

    /**
     * Finds out how an image lies from the number of bytes that came. The first of these that has exactly that size:
     * lines that begin with a pair of pixels ({@code Packed} formats of GigE Vision 1.x), lines that begin on a byte,
     * and, without padding after lines, lines that run on. When none has, the first of them, and {@link #fit()} says
     * whether bytes are left over or missing.
     *
     * @param width pixels
     * @param height lines
     * @param paddingX bytes after each line, as announced
     * @param paddingY bytes after the last line, as announced
     * @param dataSizeBytes bytes that came, or that the sender announced for the whole
     * @throws PixelFormatException if a number is negative, or the size beyond 64 bits
     */
    public static PixelLayout resolve(
            PixelFormat format, long width, long height, long paddingX, long paddingY, long dataSizeBytes) {
        check(width, height, paddingX, paddingY);
        if (dataSizeBytes < 0) {
            throw new PixelFormatException(
                    "A data size of " + dataSizeBytes + " bytes is invalid: it must be 0 or" + " more");
        }
        return exact(format, width, height, () -> {
            PixelLayout usual = usual(format, width, height, paddingX, paddingY, dataSizeBytes);
            if (usual.fit == DataFit.EXACT) {
                return usual;
            }
            if (usual.rule == LineRule.WHOLE_PAIRS) {
                long stride = Math.addExact(PixelFormat.bytesFor(format.planeLineBits(0, width)), paddingX);
                PixelLayout bytes =
                        new PixelLayout(format, width, height, LineRule.WHOLE_BYTES, stride, paddingY, dataSizeBytes);
                if (bytes.fit == DataFit.EXACT) {
                    return bytes;
                }
            }
            PixelLayout runOn = new PixelLayout(format, width, height, LineRule.CONTIGUOUS, 0, paddingY, dataSizeBytes);
            boolean wholeLastPair = usual.rule == LineRule.WHOLE_PAIRS
                    && format.lineSizeBytes(Math.multiplyExact(width, height)) + paddingY == dataSizeBytes;
            return paddingX == 0 && (runOn.fit == DataFit.EXACT || wholeLastPair)
                    ? new PixelLayout(format, width, height, LineRule.CONTIGUOUS, 0, dataSizeBytes - runOn.end(), -1)
                    : usual;
        });
    }

    private static PixelLayout usual(
            PixelFormat format, long width, long height, long paddingX, long paddingY, long dataSizeBytes) {
        long least = PixelFormat.bytesFor(format.planeLineBits(0, width));
        long line = format.planes() == 1 ? format.lineSizeBytes(width) : least;
        LineRule rule = line > least ? LineRule.WHOLE_PAIRS : LineRule.WHOLE_BYTES;
        return new PixelLayout(format, width, height, rule, Math.addExact(line, paddingX), paddingY, dataSizeBytes);
    }

    private interface Maker {
        PixelLayout make();
    }

    private static PixelLayout exact(PixelFormat format, long width, long height, Maker maker) {
        try {
            return maker.make();
        } catch (ArithmeticException e) {
            throw new PixelFormatException("An image of " + width + " x " + height + " pixels of " + format
                    + " has more bytes than 64 bits can count");
        }
    }

    private static void check(long width, long height, long paddingX, long paddingY) {
        if (width < 0 || height < 0 || paddingX < 0 || paddingY < 0) {
            throw new PixelFormatException("Width " + width + ", height " + height + " and padding " + paddingX + ", "
                    + paddingY + " must be 0 or more");
        }
    }

    private long end() {
        int last = planeOffsetBytes.length - 1;
        return planeOffsetBytes[last]
                + PixelFormat.bytesFor(Math.multiplyExact(format.planeLines(last, height), strideBits[last]));
    }

    /** The format. */
    public PixelFormat format() {
        return format;
    }

    /** Pixels of a line. */
    public long width() {
        return width;
    }

    /** Lines. */
    public long height() {
        return height;
    }

    /** Where lines begin. */
    public LineRule rule() {
        return rule;
    }

    /** How the data size given to {@link #resolve} compares to this layout; exact when none was given. */
    public DataFit fit() {
        return fit;
    }

    /** Bytes of the image with all padding. */
    public long sizeBytes() {
        return sizeBytes;
    }

    /** Bytes up to the end of the last pixel, without the padding after it: what a buffer must have. */
    public long neededBytes() {
        return neededBytes;
    }

    /**
     * Bits from the beginning of a line to that of the next one; whole bytes unless lines run on.
     *
     * @param plane from 0
     */
    public long strideBits(int plane) {
        return strideBits[plane];
    }

    /**
     * Where a plane begins, in bytes.
     *
     * @param plane from 0
     */
    public long planeOffsetBytes(int plane) {
        return planeOffsetBytes[plane];
    }

    /**
     * Bits of the pixels of a line.
     *
     * @param plane from 0
     */
    public long lineBits(int plane) {
        return lineBits[plane];
    }

    /**
     * Lines of the image that lie within the first bytes of it, for data that ends early. Only for formats with one
     * plane; those with several have none before their last plane began.
     *
     * @param dataSizeBytes bytes that are there
     */
    public long completeLines(long dataSizeBytes) {
        int last = strideBits.length - 1;
        long inPlane = Math.max(0, dataSizeBytes - planeOffsetBytes[last]);
        if (inPlane == 0 || lineBits[last] == 0) {
            return lineBits[last] == 0 ? height : 0;
        }
        long bits = Math.min(inPlane, Long.MAX_VALUE / Byte.SIZE) * Byte.SIZE;
        long lines = bits < lineBits[last] ? 0 : (bits - lineBits[last]) / strideBits[last] + 1;
        int linesEach = last == 0 ? 1 : format.subsampling().lines();
        return lines >= height ? height : Math.min(height, Math.multiplyExact(lines, (long) linesEach));
    }
}
