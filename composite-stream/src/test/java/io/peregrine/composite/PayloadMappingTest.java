package io.peregrine.composite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.CompressedItem.Compression;
import io.peregrine.gendc.ComponentType;
import io.peregrine.gendc.H264Parameters;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pfnc.PixelFormat;
import io.peregrine.pfnc.PixelLayout;
import io.peregrine.pfnc.PixelLayout.LineRule;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.BlockInfo.ChunkRange;
import io.peregrine.stream.BlockInfo.ImageGeometry;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.PayloadType;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Payloads that are no GenDC container: image, chunk, compressed, multi-zone, multi-part. */
class PayloadMappingTest {
    private static final int BYTES = 4096;
    private static final int IMAGE = 1;
    private static final int PLANE_OF_3 = 3;
    private static final int IMAGE_3D = 5;
    private static final int PLANE_3D_OF_3 = 7;
    private static final int CONFIDENCE = 9;
    private static final int CHUNK = 10;
    private static final int JPEG = 11;
    private static final int JPEG_2000 = 12;

    private static Composite map(BlockInfo block) {
        return Blocks.map(Blocks.pool(BYTES), block, Blocks::receiveAll);
    }

    private static Composite map(
            int payloadType, long bytes, Optional<ImageGeometry> image, Optional<ChunkRange> chunk) {
        return map(Blocks.of(payloadType, bytes, image, List.of(), chunk, Optional.empty()));
    }

    private static Optional<ImageGeometry> geometry(int format, int width, int height) {
        return Optional.of(new ImageGeometry(format, width, height, 0, 0, 0, 0));
    }

    private static Item image(int format, int width, int height, long bytes) {
        Composite composite = map(PayloadType.IMAGE, bytes, geometry(format, width, height), Optional.empty());
        assertTrue(composite.complete(), composite::toString);
        assertEquals(1, composite.items().size());
        return composite.items().get(0);
    }

    // ---- Images by their format

    @Test
    void pixelsOfWholeBytesAreAnImage() {
        ImageItem mono = assertInstanceOf(ImageItem.class, image(PfncCodes.MONO12, 6, 4, 48));
        assertEquals(12, mono.strideBytes());
        assertEquals(2, mono.pixelStrideBytes());
        ImageItem colour = assertInstanceOf(ImageItem.class, image(PfncCodes.RGB8, 6, 4, 72));
        assertEquals(18, colour.strideBytes());
        assertEquals(3, colour.pixelStrideBytes());
        assertInstanceOf(ImageItem.class, image(PfncCodes.YCBCR422_8, 6, 4, 48));
        assertInstanceOf(ImageItem.class, image(PfncCodes.BAYER_RG16, 6, 4, 48));
    }

    @Test
    void pixelsThatShareBytesAreAPackedImage() {
        PackedItem packed = assertInstanceOf(PackedItem.class, image(PfncCodes.MONO12P, 6, 4, 36));
        assertEquals(9, packed.strideBytes());
        assertFalse(packed.linesContiguous());
        assertInstanceOf(PackedItem.class, image(PfncCodes.MONO10_PACKED, 6, 4, 36));
        assertInstanceOf(PackedItem.class, image(PfncCodes.RGB565P, 6, 4, 48));
        assertInstanceOf(PackedItem.class, image(PfncCodes.YCBCR411_8, 8, 4, 48));
    }

    @Test
    void aVendorsFormatIsAPackedImageOfTheSizeThatItsCodeSays() {
        Item item = image(0x81140123, 4, 2, 20);

        assertInstanceOf(PackedItem.class, item);
        assertEquals(10, item.strideBytes());
        assertEquals("0x81140123", item.format().name());
    }

