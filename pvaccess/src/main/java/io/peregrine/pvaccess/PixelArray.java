package io.peregrine.pvaccess;

import io.peregrine.composite.Item;
import io.peregrine.pfnc.ColourFamily;
import io.peregrine.pfnc.ColourFilter;
import io.peregrine.pfnc.Packing;
import io.peregrine.pfnc.PixelComponent;
import io.peregrine.pfnc.PixelConverter;
import io.peregrine.pfnc.PixelConverter.Target;
import io.peregrine.pfnc.PixelFormat;
import io.peregrine.pfnc.PixelLayout;
import io.peregrine.pfnc.PlaneArrangement;
import io.peregrine.pfnc.ValueType;
import io.peregrine.pvaccess.NdArrayType.Dimension;
import io.peregrine.pvaccess.NdArrayType.ElementType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An item as areaDetector shows it: numbers as the camera sent them, packed ones unpacked, mosaics as mosaics; colours
 * of 8 bits, luma and chroma as red, green, blue. Its pixels are read when {@link #writer} is asked for them.
 *
 * @param type what an element is
 * @param count elements
 * @param dimensions the fastest first
 * @param colour how elements make up pixels
 * @param bayerPattern filter of the first pixels, as areaDetector counts them
 * @param writer puts the elements into a buffer, in its byte order
 */
record PixelArray(
        ElementType type,
        int count,
        List<Dimension> dimensions,
        Colour colour,
        Optional<Integer> bayerPattern,
        Writer writer) {

    /** The attribute ColorMode of areaDetector, whose numbers are the ordinals. */
    enum Colour {
        MONO,
        BAYER,
        RGB1
    }

    /** Puts elements into a buffer of {@link #sizeBytes()}. */
    interface Writer {
        void write(ByteBuffer target);
    }

    private static final int COLOURS = 3;

    long sizeBytes() {
        return (long) count * type.sizeBytes();
    }

    /** What says how to read the numbers: the attributes of areaDetector. */
    Map<String, Object> attributes() {
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("ColorMode", colour.ordinal());
        bayerPattern.ifPresent(pattern -> attributes.put("BayerPattern", pattern));
        return attributes;
    }

    /** The item as an array; empty for one that is not complete, or holds no pixels in one piece. */
    static Optional<PixelArray> of(Item item, PixelConverter converter) {
        Optional<PixelLayout> layout = item.layout();
        if (!item.complete() || layout.isEmpty() || !item.format().known()) {
            return Optional.empty();
        }
        return new Mapping(item, layout.get(), converter).array();
    }

    /** From one item. */
    private record Mapping(Item item, PixelLayout layout, PixelConverter converter) {

        Optional<PixelArray> array() {
            PixelFormat format = item.format();
            int components = format.componentsPerPixel();
            if (components == 1) {
                return one(format);
            } else if (format.family() == ColourFamily.COORDINATES) {
                return coordinates(format, components);
            }
            boolean rgb =
                    format.family() == ColourFamily.RGB && format.components().contains(PixelComponent.RED);
            if (rgb && format.significantBits() > Byte.SIZE && PixelConverter.supports(format, Target.RAW16)) {
                return array(ElementType.USHORT, COLOURS, Colour.RGB1, this::rawColours);
            }
            if (!PixelConverter.supports(format, Target.RGB8)) {
                return Optional.empty();
            }
            return format.significantBits() <= Byte.SIZE
                    ? array(ElementType.UBYTE, COLOURS, Colour.RGB1, this::colours8)
                    : array(ElementType.USHORT, COLOURS, Colour.RGB1, this::colours16);
        }

        private Optional<PixelArray> one(PixelFormat format) {
            Colour colour = bayerPattern().isPresent() ? Colour.BAYER : Colour.MONO;
            boolean signed = format.valueType() == ValueType.SIGNED;
            int bits = format.significantBits();
            if (format.valueType() == ValueType.FLOAT) {
                return bits == Float.SIZE
                        ? array(ElementType.FLOAT, 1, colour, asItIs(Float.BYTES, this::floats))
                        : array(ElementType.DOUBLE, 1, colour, asItIs(Double.BYTES, this::doubles));
            } else if (bits <= Byte.SIZE) {
                ElementType type = signed ? ElementType.BYTE : ElementType.UBYTE;
                return array(type, 1, colour, asItIs(Byte.BYTES, this::bytes));
            } else if (bits <= Short.SIZE) {
                ElementType type = signed ? ElementType.SHORT : ElementType.USHORT;
                return array(type, 1, colour, asItIs(Short.BYTES, this::shorts));
            } else if (bits <= Integer.SIZE) {
                ElementType type = signed ? ElementType.INT : ElementType.UINT;
                return array(type, 1, colour, asItIs(Integer.BYTES, this::ints));
            }
            return array(ElementType.DOUBLE, 1, colour, this::doubles);
        }

        private Optional<PixelArray> coordinates(PixelFormat format, int components) {
            Colour colour = components == COLOURS ? Colour.RGB1 : Colour.MONO;
            return format.significantBits() > Float.SIZE
                    ? array(ElementType.DOUBLE, components, colour, this::doubles)
                    : array(ElementType.FLOAT, components, colour, this::floats);
        }

        private Optional<PixelArray> array(ElementType type, int each, Colour colour, Writer writer) {
            long count = layout.width() * layout.height() * each;
            if (count * type.sizeBytes() > Integer.MAX_VALUE / 2) {
                return Optional.empty();
            }
            List<Dimension> dimensions = new ArrayList<>();
            if (each > 1) {
                dimensions.add(new Dimension(each, 0));
            }
            dimensions.add(new Dimension((int) layout.width(), offset(item.offsetX())));
            dimensions.add(new Dimension((int) layout.height(), offset(item.offsetY())));
            return Optional.of(new PixelArray(type, (int) count, dimensions, colour, bayerPattern(), writer));
        }

        private static int offset(long pixels) {
            return (int) Math.max(0, Math.min(Integer.MAX_VALUE, pixels));
        }

        private Optional<Integer> bayerPattern() {
            Optional<ColourFilter> filter = item.format().colourFilter();
            if (item.format().family() != ColourFamily.BAYER || filter.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(
                    switch (filter.get()) {
                        case BAYER_RG -> 0;
                        case BAYER_GB -> 1;
                        case BAYER_GR -> 2;
                        default -> 3;
                    });
        }

        private int pixels() {
            return (int) (layout.width() * layout.height());
        }

        /** Copies lines where elements lie in memory as they travel. */
        private Writer asItIs(int elementBytes, Writer otherwise) {
            PixelFormat format = item.format();
            boolean same = format.packing() == Packing.UNPACKED
                    && format.arrangement() == PlaneArrangement.INTERLEAVED
                    && format.lineSizeBytes(1) == elementBytes
                    && layout.strideBits(0) % Byte.SIZE == 0
                    && (elementBytes == 1 || ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN);
            return same ? target -> copyLines(target, elementBytes) : otherwise;
        }

        private void copyLines(ByteBuffer target, int elementBytes) {
            ByteBuffer data = item.data();
            int line = (int) layout.width() * elementBytes;
            long stride = layout.strideBits(0) / Byte.SIZE;
            long from = layout.planeOffsetBytes(0);
            int lines = (int) layout.height();
            if (stride == line) {
                line *= lines;
                lines = 1;
            }
            for (int y = 0; y < lines; y++) {
                target.put(data.slice((int) (from + y * stride), line));
            }
        }

        private void bytes(ByteBuffer target) {
            for (short value : raw(0)) {
                target.put((byte) value);
            }
        }

        private void shorts(ByteBuffer target) {
            target.asShortBuffer().put(raw(0));
        }

        private void ints(ByteBuffer target) {
            double[] numbers = new double[pixels()];
            converter.toDouble(layout, item.data(), numbers);
            for (double number : numbers) {
                target.putInt((int) (long) number);
            }
        }

        private void floats(ByteBuffer target) {
            float[] numbers = new float[target.remaining() / Float.BYTES];
            converter.toFloat(layout, item.data(), numbers);
            target.asFloatBuffer().put(numbers);
        }

        private void doubles(ByteBuffer target) {
            double[] numbers = new double[target.remaining() / Double.BYTES];
            converter.toDouble(layout, item.data(), numbers);
            target.asDoubleBuffer().put(numbers);
        }

        private void colours8(ByteBuffer target) {
            byte[] samples = new byte[COLOURS * pixels()];
            converter.toRgb8(layout, item.data(), samples);
            target.put(samples);
        }

        private void colours16(ByteBuffer target) {
            short[] samples = new short[COLOURS * pixels()];
            converter.toRgb16(layout, item.data(), samples);
            target.asShortBuffer().put(samples);
        }

        /** Red, green and blue as the camera sent them, whatever their order was. */
        private void rawColours(ByteBuffer target) {
            List<PixelComponent> components = item.format().components();
            PixelComponent[] order = {PixelComponent.RED, PixelComponent.GREEN, PixelComponent.BLUE};
            for (int colour = 0; colour < COLOURS; colour++) {
                short[] values = raw(components.indexOf(order[colour]));
                for (int i = 0; i < values.length; i++) {
                    target.putShort((i * COLOURS + colour) * Short.BYTES, values[i]);
                }
            }
        }

        private short[] raw(int component) {
            short[] values = new short[pixels()];
            converter.toRaw16(layout, component, item.data(), values);
            return values;
        }
    }
}
