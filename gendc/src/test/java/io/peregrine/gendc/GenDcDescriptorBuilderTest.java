package io.peregrine.gendc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.pfnc.PfncCodes;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class GenDcDescriptorBuilderTest {

    private static void assertBytes(String expectedHex, byte[] actual) {
        assertEquals(
                expectedHex.replaceAll("\\s", ""),
                HexFormat.of().withUpperCase().formatHex(actual));
    }

    @Test
    void writesAnImage() {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .id(7)
                .component(c -> c.typeId(ComponentType.INTENSITY.id())
                        .format(PfncCodes.MONO8)
                        .groupId(3)
                        .sourceId(1)
                        .regionId(2)
                        .regionOffset(4, 6)
                        .timestamp(1_000_000_001L)
                        .part2d(p -> p.format(PfncCodes.MONO8).size(13, 4).padding(3, 5)))
                .build();

        assertBytes("""
                474E4443 01010000 0010 0000 40000000 0700000000000000 0000 000000000000
                4500000000000000 B000000000000000 B0000000 01000000 4000000000000000
                0020 0000 38000000 0000 0300 0100 0200 04000000 06000000 01CA9A3B00000000
                0100000000000000 01000801 0000 0100 7800000000000000
                0042 0000 38000000 01000801 0000 0000 B000000000000000 4500000000000000 B000000000000000
                0D000000 04000000 0300 0500 00000000
                """, descriptor.toBytes());
        assertEquals(176, descriptor.descriptorSizeBytes());
        assertEquals(245, descriptor.containerSizeBytes());
        assertArrayEquals(new long[] {245}, descriptor.flowTable().flowSizes());
    }

    @Test
    void writesPointsInOneDimensionAndTheTimestampFlag() {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .timestampPtp(true)
                .variableFields(0x25)
                .component(c -> c.typeId(4)
                        .format(PfncCodes.COORD3D_ABC32F)
                        .part1d(p -> p.size(10).padding(2)))
                .build();

        assertBytes("""
                474E4443 01010000 0010 0100 40000000 0000000000000000 2500 000000000000
                7A00000000000000 B800000000000000 B8000000 01000000 4000000000000000
                0020 0000 38000000 0000 0000 0000 0000 00000000 00000000 0000000000000000
                0400000000000000 C0006002 0000 0100 7800000000000000
                0041 0000 40000000 C0006002 0000 0000 B800000000000000 7A00000000000000 B800000000000000
                0A00000000000000 0200 0000 00000000 0000000000000000
                """, descriptor.toBytes());
    }

    @Test
    void writesChunkAndXml() {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .id(12)
                .component(c -> c.typeId(ComponentType.METADATA.id())
                        .format(PfncCodes.DATA8)
                        .groupId(GenDcComponent.ALL_GROUPS)
                        .partChunk(p -> p.size(28).layoutId(5))
                        .partXml(p -> p.size(22).padding(2).layoutId(9).xml(false, true)))
                .build();

        assertBytes("""
                474E4443 01010000 0010 0000 40000000 0C00000000000000 0000 000000000000
                3400000000000000 0001000000000000 00010000 01000000 4000000000000000
                0020 0000 40000000 0000 FFFF 0000 0000 00000000 00000000 0000000000000000
                0180000000000000 16010801 0000 0200 8000000000000000 C000000000000000
                0040 0000 40000000 16010801 0000 0000 0001000000000000 1C00000000000000 0001000000000000
                1C00000000000000 0000 0000 00000000 0500000000000000
                0140 0002 40000000 16010801 0000 0000 1C01000000000000 1800000000000000 1C01000000000000
                1600000000000000 0200 0000 00000000 0900000000000000
                """, descriptor.toBytes());
        assertEquals(List.of(), descriptor.problems());
    }

    @Test
    void laysOutFlowsOneAfterTheOther() {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .alignmentBytes(64)
                .component(c -> c.typeId(4)
                        .format(PfncCodes.MONO16)
                        .part2d(p -> p.format(PfncCodes.MONO16).size(8, 8).flow(1)))
                .component(c -> c.typeId(1)
                        .format(PfncCodes.MONO8)
                        .part2d(p -> p.format(PfncCodes.MONO8).size(8, 8).flow(0)))
                .build();
        GenDcPart range = descriptor.components().get(0).parts().get(0);
        GenDcPart intensity = descriptor.components().get(1).parts().get(0);

        assertEquals(296, descriptor.descriptorSizeBytes());
        assertEquals(320, intensity.flowOffset());
        assertEquals(320, intensity.dataOffset());
        assertEquals(0, range.flowOffset());
        assertEquals(384, range.dataOffset());
        assertEquals(512, descriptor.containerSizeBytes());
        assertArrayEquals(new long[] {384, 128}, descriptor.flowTable().flowSizes());
        assertBytes(
                "0070 0000 20000000 0100 0000 02000000 8001000000000000 8000000000000000",
                descriptor.flowTable().toBytes());
        assertEquals(List.of(), descriptor.problems());
    }

    @Test
    void keepsOffsetsWhenAComponentIsInvalid() {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .component(
                        c -> c.typeId(1).format(PfncCodes.MONO8).invalid(true).part2d(p -> p.size(4, 4)))
                .component(c -> c.typeId(2).format(PfncCodes.MONO8).part2d(p -> p.size(4, 4)))
                .build();

        assertTrue(descriptor.componentInvalid());
        assertTrue(descriptor.components().get(0).invalid());
        assertEquals(0, descriptor.components().get(0).parts().get(0).dataSize());
        assertEquals(
                descriptor.descriptorSizeBytes() + 16,
                descriptor.components().get(1).parts().get(0).dataOffset());
        assertEquals(List.of(), descriptor.problems());
    }

    @Test
    void writesCompressedParts() {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .component(c -> c.typeId(1)
                        .format(PfncCodes.RGB8)
                        .partJpeg(p -> p.size(640, 480).dataSize(1234)))
                .build();

        assertEquals(1234, descriptor.dataSize());
        assertEquals(
                PartType.IMAGE_2D_JPEG,
                descriptor.components().get(0).parts().get(0).headerType());
    }

    @Test
    void writesWhatAnH264DecoderMustKnow() {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .component(c -> c.typeId(1)
                        .format(PfncCodes.YCBCR422_8)
                        .partH264(
                                new H264Parameters(0x42, 0b0101, 1, 0x1E, 3, 4, 5, 6),
                                p -> p.size(640, 480).dataSize(48)))
                .build();

        assertPart("""
                0342 0000 48000000 3B001002 0000 0000 C000000000000000 3000000000000000 C000000000000000
                80020000 E0010000 0000 0000 00000000 00 42 15 1E 0300 0400 05000000 06000000
                """, descriptor);
        assertEquals(
                new H264Parameters(0x42, 5, 1, 0x1E, 3, 4, 5, 6),
                descriptor.components().get(0).parts().get(0).h264().orElseThrow());
    }

    @Test
    void writesJpeg2000() {
        assertPart(
                """
                0242 0000 38000000 01000801 0000 0000 B000000000000000 0900000000000000 B000000000000000
                80020000 E0010000 0000 0000 00000000
                """,
                GenDcDescriptor.builder()
                        .component(c -> c.typeId(1)
                                .format(PfncCodes.MONO8)
                                .partJpeg2000(p -> p.size(640, 480).dataSize(9)))
                        .build());
    }

    @Test
    void writesAVendorsOwnPart() {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .component(c -> c.typeId(0xFF00)
                        .format(PfncCodes.MONO8)
                        .partCustom(
                                0x42F3,
                                p -> p.size(4, 2).padding(1, 2).dataSize(12).typeSpecific(1, -2)))
                .build();

        assertPart("""
                F342 0000 48000000 01000801 0000 0000 C000000000000000 0C00000000000000 C000000000000000
                04000000 02000000 0100 0200 00000000 0100000000000000 FEFFFFFFFFFFFFFF
                """, descriptor);
        assertArrayEquals(
                new long[] {1, -2},
                descriptor.components().get(0).parts().get(0).typeSpecific());
    }

    @Test
    void writesFieldsOfTheVendorBehindTheStandardOnes() {
        assertPart(
                """
                0042 0000 48000000 01000801 0000 0000 C000000000000000 0200000000000000 C000000000000000
                02000000 01000000 0000 0000 00000000 002D000000000000 0700000000000000
                """,
                GenDcDescriptor.builder()
                        .component(c -> c.typeId(1)
                                .format(PfncCodes.MONO8)
                                .part2d(p -> p.size(2, 1).typeSpecific(11_520, 7)))
                        .build());
    }

    private static void assertPart(String expectedHex, GenDcDescriptor descriptor) {
        byte[] bytes = descriptor.toBytes();
        assertBytes(expectedHex, Arrays.copyOfRange(bytes, 120, bytes.length));
        assertEquals(List.of(), descriptor.problems());
    }

    @Test
    void keepsOffsetsFromThePreliminaryToTheFinalDescriptor() {
        GenDcDescriptorBuilder builder = GenDcDescriptor.builder()
                .variableFields(
                        GenDcDescriptor.VariableField.DATA_SIZE.bit() | GenDcDescriptor.VariableField.SIZE_Y.bit())
                .component(c -> c.typeId(1)
                        .format(PfncCodes.MONO8)
                        .part2d(p -> p.size(16, 37).maxSize(16, 100)))
                .component(c -> c.typeId(0x8001)
                        .format(PfncCodes.DATA8)
                        .partChunk(p -> p.size(12).maxSize(20)))
                .component(c -> c.typeId(2)
                        .format(PfncCodes.MONO8)
                        .partJpeg(p ->
                                p.size(16, 16).dataSize(50).maxDataSize(256).flow(1)));
        GenDcDescriptor preliminary = builder.buildPreliminary();
        GenDcDescriptor last = builder.buildFinal();
        long[][] most = {{100, 1600}, {0, 20}, {16, 256}};
        long[][] real = {{37, 592}, {0, 12}, {16, 50}};

        assertEquals(5, preliminary.variableFields());
        assertEquals(0, last.variableFields());
        assertEquals(1876, preliminary.dataSize());
        assertEquals(1876, last.dataSize());
        for (int i = 0; i < 3; i++) {
            GenDcPart before = preliminary.components().get(i).parts().get(0);
            GenDcPart after = last.components().get(i).parts().get(0);
            assertArrayEquals(most[i], new long[] {before.sizeY(), before.dataSize()});
            assertArrayEquals(real[i], new long[] {after.sizeY(), after.dataSize()});
            assertEquals(before.dataOffset(), after.dataOffset());
            assertEquals(before.flowOffset(), after.flowOffset());
        }
        assertEquals(20, preliminary.components().get(1).parts().get(0).size());
        assertEquals(12, last.components().get(1).parts().get(0).size());
    }

    @Test
    void leavesTheLastComponentsOutOfTheFinalDescriptor() {
        GenDcDescriptorBuilder builder = GenDcDescriptor.builder()
                .variableFields(GenDcDescriptor.VariableField.COMPONENT_COUNT.bit())
                .presentComponents(1)
                .component(c -> c.typeId(1).format(PfncCodes.MONO8).part2d(p -> p.size(4, 4)))
                .component(c -> c.typeId(2).format(PfncCodes.MONO8).part2d(p -> p.size(4, 4)));
        GenDcDescriptor preliminary = builder.buildPreliminary();
        GenDcDescriptor last = builder.buildFinal();

        assertEquals(2, preliminary.components().size());
        assertEquals(1, last.components().size());
        assertEquals(preliminary.dataOffset(), last.dataOffset());
        assertEquals(
                preliminary.components().get(0).parts().get(0).dataOffset(),
                last.components().get(0).parts().get(0).dataOffset());
    }

    @Test
    void tellsOfInvalidComponentsInTheFinalDescriptorWhenThatIsVariable() {
        GenDcDescriptorBuilder builder = GenDcDescriptor.builder()
                .variableFields(GenDcDescriptor.VariableField.COMPONENT_INVALID.bit())
                .component(
                        c -> c.typeId(1).format(PfncCodes.MONO8).invalid(true).part2d(p -> p.size(4, 4)));

        assertFalse(builder.buildPreliminary().components().get(0).invalid());
        assertTrue(builder.buildFinal().components().get(0).invalid());
    }

    @Test
    void refusesWhatNoReaderCouldUse() {
        assertThrows(
                IllegalArgumentException.class,
                () -> GenDcDescriptor.builder()
                        .component(c -> c.format(PfncCodes.MONO8).partJpeg(p -> p.size(4, 4))));
        assertThrows(
                IllegalArgumentException.class,
                () -> GenDcDescriptor.builder().component(c -> c.partCustom(PartType.IMAGE_2D, p -> {})));
        assertThrows(
                IllegalArgumentException.class,
                () -> GenDcDescriptor.builder()
                        .component(c -> c.format(PfncCodes.MONO8)
                                .part2d(p -> p.size(4, 4).maxSize(4, 3)))
                        .build());
        assertThrows(
                IllegalArgumentException.class,
                () -> GenDcDescriptor.builder()
                        .component(c -> c.format(PfncCodes.MONO8).part2d(p -> p.size(4, 4)))
                        .buildPreliminary());
        assertThrows(
                IllegalArgumentException.class, () -> GenDcDescriptor.builder().build());
        assertThrows(
                IllegalArgumentException.class,
                () -> GenDcDescriptor.builder().component(c -> c.typeId(1)).build());
        assertThrows(
                IllegalArgumentException.class,
                () -> GenDcDescriptor.builder()
                        .component(c -> c.typeId(1)
                                .part2d(p -> p.format(PfncCodes.MONO8).flow(2)))
                        .build());
        assertThrows(
                IllegalArgumentException.class, () -> GenDcDescriptor.builder().component(c -> c.groupId(65_536)));
    }
}