    @Test
    void linesRunOnWhenOnlyThatFitsTheSize() {
        // 5 pixels of 10 bits are 7 bytes a line on byte ends, 150 bits in all without.
        PackedItem padded = assertInstanceOf(PackedItem.class, image(PfncCodes.MONO10P, 5, 3, 21));
        assertEquals(7, padded.strideBytes());
        PackedItem runningOn = assertInstanceOf(PackedItem.class, image(PfncCodes.MONO10P, 5, 3, 19));
        assertEquals(0, runningOn.strideBytes());
        assertTrue(runningOn.linesContiguous());
        assertTrue(image(PfncCodes.CONFIDENCE1P, 5, 3, 2).linesContiguous());
        assertFalse(image(PfncCodes.CONFIDENCE1P, 5, 3, 3).linesContiguous());
    }

    @Test
    void paddingBelongsToTheStride() {
        Composite composite = map(
                PayloadType.IMAGE,
                25,
                Optional.of(new ImageGeometry(PfncCodes.MONO8, 4, 3, 0, 0, 3, 4)),
                Optional.empty());

        assertEquals(7, composite.items().get(0).strideBytes());
        assertEquals(25, composite.items().get(0).sizeBytes());
    }

    @Test
    void planesOfAPlanarFormatLieOneAfterTheOther() {
        PlanesItem item = assertInstanceOf(PlanesItem.class, image(PfncCodes.RGB8_PLANAR, 4, 2, 24));

        assertEquals(24, item.data().remaining());
        List<PlaneRole> roles = item.planes().stream().map(PlaneItem::role).toList();
        assertEquals(List.of(PlaneRole.RED, PlaneRole.GREEN, PlaneRole.BLUE), roles);
        PlaneItem blue = item.plane(PlaneRole.BLUE).orElseThrow();
        assertEquals("B8", blue.format().name());
        assertEquals(8, blue.data().remaining());
        assertEquals(16, blue.data().get(0));
    }

    @Test
    void aSemiPlanarFormatHasLumaAndHalfAsManyPairsOfChroma() {
        PlanesItem item = assertInstanceOf(PlanesItem.class, image(PfncCodes.YCBCR420_8_YY_CBCR_SEMIPLANAR, 4, 2, 12));

        PlaneItem luma = item.plane(PlaneRole.LUMA).orElseThrow();
        assertEquals(8, luma.data().remaining());
        PlaneItem chroma = item.plane(PlaneRole.CHROMA).orElseThrow();
        assertEquals(2, chroma.width());
        assertEquals(1, chroma.height());
        assertEquals(4, chroma.data().remaining());
        assertEquals(8, chroma.data().get(0));
    }

    @Test
    void interleavedCoordinatesAreAPointCloudWithAPlaneForEach() {
        PointCloudItem cloud = assertInstanceOf(PointCloudItem.class, image(PfncCodes.COORD3D_ABC16, 4, 2, 48));

        assertEquals(8, cloud.pointCount());
        assertTrue(cloud.organized());
        assertTrue(cloud.interleaved());
        PlaneItem z = cloud.plane(PlaneRole.Z).orElseThrow();
        assertEquals("Coord3D_C16", z.format().name());
        assertEquals(6, z.pixelStrideBytes());
        assertEquals(24, z.strideBytes());
        // Second line, third point: 24 + 2 * 6 + 4.
        assertEquals(40, z.data().get((int) z.strideBytes() + 2 * z.pixelStrideBytes()));
    }

    @Test
    void coordinatesThatShareBytesAreAPointCloudWithoutPlanes() {
        PointCloudItem cloud = assertInstanceOf(PointCloudItem.class, image(PfncCodes.COORD3D_ABC10P, 4, 2, 30));

        assertEquals(List.of(), cloud.planes());
        assertEquals(15, cloud.strideBytes());
    }

    @Test
    void planarCoordinatesAreAPointCloud() {
        PointCloudItem cloud = assertInstanceOf(PointCloudItem.class, image(PfncCodes.COORD3D_ABC16_PLANAR, 4, 2, 48));

        assertFalse(cloud.interleaved());
        assertEquals(32, cloud.plane(PlaneRole.Z).orElseThrow().data().get(0));
    }

