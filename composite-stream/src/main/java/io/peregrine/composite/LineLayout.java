package io.peregrine.composite;

import io.peregrine.pfnc.PixelFormat;
import io.peregrine.stream.BlockInfo.ImageGeometry;

/**
 * How the lines of an image lie in its data. PFNC 2.4 leaves open whether a line of packed pixels ends on a byte, and
 * neither GigE Vision nor GenDC says it; so the size of the data decides. When it fits neither way, lines end on bytes.
 *
 * @param strideBytes bytes from line to line; 0 when lines run on in the middle of a byte
 * @param fits whether the data is large enough
 */
record LineLayout(long strideBytes, boolean fits) {
    private static final LineLayout IMPOSSIBLE = new LineLayout(0, false);

    static LineLayout of(PixelFormat format, long width, long height, int paddingX, int paddingY, long dataBytes) {
        try {
            long line = format.lineSizeBytes(width);
            long aligned = format.imageSizeBytes(width, height, paddingX, paddingY);
            if (aligned == dataBytes || paddingX != 0) {
                return new LineLayout(line + paddingX, aligned <= dataBytes);
            }
            long runningOn = runningOn(format, width, height, paddingY);
            if (runningOn == dataBytes) {
                return new LineLayout(0, true);
            }
            return new LineLayout(line, aligned <= dataBytes);
        } catch (ArithmeticException | IllegalArgumentException e) {
            return IMPOSSIBLE;
        }
    }

    /** Bytes of an image that is sent in a payload of a size; -1 when it cannot be. */
    static long sizeBytes(PixelFormat format, ImageGeometry geometry, long payloadBytes) {
        try {
            long aligned = format.imageSizeBytes(
                    geometry.width(), geometry.height(), geometry.paddingX(), geometry.paddingY());
            long runningOn = runningOn(format, geometry.width(), geometry.height(), geometry.paddingY());
            return geometry.paddingX() == 0 && runningOn == payloadBytes ? runningOn : aligned;
        } catch (ArithmeticException | IllegalArgumentException e) {
            return -1;
        }
    }

    private static long runningOn(PixelFormat format, long width, long height, int paddingY) {
        return Math.addExact(format.unalignedSizeBytes(Math.multiplyExact(width, height)), (long) paddingY);
    }
}
