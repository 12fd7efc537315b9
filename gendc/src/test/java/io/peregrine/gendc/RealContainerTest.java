package io.peregrine.gendc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.pfnc.PfncCodes;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** Containers that cameras made. */
class RealContainerTest {

    private static String crc(ByteBuffer data) {
        CRC32 crc = new CRC32();
        crc.update(data);
        return String.format(Locale.ROOT, "%08x", crc.getValue());
    }

    @Test
    void readsATimeOfFlightCamerasContainerWithoutAnyProblem() {
        GenDcContainer container = GenDcContainer.parse(Samples.read("little_boxes.gendc"));
        GenDcDescriptor descriptor = container.descriptor();

        assertEquals(List.of(), container.problems());
        assertEquals(1, descriptor.versionMajor());
        assertEquals(1, descriptor.versionMinor());
        assertEquals(0, descriptor.versionSubMinor());
        assertEquals(1, descriptor.flags());
        assertTrue(descriptor.timestampPtp());
        assertFalse(descriptor.componentInvalid());
        assertEquals(80, descriptor.headerSizeBytes());
        assertEquals(50, descriptor.id());
        assertTrue(descriptor.isFinal());
        assertEquals(307_200, descriptor.dataSize());
        assertEquals(416, descriptor.dataOffset());
        assertEquals(416, descriptor.descriptorSizeBytes());
        assertEquals(307_616, descriptor.containerSizeBytes());
        assertEquals(3, container.components().size());

        ComponentType[] types = {ComponentType.RANGE, ComponentType.INTENSITY, ComponentType.CONFIDENCE};
        int[] formats = {PfncCodes.COORD3D_ABC32F, PfncCodes.MONO16, PfncCodes.CONFIDENCE16};
        long[] offsets = {416, 230_816, 269_216};
        long[] sizes = {230_400, 38_400, 38_400};
        String[] crcs = {"5a1ee0eb", "9ad288d9", "9b3062a5"};
        int[] firstBytes = {79, 164, 233};
        for (int i = 0; i < types.length; i++) {
            GenDcComponent component = container.components().get(i);
            assertEquals(types[i], component.type());
            assertEquals(formats[i], component.format());
            assertEquals(0, component.groupId());
            assertEquals(0, component.sourceId());
            assertEquals(0, component.regionId());
            assertEquals(80, component.regionOffsetX());
            assertEquals(60, component.regionOffsetY());
            assertEquals(62_653_150_103_775L, component.timestamp());
            assertFalse(component.invalid());
            assertEquals(1, component.parts().size());
            GenDcPart part = component.parts().get(0);
            assertEquals(PartType.IMAGE_2D, part.headerType());
            assertEquals(56, part.headerSizeBytes());
            assertEquals(formats[i], part.format());
            assertEquals(0, part.flowId());
            assertEquals(offsets[i], part.dataOffset());
            assertEquals(offsets[i], part.flowOffset());
            assertEquals(sizes[i], part.dataSize());
            assertEquals(160, part.sizeX());
            assertEquals(120, part.sizeY());
            assertEquals(0, part.paddingX());
            assertEquals(0, part.paddingY());
            assertEquals(crcs[i], crc(container.data(part)));
            assertEquals(firstBytes[i], Byte.toUnsignedInt(container.data(part).get(0)));
        }
        ByteBuffer range = container.data(container.components().get(0).parts().get(0));
        int centre = (60 * 160 + 80) * 12;
        assertEquals(-204.31859f, range.getFloat(centre), 1e-4f);
        assertEquals(-141.82639f, range.getFloat(centre + 4), 1e-4f);
        assertEquals(651.25507f, range.getFloat(centre + 8), 1e-4f);
        ByteBuffer intensity =
                container.data(container.components().get(1).parts().get(0));
        assertEquals(20_388, Short.toUnsignedInt(intensity.getShort(0)));
        assertEquals(
                GenDcContainer.parse(Samples.read("little_boxes.gendc"), CheckMode.STRICT)
                        .id(),
                container.id());
    }

