package io.peregrine.pfnc;

/** Converts luma and chroma to red, green and blue, and the other way. Whole numbers, rounded to the nearest. */
final class Luma {
    private static final int ONE_BITS = 14;
    private static final int HALF = 1 << (ONE_BITS - 1);

    // BT.601 in parts of 65536.
    private static final int RED_PART = 19595;
    private static final int GREEN_PART = 38470;
    private static final int BLUE_PART = 7471;

    private int most;
    private int black;
    private int middle;
    private int luma;
    private int redCr;
    private int greenCb;
    private int greenCr;
    private int blueCb;

    /** Prepares for values of 8 to 12 bits. */
    void prepare(ColourEncoding encoding, int bits) {
        int step = 1 << (bits - 8);
        most = (1 << bits) - 1;
        middle = 128 * step;
        black = encoding.limitedRange() ? 16 * step : 0;
        double lumaScale = encoding.limitedRange() ? most / (219.0 * step) : 1;
        double chromaScale = encoding.limitedRange() ? most / (224.0 * step) : 1;
        double red = encoding.redWeight();
        double blue = encoding.blueWeight();
        double green = 1 - red - blue;
        luma = fixed(lumaScale);
        redCr = fixed(2 * (1 - red) * chromaScale);
        blueCb = fixed(2 * (1 - blue) * chromaScale);
        greenCb = fixed(2 * (1 - blue) * blue / green * chromaScale);
        greenCr = fixed(2 * (1 - red) * red / green * chromaScale);
    }

    private static int fixed(double factor) {
        return (int) Math.round(factor * (1 << ONE_BITS));
    }

    /** Replaces the values of three lines by red, green and blue of the same depth, full range. */
    void toRgb(int[] lumaToRed, int[] cbToGreen, int[] crToBlue, int count) {
        for (int i = 0; i < count; i++) {
            int y = (Math.min(lumaToRed[i], most) - black) * luma + HALF;
            int cb = Math.min(cbToGreen[i], most) - middle;
            int cr = Math.min(crToBlue[i], most) - middle;
            lumaToRed[i] = clamp((y + redCr * cr) >> ONE_BITS);
            cbToGreen[i] = clamp((y - greenCb * cb - greenCr * cr) >> ONE_BITS);
            crToBlue[i] = clamp((y + blueCb * cb) >> ONE_BITS);
        }
    }

    /** Brings luma to the full range of its depth. */
    void toFullRange(int[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = clamp(((Math.min(values[i], most) - black) * luma + HALF) >> ONE_BITS);
        }
    }

    private int clamp(int value) {
        return Math.max(0, Math.min(most, value));
    }

    /** Brightness of red, green and blue of up to 16 bits by the weights of BT.601, into the first array. */
    static void ofRgb(int[] redToLuma, int[] green, int[] blue, int count) {
        for (int i = 0; i < count; i++) {
            redToLuma[i] = (RED_PART * redToLuma[i] + GREEN_PART * green[i] + BLUE_PART * blue[i] + (1 << 15)) >>> 16;
        }
    }
}
