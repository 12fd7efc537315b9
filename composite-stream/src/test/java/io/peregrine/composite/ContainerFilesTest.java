package io.peregrine.composite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.CompressedItem.Compression;
import io.peregrine.gendc.ComponentType;
import io.peregrine.gendc.H264Parameters;
import io.peregrine.testing.TestData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** Containers of real devices, and some made by another's hand; optional test data. */
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
        return String.format("%08x", crc.getValue());
    }

    @Test
    void aTimeOfFlightCameraGivesPointsWithIntensityAndConfidence() {
        Composite composite = read("little_boxes.gendc");

        assertTrue(composite.complete(), composite::toString);
        assertEquals(50, composite.id());
        PointCloudItem cloud = composite.pointCloud().orElseThrow();
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
                ImageItem.class, composite.image(ComponentType.INTENSITY).orElseThrow());
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

    @Test
    void packedLinesEndOnBytes() {
        PackedItem item = assertInstanceOf(
                PackedItem.class, read("syn_mono10p_linepad.gendc").image().orElseThrow());

        assertEquals(7, item.strideBytes());
        // Pixel (1, 2) is 207: bits 10 to 19 of the third line.
        int at = 2 * (int) item.strideBytes();
        int value = Byte.toUnsignedInt(item.data().get(at + 1)) >> 2
                | (Byte.toUnsignedInt(item.data().get(at + 2)) & 15) << 6;
        assertEquals(207, value);
    }

    @Test
    void paddingIsBehindEachLineAndBehindTheImage() {
        Item item = read("syn_mono8_padded.gendc").image().orElseThrow();

        assertEquals(16, item.strideBytes());
        assertEquals(69, item.sizeBytes());
        assertEquals((byte) 0xEE, item.data().get(13));
        assertEquals((byte) 0xDD, item.data().get(68));
    }

    @Test
    void planesHoldTheirColours() {
        PlanesItem item = assertInstanceOf(
                PlanesItem.class, read("syn_rgb8_planar.gendc").image().orElseThrow());

        assertEquals(31, item.plane(PlaneRole.RED).orElseThrow().data().get(31));
        assertEquals(64, item.plane(PlaneRole.GREEN).orElseThrow().data().get(0));
        assertEquals((byte) 159, item.plane(PlaneRole.BLUE).orElseThrow().data().get(31));
    }

    @Test
    void pointsCanComeOneAfterAnother() {
        Composite composite = read("syn_pointcloud_1d.gendc");

        PointCloudItem cloud = composite.pointCloud().orElseThrow();
        assertEquals(10, cloud.pointCount());
        assertFalse(cloud.organized());
        PlaneItem y = cloud.plane(PlaneRole.Y).orElseThrow();
        assertEquals(22.5f, y.data().getFloat(9 * y.pixelStrideBytes()));
    }

    @Test
    void chunkDataIsReadFromTheEndOfWhatIsValid() {
        ChunkItem chunk = read("syn_image_chunk.gendc").chunks().get(0);

        ByteBuffer bytes = chunk.chunkData();
        assertEquals(5, chunk.layoutId());
        assertEquals(0xFFFF, chunk.groupId());
        assertEquals(4, bytes.getInt(bytes.limit() - 4));
        assertEquals(0x1002, bytes.getInt(bytes.limit() - 8));
        assertEquals(42, bytes.getInt(bytes.limit() - 12));
    }

    @Test
    void codedImagesKeepTheirParameters() {
        CompressedItem h264 = assertInstanceOf(
                CompressedItem.class, read("syn_h264_header.gendc").image().orElseThrow());
        assertEquals(Compression.H264, h264.compression());
        assertEquals(Optional.of(new H264Parameters(0x42, 5, 1, 0x1E, 3, 4, 5, 6)), h264.h264());
        CompressedItem jpeg = assertInstanceOf(
                CompressedItem.class, read("syn_jpeg.gendc").image().orElseThrow());
        assertEquals(Compression.JPEG, jpeg.compression());
        assertEquals(4, jpeg.sizeBytes());
    }

    @Test
    void aPreliminaryDescriptorMakesAnIncompleteFrame() {
        Composite preliminary = read("syn_variable_prelim.gendc");
        assertFalse(preliminary.complete());
        assertEquals(100, preliminary.image().orElseThrow().height());
        Composite last = read("syn_variable_final.gendc");
        assertTrue(last.complete(), last::toString);
        assertEquals(37, last.image().orElseThrow().height());
    }
}
