package io.peregrine.pfnc;

import java.nio.ByteBuffer;

/**
 * Converts images of every uncompressed format of the list to plain arrays (PFNC 2.4).
 *
 * <p>The bytes of an image are those from the buffer's position on; the position stays, and the buffer's byte order
 * does not matter. Targets have no padding: pixel {@code x} of line {@code y} is at {@code (y * width + x) * n}, where
 * n is 1 for brightness and single components, 3 for red, green, blue, and the number of components for
 * {@link #toFloat} and {@link #toDouble}. Bytes and shorts are unsigned, except raw values of signed formats. A target
 * may be longer than needed.
 *
 * <h2>Values</h2>
 *
 * <p>For measurement, {@link #toRaw16}, {@link #toFloat} and {@link #toDouble} give the numbers that the camera sent:
 * Mono12 stays 0 to 4095, a mosaic stays a mosaic, chroma stays chroma. Nothing is clamped.
 *
 * <p>For display, the others scale the range of the format to that of the target: Mono12 0 to 4095 becomes 0 to 255 or
 * 0 to 65535. Shallower targets lose the low bits; deeper ones get the nearest value of the whole range. Values beyond
 * the depth become the largest one, signed ones are moved up by half of their range.
 *
 * <ul>
 *   <li>Brightness of colours is by the weights of BT.601; of luma and chroma, luma; behind a sparse colour filter,
 *       that of the pixels without a filter. Formats of one component are gray in RGB, also single R, G, B planes.
 *   <li>Bayer mosaics are bilinear, two-colour lines likewise along the line, sparse filters the mean of the nearest
 *       pixels of the colour. An image of one column or line repeats it.
 *   <li>Chroma that pixels share is repeated, not interpolated. A line that ends inside of a group without one of the
 *       two takes that of the group before it, the first group none.
 *   <li>BT.601, BT.709 and BT.2020 give RGB in the primaries of that standard; the limited range is stretched to the
 *       full one.
 * </ul>
 *
 * <p>A converter keeps buffers for some lines and allocates nothing else, once they have grown to the width. It is for
 * one thread at a time. {@link Pixels} has one-line forms.
 */
public final class PixelConverter {
    /** Plain forms that a converter makes. */
    public enum Target {
        /** Brightness, one byte a pixel, scaled to 0 to 255. */
        MONO8,
        /** Brightness, one unsigned short a pixel, scaled to 0 to 65535. */
        MONO16,
        /** Red, green, blue, a byte each, scaled to 0 to 255. */
        RGB8,
        /** Red, green, blue, an unsigned short each, scaled to 0 to 65535. */
        RGB16,
        /** One component as it is, one short a pixel. */
        RAW16,
        /** Components as numbers, not scaled, as float. */
        FLOAT,
        /** Components as numbers, not scaled, as double. */
        DOUBLE
    }

    private static final int MAX_COMPONENTS = 4;

    private final LineReader reader = new LineReader();
    private final Mosaic mosaic = new Mosaic();
    private final BayerBytes bayerBytes = new BayerBytes();
    private final Luma luma = new Luma();
    private final int[][] components = new int[MAX_COMPONENTS][0];
    private int[] values = new int[0];
    private double[] numbers = new double[0];
    private boolean asDouble;
    private int loadedLine;
    private int loadedPlane;
    private int[] red = new int[0];
    private int[] green = new int[0];
    private int[] blue = new int[0];
    private PixelFormat format = PixelFormat.of(PfncCodes.MONO8);
    private int width;
    private int height;

    /** A converter without buffers yet. */
    public PixelConverter() {}

    /** Whether images of a format can be converted to a form. Codes outside of the list cannot. */
    public static boolean supports(PixelFormat format, Target target) {
        if (!format.known()) {
            return false;
        }
        return switch (target) {
            case FLOAT, DOUBLE -> true;
            case RAW16 -> format.significantBits() <= Short.SIZE;
            case MONO8, MONO16, RGB8, RGB16 -> displayable(format);
        };
    }

    private static boolean displayable(PixelFormat format) {
        return format.valueType() != ValueType.FLOAT
                && format.significantBits() <= Integer.SIZE
                && (format.componentsPerPixel() == 1 || format.family() != ColourFamily.COORDINATES);
    }

