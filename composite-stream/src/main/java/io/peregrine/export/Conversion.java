package io.peregrine.export;

import io.peregrine.pfnc.ColourFamily;
import io.peregrine.pfnc.PixelComponent;
import io.peregrine.pfnc.PixelConverter;
import io.peregrine.pfnc.PixelFormat;
import io.peregrine.pfnc.PixelFormatException;
import io.peregrine.pfnc.ValueType;

/** Which conversion of {@link PixelConverter} gives the samples of an image, and the numbers. */
final class Conversion {

    /** What pixels of a format become. */
    enum Kind {
        /** One sample of up to 8 bits. */
        GREY8,
        /** One sample of up to 16 bits. */
        GREY16,
        /** Red, green and blue of up to 8 bits. */
        COLOUR8,
        /** Red, green and blue of up to 16 bits. */
        COLOUR16,
        /** One number, floating-point or of more than 16 bits. */
        NUMBERS,
        /** Nothing that can be seen: points, and formats outside of the list. */
        NONE
    }

    /** Puts the samples or numbers of an image into an array. */
    private interface Filler<T> {
        void fill(PixelConverter converter, T target);
    }

    private Conversion() {}

    static Kind kind(PixelFormat format) {
        boolean one = format.componentsPerPixel() == 1;
        if (!format.known() || (format.family() == ColourFamily.COORDINATES && !one)) {
            return Kind.NONE;
        }
        boolean mosaic = format.colourFilter().isPresent();
        boolean narrow = format.significantBits() <= Byte.SIZE;
        if (one && !mosaic) {
            boolean numbers = format.valueType() == ValueType.FLOAT || format.significantBits() > Short.SIZE;
            return numbers ? Kind.NUMBERS : narrow ? Kind.GREY8 : Kind.GREY16;
        }
        if (!PixelConverter.supports(format, PixelConverter.Target.RGB16)) {
            return Kind.NONE;
        }
        return narrow ? Kind.COLOUR8 : Kind.COLOUR16;
    }

    private static boolean signed(PixelView pixels) {
        return pixels.format().valueType() == ValueType.SIGNED;
    }

    /** The numbers of the camera; signed ones are moved up by half of their range, so that they have a level each. */
    static byte[] grey8(PixelView pixels) {
        if (signed(pixels)) {
            return display8(pixels);
        }
        short[] numbers = grey16(pixels);
        byte[] samples = new byte[numbers.length];
        for (int i = 0; i < samples.length; i++) {
            samples[i] = (byte) numbers[i];
        }
        return samples;
    }

    /** As {@link #grey8}. */
    static short[] grey16(PixelView pixels) {
        if (signed(pixels)) {
            return scaled16(pixels);
        }
        return fill(
                new short[pixels.values(1)],
                (converter, target) -> converter.toRaw16(pixels.layout(), 0, pixels.data(), target));
    }

    /** Samples of the full range of 16 bits. */
    static short[] scaled16(PixelView pixels) {
        return fill(
                new short[pixels.values(1)],
                (converter, target) -> converter.toMono16(pixels.layout(), pixels.data(), target));
    }

    /** Samples of the full range of 8 bits. */
    static byte[] display8(PixelView pixels) {
        return fill(
                new byte[pixels.values(1)],
                (converter, target) -> converter.toMono8(pixels.layout(), pixels.data(), target));
    }

    /** Samples of the full range of 8 bits. */
    static byte[] rgb8(PixelView pixels) {
        return fill(
                new byte[pixels.values(3)],
                (converter, target) -> converter.toRgb8(pixels.layout(), pixels.data(), target));
    }

    /** Samples of the full range of 16 bits. */
    static short[] rgb16(PixelView pixels) {
        return fill(
                new short[pixels.values(3)],
                (converter, target) -> converter.toRgb16(pixels.layout(), pixels.data(), target));
    }

    /** All numbers of each pixel. */
    static float[] numbers(PixelView pixels) {
        checkKnown(pixels.format());
        return fill(
                new float[pixels.values(pixels.format().componentsPerPixel())],
                (converter, target) -> converter.toFloat(pixels.layout(), pixels.data(), target));
    }

    /** The number of each pixel; of points, the third. */
    static float[] oneNumberEach(PixelView pixels) {
        PixelFormat format = pixels.format();
        checkKnown(format);
        int component = format.components().indexOf(PixelComponent.COORDINATE_C);
        if (component < 0 && format.componentsPerPixel() != 1) {
            throw new ExportException("A pixel of " + format + " has " + format.componentsPerPixel()
                    + " numbers, and none of them is a depth; one is needed");
        }
        return fill(
                new float[pixels.values(1)],
                (converter, target) ->
                        converter.toFloat(pixels.layout(), Math.max(0, component), pixels.data(), target));
    }

    private static void checkKnown(PixelFormat format) {
        if (!format.known()) {
            throw new ExportException("What the bits of " + format + " mean is not known: save the data of the item");
        }
    }

    private static <T> T fill(T target, Filler<T> filler) {
        try {
            filler.fill(new PixelConverter(), target);
            return target;
        } catch (PixelFormatException e) {
            throw new ExportException(e.getMessage(), e);
        }
    }
}
