package io.peregrine.pfnc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.pfnc.PixelLayout.LineRule;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes and values were worked out by hand from the descriptions of the packings, none by an encoder. */
class ConversionTest {
    private final PixelConverter converter = new PixelConverter();

    @ParameterizedTest
    @CsvSource({
        "Mono1p, 8, B2, 0 1 0 0 1 1 0 1",
        "Mono2p, 4, E4, 0 1 2 3",
        "Mono4p, 2, 5A, 10 5",
        "Mono8, 3, 00 7F FF, 0 127 255",
        "Mono8s, 3, 00 7F FF, 0 127 -1",
        "Mono10, 2, FF 03 01 02, 1023 513",
        "Mono10p, 4, 01 02 03 04 05, 513 192 64 20",
        "Mono10p, 4, FF 00 FF 00 FF, 255 960 15 1020",
        "Mono10p, 3, FF 00 FF 00, 255 960 15",
        "Mono12, 1, BC 0A, 2748",
        "Mono12p, 2, AB CD EF, 3499 3836",
        "Mono12p, 3, AB CD EF 01 02, 3499 3836 513",
        "Mono14, 1, FF 3F, 16383",
        "Mono14p, 4, 01 02 03 04 05 06 07, 513 4108 8272 449",
        "Mono14p, 1, 01 02, 513",
        "Mono16, 2, 34 12 FF FF, 4660 -1",
        "Mono10Packed, 2, AB 21 EF, 685 958",
        "Mono10Packed, 1, AB 21, 685",
        "Mono12Packed, 2, AB CD EF, 2749 3836",
        "Mono12Packed, 3, AB CD EF 12 43, 2749 3836 291",
        "BayerRG12Packed, 2, AB CD EF, 2749 3836",
        "BayerGB10Packed, 2, AB 21 EF, 685 958",
        "CUSTOM_BAYER_GR_12_PACKED, 2, AB CD EF, 2749 3836",
        "CUSTOM_BAYER_RG_16, 1, 34 12, 4660",
        "BayerGR4p, 2, 5A, 10 5",
        "R10, 1, 01 02, 513",
        "R10_Deprecated, 1, 01 02, 513",
        "B12_Deprecated, 1, 01 02, 513",
        "Confidence1, 2, 01 00, 1 0",
        "Confidence1p, 9, B2 01, 0 1 0 0 1 1 0 1 1",
        "Confidence16, 1, 34 12, 4660",
        "Data8s, 1, 80, -128",
        "Data16s, 1, FF FF, -1",
        "Coord3D_C16, 1, 34 12, 4660",
        "Coord3D_A10p, 4, 01 02 03 04 05, 513 192 64 20",
        "Coord3D_B12p, 2, AB CD EF, 3499 3836",
        "SCF1WBWG12p, 2, AB CD EF, 3499 3836"
    })
    void takesValuesOutOfEachPacking(String name, int width, String bytes, String expected) {
        assertEquals(expected, raw(name, width, 1, 0, bytes));
    }

