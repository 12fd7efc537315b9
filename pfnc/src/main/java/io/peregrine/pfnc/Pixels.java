package io.peregrine.pfnc;

import java.nio.ByteBuffer;

/**
 * The conversions of {@link PixelConverter} in one line, into a new array. To convert a stream of images, make a
 * converter and a target once, and use them again. Thread-safe.
 */
public final class Pixels {
    private Pixels() {}

    /**
     * Brightness, 0 to 255.
     *
     * @param format of the pixels
     * @param width pixels
     * @param height lines
     * @param strideBytes from the beginning of a line to that of the next one, in the first plane
     * @param source bytes from its position on
     * @throws PixelFormatException if the format has no such form, or the buffer or the stride is too short
     */
    public static byte[] toMono8(PixelFormat format, int width, int height, long strideBytes, ByteBuffer source) {
        PixelLayout layout = layout(format, PixelConverter.Target.MONO8, width, height, strideBytes, source);
        byte[] target = new byte[values(layout, 1)];
        new PixelConverter().toMono8(layout, source, target);
        return target;
    }

    /**
     * Brightness, 0 to 65535.
     *
     * @param format of the pixels
     * @param width pixels
     * @param height lines
     * @param strideBytes from the beginning of a line to that of the next one, in the first plane
     * @param source bytes from its position on
     * @throws PixelFormatException if the format has no such form, or the buffer or the stride is too short
     */
    public static short[] toMono16(PixelFormat format, int width, int height, long strideBytes, ByteBuffer source) {
        PixelLayout layout = layout(format, PixelConverter.Target.MONO16, width, height, strideBytes, source);
        short[] target = new short[values(layout, 1)];
        new PixelConverter().toMono16(layout, source, target);
        return target;
    }

    /**
     * Red, green and blue of each pixel, 0 to 255.
     *
     * @param format of the pixels
     * @param width pixels
     * @param height lines
     * @param strideBytes from the beginning of a line to that of the next one, in the first plane
     * @param source bytes from its position on
     * @throws PixelFormatException if the format has no such form, or the buffer or the stride is too short
     */
    public static byte[] toRgb8(PixelFormat format, int width, int height, long strideBytes, ByteBuffer source) {
        PixelLayout layout = layout(format, PixelConverter.Target.RGB8, width, height, strideBytes, source);
        byte[] target = new byte[values(layout, 3)];
        new PixelConverter().toRgb8(layout, source, target);
        return target;
    }

    /**
     * Red, green and blue of each pixel, 0 to 65535.
     *
     * @param format of the pixels
     * @param width pixels
     * @param height lines
     * @param strideBytes from the beginning of a line to that of the next one, in the first plane
     * @param source bytes from its position on
     * @throws PixelFormatException if the format has no such form, or the buffer or the stride is too short
     */
    public static short[] toRgb16(PixelFormat format, int width, int height, long strideBytes, ByteBuffer source) {
        PixelLayout layout = layout(format, PixelConverter.Target.RGB16, width, height, strideBytes, source);
        short[] target = new short[values(layout, 3)];
        new PixelConverter().toRgb16(layout, source, target);
        return target;
    }

    /**
     * One component as the camera sent it.
     *
     * @param format of the pixels
     * @param width pixels
     * @param height lines
     * @param strideBytes from the beginning of a line to that of the next one, in the first plane
     * @param component index in {@link PixelFormat#components()}
     * @param source bytes from its position on
     * @throws PixelFormatException if the format has no such form, or the buffer or the stride is too short
     */
    public static short[] toRaw16(
            PixelFormat format, int width, int height, long strideBytes, int component, ByteBuffer source) {
        PixelLayout layout = layout(format, PixelConverter.Target.RAW16, width, height, strideBytes, source);
        short[] target = new short[values(layout, 1)];
        new PixelConverter().toRaw16(layout, component, source, target);
        return target;
    }

    /**
     * All components of each pixel as numbers.
     *
     * @param format of the pixels
     * @param width pixels
     * @param height lines
     * @param strideBytes from the beginning of a line to that of the next one, in the first plane
     * @param source bytes from its position on
     * @throws PixelFormatException if the format has no such form, or the buffer or the stride is too short
     */
    public static float[] toFloat(PixelFormat format, int width, int height, long strideBytes, ByteBuffer source) {
        PixelLayout layout = layout(format, PixelConverter.Target.FLOAT, width, height, strideBytes, source);
        float[] target = new float[values(layout, format.componentsPerPixel())];
        new PixelConverter().toFloat(layout, source, target);
        return target;
    }

    /**
     * One component as numbers.
     *
     * @param format of the pixels
     * @param width pixels
     * @param height lines
     * @param strideBytes from the beginning of a line to that of the next one, in the first plane
     * @param component index in {@link PixelFormat#components()}
     * @param source bytes from its position on
     * @throws PixelFormatException if the format has no such form, or the buffer or the stride is too short
     */
    public static float[] toFloat(
            PixelFormat format, int width, int height, long strideBytes, int component, ByteBuffer source) {
        PixelLayout layout = layout(format, PixelConverter.Target.FLOAT, width, height, strideBytes, source);
        float[] target = new float[values(layout, 1)];
        new PixelConverter().toFloat(layout, component, source, target);
        return target;
    }

    /**
     * All components of each pixel as numbers.
     *
     * @param format of the pixels
     * @param width pixels
     * @param height lines
     * @param strideBytes from the beginning of a line to that of the next one, in the first plane
     * @param source bytes from its position on
     * @throws PixelFormatException if the format has no such form, or the buffer or the stride is too short
     */
    public static double[] toDouble(PixelFormat format, int width, int height, long strideBytes, ByteBuffer source) {
        PixelLayout layout = layout(format, PixelConverter.Target.DOUBLE, width, height, strideBytes, source);
        double[] target = new double[values(layout, format.componentsPerPixel())];
        new PixelConverter().toDouble(layout, source, target);
        return target;
    }

    /**
     * One component as numbers.
     *
     * @param format of the pixels
     * @param width pixels
     * @param height lines
     * @param strideBytes from the beginning of a line to that of the next one, in the first plane
     * @param component index in {@link PixelFormat#components()}
     * @param source bytes from its position on
     * @throws PixelFormatException if the format has no such form, or the buffer or the stride is too short
     */
    public static double[] toDouble(
            PixelFormat format, int width, int height, long strideBytes, int component, ByteBuffer source) {
        PixelLayout layout = layout(format, PixelConverter.Target.DOUBLE, width, height, strideBytes, source);
        double[] target = new double[values(layout, 1)];
        new PixelConverter().toDouble(layout, component, source, target);
        return target;
    }

    private static PixelLayout layout(
            PixelFormat format,
            PixelConverter.Target target,
            int width,
            int height,
            long strideBytes,
            ByteBuffer source) {
        PixelConverter.check(format, target);
        PixelLayout layout = PixelLayout.strided(format, width, height, strideBytes);
        LineReader.check(layout, source);
        return layout;
    }

    private static int values(PixelLayout layout, int each) {
        long count = layout.width() * layout.height();
        if (count > Integer.MAX_VALUE / each) {
            throw new PixelFormatException(
                    layout.width() + " x " + layout.height() + " pixels are more than an array can hold");
        }
        return (int) count * each;
    }
}