    /**
     * Brightness, 0 to 255.
     *
     * @param layout format, size and place of the pixels
     * @param source bytes from its position on
     * @param target width x height bytes
     * @throws PixelFormatException if the format has no such form, or one of the buffers is too short
     */
    public void toMono8(PixelLayout layout, ByteBuffer source, byte[] target) {
        begin(layout, Target.MONO8, source, 1, target.length);
        boolean asItIs = reader.bytesOfOneComponent() && format.colourFilter().isEmpty();
        for (int y = 0; asItIs && y < height; y++) {
            reader.bytes(0, y, target, y * width, width);
        }
        for (int y = asItIs ? height : 0, at = 0; y < height; y++) {
            int[] line = brightness(y, Byte.SIZE);
            for (int x = 0; x < width; x++) {
                target[at++] = (byte) line[x];
            }
        }
        reader.close();
    }

    /**
     * Brightness, 0 to 65535.
     *
     * @param layout format, size and place of the pixels
     * @param source bytes from its position on
     * @param target width x height shorts
     * @throws PixelFormatException if the format has no such form, or one of the buffers is too short
     */
    public void toMono16(PixelLayout layout, ByteBuffer source, short[] target) {
        begin(layout, Target.MONO16, source, 1, target.length);
        for (int y = 0, at = 0; y < height; y++) {
            int[] line = brightness(y, Short.SIZE);
            for (int x = 0; x < width; x++) {
                target[at++] = (short) line[x];
            }
        }
        reader.close();
    }

    /**
     * Red, green and blue of each pixel, 0 to 255.
     *
     * @param layout format, size and place of the pixels
     * @param source bytes from its position on
     * @param target width x height x 3 bytes
     * @throws PixelFormatException if the format has no such form, or one of the buffers is too short
     */
    public void toRgb8(PixelLayout layout, ByteBuffer source, byte[] target) {
        begin(layout, Target.RGB8, source, 3, target.length);
        if (format.code() == PfncCodes.RGB8) {
            for (int y = 0; y < height; y++) {
                reader.bytes(0, y, target, 3 * y * width, 3 * width);
            }
            reader.close();
            return;
        }
        boolean bytes = format.family() == ColourFamily.BAYER && format.significantBits() == Byte.SIZE;
        if (bytes && width != 0) {
            bayerBytes.convert(reader, format.colourFilter().orElseThrow(), width, height, target);
            reader.close();
            return;
        }
        for (int y = 0, at = 0; y < height; y++) {
            colours(y, Byte.SIZE);
            for (int x = 0; x < width; x++, at += 3) {
                target[at] = (byte) red[x];
                target[at + 1] = (byte) green[x];
                target[at + 2] = (byte) blue[x];
            }
        }
        reader.close();
    }

    /**
     * Red, green and blue of each pixel, 0 to 65535.
     *
     * @param layout format, size and place of the pixels
     * @param source bytes from its position on
     * @param target width x height x 3 shorts
     * @throws PixelFormatException if the format has no such form, or one of the buffers is too short
     */
    public void toRgb16(PixelLayout layout, ByteBuffer source, short[] target) {
        begin(layout, Target.RGB16, source, 3, target.length);
        for (int y = 0, at = 0; y < height; y++) {
            colours(y, Short.SIZE);
            for (int x = 0; x < width; x++, at += 3) {
                target[at] = (short) red[x];
                target[at + 1] = (short) green[x];
                target[at + 2] = (short) blue[x];
            }
        }
        reader.close();
    }

    /**
     * One component as the camera sent it, not scaled; shared chroma is repeated for each pixel.
     *
     * @param layout format, size and place of the pixels
     * @param component index in {@link PixelFormat#components()}
     * @param source bytes from its position on
     * @param target width x height shorts
     * @throws PixelFormatException if the component has more than 16 bits or does not exist, or one of the buffers is
     *     too short
     */
    public void toRaw16(PixelLayout layout, int component, ByteBuffer source, short[] target) {
        begin(layout, Target.RAW16, source, 1, target.length);
        checkComponent(component);
        boolean alone = format.componentsPerPixel() == 1;
        for (int y = 0, at = 0; y < height; y++, at += width) {
            if (!alone || !reader.readShorts(y, target, at)) {
                load(y);
                int[] line = components[component];
                for (int x = 0; x < width; x++) {
                    target[at + x] = (short) line[x];
                }
            }
        }
        reader.close();
    }

