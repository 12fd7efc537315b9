package io.peregrine.virtualcamera;

/** Limits of the virtual camera; the GenICam XML states the same. */
final class CameraLimits {
    static final int MIN_WIDTH = 16;
    static final int WIDTH_STEP = 2;
    static final int MIN_HEIGHT = 2;
    static final int MAX_SENSOR = 16384;
    static final long MAX_BLOCK_BYTES = 1L << 30;
    static final int MIN_PACKET = 220;
    static final int MAX_PACKET = 65532;
    static final double MIN_FRAME_RATE = 0.1;
    static final double MAX_FRAME_RATE = 10000;

    private CameraLimits() {}

    static boolean frameRateValid(double value) {
        return value >= MIN_FRAME_RATE && value <= MAX_FRAME_RATE;
    }
}