    @Test
    void twoCoordinatesAreTwoPlanes() {
        PlanesItem item = assertInstanceOf(PlanesItem.class, image(PfncCodes.COORD3D_AC16, 4, 2, 32));

        List<PlaneRole> roles = item.planes().stream().map(PlaneItem::role).toList();
        assertEquals(List.of(PlaneRole.X, PlaneRole.Z), roles);
        assertEquals(2, item.planes().get(1).data().get(0));
    }

    @Test
    void thePayloadOfAnImageTellsItsTypeAndPurposeByItsFormat() {
        Composite points = map(PayloadType.IMAGE, 96, geometry(PfncCodes.COORD3D_ABC32F, 4, 2), Optional.empty());
        assertEquals(CompositePurpose.POINT_CLOUD, points.purpose());
        assertEquals(ComponentType.RANGE, points.items().get(0).componentType());
        Composite depth = map(PayloadType.IMAGE, 16, geometry(PfncCodes.COORD3D_C16, 4, 2), Optional.empty());
        assertEquals(CompositePurpose.RANGE_MAP, depth.purpose());
        assertInstanceOf(ImageItem.class, depth.items().get(0));
        Composite trust = map(PayloadType.IMAGE, 8, geometry(PfncCodes.CONFIDENCE8, 4, 2), Optional.empty());
        assertEquals(ComponentType.CONFIDENCE, trust.items().get(0).componentType());
        assertInstanceOf(PlaneItem.class, trust.items().get(0));
    }

    @Test
    void aMultiZoneImageIsAnImage() {
        Composite composite = map(PayloadType.MULTI_ZONE, 8, geometry(PfncCodes.MONO8, 4, 2), Optional.empty());

        assertEquals(CompositePurpose.IMAGE, composite.purpose());
        assertInstanceOf(ImageItem.class, composite.items().get(0));
    }

    @Test
    void theStrideOfPlanesIsThatOfTheFirst() {
        assertEquals(4, image(PfncCodes.RGB8_PLANAR, 4, 2, 24).strideBytes());
        assertEquals(4, image(PfncCodes.YCBCR420_8_YY_CBCR_SEMIPLANAR, 4, 2, 12).strideBytes());
    }

    @Test
    void theLayoutIsThatOfTheDataAndOfNothingElse() {
        PixelLayout packed = image(PfncCodes.MONO10P, 5, 3, 19).layout().orElseThrow();
        assertEquals(LineRule.CONTIGUOUS, packed.rule());
        assertEquals(50, packed.strideBits(0));
        PixelLayout planar = image(PfncCodes.RGB8_PLANAR, 4, 2, 24).layout().orElseThrow();
        assertEquals(16, planar.planeOffsetBytes(2));
        PointCloudItem cloud = (PointCloudItem) image(PfncCodes.COORD3D_ABC16, 4, 2, 48);
        assertTrue(cloud.layout().isPresent());
        assertEquals(Optional.empty(), cloud.planes().get(2).layout());

        Composite composite = map(Blocks.multiPart(
                Blocks.part(PLANE_OF_3, 0, 8, PfncCodes.R8, 1, 4, 2),
                Blocks.part(PLANE_OF_3, 100, 8, PfncCodes.G8, 1, 4, 2),
                Blocks.part(PLANE_OF_3, 200, 8, PfncCodes.B8, 1, 4, 2),
                Blocks.part(CHUNK, 300, 24),
                Blocks.part(JPEG, 400, 33)));
        PlanesItem apart = assertInstanceOf(PlanesItem.class, composite.items().get(0));
        assertTrue(apart.planes().get(1).layout().isPresent());
        for (Item item : composite.items()) {
            assertEquals(Optional.empty(), item.layout(), item::toString);
        }
    }

    // ---- Chunk data

