package io.peregrine.cli;

import io.peregrine.composite.Item;
import io.peregrine.gendc.ComponentType;
import io.peregrine.pfnc.Packing;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pfnc.PixelFormat;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Turns items into pictures for the screen: brightness as gray, colours as colours, distance on a colour scale. */
final class Picture {
    private static final int COLOURS = 256;
    private static final int[] SCALE = scale();

    private Picture() {}

    /** The picture of an item; empty when its format has none. */
    static Optional<BufferedImage> of(Item item) {
        return of(
                item.componentType() == ComponentType.RANGE,
                item.format(),
                item.width(),
                item.height(),
                item.paddingX(),
                item.data());
    }

    static Optional<BufferedImage> of(
            boolean range, PixelFormat format, int width, int height, int paddingX, ByteBuffer data) {
        int bits = format.bitsPerPixel();
        long lineBytes = format.lineSizeBytes(width) + paddingX;
        boolean enough = width > 0 && height > 0 && lineBytes * height - paddingX <= data.remaining();
        if (!enough) {
            return Optional.empty();
        }
        if (format.code() == PfncCodes.RGB8 || format.code() == PfncCodes.BGR8) {
            return Optional.of(colour(format.code() == PfncCodes.BGR8, width, height, lineBytes, data));
        }
        boolean oneValue = format.componentsPerPixel() == 1
                && ((format.packing() == Packing.UNPACKED && (bits == 8 || bits == 16))
                        || (format.packing() == Packing.LSB_PACKED && bits <= 16));
        if (!oneValue) {
            return Optional.empty();
        }
        int[] values = values(bits, width, height, lineBytes, data);
        return Optional.of(
                range ? coloured(values, width, height) : gray(values, format.significantBits(), width, height));
    }

    private static int[] values(int bits, int width, int height, long lineBytes, ByteBuffer data) {
        int[] values = new int[Math.multiplyExact(width, height)];
        int mask = (1 << bits) - 1;
        int last = data.limit() - 1;
        int at = 0;
        for (int y = 0; y < height; y++) {
            int line = Math.toIntExact(data.position() + y * lineBytes);
            for (int x = 0; x < width; x++) {
                long bit = (long) x * bits;
                int first = line + (int) (bit >>> 3);
                int word = 0;
                for (int i = 0; i < 3 && first + i <= last; i++) {
                    word |= (data.get(first + i) & 0xFF) << (8 * i);
                }
                values[at++] = (word >>> (bit & 7)) & mask;
            }
        }
        return values;
    }

    private static BufferedImage gray(int[] values, int significantBits, int width, int height) {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_GRAY);
        int[] levels = new int[values.length];
        for (int i = 0; i < values.length; i++) {
            levels[i] = Math.min(255, significantBits > 8 ? values[i] >>> (significantBits - 8) : values[i]);
        }
        image.getRaster().setPixels(0, 0, width, height, levels);
        return image;
    }

    /** Blue is near, red is far, black is no measurement. */
    private static BufferedImage coloured(int[] values, int width, int height) {
        int nearest = Integer.MAX_VALUE;
        int farthest = 0;
        for (int value : values) {
            if (value != 0) {
                nearest = Math.min(nearest, value);
                farthest = Math.max(farthest, value);
            }
        }
        int span = Math.max(1, farthest - nearest);
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        int[] colours = new int[values.length];
        for (int i = 0; i < values.length; i++) {
            colours[i] = values[i] == 0 ? 0 : SCALE[(int) ((long) (values[i] - nearest) * (COLOURS - 1) / span)];
        }
        image.setRGB(0, 0, width, height, colours, 0, width);
        return image;
    }

    private static BufferedImage colour(boolean blueFirst, int width, int height, long lineBytes, ByteBuffer data) {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < height; y++) {
            int at = Math.toIntExact(data.position() + y * lineBytes);
            for (int x = 0; x < width; x++, at += 3) {
                int first = data.get(at) & 0xFF;
                int green = data.get(at + 1) & 0xFF;
                int third = data.get(at + 2) & 0xFF;
                int red = blueFirst ? third : first;
                int blue = blueFirst ? first : third;
                image.setRGB(x, y, red << 16 | green << 8 | blue);
            }
        }
        return image;
    }

    private static int[] scale() {
        int[] scale = new int[COLOURS];
        float blue = 2f / 3;
        for (int i = 0; i < COLOURS; i++) {
            scale[i] = Color.HSBtoRGB(blue * (COLOURS - 1 - i) / (COLOURS - 1), 1, 1) & 0xFFFFFF;
        }
        return scale;
    }
}
