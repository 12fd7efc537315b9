package io.peregrine.browser.frames;

import io.peregrine.pfnc.ColourFamily;
import io.peregrine.pfnc.PixelConverter;
import io.peregrine.pfnc.PixelFormat;
import io.peregrine.pfnc.PixelLayout;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/**
 * Makes an image of 8 bits from a message with pixels: integers by their significant bits, floating point from the
 * smallest to the largest value of the frame, and the colours of a Bayer mosaic. For one thread.
 */
final class LayerImage {
    /** PFNC codes of the formats with one byte for each pixel, by the colours of the first four pixels. */
    private static final Map<String, Integer> MOSAICS =
            Map.of("GRBG", 0x01080008, "RGGB", 0x01080009, "GBRG", 0x0108000A, "BGGR", 0x0108000B);

    private final PixelConverter converter = new PixelConverter();

    /** The image; red, green and blue, or gray. */
    BufferedImage of(ByteBuffer message) {
        ByteBuffer header = message.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        int sampleBytes = header.get(6);
        int channels = header.get(7);
        int width = header.getInt(12);
        int height = header.getInt(16);
        boolean converted = (header.get(23) & LayerHeader.CONVERTED) != 0;
        PixelFormat format = PixelFormat.of(header.getInt(8));
        ByteBuffer values = header.position(LayerHeader.BYTES).slice().order(ByteOrder.LITTLE_ENDIAN);
        if (sampleBytes == 4) {
            return gray(width, height, ofFloats(values, channels, channels - 1));
        }
        byte[] samples = ofIntegers(values, sampleBytes, converted ? 8 : header.get(22));
        if (channels >= 3) {
            boolean swapped = !converted && format.name().startsWith("BGR");
            return colours(width, height, samples, channels, swapped);
        }
        if (channels == 1 && !converted && format.family() == ColourFamily.BAYER && width > 1 && height > 1) {
            return mosaic(width, height, samples, format);
        }
        return gray(width, height, channels == 1 ? samples : every(samples, channels));
    }

    private static byte[] ofIntegers(ByteBuffer values, int sampleBytes, int bits) {
        int count = values.remaining() / sampleBytes;
        byte[] samples = new byte[count];
        if (sampleBytes == 1) {
            values.get(samples);
            return samples;
        }
        for (int i = 0; i < count; i++) {
            int value = values.getShort(2 * i) & 0xFFFF;
            samples[i] = (byte) (bits > 8 ? Math.min(255, value >> (bits - 8)) : value << (8 - bits));
        }
        return samples;
    }

    private static byte[] ofFloats(ByteBuffer values, int channels, int channel) {
        int count = values.remaining() / (4 * channels);
        float low = Float.POSITIVE_INFINITY;
        float high = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < count; i++) {
            float value = values.getFloat(4 * (i * channels + channel));
            if (Float.isFinite(value)) {
                low = Math.min(low, value);
                high = Math.max(high, value);
            }
        }
        byte[] samples = new byte[count];
        double scale = high > low ? 255.0 / (high - low) : 0;
        for (int i = 0; i < count; i++) {
            float value = values.getFloat(4 * (i * channels + channel));
            samples[i] = Float.isFinite(value) ? (byte) Math.round((value - low) * scale) : 0;
        }
        return samples;
    }

    private static byte[] every(byte[] samples, int channels) {
        byte[] first = new byte[samples.length / channels];
        for (int i = 0; i < first.length; i++) {
            first[i] = samples[i * channels];
        }
        return first;
    }

    private BufferedImage mosaic(int width, int height, byte[] samples, PixelFormat format) {
        String filter = format.colourFilter()
                .map(colours -> "" + colours.at(0, 0) + colours.at(1, 0) + colours.at(0, 1) + colours.at(1, 1))
                .orElse("");
        Integer code = MOSAICS.get(filter);
        if (code == null) {
            return gray(width, height, samples);
        }
        byte[] rgb = new byte[Math.multiplyExact(3, samples.length)];
        converter.toRgb8(PixelLayout.of(PixelFormat.of(code), width, height), ByteBuffer.wrap(samples), rgb);
        return colours(width, height, rgb, 3, false);
    }

    private static BufferedImage gray(int width, int height, byte[] samples) {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_GRAY);
        System.arraycopy(samples, 0, bytes(image), 0, samples.length);
        return image;
    }

    private static BufferedImage colours(int width, int height, byte[] samples, int channels, boolean swapped) {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_3BYTE_BGR);
        byte[] target = bytes(image);
        for (int i = 0; i < width * height; i++) {
            target[3 * i] = samples[i * channels + (swapped ? 0 : 2)];
            target[3 * i + 1] = samples[i * channels + 1];
            target[3 * i + 2] = samples[i * channels + (swapped ? 2 : 0)];
        }
        return image;
    }

    private static byte[] bytes(BufferedImage image) {
        return ((DataBufferByte) image.getRaster().getDataBuffer()).getData();
    }
}