    @Test
    void chunkDataBehindAnImageIsAnItemOfItsOwn() {
        Composite composite = map(
                PayloadType.IMAGE | PayloadType.CHUNK_BIT,
                24,
                geometry(PfncCodes.MONO8, 4, 2),
                Optional.of(new ChunkRange(8, 16, 7)));

        assertTrue(composite.complete(), composite::toString);
        assertEquals(CompositePurpose.IMAGE, composite.purpose());
        assertEquals(8, composite.image().orElseThrow().sizeBytes());
        ChunkItem chunk = composite.chunks().get(0);
        assertEquals(ByteOrder.BIG_ENDIAN, chunk.byteOrder());
        assertEquals(ByteOrder.BIG_ENDIAN, chunk.chunkData().order());
        assertEquals(7, chunk.layoutId());
        assertEquals(16, chunk.chunkData().remaining());
        assertEquals(8, chunk.chunkData().get(0));
    }

    @Test
    void linesRunOnBeforeChunkDataWhenOnlyThatFits() {
        Composite composite = map(
                PayloadType.IMAGE | PayloadType.CHUNK_BIT,
                31,
                geometry(PfncCodes.MONO10P, 5, 3),
                Optional.of(new ChunkRange(19, 12, 0)));

        assertEquals(19, composite.image().orElseThrow().sizeBytes());
    }

    @Test
    void extendedChunkDataOfTheWholePayloadHasTheImageAtItsStart() {
        Composite composite = map(
                PayloadType.EXTENDED_CHUNK, 24, geometry(PfncCodes.MONO8, 4, 2), Optional.of(new ChunkRange(0, 24, 0)));

        assertEquals(8, composite.image().orElseThrow().sizeBytes());
        assertEquals(24, composite.chunks().get(0).chunkData().remaining());
    }

    @Test
    void chunkDataAloneIsOneItem() {
        Composite composite = map(PayloadType.CHUNK, 24, Optional.empty(), Optional.of(new ChunkRange(0, 24, 0)));

        assertEquals(1, composite.items().size());
        assertEquals(ComponentType.METADATA, composite.chunks().get(0).componentType());
        assertEquals(CompositePurpose.CUSTOM, composite.purpose());
    }

    @Test
    void chunkDataWithoutPlaceHasNoData() {
        for (ChunkRange range :
                List.of(new ChunkRange(8, BYTES, 0), new ChunkRange(Long.MAX_VALUE, Long.MAX_VALUE, 0))) {
            Composite composite = map(
                    PayloadType.IMAGE | PayloadType.CHUNK_BIT, 24, geometry(PfncCodes.MONO8, 4, 2), Optional.of(range));

            assertFalse(composite.complete());
            assertEquals(0, composite.chunks().get(0).chunkData().remaining());
            assertTrue(composite.image().orElseThrow().complete());
        }
    }

    @Test
    void anImageThatArrivedIsCompleteWhenItsChunkDataIsNot() {
        BlockInfo block = Blocks.missing(
                Blocks.of(
                        PayloadType.IMAGE | PayloadType.CHUNK_BIT,
                        24,
                        geometry(PfncCodes.MONO8, 4, 2),
                        List.of(),
                        Optional.of(new ChunkRange(8, 16, 0)),
                        Optional.empty()),
                IncompleteCause.PACKETS_MISSING,
                1);
        Composite composite = Blocks.map(Blocks.pool(64), block, set -> Blocks.receive(set, 0, 0, new byte[8]));

        assertEquals(Optional.of("packets missing (1)"), composite.incompleteReason());
        assertTrue(composite.image().orElseThrow().complete());
        assertFalse(composite.chunks().get(0).complete());
    }

    @Test
    void nothingIsCompleteThatTheDeviceTakesBack() {
        BlockInfo block =
                Blocks.missing(Blocks.image(12, PfncCodes.MONO8, 4, 2, 0, 8), IncompleteCause.DEVICE_ERROR, 0);
        Composite composite = Blocks.map(Blocks.pool(64), block, Blocks::receiveAll);

        assertEquals(Optional.of("device error"), composite.items().get(0).incompleteReason());
    }