    @ParameterizedTest
    @CsvSource({
        "RGB8, 2, 01 02 03 04 05 06, 1 4, 2 5, 3 6",
        "BGR8, 2, 01 02 03 04 05 06, 1 4, 2 5, 3 6",
        "RGB8a32, 2, 01 02 03 00 04 05 06 00, 1 4, 2 5, 3 6",
        "BGR8a32, 1, 01 02 03 00, 1, 2, 3",
        "RGBa8, 2, 01 02 03 04 05 06 07 08, 1 5, 2 6, 3 7",
        "RGBa10p, 1, 01 08 30 00 01, 1, 2, 3",
        "RGBa12p, 1, AB CD EF 01 23 45, 3499, 3836, 769",
        "RGB10, 1, 01 00 02 00 03 02, 1, 2, 515",
        "RGB10p, 2, 01 08 30 00 01 05 18 00, 1 4, 2 5, 3 6",
        "RGB10p32, 1, 01 08 30 00, 1, 2, 3",
        "RGB12p, 2, AB CD EF 01 23 45 67 89 AB, 3499 1106, 3836 2407, 769 2744",
        "RGB565p, 1, 41 18, 1, 2, 3",
        "BGR565p, 1, 41 18, 1, 2, 3",
        "RGB10V1Packed, 1, 39 10 20 30, 65, 130, 195",
        "RGB12V1Packed, 2, AB 21 EF 12 43 56 78 65 9A, 2737 1380, 3826 1925, 291 2470",
        "RGB12V1Packed, 1, AB 21 EF 12 43, 2737, 3826, 291",
        "RGB8_Planar, 2, 01 02 03 04 05 06, 1 2, 3 4, 5 6",
        "RGB10_Planar, 1, 01 00 02 00 03 02, 1, 2, 515",
        "Coord3D_ABC8, 2, 01 02 03 04 05 06, 1 4, 2 5, 3 6",
        "Coord3D_ABC10p, 1, 01 08 30 00, 1, 2, 3",
        "Coord3D_ABC10p_Planar, 2, 01 08 00 03 10 00 05 18 00, 1 2, 3 4, 5 6",
        "Coord3D_ABC16_Planar, 1, 01 00 02 00 03 02, 1, 2, 515",
        "YCbCr8, 2, 01 02 03 04 05 06, 1 4, 2 5, 3 6",
        "YCbCr8_CbYCr, 2, 01 02 03 04 05 06, 1 4, 2 5, 3 6",
        "YCbCr709_10p_CbYCr, 1, 01 08 30 00, 1, 2, 3",
        "YCbCr422_8, 2, 0A 14 1E 28, 10 30, 20 20, 40 40",
        "YUV422_8, 2, 0A 14 1E 28, 10 30, 20 20, 40 40",
        "CUSTOM_YUV_422_YUYV_PACKED, 2, 0A 14 1E 28, 10 30, 20 20, 40 40",
        "YCbCr422_8_CbYCrY, 2, 14 0A 28 1E, 20 20, 10 30, 40 40",
        "YUV422_8_UYVY, 2, 14 0A 28 1E, 20 20, 10 30, 40 40",
        "YUV8_UYV, 1, 14 0A 28, 20, 10, 40",
        "YCbCr422_10, 2, 01 00 02 00 03 00 04 00, 1 3, 2 2, 4 4",
        "YCbCr601_422_10p, 2, 01 08 30 00 01, 1 3, 2 2, 4 4",
        "YCbCr601_422_10p_CbYCrY, 2, 01 08 30 00 01, 1 1, 2 4, 3 3",
        "YCbCr709_422_12p, 2, AB CD EF 01 23 45, 3499 769, 3836 3836, 1106 1106",
        "YCbCr411_8, 4, 01 02 32 03 04 3C, 1 2 3 4, 50 50 50 50, 60 60 60 60",
        "YCbCr411_8_CbYYCrYY, 4, 32 01 02 3C 03 04, 50 50 50 50, 1 2 3 4, 60 60 60 60",
        "YUV411_8_UYYVYY, 4, 32 01 02 3C 03 04, 50 50 50 50, 1 2 3 4, 60 60 60 60",
        "YCbCr422_8_YY_CbCr_Semiplanar, 2, 01 02 32 3C, 1 2, 50 50, 60 60",
        "YCbCr422_8_YY_CrCb_Semiplanar, 3, 01 02 03 3C 32 3D 33, 1 2 3, 60 60 61, 50 50 51",
        // The last pixel has Cb of its own, but Cr of the pair before.
        "YCbCr422_8, 3, 0A 14 1E 28 32 3C, 10 30 50, 20 20 60, 40 40 40",
        "YCbCr411_8, 5, 01 02 32 03 04 3C 05 06, 1 2 3 4 5, 50 50 50 50 50, 60 60 60 60 60",
        "YCbCr411_8, 6, 01 02 32 03 04 3C 05 06 33, 1 2 3 4 5 6, 50 50 50 50 51 51, 60 60 60 60 60 60",
        "YCbCr422_8, 1, 0A 14, 10, 20, 128"
    })
    void takesComponentsApart(String name, int width, String bytes, String first, String second, String third) {
        assertEquals(first, raw(name, width, 1, 0, bytes));
        assertEquals(second, raw(name, width, 1, 1, bytes));
        assertEquals(third, raw(name, width, 1, 2, bytes));
    }

