package io.peregrine.pfnc;

/**
 * How luma and chroma are made from red, green and blue (PFNC 2.4, table 3-1 and chapter 8.2). The limited range takes
 * 16 to 235 of 8 bits for luma and 16 to 240 for chroma, and four or sixteen times that with 10 or 12 bits.
 */
enum ColourEncoding {
    /** Weights of BT.601, all values used: the YCbCr formats without a number, and the old YUV ones. */
    FULL_RANGE(0.299, 0.114, false),
    /** ITU-R BT.601, limited range. */
    BT601(0.299, 0.114, true),
    /** ITU-R BT.709, limited range. */
    BT709(0.2126, 0.0722, true),
    /** ITU-R BT.2020, limited range. */
    BT2020(0.2627, 0.0593, true);

    private final double redWeight;
    private final double blueWeight;
    private final boolean limitedRange;

    ColourEncoding(double redWeight, double blueWeight, boolean limitedRange) {
        this.redWeight = redWeight;
        this.blueWeight = blueWeight;
        this.limitedRange = limitedRange;
    }

    /** Part of red in luma. */
    double redWeight() {
        return redWeight;
    }

    /** Part of blue in luma; green has the rest. */
    double blueWeight() {
        return blueWeight;
    }

    /** Whether black and white are inside the range of the values, not at its ends. */
    boolean limitedRange() {
        return limitedRange;
    }
}
