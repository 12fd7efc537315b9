package io.peregrine.samples;

import io.peregrine.composite.Item;
import io.peregrine.pfnc.PfncCodes;
import java.awt.image.BufferedImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Makes pictures to look at: intensity as it is, range in colours. */
final class Pictures {
    private Pictures() {}

    /** A picture of a component in Mono8, Mono16 or RGB8, scaled to 8 bits. */
    static BufferedImage intensity(Item item) {
        BufferedImage picture = blank(item);
        ByteBuffer data = item.data().order(ByteOrder.LITTLE_ENDIAN);
        int code = item.format().code();
        int line = Math.toIntExact(item.format().lineSizeBytes(item.width())) + item.paddingX();
        for (int y = 0; y < item.height(); y++) {
            for (int x = 0; x < item.width(); x++) {
                int rgb;
                if (code == PfncCodes.RGB8) {
                    int at = y * line + 3 * x;
                    rgb = rgb(data.get(at) & 0xFF, data.get(at + 1) & 0xFF, data.get(at + 2) & 0xFF);
                } else if (code == PfncCodes.MONO16) {
                    int grey = data.get(y * line + 2 * x + 1) & 0xFF;
                    rgb = rgb(grey, grey, grey);
                } else if (item.format().bitsPerPixel() == 8) {
                    int grey = data.get(y * line + x) & 0xFF;
                    rgb = rgb(grey, grey, grey);
                } else {
                    throw new IllegalArgumentException(
                            "No picture is made of " + item.format().name());
                }
                picture.setRGB(x, y, rgb);
            }
        }
        return picture;
    }

    /** A picture of a component of 16-bit values, from blue (near) to red (far); 0 means invalid and is black. */
    static BufferedImage range(Item item) {
        BufferedImage picture = blank(item);
        ByteBuffer data = item.data().order(ByteOrder.LITTLE_ENDIAN);
        int line = Math.toIntExact(item.format().lineSizeBytes(item.width())) + item.paddingX();
        int low = 0xFFFF;
        int high = 0;
        for (int y = 0; y < item.height(); y++) {
            for (int x = 0; x < item.width(); x++) {
                int value = data.getShort(y * line + 2 * x) & 0xFFFF;
                if (value != 0) {
                    low = Math.min(low, value);
                    high = Math.max(high, value);
                }
            }
        }
        double span = Math.max(1, high - low);
        for (int y = 0; y < item.height(); y++) {
            for (int x = 0; x < item.width(); x++) {
                int value = data.getShort(y * line + 2 * x) & 0xFFFF;
                picture.setRGB(x, y, value == 0 ? 0 : colour((value - low) / span));
            }
        }
        return picture;
    }

    private static BufferedImage blank(Item item) {
        return new BufferedImage(item.width(), item.height(), BufferedImage.TYPE_INT_RGB);
    }

    private static int colour(double position) {
        return rgb(ramp(position - 0.75), ramp(position - 0.5), ramp(position - 0.25));
    }

    /** A trapezoid around 0, as in the usual rainbow of depth maps. */
    private static int ramp(double distance) {
        return (int) Math.round(255 * Math.max(0, Math.min(1, 1.5 - 4 * Math.abs(distance))));
    }

    private static int rgb(int red, int green, int blue) {
        return (red << 16) | (green << 8) | blue;
    }
}