    @ParameterizedTest
    @CsvSource({
        "YCbCr420_8_YY_CbCr_Semiplanar, 01 02 03 04 05 06 07 08 32 3C 33 3D, 50 50 51 51 50 50 51 51",
        "YCbCr420_8_YY_CrCb_Semiplanar, 01 02 03 04 05 06 07 08 32 3C 33 3D, 50 50 51 51 50 50 51 51",
        "YCbCr422_8_YY_CbCr_Semiplanar, 01 02 03 04 05 06 07 08 32 3C 33 3D 34 3E 35 3F, 50 50 51 51 52 52 53 53"
    })
    void readsChromaOfTwoLinesFromTheSecondPlane(String name, String bytes, String expected) {
        assertEquals(expected, raw(name, 4, 2, 1, bytes));
    }

    @Test
    void readsLinesThatRunOnInTheMiddleOfAByte() {
        PixelLayout layout = PixelLayout.resolve(PixelFormat.of(PfncCodes.MONO10P), 5, 2, 0, 0, 13);
        short[] target = new short[10];

        converter.toRaw16(layout, 0, hex("01 08 30 00 01 05 18 70 00 02 09 28 00"), target);

        assertArrayEquals(new short[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, target);
    }

    @ParameterizedTest
    @CsvSource({
        "12, AB 21 EF 12 43 FF 56 65 9A 78 56 FF",
        "10, AB 21 EF 12 43 56 65 9A 78 56",
        "9, AB 21 EF 12 43 56 65 43 78"
    })
    void readsOddLinesOfPairsInEachOfTheThreeWays(int size, String bytes) {
        PixelLayout layout = PixelLayout.resolve(PixelFormat.of(PfncCodes.MONO12_PACKED), 3, 2, 0, 0, size);
        short[] target = new short[6];

        converter.toRaw16(layout, 0, hex(bytes), target);

        short fourth = (short) (size == 9 ? 0x564 : 0x565);
        short fifth = (short) (size == 9 ? 0x653 : 0x9A6);
        short sixth = (short) (size == 9 ? 0x784 : 0x786);
        assertArrayEquals(new short[] {0xAB1, 0xEF2, 0x123, fourth, fifth, sixth}, target);
    }

    @Test
    void skipsThePaddingAfterEachLine() {
        byte[] target = Pixels.toMono8(PixelFormat.of(PfncCodes.MONO8), 2, 2, 5, hex("01 02 FF FF FF 03 04"));

        assertArrayEquals(new byte[] {1, 2, 3, 4}, target);
    }

    @Test
    void readsFromThePositionOnWhateverTheOrderOfTheBuffer() {
        ByteBuffer direct = ByteBuffer.allocateDirect(6).order(ByteOrder.BIG_ENDIAN);
        direct.put(0, HexFormat.of().parseHex("FFFF34127856")).position(2);

        short[] target = Pixels.toRaw16(PixelFormat.of(PfncCodes.MONO16), 2, 1, 4, 0, direct.asReadOnlyBuffer());

        assertArrayEquals(new short[] {0x1234, 0x5678}, target);
        assertEquals(2, direct.position());
    }

    @ParameterizedTest
    @CsvSource({
        "Mono1p, 1, 02, 0 255, 0 65535",
        "Mono2p, 1, E4, 0 85, 0 21845",
        "Mono4p, 1, 5A, 170 85, 43690 21845",
        "Mono8, 1, AB 01, 171 1, 43947 257",
        "Mono8s, 1, 80 7F, 0 255, 0 65535",
        "Mono10, 1, FF 03 04 00, 255 1, 65535 256",
        // Beyond its ten bits.
        "Mono10, 1, FF FF 00 04, 255 255, 65535 65535",
        "Mono12, 1, BC 0A 0F 00, 171 0, 43978 240",
        "Mono12p, 1, AB CD EF, 218 239, 55997 61390",
        "Mono14, 1, FF 3F 40 00, 255 1, 65535 256",
        "Mono10p, 1, FF 00 0F, 63 240, 16335 61500",
        "Mono10Packed, 1, AB 21 EF, 171 239, 43882 61371",
        "Mono12Packed, 1, AB CD EF, 171 239, 43994 61390",
        "Mono16, 1, 34 12 FF FF, 18 255, 4660 65535",
        "Mono32, 1, 78 56 34 12 FF FF FF FF, 18 255, 4660 65535",
        "Data32s, 1, 00 00 00 80 FF FF FF 7F, 0 255, 0 65535",
        "Data16s, 1, 00 80 FF 7F, 0 255, 0 65535",
        "Confidence1, 1, 01 00, 255 0, 65535 0",
        "Confidence1p, 1, 01, 255 0, 65535 0",
        "Coord3D_C16, 1, 34 12 FF FF, 18 255, 4660 65535",
        "G8, 1, AB 01, 171 1, 43947 257",
        // 0.299, 0.587 and 0.114 of 255, of 65535.
        "RGB8, 1, FF 00 00 00 FF 00, 76 150, 19595 38469",
        "BGR8, 1, FF 00 00 00 FF 00, 29 150, 7471 38469",
        "YCbCr8, 1, 0A 80 80 FF 80 80, 10 255, 2570 65535",
        "YCbCr601_422_8, 1, 10 80 EB 80, 0 255, 0 65535",
        "YCbCr709_422_10, 1, 40 00 00 02 AC 03 00 02, 0 255, 0 65535"
    })
    void scalesBrightnessToTheFullRange(String name, int height, String bytes, String eight, String sixteen) {
        PixelLayout layout = PixelLayout.of(PixelFormat.byName(name).orElseThrow(), 2, height);
        byte[] mono8 = new byte[2];
        short[] mono16 = new short[2];

        converter.toMono8(layout, hex(bytes), mono8);
        converter.toMono16(layout, hex(bytes), mono16);

        assertEquals(eight, (mono8[0] & 0xFF) + " " + (mono8[1] & 0xFF));
        assertEquals(sixteen, (mono16[0] & 0xFFFF) + " " + (mono16[1] & 0xFFFF));
    }

    @ParameterizedTest
    @CsvSource({
        "RGB8, 01 02 03, 1 2 3",
        "BGR8, 01 02 03, 3 2 1",
        "BGRa8, 01 02 03 04, 3 2 1",
        "BGR8a32, 01 02 03 00, 3 2 1",
        "RGB8_Planar, 01 02 03, 1 2 3",
        "RGB16, 00 01 00 02 00 03, 1 2 3",
        "BGR12, BC 0A F0 0F 10 00, 1 255 171",
        // 1 of 31 is 8.2 of 255, 2 of 63 is 8.1, 3 of 31 is 24.7.
        "RGB565p, 41 18, 8 8 25",
        "BGR565p, 41 18, 25 8 8",
        "Mono8, 07, 7 7 7",
        "R8, 07, 7 7 7",
        "YCbCr8, 80 80 80, 128 128 128",
        // R = 76 + 1.402 * 127, G = 76 + 0.3441 * 43 - 0.7141 * 127, B = 76 - 1.772 * 43.
        "YCbCr8, 4C 55 FF, 254 0 0",
        "YCbCr8_CbYCr, 55 4C FF, 254 0 0",
        "YUV8_UYV, 55 4C FF, 254 0 0",
        // R = 1.1644 * 65 + 1.5960 * 112 and so on.
        "YCbCr601_8_CbYCr, 5A 51 F0, 254 0 0",
        "YCbCr601_8_CbYCr, 80 EB 80, 255 255 255",
        "YCbCr601_8_CbYCr, 80 10 80, 0 0 0",
        // R = 1.1644 * 47 + 1.7927 * 112, G = 54.73 + 0.2132 * 26 - 0.5329 * 112, B = 54.73 - 2.1124 * 26.
        "YCbCr709_8_CbYCr, 66 3F F0, 255 1 0",
        // R = 1.1644 * 84 - 1.6787 * 38, G = 97.81 - 0.1873 * 22 + 0.6504 * 38, B = 97.81 + 2.1418 * 22.
        "YCbCr2020_8_CbYCr, 96 64 5A, 34 118 145",
        // The same times four.
        "YCbCr2020_10_CbYCr, 58 02 90 01 68 01, 34 118 145",
        "YCbCr601_10_CbYCr, 00 02 AC 03 00 02, 255 255 255"
    })
    void makesColours(String name, String bytes, String expected) {
        PixelFormat format = PixelFormat.byName(name).orElseThrow();

        byte[] target = Pixels.toRgb8(format, 1, 1, bytes.length() / 3 + 1, stretched(format, bytes));

        assertEquals(expected, (target[0] & 0xFF) + " " + (target[1] & 0xFF) + " " + (target[2] & 0xFF));
    }

    @Test
    void makesColoursOfSixteenBits() {
        short[] target = new short[3];

        converter.toRgb16(PixelLayout.of(PixelFormat.of(PfncCodes.BGR12), 1, 1), hex("BC 0A F0 0F 10 00"), target);

        assertArrayEquals(new short[] {0x0100, (short) 0xFF0F, (short) 0xABCA}, target);
    }

    private static final String MOSAIC = "0A 15 21 28 34 3C 4D 55 5B 64 75 80 82 8D 96 A3";

    /* The same in decimal:
     *  10  21  33  40
     *  52  60  77  85
     *  91 100 117 128
     * 130 141 150 163
     */
    @ParameterizedTest
    @CsvSource({
        // x, y, then red, green, blue where the first pixel is red, and where the second one is.
        "2, 2, 117 114 112, 114 117 114",
        "1, 1, 63 63 60, 61 60 65",
        "1, 2, 104 100 101, 100 102 102",
        "2, 1, 75 77 73, 72 74 77",
        "0, 0, 10 37 60, 21 10 52",
        "3, 3, 117 139 163, 128 163 150",
        "3, 0, 33 40 85, 40 59 77"
    })
    void interpolatesTheMosaicBilinearlyWithMirroredEdges(int x, int y, String redFirst, String redSecond) {
        for (String suffix : new String[] {"8", "10", "12", "14", "16"}) {
            assertEquals(redFirst, colour("BayerRG" + suffix, x, y));
            assertEquals(swapped(redFirst), colour("BayerBG" + suffix, x, y));
            assertEquals(redSecond, colour("BayerGR" + suffix, x, y));
            assertEquals(swapped(redSecond), colour("BayerGB" + suffix, x, y));
        }
    }

    /** Colour of a pixel of the mosaic above, in the depth of the format. */
    private String colour(String name, int x, int y) {
        PixelFormat format = PixelFormat.byName(name).orElseThrow();
        byte[] mosaic = HexFormat.ofDelimiter(" ").parseHex(MOSAIC);
        int at = 3 * (4 * y + x);
        int[] rgb = new int[3];
        if (format.significantBits() == 8) {
            byte[] target = new byte[48];
            converter.toRgb8(PixelLayout.of(format, 4, 4), ByteBuffer.wrap(mosaic), target);
            for (int i = 0; i < 3; i++) {
                rgb[i] = target[at + i] & 0xFF;
            }
        } else {
            ByteBuffer wide = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < mosaic.length; i++) {
                wide.putShort(2 * i, (short) (mosaic[i] & 0xFF));
            }
            short[] target = new short[48];
            converter.toRgb16(PixelLayout.of(format, 4, 4), wide, target);
            for (int i = 0; i < 3; i++) {
                rgb[i] = (target[at + i] & 0xFFFF) >> (16 - format.significantBits());
            }
        }
        return rgb[0] + " " + rgb[1] + " " + rgb[2];
    }