    // ---- Compressed and raw payloads

    @Test
    void compressedPayloadsKeepTheirBytesAndParameters() {
        BlockInfo.H264Parameters parameters = new BlockInfo.H264Parameters(1, 66, 3, 30, 4, 5, 6, 7);
        Composite composite = map(Blocks.of(
                PayloadType.H264,
                99,
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.of(new BlockInfo.Compression(0, 0, Optional.of(parameters)))));

        CompressedItem item =
                assertInstanceOf(CompressedItem.class, composite.items().get(0));
        assertEquals(Compression.H264, item.compression());
        assertEquals(Optional.of(new H264Parameters(66, 3, 1, 30, 4, 5, 6, 7)), item.h264());
        assertEquals(99, item.data().remaining());
        assertEquals(CompositePurpose.IMAGE, composite.purpose());
    }

    @Test
    void compressedPayloadsEndWhereChunkDataBegins() {
        Composite composite = map(
                PayloadType.JPEG | PayloadType.CHUNK_BIT, 24, Optional.empty(), Optional.of(new ChunkRange(11, 13, 0)));

        CompressedItem item =
                assertInstanceOf(CompressedItem.class, composite.items().get(0));
        assertEquals(Compression.JPEG, item.compression());
        assertEquals(11, item.sizeBytes());
        assertEquals(13, composite.chunks().get(0).sizeBytes());
    }

    @Test
    void filesAndUnknownPayloadsAreBuffers() {
        for (int type : new int[] {PayloadType.FILE, 0x00FF, 0x8001}) {
            Composite composite = map(type, 5, Optional.empty(), Optional.empty());

            assertInstanceOf(BufferItem.class, composite.items().get(0));
            assertEquals(5, composite.items().get(0).sizeBytes());
            assertEquals(type, composite.payloadType());
        }
    }

    // ---- Multi-part

    @Test
    void everyPartIsAnItem() {
        Composite composite = map(Blocks.multiPart(
                Blocks.part(IMAGE, 0, 8, PfncCodes.MONO8, 1, 4, 2),
                Blocks.part(IMAGE_3D, 8, 96, PfncCodes.COORD3D_ABC32F, 4, 4, 2),
                Blocks.part(CONFIDENCE, 104, 16, PfncCodes.CONFIDENCE16, 6, 4, 2),
                Blocks.part(CHUNK, 120, 24),
                Blocks.part(JPEG, 144, 33),
                Blocks.part(JPEG_2000, 177, 44),
                Blocks.part(0x8001, 221, 3)));

        assertTrue(composite.complete(), composite::toString);
        List<Item> items = composite.items();
        ImageItem image = assertInstanceOf(ImageItem.class, items.get(0));
        assertEquals(ComponentType.INTENSITY, image.componentType());
        assertEquals(2, image.sourceId());
        assertEquals(3, image.regionId());
        assertEquals(1, image.groupId());
        assertEquals(5, image.offsetX());
        assertEquals(6, image.offsetY());
        assertEquals(77, image.timestamp());
        PointCloudItem cloud = assertInstanceOf(PointCloudItem.class, items.get(1));
        assertEquals(ComponentType.RANGE, cloud.componentType());
        assertEquals(8, cloud.data().get(0));
        assertEquals(1, cloud.componentIndex());
        PlaneItem confidence = assertInstanceOf(PlaneItem.class, items.get(2));
        assertEquals(PlaneRole.CONFIDENCE, confidence.role());
        assertEquals(2, confidence.pixelStrideBytes());
        ChunkItem chunk = assertInstanceOf(ChunkItem.class, items.get(3));
        assertEquals(ByteOrder.BIG_ENDIAN, chunk.byteOrder());
        assertEquals(120, chunk.chunkData().get(0));
        assertEquals(
                Compression.JPEG,
                assertInstanceOf(CompressedItem.class, items.get(4)).compression());
        assertEquals(
                Compression.JPEG2000,
                assertInstanceOf(CompressedItem.class, items.get(5)).compression());
        BufferItem vendor = assertInstanceOf(BufferItem.class, items.get(6));
        assertEquals(3, vendor.data().remaining());
        assertEquals((byte) 221, vendor.data().get(0));
    }