    @Test
    void findsTheDistancesOfTheTimeOfFlightCamera() {
        GenDcContainer container = GenDcContainer.parse(Samples.read("little_boxes.gendc"));
        ByteBuffer range = container.data(container.components().get(0).parts().get(0));
        float maxZ = 0;
        int notNumbers = 0;
        for (int at = 0; at < range.limit(); at += 12) {
            maxZ = Math.max(maxZ, range.getFloat(at + 8));
            for (int coordinate = 0; coordinate < 12; coordinate += 4) {
                notNumbers += Float.isNaN(range.getFloat(at + coordinate)) ? 1 : 0;
            }
        }

        assertEquals(-468.76804f, range.getFloat(0));
        assertEquals(-338.49225f, range.getFloat(4));
        assertEquals(746.62396f, range.getFloat(8));
        assertEquals(756.08453f, maxZ);
        assertEquals(0, notNumbers);
        assertEquals(
                List.of(136, 248, 360),
                container.components().stream()
                        .map(c -> c.parts().get(0).headerOffset())
                        .toList());
    }

    @Test
    void findsIntensityAndConfidenceOfTheTimeOfFlightCamera() {
        GenDcContainer container = GenDcContainer.parse(Samples.read("little_boxes.gendc"));

        assertArrayEquals(
                new long[] {20_388, 14_503, 65_534, 703_550_292L},
                firstLeastMostAndSum(
                        container.data(container.components().get(1).parts().get(0))));
        assertArrayEquals(
                new long[] {1769, 0, 32_768, 204_102_211L},
                firstLeastMostAndSum(
                        container.data(container.components().get(2).parts().get(0))));
    }

    private static long[] firstLeastMostAndSum(ByteBuffer pixels) {
        long[] found = {Short.toUnsignedInt(pixels.getShort(0)), 65_536, -1, 0};
        for (int at = 0; at < pixels.limit(); at += 2) {
            int value = Short.toUnsignedInt(pixels.getShort(at));
            found[1] = Math.min(found[1], value);
            found[2] = Math.max(found[2], value);
            found[3] += value;
        }
        return found;
    }

    /** Header offset, header type, data offset, data size, dimension, checksum. */
    private static final String BENT_PARTS = """
            184 4200 1520 2073600 1920x1080 3e9ddf4e
            320 41f1 2075120 1600 800 ef9e8b35
            392 41f1 2076720 1600 800 f7a392d2
            520 41f0 2078320 32 16 a3878b0e
            648 41f0 2078352 32 16 a3878b0e
            776 41f0 2078384 32 16 a3878b0e
            920 41f0 2078416 32 16 3e5b23a8
            992 41f0 2078448 32 16 88bd8207
            1064 41f0 2078480 32 16 ad72781b
            1192 41f0 2078512 0 0 00000000
            1320 41f0 2078512 0 0 00000000
            1448 41f0 2078512 0 0 00000000
            """;

    @Test
    void readsEveryPartOfAContainerThatBendsTheStandard() {
        GenDcContainer container = GenDcContainer.parse(Samples.read("sensing-dev_output.bin"));
        StringBuilder found = new StringBuilder();
        for (GenDcComponent component : container.components()) {
            for (GenDcPart part : component.parts()) {
                String dimension = part.is2d() ? part.sizeX() + "x" + part.sizeY() : Long.toString(part.size());
                found.append(String.format(
                        Locale.ROOT,
                        "%d %04x %d %d %s %s%n",
                        part.headerOffset(),
                        part.headerType(),
                        part.dataOffset(),
                        part.dataSize(),
                        dimension,
                        crc(container.data(part))));
                assertEquals(0, part.flowOffset());
            }
        }

        assertEquals(BENT_PARTS, found.toString());
        assertEquals(17, container.problems().size());
        long[][] vendorFields = {{11_520, 0}, {11_520, 17_179_869_441L}, {11_520, 256_001}, {11_520, 256_001}};
        for (int i = 0; i < vendorFields.length; i++) {
            for (GenDcPart part : container.components().get(i).parts()) {
                assertArrayEquals(vendorFields[i], part.typeSpecific());
            }
        }
        for (GenDcPart part : container.components().get(5).parts()) {
            assertArrayEquals(new long[] {11_520, 256_002}, part.typeSpecific());
        }
        assertEquals(
                List.of(128, 256, 464, 592, 720, 848, 1136, 1264, 1392),
                container.components().stream()
                        .map(GenDcComponent::headerOffset)
                        .toList());
    }