    private static String swapped(String rgb) {
        String[] parts = rgb.split(" ", -1);
        return parts[2] + " " + parts[1] + " " + parts[0];
    }

    /** Mosaics of bytes have a faster way; the one of 16 bits is that of all other depths. */
    @ParameterizedTest
    @ValueSource(strings = {"RG", "GR", "GB", "BG"})
    void interpolatesBytesLikeSixteenBitsAtEveryWidth(String order) {
        Random random = new Random(7);
        for (int width = 1; width < 45; width++) {
            for (int height = 1; height < 6; height++) {
                int pixels = width * height;
                byte[] bytes = new byte[pixels];
                random.nextBytes(bytes);
                ByteBuffer wide = ByteBuffer.allocate(2 * pixels).order(ByteOrder.LITTLE_ENDIAN);
                for (int i = 0; i < pixels; i++) {
                    wide.putShort(2 * i, (short) (bytes[i] & 0xFF));
                }
                byte[] fast = new byte[3 * pixels];
                short[] slow = new short[3 * pixels];
                converter.toRgb8(
                        PixelLayout.of(PixelFormat.byName("Bayer" + order + "8").orElseThrow(), width, height),
                        ByteBuffer.wrap(bytes),
                        fast);
                converter.toRgb16(
                        PixelLayout.of(
                                PixelFormat.byName("Bayer" + order + "16").orElseThrow(), width, height),
                        wide,
                        slow);
                for (int i = 0; i < fast.length; i++) {
                    assertEquals(slow[i], fast[i] & 0xFF, width + " x " + height + " at " + i);
                }
            }
        }
    }