    /**
     * All components of each pixel beside each other as numbers, not scaled: A, B, C of points whether their format is
     * planar or not. Integers beyond 24 bits and 64-bit numbers are rounded.
     *
     * @param layout format, size and place of the pixels
     * @param source bytes from its position on
     * @param target width x height x number of components
     * @throws PixelFormatException if the code is not in the list, or one of the buffers is too short
     */
    public void toFloat(PixelLayout layout, ByteBuffer source, float[] target) {
        int each = begin(layout, Target.FLOAT, source, 0, target.length);
        boolean asTheyAre = reader.floats() && format.arrangement() == PlaneArrangement.INTERLEAVED;
        for (int y = 0; asTheyAre && y < height; y++) {
            Unpacker.floats(reader.load(0, y), target, y * width * each, width * each);
        }
        for (int y = asTheyAre ? height : 0; y < height; y++) {
            for (int component = 0; component < each; component++) {
                floatLine(y, component, target, y * width * each + component, each);
            }
        }
        reader.close();
    }

    /**
     * One component as numbers, not scaled. Integers beyond 24 bits and 64-bit numbers are rounded.
     *
     * @param layout format, size and place of the pixels
     * @param component index in {@link PixelFormat#components()}
     * @param source bytes from its position on
     * @param target width x height floats
     * @throws PixelFormatException if the code is not in the list or the component does not exist, or one of the
     *     buffers is too short
     */
    public void toFloat(PixelLayout layout, int component, ByteBuffer source, float[] target) {
        begin(layout, Target.FLOAT, source, 1, target.length);
        checkComponent(component);
        for (int y = 0; y < height; y++) {
            floatLine(y, component, target, y * width, 1);
        }
        reader.close();
    }

    /**
     * All components of each pixel beside each other as numbers, not scaled. Integers beyond 53 bits are rounded.
     *
     * @param layout format, size and place of the pixels
     * @param source bytes from its position on
     * @param target width x height x number of components
     * @throws PixelFormatException if the code is not in the list, or one of the buffers is too short
     */
    public void toDouble(PixelLayout layout, ByteBuffer source, double[] target) {
        int each = begin(layout, Target.DOUBLE, source, 0, target.length);
        for (int y = 0; y < height; y++) {
            for (int component = 0; component < each; component++) {
                doubleLine(y, component, target, y * width * each + component, each);
            }
        }
        reader.close();
    }

    /**
     * One component as numbers, not scaled. Integers beyond 53 bits are rounded.
     *
     * @param layout format, size and place of the pixels
     * @param component index in {@link PixelFormat#components()}
     * @param source bytes from its position on
     * @param target width x height doubles
     * @throws PixelFormatException if the code is not in the list or the component does not exist, or one of the
     *     buffers is too short
     */
    public void toDouble(PixelLayout layout, int component, ByteBuffer source, double[] target) {
        begin(layout, Target.DOUBLE, source, 1, target.length);
        checkComponent(component);
        for (int y = 0; y < height; y++) {
            doubleLine(y, component, target, y * width, 1);
        }
        reader.close();
    }

    /** Checks everything, so that nothing is out of bounds later. Returns the values a pixel. */
    private int begin(PixelLayout layout, Target kind, ByteBuffer source, int valuesAPixel, int targetLength) {
        format = layout.format();
        check(format, kind);
        int each = valuesAPixel == 0 ? format.componentsPerPixel() : valuesAPixel;
        long most = targetLength / each;
        if (layout.width() != 0 && layout.height() > most / layout.width()) {
            throw new PixelFormatException("A target of " + targetLength + " values is too short for " + layout.width()
                    + " x " + layout.height() + " pixels with " + each + " each");
        }
        boolean empty = layout.width() == 0 || layout.height() == 0;
        reader.open(layout, source);
        width = empty ? 0 : (int) layout.width();
        height = empty ? 0 : (int) layout.height();
        if (!empty) {
            prepare(kind);
        }
        return each;
    }

