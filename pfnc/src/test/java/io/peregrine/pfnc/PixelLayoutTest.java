package io.peregrine.pfnc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.pfnc.PixelLayout.DataFit;
import io.peregrine.pfnc.PixelLayout.LineRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PixelLayoutTest {

    @ParameterizedTest
    @CsvSource({
        // 5 pixels of 10 bits are 7 bytes a line, or 13 for two lines that run on.
        "Mono10p, 5, 2, 0, 0, 14, WHOLE_BYTES, EXACT",
        "Mono10p, 5, 2, 0, 0, 13, CONTIGUOUS, EXACT",
        "Mono10p, 5, 2, 0, 2, 15, CONTIGUOUS, EXACT",
        "Mono10p, 5, 2, 1, 0, 16, WHOLE_BYTES, EXACT",
        "Mono10p, 5, 2, 1, 0, 13, WHOLE_BYTES, SHORT",
        "Mono10p, 5, 2, 0, 0, 12, WHOLE_BYTES, SHORT",
        "Mono10p, 5, 2, 0, 0, 64, WHOLE_BYTES, LARGER",
        // 3 pixels are two pairs of 3 bytes, or 4.5 bytes rounded up, or 4.5 bytes.
        "Mono12Packed, 3, 2, 0, 0, 12, WHOLE_PAIRS, EXACT",
        "Mono12Packed, 3, 2, 0, 0, 10, WHOLE_BYTES, EXACT",
        "Mono12Packed, 3, 2, 0, 0, 9, CONTIGUOUS, EXACT",
        "Mono12Packed, 3, 2, 2, 1, 17, WHOLE_PAIRS, EXACT",
        "Mono12Packed, 3, 2, 2, 1, 15, WHOLE_BYTES, EXACT",
        "Mono12Packed, 3, 2, 0, 0, 11, WHOLE_PAIRS, SHORT",
        "Mono12Packed, 4, 2, 0, 0, 12, WHOLE_BYTES, EXACT",
        // 15 pixels that run on take 22.5 bytes, or eight whole pairs.
        "Mono12Packed, 3, 5, 0, 0, 23, CONTIGUOUS, EXACT",
        "Mono12Packed, 3, 5, 0, 0, 24, CONTIGUOUS, EXACT",
        "Mono12Packed, 5, 3, 0, 0, 24, WHOLE_BYTES, EXACT",
        "Mono12Packed, 5, 3, 0, 0, 23, CONTIGUOUS, EXACT",
        "Mono12Packed, 7, 3, 0, 0, 33, WHOLE_BYTES, EXACT",
        "Mono12Packed, 7, 3, 0, 0, 32, CONTIGUOUS, EXACT",
        "Mono8, 13, 4, 3, 5, 69, WHOLE_BYTES, EXACT",
        "Mono8, 0, 0, 0, 0, 0, WHOLE_BYTES, EXACT",
        "RGB8_Planar, 5, 2, 1, 0, 36, WHOLE_BYTES, EXACT",
        // 4:2:0 of 5 x 3: 15 of luma, two lines of three pairs of chroma.
        "YCbCr420_8_YY_CbCr_Semiplanar, 5, 3, 0, 0, 27, WHOLE_BYTES, EXACT",
        "YCbCr422_8_YY_CbCr_Semiplanar, 5, 3, 0, 0, 33, WHOLE_BYTES, EXACT",
        "R12_Deprecated, 3, 2, 0, 0, 12, WHOLE_BYTES, EXACT",
        "Mono1p, 9, 3, 0, 0, 6, WHOLE_BYTES, EXACT",
        "Mono1p, 9, 3, 0, 0, 4, CONTIGUOUS, EXACT"
    })
    void tellsFromTheSizeWhichInterpretationHolds(
            String name, long width, long height, long paddingX, long paddingY, long size, LineRule rule, DataFit fit) {
        PixelLayout layout =
                PixelLayout.resolve(PixelFormat.byName(name).orElseThrow(), width, height, paddingX, paddingY, size);

        assertEquals(rule, layout.rule());
        assertEquals(fit, layout.fit());
        assertEquals(fit == DataFit.EXACT, size == layout.sizeBytes());
    }

    @Test
    void placesPlanesBehindEachOtherWithPaddingAfterEachLine() {
        PixelLayout layout = PixelLayout.padded(PixelFormat.of(PfncCodes.YCBCR420_8_YY_CBCR_SEMIPLANAR), 5, 3, 2, 7);

        assertEquals(7 * 8, layout.strideBits(0));
        assertEquals(21, layout.planeOffsetBytes(1));
        assertEquals(8 * 8, layout.strideBits(1));
        assertEquals(21 + 16 + 7, layout.sizeBytes());
        assertEquals(21 + 8 + 6, layout.neededBytes());
    }

    @Test
    void keepsVendorCodesUsableByTheirSizeField() {
        PixelLayout layout = PixelLayout.resolve(PixelFormat.of(0x810C7777), 3, 2, 0, 0, 9);

        assertEquals(LineRule.CONTIGUOUS, layout.rule());
        assertEquals(36, layout.strideBits(0));
    }

    @Test
    void countsTheLinesThatAreThere() {
        PixelLayout layout = PixelLayout.padded(PixelFormat.of(PfncCodes.MONO8), 4, 3, 1, 0);

        assertEquals(0, layout.completeLines(3));
        assertEquals(1, layout.completeLines(4));
        assertEquals(1, layout.completeLines(8));
        assertEquals(2, layout.completeLines(9));
        assertEquals(3, layout.completeLines(1000));
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 1, 0, 0, 0",
        "1, -1, 0, 0, 0",
        "1, 1, -1, 0, 0",
        "1, 1, 0, -1, 0",
        "1, 1, 0, 0, -1",
        "9223372036854775807, 1, 0, 0, 0",
        "1, 9223372036854775807, 9223372036854775807, 0, 0",
        "4294967295, 4294967295, 0, 0, 0",
        "1, 1, 0, 9223372036854775807, 0"
    })
    void refusesNumbersThatMakeNoSense(long width, long height, long paddingX, long paddingY, long size) {
        PixelFormat format = PixelFormat.of(PfncCodes.COORD3D_ABC64F);

        assertThrows(
                PixelFormatException.class, () -> PixelLayout.resolve(format, width, height, paddingX, paddingY, size));
    }

    @Test
    void refusesAStrideThatIsShorterThanALine() {
        PixelFormat format = PixelFormat.of(PfncCodes.MONO12P);

        assertEquals(8 * 5, PixelLayout.strided(format, 3, 2, 5).strideBits(0));
        assertThrows(PixelFormatException.class, () -> PixelLayout.strided(format, 3, 2, 4));
    }
}
