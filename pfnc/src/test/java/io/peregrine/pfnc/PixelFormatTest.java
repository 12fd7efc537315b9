package io.peregrine.pfnc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PixelFormatTest {

    @ParameterizedTest
    @CsvSource({
        "0x01080001, Mono8, 8, 8, 1, UNPACKED",
        "0x01100003, Mono10, 16, 10, 1, UNPACKED",
        "0x010A0046, Mono10p, 10, 10, 1, LSB_PACKED",
        "0x010C0006, Mono12Packed, 12, 12, 1, GIGE_VISION_PACKED",
        "0x02180014, RGB8, 24, 8, 3, UNPACKED",
        "0x02180021, RGB8_Planar, 24, 8, 3, UNPACKED",
        "0x01080009, BayerRG8, 8, 8, 1, UNPACKED",
        "0x026000C0, Coord3D_ABC32f, 96, 32, 3, UNPACKED",
        "0x011000C7, Confidence16, 16, 16, 1, UNPACKED",
        "0x01080116, Data8, 8, 8, 1, UNPACKED"
    })
    void tellsWhatTheListSays(
            String code, String name, int bitsPerPixel, int significantBits, int components, Packing packing) {
        PixelFormat format = PixelFormat.of(Integer.decode(code));

        assertTrue(format.known());
        assertEquals(name, format.name());
        assertEquals(bitsPerPixel, format.bitsPerPixel());
        assertEquals(significantBits, format.significantBits());
        assertEquals(components, format.componentsPerPixel());
        assertEquals(packing, format.packing());
        assertEquals(Optional.of(format), PixelFormat.byName(name));
    }

    @ParameterizedTest
    @CsvSource({
        "Mono8, 13, 13",
        "Mono10, 13, 26",
        "Mono10p, 5, 7",
        "Mono12p, 4, 6",
        "Mono12Packed, 4, 6",
        "Mono12Packed, 5, 9",
        "Mono10Packed, 1, 3",
        "RGB12V1Packed, 3, 18",
        "RGB10V1Packed, 3, 12",
        "YCbCr422_8, 6, 12",
        "YCbCr411_8, 8, 12",
        "Confidence1p, 9, 2",
        "R10_Deprecated, 7, 14",
        "Coord3D_ABC32f, 160, 1920",
        "Mono8, 4294967295, 4294967295"
    })
    void countsBytesOfALine(String name, long width, long expectedBytes) {
        assertEquals(expectedBytes, PixelFormat.byName(name).orElseThrow().lineSizeBytes(width));
    }

    @Test
    void countsBytesOfAnImageWithPaddingAfterEachLineAndAtTheEnd() {
        assertEquals(69, PixelFormat.of(PfncCodes.MONO8).imageSizeBytes(13, 4, 3, 5));
        assertEquals(21, PixelFormat.of(PfncCodes.MONO10P).imageSizeBytes(5, 3, 0, 0));
        assertEquals(19, PixelFormat.of(PfncCodes.MONO10P).unalignedSizeBytes(15));
    }

    @Test
    void neverWrapsAroundOnHugeGeometry() {
        PixelFormat format = PixelFormat.of(PfncCodes.COORD3D_ABC64F);

        assertThrows(ArithmeticException.class, () -> format.imageSizeBytes(0xFFFFFFFFL, 0xFFFFFFFFL, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> format.lineSizeBytes(-1));
    }

    @Test
    void keepsUnknownAndVendorCodesUsable() {
        PixelFormat format = PixelFormat.of(0x810C7777);

        assertFalse(format.known());
        assertEquals("0x810C7777", format.name());
        assertEquals(12, format.bitsPerPixel());
        assertEquals(15, format.lineSizeBytes(10));
        assertEquals(Packing.OTHER, format.packing());
        assertEquals(PixelFormat.of(0x810C7777), format);
        assertNotEquals(PixelFormat.of(PfncCodes.MONO8), format);
        assertEquals(Optional.empty(), PixelFormat.byName("0x810C7777"));
    }

    @Test
    void readsDeprecatedCodesAndKeepsThemApartFromTheirSuccessors() {
        PixelFormat old = PixelFormat.of(0x010A00CA);

        assertEquals("R10_Deprecated", old.name());
        assertEquals("R10", PixelFormat.of(0x01100120).name());
    }

    @Test
    void holdsTheWholePublishedList() {
        assertEquals(294, PixelFormat.all().size());
        assertSame(PixelFormat.of(PfncCodes.MONO8), PixelFormat.of(0x01080001));
    }

    /** Where the name says it all: what one pixel is, the bits of a component, and whether they are packed. */
    private static final Pattern PLAIN_NAME = Pattern.compile(
            "(Mono|Bayer..|SCF1....|[RGB]|RGBa?|BGRa?|Coord3D_[ABC]+|Confidence|Data)(\\d{1,2})([pfs]?)(_Planar)?");

    @Test
    void theSizeInACodeIsThatOfItsName() {
        int compared = 0;
        for (PixelFormat format : PixelFormat.all()) {
            Matcher name = PLAIN_NAME.matcher(format.name());
            if (name.matches()) {
                int bits = Integer.parseInt(name.group(2));
                int wholeBytes = Math.max(8, Integer.highestOneBit(2 * bits - 1));
                boolean packed = name.group(3).equals("p");
                assertEquals(bits, format.significantBits(), format.name());
                assertEquals(
                        components(name.group(1)) * (packed ? bits : wholeBytes), format.bitsPerPixel(), format.name());
                compared++;
            }
        }
        assertTrue(compared > 150, "formats compared: " + compared);
    }

    private static int components(String pixel) {
        return switch (pixel) {
            case "RGB", "BGR" -> 3;
            case "RGBa", "BGRa" -> 4;
            default -> pixel.startsWith("Coord3D_") ? pixel.length() - "Coord3D_".length() : 1;
        };
    }

    @Test
    void namesTheTwinOfADeprecatedCodeAndTheOtherWayRound() {
        PixelFormat old = PixelFormat.of(PfncCodes.G12_DEPRECATED);
        PixelFormat successor = PixelFormat.of(PfncCodes.G12);

        assertTrue(old.deprecated());
        assertFalse(successor.deprecated());
        assertEquals(Optional.of(successor), old.deprecatedTwin());
        assertEquals(Optional.of(old), successor.deprecatedTwin());
        assertEquals(Optional.empty(), PixelFormat.of(PfncCodes.MONO8).deprecatedTwin());
    }

    @Test
    void saysWhichLayoutsAreOnlyAssumed() {
        assertTrue(PixelFormat.of(PfncCodes.RGB10V1_PACKED).layoutAssumed());
        assertTrue(PixelFormat.of(PfncCodes.CUSTOM_BAYER_GR_16).layoutAssumed());
        assertFalse(PixelFormat.of(PfncCodes.MONO12_PACKED).layoutAssumed());
        assertEquals(
                11,
                PixelFormat.all().stream().filter(PixelFormat::layoutAssumed).count());
    }
}
