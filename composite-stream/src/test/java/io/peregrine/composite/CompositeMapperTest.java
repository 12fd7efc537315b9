package io.peregrine.composite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.gendc.ComponentType;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.GenDcDescriptorBuilder;
import io.peregrine.gendc.GenDcDescriptorBuilder.ComponentBuilder;
import io.peregrine.gendc.PartType;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.PayloadType;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class CompositeMapperTest {

    private static Consumer<ComponentBuilder> image(ComponentType type, int format, int flow) {
        return c -> c.typeId(type.id())
                .format(format)
                .timestamp(5)
                .part2d(p -> p.format(format).size(8, 4).flow(flow));
    }

    @SafeVarargs
    private static GenDcDescriptor descriptor(Consumer<ComponentBuilder>... components) {
        GenDcDescriptorBuilder builder = GenDcDescriptor.builder().id(900);
        for (Consumer<ComponentBuilder> component : components) {
            builder.component(component);
        }
        return builder.build();
    }

    private static Composite linear(GenDcDescriptor descriptor) {
        FlowSetPool pool = Blocks.pool(descriptor.containerSizeBytes());
        return Blocks.map(pool, Blocks.genDc(12), set -> Blocks.receiveLinear(set, descriptor));
    }

    @SafeVarargs
    private static CompositePurpose purpose(Consumer<ComponentBuilder>... components) {
        return linear(descriptor(components)).purpose();
    }

    // ---- Image and raw payloads

    @Test
    void makesOneImageOfAPlainImagePayload() {
        FlowSetPool pool = Blocks.pool(64);
        Composite composite = Blocks.map(
                pool,
                Blocks.image(12, PfncCodes.MONO8, 4, 2, 1, 10),
                set -> Blocks.receive(set, 0, 0, new byte[] {0, 1, 2, 3, 9, 4, 5, 6, 7, 9}));

        assertEquals(12, composite.id());
        assertEquals(12, composite.blockId());
        assertEquals(77, composite.timestamp());
        assertEquals(CompositePurpose.IMAGE, composite.purpose());
        assertTrue(composite.complete());
        assertEquals(Optional.empty(), composite.incompleteReason());
        ImageItem image = assertInstanceOf(ImageItem.class, composite.items().get(0));
        assertEquals(ComponentType.INTENSITY, image.componentType());
        assertEquals("Mono8", image.format().name());
        assertEquals(4, image.width());
        assertEquals(2, image.height());
        assertEquals(1, image.paddingX());
        assertEquals(3, image.offsetX());
        assertEquals(4, image.offsetY());
        assertEquals(10, image.sizeBytes());
        assertTrue(image.complete());
        assertEquals(7, image.data().get(8));
        assertEquals(ByteOrder.LITTLE_ENDIAN, image.data().order());
        assertThrows(ReadOnlyBufferException.class, () -> image.data().put(0, (byte) 1));
    }

    @Test
    void tellsWhyAnImageIsIncompleteAndKeepsItReadable() {
        Composite composite = Blocks.map(
                Blocks.pool(64),
                Blocks.missing(Blocks.image(12, PfncCodes.MONO8, 4, 2, 0, 8), IncompleteCause.PACKETS_MISSING, 3),
                set -> Blocks.receive(set, 0, 0, new byte[] {1, 2, 3, 4}));

        assertFalse(composite.complete());
        assertEquals(Optional.of("packets missing (3)"), composite.incompleteReason());
        assertFalse(composite.items().get(0).complete());
        assertEquals(4, composite.items().get(0).data().get(3));
    }

    @Test
    void callsAnImageIncompleteWhenTheDeviceSentLessThanItsGeometry() {
        Composite composite = Blocks.map(
                Blocks.pool(64),
                Blocks.image(12, PfncCodes.MONO8, 4, 2, 0, 4),
                set -> Blocks.receive(set, 0, 0, new byte[4]));

        assertEquals(Optional.of("not all of its 8 bytes arrived"), composite.incompleteReason());
    }

    @Test
    void acceptsPackedLinesThatRunOn() {
        Composite composite = Blocks.map(
                Blocks.pool(64),
                Blocks.image(12, PfncCodes.MONO10P, 5, 3, 0, 19),
                set -> Blocks.receive(set, 0, 0, new byte[19]));

        assertTrue(composite.complete());
        assertEquals(19, composite.items().get(0).sizeBytes());
    }

    @Test
    void neverReadsBeyondTheFlowSetWhateverTheLeaderSays() {
        Composite composite = Blocks.map(
                Blocks.pool(64),
                Blocks.image(12, PfncCodes.MONO8, 1_000_000, 1_000_000, 0, 64),
                set -> Blocks.receive(set, 0, 0, new byte[64]));

        assertFalse(composite.complete());
        assertEquals(0, composite.items().get(0).sizeBytes());
        assertEquals(0, composite.items().get(0).data().remaining());
    }

    @Test
    void hasNoItemsWithoutTheLeader() {
        BlockInfo block =
                new BlockInfo(12, 0, 0, 64, Optional.empty(), 0, Optional.of(IncompleteCause.LEADER_MISSING), 1);
        Composite composite = Blocks.map(Blocks.pool(64), block, set -> Blocks.receive(set, 0, 0, new byte[64]));

        assertEquals(List.of(), composite.items());
        assertEquals(Optional.of("leader missing (1)"), composite.incompleteReason());
    }

    @Test
    void makesABufferOfARawPayload() {
        BlockInfo block = new BlockInfo(12, PayloadType.RAW, 77, 5, Optional.empty(), 0, Optional.empty(), 0);
        Composite composite =
                Blocks.map(Blocks.pool(64), block, set -> Blocks.receive(set, 0, 0, new byte[] {1, 2, 3, 4, 5}));

        assertTrue(composite.complete());
        BufferItem item = assertInstanceOf(BufferItem.class, composite.items().get(0));
        assertEquals(5, item.sizeBytes());
        assertEquals(5, item.data().get(4));
        assertEquals(CompositePurpose.CUSTOM, composite.purpose());
    }

    // ---- GenDC: items

    @Test
    void makesAnItemOfEachComponentOfALinearContainer() {
        Composite composite = linear(descriptor(
                image(ComponentType.RANGE, PfncCodes.COORD3D_ABC32F, 0),
                image(ComponentType.INTENSITY, PfncCodes.MONO16, 0),
                image(ComponentType.CONFIDENCE, PfncCodes.CONFIDENCE16, 0)));

        assertTrue(composite.complete(), composite::toString);
        assertEquals(900, composite.id());
        assertEquals(12, composite.blockId());
        List<Item> items = composite.items();
        assertEquals(3, items.size());
        assertInstanceOf(PointCloudItem.class, items.get(0));
        assertInstanceOf(ImageItem.class, items.get(1));
        assertEquals(
                PlaneRole.CONFIDENCE,
                assertInstanceOf(PlaneItem.class, items.get(2)).role());
        for (int i = 0; i < 3; i++) {
            assertTrue(items.get(i).complete());
            assertEquals(8, items.get(i).width());
            assertEquals(4, items.get(i).height());
            assertEquals(5, items.get(i).timestamp());
            assertEquals(i + 1, items.get(i).data().get((int) items.get(i).sizeBytes() - 1));
        }
        assertEquals(384, items.get(0).sizeBytes());
    }

    @Test
    void findsPartsByFlowWhenThereAreSeveral() {
        GenDcDescriptor descriptor = descriptor(
                image(ComponentType.INTENSITY, PfncCodes.MONO8, 0),
                image(ComponentType.RANGE, PfncCodes.COORD3D_C16, 1),
                image(ComponentType.CONFIDENCE, PfncCodes.CONFIDENCE8, 2));
        FlowSetPool pool = Blocks.pool(descriptor.flowTable().flowSizes());
        Composite composite = Blocks.map(pool, Blocks.genDc(12), set -> Blocks.receiveByFlow(set, descriptor));

        assertTrue(composite.complete(), composite::toString);
        for (int i = 0; i < 3; i++) {
            assertEquals(i + 1, composite.items().get(i).data().get(31));
        }
    }

    @Test
    void readsAContainerOfSeveralFlowsThatTravelsInOne() {
        Composite composite = linear(descriptor(
                image(ComponentType.INTENSITY, PfncCodes.MONO8, 0), image(ComponentType.RANGE, PfncCodes.MONO16, 1)));

        assertTrue(composite.complete(), composite::toString);
        assertEquals(2, composite.items().get(1).data().get(63));
    }

    @Test
    void makesPlanesOfPlanarComponents() {
        Composite composite = linear(descriptor(c -> c.typeId(1)
                .format(PfncCodes.RGB8_PLANAR)
                .part2d(p -> p.format(PfncCodes.R8).size(8, 4))
                .part2d(p -> p.format(PfncCodes.G8).size(8, 4))
                .part2d(p -> p.format(PfncCodes.B8).size(8, 4))));

        assertEquals(CompositePurpose.IMAGE, composite.purpose());
        PlanesItem item = assertInstanceOf(PlanesItem.class, composite.items().get(0));
        assertEquals("RGB8_Planar", item.format().name());
        assertEquals(96, item.sizeBytes());
        assertEquals(3, item.planes().size());
        PlaneRole[] roles = {PlaneRole.RED, PlaneRole.GREEN, PlaneRole.BLUE};
        for (int i = 0; i < 3; i++) {
            PlaneItem plane = item.planes().get(i);
            assertEquals(roles[i], plane.role());
            assertEquals(i, plane.plane());
            assertEquals(3, plane.planeCount());
            assertEquals(8, plane.strideBytes());
            assertEquals(i + 1, plane.data().get(31));
        }
    }

    @Test
    void makesItemsOfMetadataPointsAndCompressedImages() {
        Composite composite = linear(descriptor(
                c -> c.typeId(ComponentType.METADATA.id())
                        .format(PfncCodes.DATA8)
                        .partChunk(p -> p.size(28)),
                c -> c.typeId(ComponentType.RANGE.id())
                        .format(PfncCodes.COORD3D_ABC32F)
                        .part1d(p -> p.size(10)),
                c -> c.typeId(ComponentType.INTENSITY.id())
                        .format(PfncCodes.RGB8)
                        .partJpeg(p -> p.size(640, 480).dataSize(99))));

        assertTrue(composite.complete(), composite::toString);
        assertInstanceOf(ChunkItem.class, composite.items().get(0));
        assertInstanceOf(PointCloudItem.class, composite.items().get(1));
        assertInstanceOf(CompressedItem.class, composite.items().get(2));
        assertEquals(10, composite.items().get(1).width());
        assertEquals(1, composite.items().get(1).height());
        assertEquals(640, composite.items().get(2).width());
        assertEquals(PartType.IMAGE_2D_JPEG, composite.items().get(2).partType());
        assertEquals(99, composite.items().get(2).sizeBytes());
    }

    @Test
    void makesAPointCloudOfPlanarCoordinatesInSeveralFlows() {
        GenDcDescriptor descriptor = descriptor(c -> c.typeId(ComponentType.RANGE.id())
                .format(PfncCodes.COORD3D_ABC32F_PLANAR)
                .part2d(p -> p.format(PfncCodes.COORD3D_A32F).size(8, 4).flow(0))
                .part2d(p -> p.format(PfncCodes.COORD3D_B32F).size(8, 4).flow(1))
                .part2d(p -> p.format(PfncCodes.COORD3D_C32F).size(8, 4).flow(2)));
        Composite composite = Blocks.map(
                Blocks.pool(descriptor.flowTable().flowSizes()),
                Blocks.genDc(12),
                set -> Blocks.receiveByFlow(set, descriptor));

        assertEquals(CompositePurpose.POINT_CLOUD, composite.purpose());
        PointCloudItem cloud = composite.find(PointCloudItem.class).orElseThrow();
        assertFalse(cloud.interleaved());
        assertEquals(32, cloud.pointCount());
        assertEquals(384, cloud.sizeBytes());
        assertEquals(0, cloud.data().remaining());
        assertEquals(3, cloud.plane(PlaneRole.Z).orElseThrow().data().get(127));
        assertEquals(3, composite.parts().size());
        assertEquals(2, composite.parts().get(2).partIndex());
    }

    @Test
    void makesAPointCloudOfOneDimensionalPlanes() {
        Composite composite = linear(descriptor(c -> c.typeId(ComponentType.RANGE.id())
                .format(PfncCodes.COORD3D_ABC16_PLANAR)
                .part1d(p -> p.format(PfncCodes.COORD3D_A16).size(10))
                .part1d(p -> p.format(PfncCodes.COORD3D_B16).size(10))
                .part1d(p -> p.format(PfncCodes.COORD3D_C16).size(10))));

        PointCloudItem cloud = composite.find(PointCloudItem.class).orElseThrow();
        assertFalse(cloud.organized());
        assertEquals(10, cloud.pointCount());
        assertEquals(2, cloud.plane(PlaneRole.Y).orElseThrow().data().get(0));
    }

    @Test
    void makesBandsOfAMultispectralComponent() {
        Composite composite = linear(descriptor(c -> c.typeId(ComponentType.MULTISPECTRAL.id())
                .format(PfncCodes.MONO8)
                .part2d(p -> p.format(PfncCodes.MONO8).size(8, 4))
                .part2d(p -> p.format(PfncCodes.MONO8).size(8, 4))));

        assertEquals(CompositePurpose.IMAGE_CUBE, composite.purpose());
        PlanesItem bands = assertInstanceOf(PlanesItem.class, composite.items().get(0));
        assertEquals(2, bands.planes().size());
        assertEquals(PlaneRole.BAND, bands.planes().get(1).role());
    }

    @Test
    void makesALittleEndianItemOfChunkDataWithoutItsPadding() {
        Composite composite = linear(descriptor(c -> c.typeId(ComponentType.METADATA.id())
                .format(PfncCodes.DATA8)
                .groupId(0xFFFF)
                .partChunk(p -> p.size(28).padding(4).layoutId(5))));

        ChunkItem chunk = composite.chunks().get(0);
        assertEquals(ByteOrder.LITTLE_ENDIAN, chunk.byteOrder());
        assertEquals(5, chunk.layoutId());
        assertEquals(0xFFFF, chunk.groupId());
        assertEquals(32, chunk.data().remaining());
        assertEquals(28, chunk.chunkData().remaining());
        assertEquals(CompositePurpose.CUSTOM, composite.purpose());
    }

    @Test
    void makesABufferOfXmlThatTellsWhetherItIsZipped() {
        Composite composite = linear(descriptor(c -> c.typeId(ComponentType.METADATA.id())
                .format(PfncCodes.DATA8)
                .partXml(p -> p.size(22).xml(true, true))
                .partXml(p -> p.size(22).xml(false, true))));

        BufferItem zipped = assertInstanceOf(BufferItem.class, composite.items().get(0));
        assertTrue(zipped.xml());
        assertTrue(zipped.zipped());
        assertFalse(assertInstanceOf(BufferItem.class, composite.items().get(1)).zipped());
    }

    @Test
    void makesBuffersOfArraysAndOfVendorsParts() {
        Composite composite = linear(descriptor(
                c -> c.typeId(ComponentType.INTENSITY.id())
                        .format(PfncCodes.MONO8)
                        .part1d(p -> p.format(PfncCodes.MONO8).size(10)),
                c -> c.typeId(0xFF00)
                        .format(PfncCodes.MONO8)
                        .partCustom(
                                0x42F3,
                                p -> p.format(PfncCodes.MONO8).size(8, 4).dataSize(20)),
                c -> c.typeId(ComponentType.METADATA.id())
                        .format(PfncCodes.DATA16)
                        .part1d(p -> p.format(PfncCodes.DATA16).size(16))));

        assertTrue(composite.complete(), composite::toString);
        composite.items().forEach(item -> assertInstanceOf(BufferItem.class, item));
        BufferItem custom = (BufferItem) composite.items().get(1);
        assertEquals(ComponentType.CUSTOM, custom.componentType());
        assertEquals(8, custom.width());
        assertEquals(20, custom.sizeBytes());
    }

    @Test
    void makesAPlaneOfConfidenceThatSharesBytes() {
        Composite composite = linear(descriptor(image(ComponentType.CONFIDENCE, PfncCodes.CONFIDENCE1P, 0)));

        PlaneItem plane = assertInstanceOf(PlaneItem.class, composite.items().get(0));
        assertEquals(PlaneRole.CONFIDENCE, plane.role());
        assertEquals(0, plane.pixelStrideBytes());
        assertEquals(1, plane.strideBytes());
    }

    @Test
    void keepsThePlaceOfAPlaneThatIsNotThere() {
        GenDcDescriptor descriptor = descriptor(c -> c.typeId(1)
                .format(PfncCodes.RGB8_PLANAR)
                .part2d(p -> p.format(PfncCodes.R8).size(8, 4).flow(0))
                .part2d(p -> p.format(PfncCodes.G8).size(8, 4).flow(1))
                .part2d(p -> p.format(PfncCodes.B8).size(8, 4).flow(2)));
        long[] flows = descriptor.flowTable().flowSizes();
        Composite composite = Blocks.map(Blocks.pool(flows[0], 31, flows[2]), Blocks.genDc(12), set -> {
            Blocks.receive(set, 0, 0, descriptor.toBytes());
            Blocks.receiveAll(set);
            Blocks.receive(set, 0, 0, descriptor.toBytes());
        });

        PlanesItem item = assertInstanceOf(PlanesItem.class, composite.items().get(0));
        assertFalse(item.complete());
        assertEquals(3, item.planes().size());
        assertTrue(item.planes().get(0).complete());
        assertFalse(item.planes().get(1).complete());
        assertEquals(0, item.planes().get(1).data().remaining());
        assertTrue(item.planes().get(2).complete());
    }

    @Test
    void givesTheDescriptorThatOutlivesTheFrame() {
        GenDcDescriptor descriptor = descriptor(image(ComponentType.INTENSITY, PfncCodes.MONO8, 0));
        Composite composite = linear(descriptor);
        GenDcDescriptor given = composite.descriptor().orElseThrow();
        composite.close();

        assertEquals(descriptor.toString(), given.toString());
        assertEquals(Optional.of(given), composite.descriptor());
    }

    @Test
    void readsDescriptorsOfAnySizeOneAfterTheOther() {
        CompositeMapper mapper = new CompositeMapper();
        for (int components : new int[] {1, 100, 2}) {
            GenDcDescriptorBuilder builder = GenDcDescriptor.builder();
            for (int i = 0; i < components; i++) {
                builder.component(image(ComponentType.INTENSITY, PfncCodes.MONO8, 0));
            }
            GenDcDescriptor descriptor = builder.build();
            FlowSet set = Blocks.fill(
                    Blocks.pool(descriptor.containerSizeBytes()),
                    Blocks.genDc(12),
                    filled -> Blocks.receiveLinear(filled, descriptor));
            set.lease();
            try (Composite composite = Composite.of(set, Holders.NOBODY, mapper)) {
                assertTrue(composite.complete(), composite::toString);
                assertEquals(components, composite.items().size());
            }
        }
    }

    @Test
    void findsDataOfFlowZeroByDataOffsetWhereTheDeviceLeavesFlowOffsetOut() {
        GenDcDescriptor descriptor = descriptor(
                image(ComponentType.INTENSITY, PfncCodes.MONO8, 0), image(ComponentType.RANGE, PfncCodes.MONO16, 1));
        long[] flows = descriptor.flowTable().flowSizes();
        int flowOffsetAt = descriptor.components().get(0).parts().get(0).headerOffset() + 16;
        Composite composite = Blocks.map(Blocks.pool(flows), Blocks.genDc(12), set -> {
            Blocks.receiveByFlow(set, descriptor);
            set.flow(0).putLong(flowOffsetAt, 0);
        });

        assertTrue(composite.complete(), composite::toString);
        assertEquals(1, composite.items().get(0).data().get(0));
        assertEquals(2, composite.items().get(1).data().get(0));
    }

    @Test
    void mapsAContainerOfTheUsers() {
        GenDcDescriptor descriptor = descriptor(image(ComponentType.INTENSITY, PfncCodes.MONO8, 0));
        byte[] container = java.util.Arrays.copyOf(descriptor.toBytes(), (int) descriptor.containerSizeBytes());
        container[container.length - 1] = 42;

        Composite composite = Composite.of(java.nio.ByteBuffer.wrap(container));

        assertTrue(composite.complete(), composite::toString);
        assertEquals(900, composite.id());
        assertEquals(42, composite.image().orElseThrow().data().get(31));
    }

    // ---- GenDC: completeness

    @Test
    void keepsWholePartsUsableWhenAnotherIsNot() {
        GenDcDescriptor descriptor = descriptor(
                image(ComponentType.INTENSITY, PfncCodes.MONO8, 0),
                image(ComponentType.RANGE, PfncCodes.COORD3D_C16, 0));
        FlowSetPool pool = Blocks.pool(descriptor.containerSizeBytes());
        Composite composite =
                Blocks.map(pool, Blocks.missing(Blocks.genDc(12), IncompleteCause.PACKETS_MISSING, 1), set -> {
                    Blocks.receive(set, 0, 0, descriptor.toBytes());
                    Blocks.receive(set, 0, descriptor.dataOffset(), new byte[40]);
                });

        assertEquals(Optional.of("packets missing (1)"), composite.incompleteReason());
        assertTrue(composite.items().get(0).complete());
        assertFalse(composite.items().get(1).complete());
        assertEquals(
                Optional.of("not all of its 64 bytes arrived"),
                composite.items().get(1).incompleteReason());
    }

    @Test
    void callsAContainerIncompleteWhenAPartIsNotCoveredWhateverTheTransportSays() {
        GenDcDescriptor descriptor = descriptor(image(ComponentType.INTENSITY, PfncCodes.MONO8, 0));
        FlowSetPool pool = Blocks.pool(descriptor.containerSizeBytes());
        Composite composite =
                Blocks.map(pool, Blocks.genDc(12), set -> Blocks.receive(set, 0, 0, descriptor.toBytes()));

        assertEquals(Optional.of("component 0 part 0: not all of its 32 bytes arrived"), composite.incompleteReason());
    }

    @Test
    void neverBelievesADescriptorOfAnEarlierBlock() {
        GenDcDescriptor descriptor = descriptor(image(ComponentType.INTENSITY, PfncCodes.MONO8, 0));
        FlowSetPool pool = Blocks.pool(descriptor.containerSizeBytes());
        Blocks.map(pool, Blocks.genDc(12), set -> Blocks.receiveLinear(set, descriptor))
                .close();

        Composite composite = Blocks.map(
                pool,
                Blocks.missing(Blocks.genDc(13), IncompleteCause.PACKETS_MISSING, 1),
                set -> set.markReceived(0, 56, descriptor.containerSizeBytes() - 56));

        assertEquals(List.of(), composite.items());
        assertEquals(Optional.of("the descriptor did not arrive, packets missing (1)"), composite.incompleteReason());
        assertEquals(13, composite.id());
    }

    @Test
    void neverCallsADamagedDescriptorGood() {
        GenDcDescriptor descriptor = descriptor(image(ComponentType.INTENSITY, PfncCodes.MONO8, 0));
        for (long[] flows : new long[][] {{descriptor.containerSizeBytes()}, {descriptor.containerSizeBytes(), 16}}) {
            Composite composite = Blocks.map(Blocks.pool(flows), Blocks.genDc(12), set -> {
                Blocks.receiveLinear(set, descriptor);
                set.flow(0).put(0, (byte) 'X');
            });

            assertEquals(List.of(), composite.items());
            assertFalse(composite.complete());
            assertTrue(
                    composite.incompleteReason().orElseThrow().startsWith("the descriptor cannot be used"),
                    composite::toString);
        }
    }

    @Test
    void neverReadsBeyondAFlowWhateverTheDescriptorSays() {
        GenDcDescriptor descriptor = descriptor(
                image(ComponentType.INTENSITY, PfncCodes.MONO8, 0), image(ComponentType.RANGE, PfncCodes.MONO16, 1));
        long[] flows = descriptor.flowTable().flowSizes();
        Consumer<FlowSet> all = set -> {
            Blocks.receive(set, 0, 0, descriptor.toBytes());
            for (int flow = 0; flow < set.flowCount(); flow++) {
                set.markReceived(flow, 0, set.flowSizeBytes(flow));
            }
        };

        // The second flow is too short; then there are two flows, but the part says flow 1 of one more.
        Composite tooShort = Blocks.map(Blocks.pool(flows[0], flows[1] - 1), Blocks.genDc(12), all);
        Composite linear = Blocks.map(Blocks.pool(descriptor.containerSizeBytes() - 1), Blocks.genDc(12), all);

        for (Composite composite : List.of(tooShort, linear)) {
            assertFalse(composite.complete());
            assertTrue(composite.items().get(0).complete());
            Item lost = assertInstanceOf(BufferItem.class, composite.items().get(1));
            assertFalse(lost.complete());
            assertEquals(0, lost.data().remaining());
        }
    }

    @Test
    void refusesAPartOfAFlowThatIsNotThere() {
        GenDcDescriptor descriptor = descriptor(
                image(ComponentType.INTENSITY, PfncCodes.MONO8, 0),
                image(ComponentType.RANGE, PfncCodes.MONO16, 1),
                image(ComponentType.CONFIDENCE, PfncCodes.CONFIDENCE8, 2));
        long[] flows = descriptor.flowTable().flowSizes();
        Composite composite = Blocks.map(Blocks.pool(flows[0], flows[1]), Blocks.genDc(12), set -> {
            Blocks.receive(set, 0, 0, descriptor.toBytes());
            set.markReceived(0, 0, flows[0]);
            set.markReceived(1, 0, flows[1]);
        });

        assertTrue(composite.items().get(1).complete());
        assertFalse(composite.items().get(2).complete());
        assertFalse(composite.complete());
    }

    @Test
    void callsAContainerIncompleteWhenOnlyThePreliminaryDescriptorArrived() {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .variableFields(GenDcDescriptor.VariableField.TIMESTAMP.bit())
                .component(image(ComponentType.INTENSITY, PfncCodes.MONO8, 0))
                .build();

        assertEquals(
                Optional.of("the final descriptor did not arrive"),
                linear(descriptor).incompleteReason());
    }

    @Test
    void keepsThePlaceOfAnInvalidComponentWithoutData() {
        Composite composite = linear(descriptor(
                c -> c.typeId(2)
                        .format(PfncCodes.MONO8)
                        .invalid(true)
                        .part2d(p -> p.format(PfncCodes.MONO8).size(8, 4)),
                image(ComponentType.INTENSITY, PfncCodes.MONO8, 0)));

        assertTrue(composite.complete(), composite::toString);
        assertFalse(composite.items().get(0).valid());
        assertFalse(composite.items().get(0).complete());
        assertEquals(0, composite.items().get(0).data().remaining());
        assertTrue(composite.items().get(1).complete());
    }

    // ---- GenDC: purpose

    @Test
    void tellsThePurpose() {
        Consumer<ComponentBuilder> mono = image(ComponentType.INTENSITY, PfncCodes.MONO8, 0);
        Consumer<ComponentBuilder> depth = image(ComponentType.RANGE, PfncCodes.COORD3D_C16, 0);
        Consumer<ComponentBuilder> points = image(ComponentType.RANGE, PfncCodes.COORD3D_ABC32F, 0);
        Consumer<ComponentBuilder> confidence = image(ComponentType.CONFIDENCE, PfncCodes.CONFIDENCE8, 0);
        Consumer<ComponentBuilder> bands = image(ComponentType.MULTISPECTRAL, PfncCodes.MONO8, 0);

        assertEquals(CompositePurpose.IMAGE, purpose(mono));
        assertEquals(CompositePurpose.IMAGE, purpose(mono, confidence));
        assertEquals(CompositePurpose.RANGE_MAP, purpose(depth, confidence));
        assertEquals(CompositePurpose.POINT_CLOUD, purpose(points));
        assertEquals(CompositePurpose.IMAGE_CUBE, purpose(bands));
        assertEquals(CompositePurpose.IMAGE_LIST, purpose(mono, mono.andThen(c -> c.sourceId(1))));
        assertEquals(CompositePurpose.IMAGE_LIST, purpose(mono, mono.andThen(c -> c.timestamp(6))));
        assertEquals(CompositePurpose.MULTI_AOI, purpose(mono, mono.andThen(c -> c.regionId(1))));
        assertEquals(CompositePurpose.CUSTOM, purpose(mono, depth));
        assertEquals(CompositePurpose.CUSTOM, purpose(confidence));
    }

    // ---- Lease

    @Test
    void givesTheMemoryBackOnceAndThrowsAfterThat() {
        FlowSetPool pool = Blocks.pool(64);
        Composite composite = Blocks.map(
                pool, Blocks.image(12, PfncCodes.MONO8, 4, 2, 0, 8), set -> Blocks.receive(set, 0, 0, new byte[8]));
        Item item = composite.items().get(0);
        assertEquals(1, pool.leasedCount());

        composite.close();
        composite.close();

        assertTrue(composite.closed());
        assertEquals(0, pool.leasedCount());
        assertTrue(pool.take().isPresent());
        assertTrue(pool.take().isEmpty());
        assertThrows(IllegalStateException.class, item::data);
        assertThrows(IllegalStateException.class, composite::items);
        assertThrows(IllegalStateException.class, composite::items);
        assertTrue(composite.toString().contains("closed"));
        assertEquals(4, item.width());
    }
}