    @Test
    void interpolatesAPackedMosaicLikeAnUnpackedOne() {
        // Two lines of two pixels: 0xDAB, 0xEFC over 0x301, 0x452.
        PixelLayout layout = PixelLayout.of(PixelFormat.of(PfncCodes.BAYER_RG12P), 2, 2);
        byte[] target = new byte[12];

        converter.toRgb8(layout, hex("AB CD EF 01 23 45"), target);

        // Green at the red pixel is (2 * 0xEFC + 2 * 0x301 + 2) / 4 = 0x8FF.
        assertArrayEquals(new byte[] {(byte) 0xDA, (byte) 0x8F, 0x45}, Arrays.copyOf(target, 3));
    }

    @ParameterizedTest
    @CsvSource({
        "BiColorRGBG8, 10 20 30, 30 40 30, 50 60 50, 50 80 70",
        "BiColorBGRG8, 30 20 10, 30 40 30, 50 60 50, 70 80 50"
    })
    void interpolatesTheColourThatAPixelOfTwoLacks(
            String name, String first, String second, String third, String fourth) {
        byte[] target = new byte[12];

        converter.toRgb8(
                PixelLayout.of(PixelFormat.byName(name).orElseThrow(), 4, 1), hex("0A 14 1E 28 32 3C 46 50"), target);

        assertEquals(String.join(" ", first, second, third, fourth), join(target));
    }

