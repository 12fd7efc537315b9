package io.peregrine.export;

import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.DataBuffer;

/** Colours of images as 0xRRGGBB. */
final class PixelColours {
    private static final int MAX_COLOUR = 0xFF;
    /** Puts a level of grey into red, green and blue. */
    private static final int GREY = 0x010101;

    private PixelColours() {}

    /** The colour of each pixel, row by row; samples of more than 8 bits are rounded. */
    static int[] of(BufferedImage image) {
        int width = image.getWidth();
        int height = image.getHeight();
        ColorModel model = image.getColorModel();
        int type = model.getTransferType();
        boolean unsigned = type == DataBuffer.TYPE_BYTE || type == DataBuffer.TYPE_USHORT;
        if (unsigned && model.getColorSpace().getType() == ColorSpace.TYPE_GRAY) {
            // Java takes grey samples as linear, and would make them brighter.
            return grey(image.getRaster().getSamples(0, 0, width, height, 0, (int[]) null), model.getComponentSize(0));
        }
        int[] rgb = image.getRGB(0, 0, width, height, null, 0, width);
        for (int i = 0; i < rgb.length; i++) {
            rgb[i] &= 0xFFFFFF;
        }
        return rgb;
    }

    private static int[] grey(int[] samples, int bits) {
        int most = (1 << bits) - 1;
        for (int i = 0; i < samples.length; i++) {
            samples[i] = (samples[i] * MAX_COLOUR + most / 2) / most * GREY;
        }
        return samples;
    }
}
