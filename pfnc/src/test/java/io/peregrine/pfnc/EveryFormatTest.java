package io.peregrine.pfnc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.pfnc.PixelLayout.LineRule;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nothing of the list is left out, at any width. Whether the values are right is tested elsewhere. */
class EveryFormatTest {
    private static final int SENTINEL = 0x5A;
    private static final int[] SIZES = {0, 1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17};

    static Stream<PixelFormat> formats() {
        return PixelFormat.all().stream().sorted(Comparator.comparing(PixelFormat::name));
    }

    static Stream<PixelFormat> displayableFormats() {
        return formats().filter(format -> PixelConverter.supports(format, PixelConverter.Target.RGB8));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void convertsToEveryFormItSupportsFromExactlyTheBytesItNeeds(PixelFormat format) {
        PixelConverter converter = new PixelConverter();
        Random random = new Random(format.code());
        for (int width : SIZES) {
            for (int height : new int[] {0, 1, 2, 3, 5}) {
                for (PixelLayout layout : layouts(format, width, height)) {
                    byte[] bytes = new byte[(int) layout.neededBytes()];
                    random.nextBytes(bytes);
                    convertAll(converter, layout, ByteBuffer.wrap(bytes));
                }
            }
        }
    }

    private static PixelLayout[] layouts(PixelFormat format, int width, int height) {
        PixelLayout usual = PixelLayout.of(format, width, height);
        PixelLayout padded = PixelLayout.padded(format, width, height, 3, 1);
        long runOnBytes = format.planes() == 1 ? format.unalignedSizeBytes((long) width * height) : usual.sizeBytes();
        PixelLayout runOn = PixelLayout.resolve(format, width, height, 0, 0, runOnBytes);
        boolean divided = runOn.rule() == LineRule.CONTIGUOUS
                && width % format.subsampling().columns() != 0;
        return divided ? new PixelLayout[] {usual, padded} : new PixelLayout[] {usual, padded, runOn};
    }

    private static void convertAll(PixelConverter converter, PixelLayout layout, ByteBuffer source) {
        PixelFormat format = layout.format();
        int pixels = (int) (layout.width() * layout.height());
        if (PixelConverter.supports(format, PixelConverter.Target.MONO8)) {
            byte[] bytes = new byte[3 * pixels + 1];
            bytes[pixels] = SENTINEL;
            converter.toMono8(layout, source, bytes);
            assertEquals(SENTINEL, bytes[pixels]);
            bytes[3 * pixels] = SENTINEL;
            converter.toRgb8(layout, source, bytes);
            assertEquals(SENTINEL, bytes[3 * pixels]);
            short[] shorts = new short[3 * pixels + 1];
            shorts[pixels] = SENTINEL;
            converter.toMono16(layout, source, shorts);
            assertEquals(SENTINEL, shorts[pixels]);
            shorts[3 * pixels] = SENTINEL;
            converter.toRgb16(layout, source, shorts);
            assertEquals(SENTINEL, shorts[3 * pixels]);
        }
        for (int component = 0; component < format.componentsPerPixel(); component++) {
            if (PixelConverter.supports(format, PixelConverter.Target.RAW16)) {
                converter.toRaw16(layout, component, source, new short[pixels]);
            }
            converter.toFloat(layout, component, source, new float[pixels]);
            converter.toDouble(layout, component, source, new double[pixels]);
        }
        converter.toFloat(layout, source, new float[pixels * format.componentsPerPixel()]);
        converter.toDouble(layout, source, new double[pixels * format.componentsPerPixel()]);
        assertEquals(0, source.position());
    }

    /** The rule for everything but shared chroma and the pairs of GigE Vision 1.x, bit by bit. */
    @ParameterizedTest
    @MethodSource("formatsOfTheCommonRule")
    void readsEachComponentWhereTheRulePutsIt(PixelFormat format) {
        int width = 11;
        PixelLayout layout = PixelLayout.padded(format, width, 2, 1, 0);
        byte[] bytes = new byte[(int) layout.neededBytes()];
        new Random(1).nextBytes(bytes);
        boolean packed = format.packing() == Packing.LSB_PACKED;
        int components = format.componentsPerPixel();
        boolean planar = format.arrangement() == PlaneArrangement.PLANAR;
        int wholeBytes = format.significantBits() <= 8 ? 8 : 16;
        for (int component = 0; component < components; component++) {
            short[] target = new short[2 * width];
            new PixelConverter().toRaw16(layout, component, ByteBuffer.wrap(bytes), target);
            for (int pixel = 0; pixel < target.length; pixel++) {
                int plane = planar ? component : 0;
                int pixelBits = format.bitsPerPixel() < wholeBytes && !packed ? wholeBytes : format.bitsPerPixel();
                long bit = 8 * layout.planeOffsetBytes(plane)
                        + pixel / width * layout.strideBits(plane)
                        + (long) (pixel % width) * (planar ? pixelBits / components : pixelBits);
                int bits = packed ? format.significantBits(component) : wholeBytes;
                for (int before = 0; before < component && !planar; before++) {
                    bit += packed ? format.significantBits(before) : wholeBytes;
                }
                int expected = 0;
                for (int i = 0; i < bits; i++) {
                    int at = (int) (bit + i);
                    expected |= (bytes[at / 8] >> (at % 8) & 1) << i;
                }
                boolean signedByte = format.valueType() == ValueType.SIGNED && bits == 8;
                assertEquals(signedByte ? (byte) expected : (short) expected, target[pixel]);
            }
        }
    }

    static Stream<PixelFormat> formatsOfTheCommonRule() {
        return formats()
                .filter(format -> format.packing() == Packing.UNPACKED || format.packing() == Packing.LSB_PACKED)
                .filter(format -> format.subsampling() == Subsampling.NONE && format.significantBits() <= 16);
    }

    @ParameterizedTest
    @MethodSource("formats")
    void refusesOneByteLessThanItNeeds(PixelFormat format) {
        PixelLayout layout = PixelLayout.of(format, 5, 3);
        ByteBuffer source = ByteBuffer.allocate((int) layout.neededBytes() - 1);
        float[] target = new float[15 * format.componentsPerPixel()];

        assertThrows(PixelFormatException.class, () -> new PixelConverter().toFloat(layout, source, target));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void supportsNumbersInEachFormatOfTheList(PixelFormat format) {
        assertTrue(PixelConverter.supports(format, PixelConverter.Target.FLOAT));
    }

    @ParameterizedTest
    @MethodSource("displayableFormats")
    void makesBlackOfZeros(PixelFormat format) {
        boolean signed = format.valueType() == ValueType.SIGNED;
        PixelLayout layout = PixelLayout.of(format, 8, 4);
        byte[] target = new byte[32];
        new PixelConverter().toMono8(layout, ByteBuffer.allocate((int) layout.sizeBytes()), target);

        int expected = signed ? 128 : 0;
        for (byte value : target) {
            assertEquals(expected, value & 0xFF);
        }
    }
}