    @Test
    void planesThatFollowEachOtherAreOneItem() {
        Composite composite = map(Blocks.multiPart(
                Blocks.part(PLANE_OF_3, 0, 8, PfncCodes.R8, 1, 4, 2),
                Blocks.part(PLANE_OF_3, 8, 8, PfncCodes.G8, 1, 4, 2),
                Blocks.part(PLANE_OF_3, 16, 8, PfncCodes.B8, 1, 4, 2),
                Blocks.part(CONFIDENCE, 24, 8, PfncCodes.CONFIDENCE8, 1, 4, 2)));

        assertEquals(CompositePurpose.IMAGE, composite.purpose());
        PlanesItem planes = assertInstanceOf(PlanesItem.class, composite.items().get(0));
        assertEquals(
                List.of(PlaneRole.RED, PlaneRole.GREEN, PlaneRole.BLUE),
                planes.planes().stream().map(PlaneItem::role).toList());
        assertEquals(24, planes.data().remaining());
        assertEquals(24, planes.sizeBytes());
        assertEquals(2, composite.items().size());
        assertEquals(4, composite.parts().size());
    }

    @Test
    void planesWithTheFormatOfTheWholeAreKnownByTheirPlace() {
        Composite composite = map(Blocks.multiPart(
                Blocks.part(PLANE_3D_OF_3, 0, 16, PfncCodes.COORD3D_ABC16_PLANAR, 4, 4, 2),
                Blocks.part(PLANE_3D_OF_3, 100, 16, PfncCodes.COORD3D_ABC16_PLANAR, 4, 4, 2),
                Blocks.part(PLANE_3D_OF_3, 200, 16, PfncCodes.COORD3D_ABC16_PLANAR, 4, 4, 2)));

        assertTrue(composite.complete(), composite::toString);
        assertEquals(CompositePurpose.POINT_CLOUD, composite.purpose());
        PointCloudItem cloud =
                assertInstanceOf(PointCloudItem.class, composite.items().get(0));
        PlaneItem y = cloud.plane(PlaneRole.Y).orElseThrow();
        assertEquals("Coord3D_B16", y.format().name());
        assertEquals(100, y.data().get(0));
        assertEquals(48, cloud.sizeBytes());
        assertEquals(0, cloud.data().remaining());
    }

    @Test
    void planesOfTwoImagesAreTwoItems() {
        BlockInfo.Part[] parts = new BlockInfo.Part[6];
        int[] formats = {PfncCodes.R8, PfncCodes.G8, PfncCodes.B8};
        for (int i = 0; i < parts.length; i++) {
            parts[i] = Blocks.part(PLANE_OF_3, 8L * i, 8, formats[i % 3], 1, 4, 2);
        }

        Composite composite = map(Blocks.multiPart(parts));

        assertEquals(2, composite.items().size());
        assertEquals(CompositePurpose.IMAGE_LIST, composite.purpose());
        assertEquals(3, composite.items().get(1).componentIndex());
    }

    @Test
    void aPlaneThatIsLeftAloneIsAnImageByItsFormat() {
        Composite composite = map(Blocks.multiPart(Blocks.part(PLANE_OF_3, 0, 8, PfncCodes.MONO8, 1, 4, 2)));

        assertInstanceOf(ImageItem.class, composite.items().get(0));
    }

