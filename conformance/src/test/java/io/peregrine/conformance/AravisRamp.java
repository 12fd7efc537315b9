package io.peregrine.conformance;

import java.nio.ByteBuffer;

/** The picture of Aravis' fake camera in its 8-bit monochrome format, worked out by looking at it. */
final class AravisRamp {
    private AravisRamp() {}

    /**
     * Counts the bytes that are not as they must be.
     *
     * @param blockId 16-bit block id of the frame
     * @param width pixels
     * @param height lines
     * @param gain value of GainRaw
     * @param exposureMicroseconds value of ExposureTimeAbs
     * @param data the picture
     */
    static long countBadBytes(
            long blockId, int width, int height, int gain, double exposureMicroseconds, ByteBuffer data) {
        double scale = 1 + gain + Math.log10(exposureMicroseconds / 10_000);
        byte[] expected = new byte[255];
        for (int level = 0; level < expected.length; level++) {
            expected[level] = (byte) (int) Math.max(0, Math.min(255, level * scale));
        }
        long bad = Math.abs((long) width * height - data.remaining());
        int start = data.position();
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width && y * width + x < data.remaining(); x++) {
                if (data.get(start + y * width + x) != expected[(int) ((x + y + blockId) % 255)]) {
                    bad++;
                }
            }
        }
        return bad;
    }
}
