package io.peregrine.pvaccess;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.pfnc.PixelConverter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two by one, or two by two pixels, as PFNC lays them out, and what areaDetector makes of such formats. */
class PixelArrayTest {
    private static Optional<PixelArray> array(String format, int width, int height, String hex) {
        // Its memory is on the heap, and lives as long as the array does.
        Composite composite =
                Frames.of(1, Frames.code(format), width, height, HexFormat.of().parseHex(hex));
        return PixelArray.of(composite.items().get(0), new PixelConverter());
    }

    private static String describe(PixelArray array) {
        ByteBuffer values = ByteBuffer.allocate((int) array.sizeBytes()).order(ByteOrder.LITTLE_ENDIAN);
        array.writer().write(values.slice().order(ByteOrder.LITTLE_ENDIAN));
        return array.type() + " "
                + array.dimensions().stream()
                        .map(dimension -> Integer.toString(dimension.size()))
                        .collect(Collectors.joining("x"))
                + " " + array.colour() + " "
                + array.bayerPattern().map(pattern -> pattern + " ").orElse("")
                + HexFormat.of().formatHex(values.array());
    }

    @ParameterizedTest
    @CsvSource({
        "Mono8, 0102, UBYTE 2x1 MONO 0102",
        "Mono8s, fe02, BYTE 2x1 MONO fe02",
        "Mono10, ff030100, USHORT 2x1 MONO ff030100",
        "Mono16, 34127856, USHORT 2x1 MONO 34127856",
        "Mono12p, abcdef, USHORT 2x1 MONO ab0dfc0e",
        "Mono12Packed, abcdef, USHORT 2x1 MONO bd0afc0e",
        "BayerRG8, 0102, UBYTE 2x1 BAYER 0 0102",
        "BayerGB8, 0102, UBYTE 2x1 BAYER 1 0102",
        "BayerGR16, 01020304, USHORT 2x1 BAYER 2 01020304",
        "BayerBG12p, abcdef, USHORT 2x1 BAYER 3 ab0dfc0e",
        "RGB8, 010203040506, UBYTE 3x2x1 RGB1 010203040506",
        "BGR8, 010203040506, UBYTE 3x2x1 RGB1 030201060504",
        "RGB16, 010002000300040005000600, USHORT 3x2x1 RGB1 010002000300040005000600",
        "BGR12, 010002000300040005000600, USHORT 3x2x1 RGB1 030002000100060005000400",
        "Confidence8, 0102, UBYTE 2x1 MONO 0102",
        "Coord3D_C16, 01020304, USHORT 2x1 MONO 01020304",
        "Coord3D_C32f, 0000803f000000c0, FLOAT 2x1 MONO 0000803f000000c0",
        "Coord3D_ABC32f, 0000803f000000c0000000000000803f0000803f0000803f,"
                + " FLOAT 3x2x1 RGB1 0000803f000000c0000000000000803f0000803f0000803f",
    })
    void aFormatBecomesAnArray(String format, String pixels, String expected) {
        assertEquals(
                expected,
                array(format, 2, 1, pixels).map(PixelArrayTest::describe).orElse("none"));
    }

    @Test
    void planesBecomePixels() {
        assertEquals(
                "UBYTE 3x2x1 RGB1 010305020406",
                describe(array("RGB8_Planar", 2, 1, "010203040506").orElseThrow()));
    }

    @Test
    void anItemThatIsNotCompleteIsNone() {
        assertTrue(array("Mono8", 2, 2, "010203").isEmpty());
    }

    @Test
    void paddingOfLinesIsLeftOut() {
        byte[] descriptor = GenDcDescriptor.builder()
                .id(1)
                .component(component -> component
                        .typeId(1)
                        .format(Frames.code("Mono8"))
                        .part2d(part ->
                                part.format(Frames.code("Mono8")).size(2, 2).padding(1, 0)))
                .build()
                .toBytes();
        Composite composite = Composite.of(ByteBuffer.allocate(descriptor.length + 6)
                .put(descriptor)
                .put(new byte[] {1, 2, 9, 3, 4, 9})
                .flip());

        assertEquals(
                "UBYTE 2x2 MONO 01020304",
                describe(PixelArray.of(composite.items().get(0), new PixelConverter())
                        .orElseThrow()));
    }
}