    @ParameterizedTest
    @CsvSource({
        "SCF1WBWG8, WBWG BWGW WGWR GWRW",
        "SCF1WGWB8, WGWB GWBW WRWG RWGW",
        "SCF1WGWR8, WGWR GWRW WBWG BWGW",
        "SCF1WRWG8, WRWG RWGW WGWB GWBW"
    })
    void findsEachColourOfASparseFilterFromEveryPixel(String name, String tile) {
        byte[] mosaic = new byte[16];
        String filters = tile.replace(" ", "");
        for (int i = 0; i < 16; i++) {
            mosaic[i] = (byte)
                    switch (filters.charAt(i)) {
                        case 'R' -> 100;
                        case 'G' -> 50;
                        case 'B' -> 20;
                        default -> 200;
                    };
        }
        byte[] rgb = new byte[48];
        byte[] mono = new byte[16];
        PixelLayout layout = PixelLayout.of(PixelFormat.byName(name).orElseThrow(), 4, 4);

        converter.toRgb8(layout, ByteBuffer.wrap(mosaic), rgb);
        converter.toMono8(layout, ByteBuffer.wrap(mosaic), mono);

        assertEquals("100 50 20 ".repeat(16).strip(), join(rgb));
        assertEquals("200 ".repeat(16).strip(), join(mono));
    }