    static void check(PixelFormat format, Target target) {
        if (!supports(format, target)) {
            throw new PixelFormatException(why(format, target));
        }
    }

    private static String why(PixelFormat format, Target kind) {
        if (!format.known()) {
            return "How the bytes of " + format + " lie is not known; take them as they are";
        }
        String instead = kind == Target.RAW16 ? "its values are wider" : "its values have no range to scale";
        return format + " cannot become " + kind + ": " + instead + "; convert it to FLOAT or DOUBLE";
    }

    private void prepare(Target kind) {
        int count = 0;
        for (int plane = 0; plane < format.planes(); plane++) {
            count = Math.max(count, reader.valuesOfLine(plane));
        }
        loadedLine = -1;
        asDouble = format.significantBits() > Short.SIZE && (kind == Target.FLOAT || kind == Target.DOUBLE);
        if (asDouble) {
            numbers = numbers.length < count ? new double[count] : numbers;
            return;
        }
        values = grown(values, count);
        for (int i = 0; i < MAX_COMPONENTS; i++) {
            components[i] = grown(components[i], width);
        }
        if (format.colourEncoding().isPresent()) {
            luma.prepare(format.colourEncoding().get(), format.significantBits());
        }
        if (format.colourFilter().isPresent()) {
            mosaic.open(reader, format, format.colourFilter().get(), width, height);
        }
    }

    private static int[] grown(int[] buffer, int count) {
        return buffer.length < count ? new int[count] : buffer;
    }

    private void checkComponent(int component) {
        if (component < 0 || component >= format.componentsPerPixel()) {
            throw new PixelFormatException(
                    format + " has no component " + component + ", only 0 to " + (format.componentsPerPixel() - 1));
        }
    }

    /** Writes one component of a line to every {@code step}th place of a target. */
    private void floatLine(int y, int component, float[] target, int at, int step) {
        loadNumbers(y, component);
        if (asDouble) {
            int each = format.arrangement() == PlaneArrangement.PLANAR ? 1 : format.componentsPerPixel();
            int from = each == 1 ? 0 : component;
            for (int x = 0, to = at; x < width; x++, to += step, from += each) {
                target[to] = (float) numbers[from];
            }
        } else {
            int[] line = components[component];
            for (int x = 0, to = at; x < width; x++, to += step) {
                target[to] = line[x];
            }
        }
    }

    private void doubleLine(int y, int component, double[] target, int at, int step) {
        loadNumbers(y, component);
        if (asDouble) {
            int each = format.arrangement() == PlaneArrangement.PLANAR ? 1 : format.componentsPerPixel();
            int from = each == 1 ? 0 : component;
            for (int x = 0, to = at; x < width; x++, to += step, from += each) {
                target[to] = numbers[from];
            }
        } else {
            int[] line = components[component];
            for (int x = 0, to = at; x < width; x++, to += step) {
                target[to] = line[x];
            }
        }
    }

    private void loadNumbers(int y, int component) {
        int plane = format.arrangement() == PlaneArrangement.PLANAR ? component : 0;
        if (!asDouble && loadedLine != y) {
            load(y);
        } else if (asDouble && (loadedLine != y || loadedPlane != plane)) {
            reader.readWide(plane, y, numbers);
            loadedPlane = plane;
        }
        loadedLine = y;
    }

    /** Puts the components of a line, as they are, into {@link #components}. */
    private void load(int y) {
        switch (format.arrangement()) {
            case PLANAR -> {
                for (int plane = 0; plane < format.planes(); plane++) {
                    reader.read(plane, y, components[plane]);
                }
            }
            case SEMI_PLANAR -> {
                reader.read(0, y, components[0]);
                reader.read(1, y / format.subsampling().lines(), values);
                for (int x = 0; x < width; x++) {
                    int pair = x & ~1;
                    components[1][x] = values[pair];
                    components[2][x] = values[pair + 1];
                }
            }
            case INTERLEAVED -> loadInterleaved(y);
        }
    }

