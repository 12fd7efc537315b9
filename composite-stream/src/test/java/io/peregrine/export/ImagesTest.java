package io.peregrine.export;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pfnc.PixelFormat;
import java.awt.image.BufferedImage;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class ImagesTest {
    private static PixelView view(int code, int width, int height, String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        return new PixelView(PixelFormat.of(code), width, height, 0, ByteBuffer.wrap(bytes));
    }

    private static int[] samples(BufferedImage picture) {
        return picture.getRaster().getPixels(0, 0, picture.getWidth(), picture.getHeight(), (int[]) null);
    }

    @Test
    void packedPixelsKeepTheirNumbers() {
        // Mono12p: pixel 0 = 0xABC, pixel 1 = 0x123, little-endian bit stream.
        assertArrayEquals(new int[] {0xABC, 0x123}, samples(Images.of(view(PfncCodes.MONO12P, 2, 1, "BC3A12"))));
    }

    @Test
    void packedPixelsBecomeGreyLevelsForDisplay() {
        assertArrayEquals(new int[] {0xAB, 0x12}, samples(Images.forDisplay(view(PfncCodes.MONO12P, 2, 1, "BC3A12"))));
    }

    @Test
    void linesThatRunOnAreFollowedBitByBit() {
        // Mono10p, 1x4: five bytes for four lines of one pixel each, 0x001, 0x002, 0x003 and 0x3FF.
        assertArrayEquals(
                new int[] {1, 2, 3, 0x3FF}, samples(Images.of(view(PfncCodes.MONO10P, 1, 4, "0108 30C0 FF"))));
    }

    @Test
    void paddingBetweenLinesIsLeftOut() {
        PixelView padded = PixelView.of(
                PixelFormat.of(PfncCodes.MONO8), 2, 2, 1, ByteBuffer.wrap(new byte[] {1, 2, 99, 3, 4, 99}));
        assertArrayEquals(new int[] {1, 2, 3, 4}, samples(Images.of(padded)));
    }

    @Test
    void blueComesLastWhateverTheOrderOfTheCamera() {
        assertArrayEquals(new int[] {3, 2, 1}, samples(Images.of(view(PfncCodes.BGR8, 1, 1, "010203"))));
    }

    @Test
    void depthIsColouredFromBlueToRedAndBlackWhereNothingWasMeasured() {
        BufferedImage picture = Images.falseColours(view(PfncCodes.COORD3D_C16, 3, 1, "0000 6400 0001"), Axis.IDENTITY);
        assertEquals(0xFF000000, picture.getRGB(0, 0));
        assertEquals(0xFF0000FF, picture.getRGB(1, 0));
        assertEquals(0xFFFF0000, picture.getRGB(2, 0));
    }

    @Test
    void depthOfFloatingPointBecomesGreyLevelsOfTheUnit() {
        // 1.5, -1, NaN, 100000, and 7, which is the invalid value.
        PixelView depth = view(PfncCodes.COORD3D_C32F, 5, 1, "0000C03F 000080BF 0000C07F 0050C347 0000E040");
        assertArrayEquals(
                new int[] {15, 1, 0, 65535, 0}, samples(Images.depth16(depth, Axis.IDENTITY.withInvalidValue(7), 0.1)));
    }

    @Test
    void lessDataThanPixelsIsRefused() {
        assertThrows(ExportException.class, () -> view(PfncCodes.MONO8, 2, 2, "010203"));
    }

    @Test
    void aSizeBeyondAllMemoryIsRefused() {
        assertThrows(
                ExportException.class,
                () -> new PixelView(
                        PixelFormat.of(PfncCodes.MONO16),
                        Integer.MAX_VALUE,
                        Integer.MAX_VALUE,
                        Long.MAX_VALUE / 2,
                        ByteBuffer.allocate(10)));
    }

    @Test
    void anUnknownFormatIsRefused() {
        assertThrows(ExportException.class, () -> Images.of(view(0x81087777, 1, 1, "00")));
    }

    @Test
    void pixelsWithoutBitsMakeNoRoom() {
        assertThrows(
                ExportException.class,
                () -> new PixelView(PixelFormat.of(0x81000001), 30_000, 30_000, 0, ByteBuffer.allocate(0)));
    }

    @Test
    void numbersOfAnUnknownFormatAreRefused() {
        PixelView unknown = view(0x81087777, 1, 1, "00");
        assertThrows(ExportException.class, () -> PointCloud.ofDepth(unknown, Coordinates.IDENTITY));
    }
}