    @ParameterizedTest
    @CsvSource({
        // 1, -2.5, 0.5
        "Coord3D_ABC32f, 00 00 80 3F 00 00 20 C0 00 00 00 3F, 1.0 -2.5 0.5",
        "Coord3D_ABC32f_Planar, 00 00 80 3F 00 00 20 C0 00 00 00 3F, 1.0 -2.5 0.5",
        "Coord3D_ABC64f, 00 00 00 00 00 00 F0 3F 00 00 00 00 00 00 04 C0 00 00 00 00 00 00 E0 3F, 1.0 -2.5 0.5",
        "Coord3D_AC32f, 00 00 80 3F 00 00 20 C0, 1.0 -2.5",
        "Coord3D_C32f, 00 00 C0 7F, NaN",
        "Confidence32f, 00 00 00 3F, 0.5",
        "Coord3D_ABC16, 34 12 FF FF 00 00, 4660.0 65535.0 0.0",
        "Coord3D_ABC10p, 01 08 30 00, 1.0 2.0 3.0",
        "Coord3D_AC12p, AB CD EF, 3499.0 3836.0",
        "Coord3D_AC10p_Planar, 01 02 FF 03, 513.0 1023.0",
        "Mono32, FF FF FF FF, 4.294967295E9",
        "Data32s, FF FF FF FF, -1.0",
        "Data64, 00 00 00 00 00 00 00 80, 9.223372036854775808E18",
        "Data64s, FF FF FF FF FF FF FF FF, -1.0",
        "Data64f, 00 00 00 00 00 00 04 C0, -2.5",
        "Data8s, 80, -128.0",
        "YCbCr8, 01 02 03, 1.0 2.0 3.0"
    })
    void givesNumbersAsTheyAre(String name, String bytes, String expected) {
        PixelFormat format = PixelFormat.byName(name).orElseThrow();
        String[] numbers = expected.split(" ", -1);

        double[] doubles = Pixels.toDouble(format, 1, 1, bytes.length() / 3 + 1, stretched(format, bytes));
        float[] floats = Pixels.toFloat(format, 1, 1, bytes.length() / 3 + 1, stretched(format, bytes));

        assertEquals(numbers.length, doubles.length);
        for (int i = 0; i < numbers.length; i++) {
            assertEquals(Double.parseDouble(numbers[i]), doubles[i]);
            assertEquals(Float.parseFloat(numbers[i]), floats[i]);
        }
    }

    /** Moves the planes of one pixel apart to where a stride of the length of all bytes wants them. */
    private static ByteBuffer stretched(PixelFormat format, String bytes) {
        ByteBuffer together = hex(bytes);
        int planes = format.planes();
        int each = together.capacity() / planes;
        ByteBuffer apart = ByteBuffer.allocate(together.capacity() * planes);
        for (int plane = 0; plane < planes; plane++) {
            apart.put(plane * together.capacity(), together, plane * each, each);
        }
        return apart;
    }