    @Test
    void refusesTheBentContainerInStrictMode() {
        ByteBuffer bytes = Samples.read("sensing-dev_output.bin");

        assertEquals(
                17,
                assertThrows(GenDcException.class, () -> GenDcContainer.parse(bytes, CheckMode.STRICT))
                        .problems()
                        .size());
    }

    @Test
    void survivesAContainerThatBendsTheStandard() {
        GenDcContainer container = GenDcContainer.parse(Samples.read("sensing-dev_output.bin"));
        GenDcDescriptor descriptor = container.descriptor();

        assertEquals(0, descriptor.versionMinor());
        assertEquals(2, descriptor.flags());
        assertTrue(descriptor.componentInvalid());
        assertEquals(128, descriptor.headerSizeBytes());
        assertEquals(1, descriptor.id());
        assertEquals(2_076_992, descriptor.dataSize());
        assertEquals(1520, descriptor.dataOffset());
        assertEquals(1520, descriptor.descriptorSizeBytes());
        assertEquals(2_078_512, container.containerSizeBytes());
        assertEquals(9, container.components().size());

        int[] sources = {0x1001, 0x2001, 0x3001, 0x3002, 0x3003, 0x4001, 0x0001, 0x5001, 0x6001};
        int[] partCounts = {1, 2, 1, 1, 1, 3, 1, 1, 1};
        for (int i = 0; i < sources.length; i++) {
            GenDcComponent component = container.components().get(i);
            assertEquals(sources[i], component.sourceId());
            assertEquals(partCounts[i], component.parts().size());
            assertEquals(i >= 6, component.invalid());
            assertEquals(i == 0 ? 1 : 0x8001, component.typeId());
            assertEquals(195_054_959_330L + 120L * i, component.timestamp());
        }
        GenDcPart image = container.components().get(0).parts().get(0);
        assertEquals(72, image.headerSizeBytes());
        assertEquals(1920, image.sizeX());
        assertEquals(1080, image.sizeY());
        assertEquals(0, image.flowOffset());
        assertEquals(1520, image.dataOffset());
        assertEquals(2_073_600, image.dataSize());
        assertArrayEquals(new long[] {11_520, 0}, image.typeSpecific());
        assertEquals("3e9ddf4e", crc(container.data(image)));

        GenDcComponent audio = container.components().get(1);
        assertEquals(PfncCodes.DATA16, audio.format());
        assertEquals(0x41F1, audio.parts().get(1).headerType());
        assertEquals(800, audio.parts().get(1).size());
        assertArrayEquals(
                new long[] {11_520, 17_179_869_441L}, audio.parts().get(1).typeSpecific());
        assertEquals("ef9e8b35", crc(container.data(audio.parts().get(0))));
        assertEquals("f7a392d2", crc(container.data(audio.parts().get(1))));
        assertEquals(
                "ad72781b",
                crc(container.data(container.components().get(5).parts().get(2))));

        GenDcPart empty = container.components().get(8).parts().get(0);
        assertEquals(0, empty.dataSize());
        assertEquals(2_078_512, empty.dataOffset());
        assertEquals(0, container.data(empty).remaining());

        // FlowOffset 0 in flow 0, and metadata that is not Data8; nothing is rejected.
        assertTrue(container.problems().stream().allMatch(p -> p.severity() == GenDcProblem.Severity.WARNING));
        assertEquals(
                12,
                container.problems().stream()
                        .filter(p -> p.text().startsWith("FlowOffset 0 in flow 0"))
                        .count());
        assertEquals(
                5,
                container.problems().stream()
                        .filter(p -> p.text().equals("metadata has the format Data16, not Data8"))
                        .count());
    }

    @Test
    void rejectsOnlyThePartThatWasCutOff() {
        ByteBuffer bytes = Samples.read("little_boxes.gendc").limit(300_000);
        GenDcContainer container = GenDcContainer.parse(bytes);

        assertTrue(container.components().get(0).parts().get(0).usable());
        assertTrue(container.components().get(1).parts().get(0).usable());
        assertFalse(container.components().get(2).parts().get(0).usable());
        assertTrue(container.problems().stream()
                .anyMatch(p -> p.severity() == GenDcProblem.Severity.PART_REJECTED && p.component() == 2));
    }
}
