package io.peregrine.browser.frames;

import io.peregrine.pfnc.ColourFamily;
import io.peregrine.pfnc.Packing;
import io.peregrine.pfnc.PixelFormat;
import io.peregrine.pfnc.PlaneArrangement;
import io.peregrine.pfnc.Subsampling;
import io.peregrine.pfnc.ValueType;

/**
 * How the pixels of a format are sent to the page.
 *
 * @param copy how they get there
 * @param sampleBytes 1 and 2 are unsigned integers, 4 are IEEE 754 numbers
 * @param channels values of a pixel, 1 to 4
 */
record LayerForm(Copy copy, int sampleBytes, int channels) {
    /** How bytes of the camera become bytes of a message. */
    enum Copy {
        /** As they are. */
        LINES,
        /** Integers of up to 16 bits that share bytes, each in two bytes. */
        RAW16,
        /** Other numbers, as 32-bit floating point. */
        FLOATS,
        /** What has no separate values for each pixel, as red, green and blue. */
        DISPLAY
    }

    private static final LayerForm AS_COLOURS = new LayerForm(Copy.DISPLAY, 1, 3);

    static LayerForm of(PixelFormat format) {
        int channels = format.componentsPerPixel();
        boolean values = format.family() != ColourFamily.YCBCR
                && format.family() != ColourFamily.BICOLOUR
                && format.subsampling() == Subsampling.NONE
                && channels >= 1
                && channels <= 4;
        if (!values || !format.known()) {
            return AS_COLOURS;
        }
        boolean together = format.packing() == Packing.UNPACKED && format.arrangement() == PlaneArrangement.INTERLEAVED;
        int bits = format.bitsPerPixel() / channels;
        if (together && format.valueType() == ValueType.UNSIGNED && (bits == 8 || bits == 16)) {
            return new LayerForm(Copy.LINES, bits / 8, channels);
        }
        if (together && format.valueType() == ValueType.FLOAT && bits == 32) {
            return new LayerForm(Copy.LINES, 4, channels);
        }
        if (channels == 1 && format.valueType() == ValueType.UNSIGNED && format.significantBits() <= 16) {
            return new LayerForm(Copy.RAW16, 2, 1);
        }
        boolean numbers = channels == 1 || format.family() == ColourFamily.COORDINATES;
        return numbers ? new LayerForm(Copy.FLOATS, 4, channels) : AS_COLOURS;
    }
}
