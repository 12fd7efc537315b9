package io.peregrine.gendc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.pfnc.PfncCodes;
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
                        .part2d(p -> p.size(640, 480).compressed(PartType.IMAGE_2D_JPEG, 1234)))
                .build();

        assertEquals(1234, descriptor.dataSize());
        assertEquals(
                PartType.IMAGE_2D_JPEG,
                descriptor.components().get(0).parts().get(0).headerType());
    }

    @Test
    void refusesWhatNoReaderCouldUse() {
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