    private void loadInterleaved(int y) {
        int each = format.componentsPerPixel();
        if (each == 1) {
            reader.read(0, y, components[0]);
            return;
        }
        reader.read(0, y, values);
        if (format.subsampling() != Subsampling.NONE) {
            spreadChroma();
            return;
        }
        if (each == 3) {
            int[] first = components[0];
            int[] second = components[1];
            int[] third = components[2];
            for (int x = 0, from = 0; x < width; x++, from += 3) {
                first[x] = values[from];
                second[x] = values[from + 1];
                third[x] = values[from + 2];
            }
            return;
        }
        for (int component = 0; component < each; component++) {
            int[] line = components[component];
            for (int x = 0, from = component; x < width; x++, from += each) {
                line[x] = values[from];
            }
        }
    }

    private void spreadChroma() {
        int columns = format.subsampling().columns();
        int group = format.sequence().size();
        int count = reader.valuesOfLine(0);
        int none = 1 << (format.significantBits() - 1);
        for (int component = 0; component < format.componentsPerPixel(); component++) {
            PixelComponent kind = format.components().get(component);
            int[] line = components[component];
            if (kind == PixelComponent.LUMA) {
                int found = 0;
                for (int place = 0; place < group; place++) {
                    if (format.sequence().get(place) == kind) {
                        for (int x = found++, at = place; x < width; x += columns, at += group) {
                            line[x] = values[at];
                        }
                    }
                }
            } else {
                int at = format.sequence().indexOf(kind);
                int value = none;
                for (int x = 0; x < width; x += columns, at += group) {
                    value = at < count ? values[at] : value;
                    for (int i = x; i < Math.min(width, x + columns); i++) {
                        line[i] = value;
                    }
                }
            }
        }
    }

    /** The brightness of a line, scaled. */
    private int[] brightness(int y, int bits) {
        switch (format.family()) {
            case YCBCR -> {
                load(y);
                int[] line = component(PixelComponent.LUMA);
                luma.toFullRange(line, width);
                Scale.line(line, width, format.significantBits(), false, bits);
                return line;
            }
            case SPARSE_COLOUR_FILTER -> {
                mosaic.white(y, components[0]);
                Scale.line(components[0], width, format.significantBits(), false, bits);
                return components[0];
            }
            default -> {
                colours(y, bits);
                if (red != green) {
                    Luma.ofRgb(red, green, blue, width);
                }
                return red;
            }
        }
    }

    /**
     * Sets {@link #red}, {@link #green} and {@link #blue} to those of a line, scaled; to the same line when it is gray.
     */
    private void colours(int y, int bits) {
        boolean gray = format.componentsPerPixel() == 1 && format.colourFilter().isEmpty();
        red = components[0];
        green = gray ? red : components[1];
        blue = gray ? red : components[2];
        switch (format.family()) {
            case BAYER -> mosaic.bayer(y, red, green, blue);
            case SPARSE_COLOUR_FILTER -> mosaic.sparse(y, red, green, blue);
            case BICOLOUR -> {
                load(y);
                red = components[2];
                blue = components[3];
                Mosaic.biColour(format.sequence().get(0) == PixelComponent.RED, components[0], red, blue, width);
            }
            case YCBCR -> {
                load(y);
                red = component(PixelComponent.LUMA);
                green = component(PixelComponent.CB);
                blue = component(PixelComponent.CR);
                luma.toRgb(red, green, blue, width);
            }
            default -> {
                load(y);
                if (!gray) {
                    red = component(PixelComponent.RED);
                    green = component(PixelComponent.GREEN);
                    blue = component(PixelComponent.BLUE);
                }
            }
        }
        boolean signed = format.valueType() == ValueType.SIGNED;
        scale(red, PixelComponent.RED, signed, bits);
        if (!gray) {
            scale(green, PixelComponent.GREEN, signed, bits);
            scale(blue, PixelComponent.BLUE, signed, bits);
        }
    }

    private void scale(int[] line, PixelComponent component, boolean signed, int bits) {
        int from = Math.max(0, format.components().indexOf(component));
        Scale.line(line, width, format.significantBits(from), signed, bits);
    }

    private int[] component(PixelComponent component) {
        return components[format.components().indexOf(component)];
    }
}
