package io.peregrine.export;

import io.peregrine.pfnc.Packing;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pfnc.PixelFormat;
import java.nio.ByteBuffer;

/** Pixels to samples of pictures and to numbers. */
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
        /** Floating-point numbers. */
        FLOATS,
        /** Nothing that can be seen. */
        NONE
    }

    private Conversion() {}

    static Kind kind(PixelFormat format) {
        int bits = format.bitsPerPixel();
        int components = format.componentsPerPixel();
        if (format.code() == PfncCodes.RGB8 || format.code() == PfncCodes.BGR8) {
            return Kind.COLOUR8;
        }
        if (format.name().endsWith("32f")) {
            return Kind.FLOATS;
        }
        boolean plain = format.packing() == Packing.UNPACKED && (bits == 8 || bits == 16);
        boolean packed = format.packing() == Packing.LSB_PACKED && bits <= 16;
        if (components != 1 || !(plain || packed)) {
            return Kind.NONE;
        }
        return format.significantBits() <= 8 ? Kind.GREY8 : Kind.GREY16;
    }

    static byte[] grey8(PixelView pixels) {
        float[] numbers = floats(pixels);
        byte[] samples = new byte[numbers.length];
        for (int i = 0; i < samples.length; i++) {
            samples[i] = (byte) (int) numbers[i];
        }
        return samples;
    }

    static short[] grey16(PixelView pixels) {
        float[] numbers = floats(pixels);
        short[] samples = new short[numbers.length];
        for (int i = 0; i < samples.length; i++) {
            samples[i] = (short) (int) numbers[i];
        }
        return samples;
    }

    static byte[] rgb8(PixelView pixels) {
        boolean blueFirst = pixels.format().code() == PfncCodes.BGR8;
        byte[] samples = new byte[Math.toIntExact(3L * pixels.pixels())];
        ByteBuffer data = pixels.data();
        for (int y = 0; y < pixels.height(); y++) {
            data.get(
                    Math.toIntExact((long) y * pixels.strideBytes()),
                    samples,
                    y * 3 * pixels.width(),
                    3 * pixels.width());
        }
        for (int i = 0; blueFirst && i < samples.length; i += 3) {
            byte blue = samples[i];
            samples[i] = samples[i + 2];
            samples[i + 2] = blue;
        }
        return samples;
    }

    static short[] rgb16(PixelView pixels) {
        return grey16(pixels);
    }

    static byte[] display8(PixelView pixels) {
        int bits = pixels.format().significantBits();
        float[] numbers = floats(pixels);
        byte[] samples = new byte[numbers.length];
        for (int i = 0; i < samples.length; i++) {
            samples[i] = (byte) Math.min(255, bits > 8 ? (int) numbers[i] >>> (bits - 8) : (int) numbers[i]);
        }
        return samples;
    }

    static byte[] displayRgb8(PixelView pixels) {
        return rgb8(pixels);
    }

    static float[] floats(PixelView pixels) {
        PixelFormat format = pixels.format();
        int components = Math.max(1, format.componentsPerPixel());
        int bits = format.bitsPerPixel() / components;
        int line = Math.multiplyExact(components, pixels.width());
        float[] numbers = new float[Math.multiplyExact(line, pixels.height())];
        ByteBuffer data = pixels.data();
        for (int i = 0; i < numbers.length; i++) {
            long bit = pixels.strideBytes() == 0
                    ? (long) i * bits
                    : 8L * (i / line) * pixels.strideBytes() + (i % line) * (long) bits;
            int at = Math.toIntExact(bit >>> 3);
            long word = 0;
            for (int b = 0; 8L * b < (bit & 7) + bits; b++) {
                word |= (data.get(at + b) & 0xFFL) << (8 * b);
            }
            long number = (word >>> (bit & 7)) & ((1L << bits) - 1);
            numbers[i] = kind(format) == Kind.FLOATS ? Float.intBitsToFloat((int) number) : number;
        }
        return numbers;
    }
}