    @Test
    void givesOneCoordinateOfPointsAlone() {
        ByteBuffer points = hex("00 00 80 3F 00 00 20 C0 00 00 00 3F 00 00 00 40 00 00 40 40 00 00 80 40");

        float[] depth = Pixels.toFloat(PixelFormat.of(PfncCodes.COORD3D_ABC32F), 2, 1, 24, 2, points);
        double[] across = Pixels.toDouble(PixelFormat.of(PfncCodes.COORD3D_ABC32F), 2, 1, 24, 1, points);

        assertArrayEquals(new float[] {0.5f, 4}, depth);
        assertArrayEquals(new double[] {-2.5, 3}, across);
    }

    @Test
    void refusesToDisplayWhatHasNoRange() {
        PixelLayout layout = PixelLayout.of(PixelFormat.of(PfncCodes.COORD3D_C32F), 1, 1);

        assertThrows(PixelFormatException.class, () -> converter.toMono8(layout, ByteBuffer.allocate(4), new byte[1]));
    }

    @Test
    void refusesToCutWideValues() {
        PixelLayout layout = PixelLayout.of(PixelFormat.of(PfncCodes.MONO32), 1, 1);

        assertThrows(
                PixelFormatException.class, () -> converter.toRaw16(layout, 0, ByteBuffer.allocate(4), new short[1]));
    }

    @Test
    void refusesCodesThatItDoesNotKnow() {
        PixelLayout layout = PixelLayout.of(PixelFormat.of(0x81087777), 1, 1);

        assertThrows(PixelFormatException.class, () -> converter.toFloat(layout, ByteBuffer.allocate(4), new float[1]));
    }

    @Test
    void refusesATargetThatIsTooShort() {
        PixelLayout layout = PixelLayout.of(PixelFormat.of(PfncCodes.MONO8), 2, 2);

        assertThrows(PixelFormatException.class, () -> converter.toRgb8(layout, ByteBuffer.allocate(4), new byte[11]));
    }

    @Test
    void refusesAComponentThatDoesNotExist() {
        PixelLayout layout = PixelLayout.of(PixelFormat.of(PfncCodes.RGB8), 1, 1);

        assertThrows(
                PixelFormatException.class, () -> converter.toRaw16(layout, 3, ByteBuffer.allocate(3), new short[1]));
        assertThrows(
                PixelFormatException.class, () -> converter.toFloat(layout, -1, ByteBuffer.allocate(3), new float[1]));
    }

    @Test
    void refusesSharedChromaWhoseGroupsCrossLines() {
        PixelLayout layout = PixelLayout.resolve(PixelFormat.of(PfncCodes.YCBCR411_8), 5, 2, 0, 0, 15);

        assertEquals(LineRule.CONTIGUOUS, layout.rule());
        assertThrows(PixelFormatException.class, () -> converter.toRgb8(layout, ByteBuffer.allocate(15), new byte[30]));
    }

    private String raw(String name, int width, int height, int component, String bytes) {
        PixelLayout layout = PixelLayout.of(PixelFormat.byName(name).orElseThrow(), width, height);
        short[] target = new short[width * height];
        converter.toRaw16(layout, component, hex(bytes), target);
        StringBuilder text = new StringBuilder();
        for (short value : target) {
            text.append(value).append(' ');
        }
        return text.toString().strip();
    }

    private static String join(byte[] values) {
        StringBuilder text = new StringBuilder();
        for (byte value : values) {
            text.append(value & 0xFF).append(' ');
        }
        return text.toString().strip();
    }

    private static ByteBuffer hex(String bytes) {
        return ByteBuffer.wrap(HexFormat.ofDelimiter(" ").parseHex(bytes));
    }
}
