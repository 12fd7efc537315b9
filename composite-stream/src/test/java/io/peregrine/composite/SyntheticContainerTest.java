package io.peregrine.composite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.CompressedItem.Compression;
import io.peregrine.gendc.ComponentType;
import io.peregrine.gendc.H264Parameters;
import io.peregrine.testing.DeviceContainers;
import io.peregrine.testing.SyntheticContainer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Containers that are written byte by byte from the tables of the standard. */
class SyntheticContainerTest {

    private static Composite read(SyntheticContainer container) {
        return Composite.of(ByteBuffer.wrap(container.bytes()));
    }

    @Test
    void aTimeOfFlightCameraGivesPointsWithIntensityAndConfidence() {
        Composite composite = Composite.of(ByteBuffer.wrap(DeviceContainers.timeOfFlight()));

        assertTrue(composite.complete(), composite::toString);
        assertEquals(50, composite.id());
        PointCloudItem cloud = composite.find(PointCloudItem.class).orElseThrow();
        assertEquals(2, cloud.width());
        assertEquals(2, cloud.height());
        assertEquals(80, cloud.offsetX());
        assertEquals(62653150103775L, cloud.timestamp());
        // Point (1, 1) holds the numbers 9 to 11.
        for (int i = 0; i < 3; i++) {
            PlaneItem plane = cloud.planes().get(i);
            assertEquals(1.5f * (9 + i), plane.data().getFloat((int) plane.strideBytes() + plane.pixelStrideBytes()));
        }
        ImageItem image = assertInstanceOf(
                ImageItem.class,
                composite.items(ComponentType.INTENSITY).stream().findFirst().orElseThrow());
        assertEquals(65535, Short.toUnsignedInt(image.data().getShort(2)));
        PlaneItem confidence = composite.confidence(cloud).orElseThrow();
        assertEquals(0x0807, confidence.data().getShort(6));
        assertEquals(416, composite.descriptor().orElseThrow().descriptorSizeBytes());
    }

    @Test
    void aContainerThatBendsTheStandardKeepsAllItsItems() {
        Composite composite = Composite.of(ByteBuffer.wrap(DeviceContainers.bendingTheStandard()));

        assertTrue(composite.complete(), composite::toString);
        assertEquals(CompositePurpose.IMAGE, composite.purpose());
        assertEquals(15, composite.image().orElseThrow().data().get(15));
        List<Item> metadata = composite.items(ComponentType.METADATA);
        assertEquals(2, metadata.size());
        metadata.forEach(item -> assertInstanceOf(BufferItem.class, item));
        assertEquals(0x2001, metadata.get(0).sourceId());
        assertEquals(16, metadata.get(0).data().get(0));
        assertFalse(metadata.get(1).valid());
        assertEquals(0, metadata.get(1).data().remaining());
    }

    @Test
    void packedLinesEndOnBytes() {
        PackedItem item = assertInstanceOf(
                PackedItem.class,
                read(SyntheticContainer.MONO10P_LINEPAD).image().orElseThrow());

        assertEquals(7, item.strideBytes());
        // Pixel (1, 2) is 207: bits 10 to 19 of the third line.
        int at = 2 * (int) item.strideBytes();
        int value = Byte.toUnsignedInt(item.data().get(at + 1)) >> 2
                | (Byte.toUnsignedInt(item.data().get(at + 2)) & 15) << 6;
        assertEquals(207, value);
    }

    @Test
    void paddingIsBehindEachLineAndBehindTheImage() {
        Item item = read(SyntheticContainer.MONO8_PADDED).image().orElseThrow();

        assertEquals(16, item.strideBytes());
        assertEquals(69, item.sizeBytes());
        assertEquals((byte) 0xEE, item.data().get(13));
        assertEquals((byte) 0xDD, item.data().get(68));
    }

    @Test
    void planesHoldTheirColours() {
        PlanesItem item = assertInstanceOf(
                PlanesItem.class, read(SyntheticContainer.RGB8_PLANAR).image().orElseThrow());

        assertEquals(31, item.plane(PlaneRole.RED).orElseThrow().data().get(31));
        assertEquals(64, item.plane(PlaneRole.GREEN).orElseThrow().data().get(0));
        assertEquals((byte) 159, item.plane(PlaneRole.BLUE).orElseThrow().data().get(31));
    }

    @Test
    void pointsCanComeOneAfterAnother() {
        Composite composite = read(SyntheticContainer.POINTCLOUD_1D);

        PointCloudItem cloud = composite.find(PointCloudItem.class).orElseThrow();
        assertEquals(10, cloud.pointCount());
        assertFalse(cloud.organized());
        PlaneItem y = cloud.plane(PlaneRole.Y).orElseThrow();
        assertEquals(22.5f, y.data().getFloat(9 * y.pixelStrideBytes()));
    }

    @Test
    void chunkDataIsReadFromTheEndOfWhatIsValid() {
        ChunkItem chunk = read(SyntheticContainer.IMAGE_CHUNK).chunks().get(0);

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
                CompressedItem.class,
                read(SyntheticContainer.H264_HEADER).image().orElseThrow());
        assertEquals(Compression.H264, h264.compression());
        assertEquals(Optional.of(new H264Parameters(0x42, 5, 1, 0x1E, 3, 4, 5, 6)), h264.h264());
        CompressedItem jpeg = assertInstanceOf(
                CompressedItem.class, read(SyntheticContainer.JPEG).image().orElseThrow());
        assertEquals(Compression.JPEG, jpeg.compression());
        assertEquals(4, jpeg.sizeBytes());
    }

    @Test
    void aPreliminaryDescriptorMakesAnIncompleteFrame() {
        Composite preliminary = read(SyntheticContainer.VARIABLE_PRELIM);
        assertFalse(preliminary.complete());
        assertEquals(100, preliminary.image().orElseThrow().height());
        Composite last = read(SyntheticContainer.VARIABLE_FINAL);
        assertTrue(last.complete(), last::toString);
        assertEquals(37, last.image().orElseThrow().height());
    }
}