    @Test
    void thePurposeIdIsTheTypeUnlessDataTypeOrFormatSayOtherwise() {
        record Row(int dataType, int format, long bytes, int purpose, ComponentType expected) {}
        for (Row row : List.of(
                new Row(IMAGE, PfncCodes.MONO8, 8, 2, ComponentType.INFRARED),
                new Row(IMAGE, PfncCodes.MONO8, 8, 0, ComponentType.INTENSITY),
                new Row(IMAGE, PfncCodes.MONO8, 8, 77, ComponentType.INTENSITY),
                new Row(IMAGE, PfncCodes.MONO8, 8, 0xFF01, ComponentType.CUSTOM),
                new Row(IMAGE, PfncCodes.MONO16, 16, 8, ComponentType.DISPARITY),
                new Row(IMAGE, PfncCodes.COORD3D_C16, 16, 1, ComponentType.RANGE),
                new Row(IMAGE, PfncCodes.CONFIDENCE8, 8, 1, ComponentType.CONFIDENCE),
                new Row(IMAGE_3D, PfncCodes.COORD3D_C16, 16, 0, ComponentType.RANGE),
                new Row(CONFIDENCE, PfncCodes.MONO8, 8, 1, ComponentType.CONFIDENCE))) {
            Composite composite =
                    map(Blocks.multiPart(Blocks.part(row.dataType, 0, row.bytes, row.format, row.purpose, 4, 2)));

            assertEquals(row.expected, composite.items().get(0).componentType(), row::toString);
        }
    }

    @Test
    void aPartThatDidNotArriveLeavesTheOthersComplete() {
        BlockInfo block = Blocks.multiPart(
                Blocks.part(IMAGE, 0, 8, PfncCodes.MONO8, 1, 4, 2), Blocks.part(IMAGE, 8, 8, PfncCodes.MONO8, 2, 4, 2));
        Composite composite = Blocks.map(Blocks.pool(64), block, set -> Blocks.receive(set, 0, 0, new byte[12]));

        assertTrue(composite.items().get(0).complete());
        assertFalse(composite.items().get(1).complete());
        assertEquals(Optional.of("part 1: not all of its 8 bytes arrived"), composite.incompleteReason());
    }

    @Test
    void aPartWithoutPlaceOrWithTooLargeAGeometryIsNeverAnImage() {
        Composite composite = map(Blocks.multiPart(
                Blocks.part(IMAGE, BYTES - 4, 8, PfncCodes.MONO8, 1, 4, 2),
                Blocks.part(IMAGE, Long.MAX_VALUE, Long.MAX_VALUE, PfncCodes.MONO8, 1, 4, 2),
                Blocks.part(IMAGE, 0, 8, PfncCodes.MONO8, 1, 4000, 2000),
                Blocks.part(IMAGE, 0, 8, PfncCodes.MONO8, 1, Integer.MAX_VALUE, Integer.MAX_VALUE),
                Blocks.part(IMAGE, 0, 8)));

        assertFalse(composite.complete());
        for (Item item : composite.items()) {
            assertInstanceOf(BufferItem.class, item);
        }
        assertEquals(0, composite.items().get(0).data().remaining());
        assertEquals(0, composite.items().get(1).data().remaining());
        assertEquals(8, composite.items().get(2).data().remaining());
        assertEquals(
                Optional.of("4000x2000 values of Mono8 do not fit its 8 bytes"),
                composite.items().get(2).incompleteReason());
    }

    @Test
    void aPlaneWithTooLargeAGeometryIsIncomplete() {
        Composite composite = map(Blocks.multiPart(
                Blocks.part(PLANE_OF_3, 0, 8, PfncCodes.R8, 1, 4, 2),
                Blocks.part(PLANE_OF_3, 8, 8, PfncCodes.G8, 1, 400, 2),
                Blocks.part(PLANE_OF_3, 16, 8, PfncCodes.B8, 1, 4, 2)));

        PlanesItem planes = assertInstanceOf(PlanesItem.class, composite.items().get(0));
        assertEquals(Optional.of("plane 1: 400x2 values of G8 do not fit its 8 bytes"), planes.incompleteReason());
        assertTrue(planes.planes().get(0).complete());
        assertFalse(planes.planes().get(1).complete());
    }

