package io.peregrine.composite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.gendc.ComponentType;
import io.peregrine.testing.TestData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** Containers of real devices, of the optional test data. */
class ContainerFilesTest {

    private static Composite read(String file) {
        try {
            return Composite.of(ByteBuffer.wrap(Files.readAllBytes(TestData.file("gendc/" + file))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String crc(Item item) {
        CRC32 crc = new CRC32();
        crc.update(item.data());
        return String.format(Locale.ROOT, "%08x", crc.getValue());
    }

    @Test
    void aTimeOfFlightCameraGivesPointsWithIntensityAndConfidence() {
        Composite composite = read("little_boxes.gendc");

        assertTrue(composite.complete(), composite::toString);
        assertEquals(50, composite.id());
        PointCloudItem cloud = composite.find(PointCloudItem.class).orElseThrow();
        assertEquals("5a1ee0eb", crc(cloud));
        assertEquals(160, cloud.width());
        assertEquals(120, cloud.height());
        assertEquals(80, cloud.offsetX());
        assertEquals(62653150103775L, cloud.timestamp());
        float[] centre = new float[3];
        for (int i = 0; i < 3; i++) {
            PlaneItem plane = cloud.planes().get(i);
            centre[i] = plane.data().getFloat((int) plane.strideBytes() * 60 + plane.pixelStrideBytes() * 80);
        }
        assertEquals(-204.31859f, centre[0]);
        assertEquals(-141.82639f, centre[1]);
        assertEquals(651.25507f, centre[2]);
        ImageItem image = assertInstanceOf(
                ImageItem.class,
                composite.items(ComponentType.INTENSITY).stream().findFirst().orElseThrow());
        assertEquals("9ad288d9", crc(image));
        assertEquals(20388, Short.toUnsignedInt(image.data().getShort(0)));
        PlaneItem confidence = composite.confidence(cloud).orElseThrow();
        assertEquals("9b3062a5", crc(confidence));
        assertEquals(416, composite.descriptor().orElseThrow().descriptorSizeBytes());
    }

    @Test
    void aContainerThatBendsTheStandardKeepsAllItsItems() {
        Composite composite = read("sensing-dev_output.bin");

        assertTrue(composite.complete(), composite::toString);
        assertEquals(CompositePurpose.IMAGE, composite.purpose());
        assertEquals("3e9ddf4e", crc(composite.image().orElseThrow()));
        List<Item> metadata = composite.items(ComponentType.METADATA);
        assertEquals(11, metadata.size());
        metadata.forEach(item -> assertInstanceOf(BufferItem.class, item));
        List<String> sums =
                metadata.stream().limit(8).map(ContainerFilesTest::crc).toList();
        assertEquals(
                List.of("ef9e8b35", "f7a392d2", "a3878b0e", "a3878b0e", "a3878b0e", "3e5b23a8", "88bd8207", "ad72781b"),
                sums);
        for (Item invalid : metadata.subList(8, 11)) {
            assertFalse(invalid.valid());
            assertEquals(0, invalid.data().remaining());
        }
        assertEquals(0x4001, metadata.get(5).sourceId());
        assertEquals(2, metadata.get(7).partIndex());
    }
}