    @Test
    void aMultiPartBlockWithoutItsLeaderHasNoItems() {
        Composite composite = map(Blocks.multiPart());

        assertEquals(List.of(), composite.items());
        assertEquals(Optional.of("the list of parts did not arrive"), composite.incompleteReason());
    }

    // ---- Access

    @Test
    void itemsAreFoundByType() {
        Composite composite = map(Blocks.multiPart(
                Blocks.part(IMAGE, 0, 8, PfncCodes.MONO8, 1, 4, 2),
                Blocks.part(IMAGE_3D, 8, 96, PfncCodes.COORD3D_ABC32F, 4, 4, 2),
                Blocks.part(CONFIDENCE, 104, 16, PfncCodes.CONFIDENCE16, 4, 4, 2)));

        assertEquals(List.of(composite.items().get(0)), composite.items(ComponentType.INTENSITY));
        assertEquals(List.of(composite.items().get(1)), composite.items(ComponentType.RANGE));
        assertEquals(List.of(composite.items().get(2)), composite.items(ComponentType.CONFIDENCE));
        assertEquals(List.of(), composite.items(ComponentType.INFRARED));
        PointCloudItem cloud = composite.find(PointCloudItem.class).orElseThrow();
        assertEquals(Optional.of(composite.items().get(2)), composite.confidence(cloud));
        assertEquals(Optional.empty(), composite.confidence(composite.items().get(0)));
        assertEquals(Optional.empty(), composite.descriptor());
    }

    @Test
    void theFirstItemOfAKindIsFound() {
        Composite composite = map(Blocks.multiPart(
                Blocks.part(IMAGE, 0, 8, PfncCodes.MONO8, 1, 4, 2),
                Blocks.part(IMAGE, 8, 8, PfncCodes.MONO8, 1, 4, 2)));

        assertEquals(Optional.of(composite.items().get(0)), composite.find(ImageItem.class));
        assertEquals(Optional.empty(), composite.find(PointCloudItem.class));
    }

    @Test
    void theImageOfSeveralComponentsIsThatOfTheIntensity() {
        Composite composite = map(Blocks.multiPart(
                Blocks.part(IMAGE_3D, 0, 16, PfncCodes.COORD3D_C16, 4, 4, 2),
                Blocks.part(CONFIDENCE, 16, 16, PfncCodes.CONFIDENCE16, 4, 4, 2),
                Blocks.part(IMAGE, 32, 8, PfncCodes.MONO8, 1, 4, 2),
                Blocks.part(IMAGE, 40, 8, PfncCodes.MONO8, 1, 4, 2)));

        assertEquals(Optional.of(composite.items().get(2)), composite.image());
    }

    @Test
    void theImageOfAFrameWithoutIntensityIsTheFirst() {
        Composite composite = map(Blocks.multiPart(
                Blocks.part(CONFIDENCE, 0, 16, PfncCodes.CONFIDENCE16, 4, 4, 2),
                Blocks.part(IMAGE_3D, 16, 16, PfncCodes.COORD3D_C16, 4, 4, 2)));

        assertEquals(Optional.of(composite.items().get(1)), composite.image());
    }

    @Test
    void theTextTellsWhatEachItemIs() {
        Composite composite = map(Blocks.multiPart(
                Blocks.part(IMAGE, 0, 8, PfncCodes.MONO8, 0xFF01, 4, 2),
                Blocks.part(IMAGE_3D, 8, 96, PfncCodes.COORD3D_ABC32F, 4, 4, 2),
                Blocks.part(JPEG, 144, 33)));

        assertEquals(
                "Composite[12, CUSTOM, complete, [ImageItem[CUSTOM 0xff01 Mono8 4x2, 8 bytes], PointCloudItem[RANGE"
                        + " Coord3D_ABC32f 4x2, interleaved, 96 bytes], CompressedItem[INTENSITY "
                        + PixelFormat.of(0) + " 0x0, JPEG, 33 bytes]]]",
                composite.toString());
    }
}
