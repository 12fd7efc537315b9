package io.peregrine.gendc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.gendc.GenDcDescriptor.VariableField;
import io.peregrine.gendc.GenDcProblem.Severity;
import io.peregrine.testing.DeviceContainers;
import io.peregrine.testing.RawContainer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Containers of every kind, written byte by byte from the tables of GenDC 1.1. */
class StandardContainersTest {
    private static final int MONO8 = 0x01080001;
    private static final int MONO16 = 0x01100007;
    private static final int MONO10P = 0x010A0046;
    private static final int MONO12_PACKED = 0x010C0006;
    private static final int RGB8 = 0x02180014;
    private static final int RGB8_PLANAR = 0x02180021;
    private static final int R8 = 0x010800C9;
    private static final int G8 = 0x010800CD;
    private static final int B8 = 0x010800D1;
    private static final int DATA8 = 0x01080116;
    private static final int COORD3D_ABC32F = 0x026000C0;
    private static final int CONFIDENCE8 = 0x010800C6;

    private static GenDcPart part(GenDcContainer container, int component, int part) {
        return container.components().get(component).parts().get(part);
    }

    private static byte[] data(GenDcContainer container, int component, int part) {
        ByteBuffer data = container.data(part(container, component, part));
        byte[] copy = new byte[data.remaining()];
        data.get(copy);
        return copy;
    }

    private static GenDcContainer clean(ByteBuffer bytes) {
        GenDcContainer container = GenDcContainer.parse(bytes);
        assertEquals(List.of(), container.problems());
        return GenDcContainer.parse(bytes, CheckMode.STRICT);
    }

    @Test
    void readsThreeComponentsOfATimeOfFlightCamera() {
        GenDcContainer container = clean(ByteBuffer.wrap(DeviceContainers.timeOfFlight()));
        GenDcDescriptor descriptor = container.descriptor();

        assertEquals(1, descriptor.versionMajor());
        assertEquals(1, descriptor.versionMinor());
        assertEquals(0, descriptor.versionSubMinor());
        assertTrue(descriptor.timestampPtp());
        assertEquals(80, descriptor.headerSizeBytes());
        assertEquals(50, descriptor.id());
        assertEquals(96, descriptor.dataSize());
        assertEquals(416, descriptor.dataOffset());
        assertEquals(512, container.containerSizeBytes());
        ComponentType[] types = {ComponentType.RANGE, ComponentType.INTENSITY, ComponentType.CONFIDENCE};
        for (int i = 0; i < 3; i++) {
            GenDcComponent component = container.components().get(i);
            assertEquals(types[i], component.type());
            assertEquals(80 + 112 * i, component.headerOffset());
            assertEquals(56, component.headerSizeBytes());
            assertEquals(136 + 112 * i, component.parts().get(0).headerOffset());
            assertEquals(1, component.groupId());
            assertEquals(2, component.sourceId());
            assertEquals(3, component.regionId());
            assertEquals(80, component.regionOffsetX());
            assertEquals(60, component.regionOffsetY());
            assertEquals(62_653_150_103_775L, component.timestamp());
        }
        assertEquals(16.5f, container.data(part(container, 0, 0)).getFloat(44));
        assertEquals(20_388, container.data(part(container, 1, 0)).getShort(0));
        assertArrayEquals(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}, data(container, 2, 0));
        assertEquals("Confidence16", part(container, 2, 0).pixelFormat().name());
    }

    @Test
    void survivesADeviceThatBendsTheStandard() {
        ByteBuffer bytes = ByteBuffer.wrap(DeviceContainers.bendingTheStandard());

        GenDcContainer container = GenDcContainer.parse(bytes);

        assertTrue(container.descriptor().componentInvalid());
        assertArrayEquals(
                new long[] {11_520, 17_179_869_441L}, part(container, 1, 0).typeSpecific());
        assertArrayEquals(new long[] {11_520, 0}, part(container, 0, 0).typeSpecific());
        assertEquals(15, data(container, 0, 0)[15]);
        assertArrayEquals(new byte[] {16, 17, 18, 19}, data(container, 1, 0));
        assertTrue(container.components().get(2).invalid());
        assertEquals(0, data(container, 2, 0).length);
        assertEquals(
                List.of(
                        "WARNING component 0 part 0: FlowOffset 0 in flow 0 is not DataOffset 456",
                        "WARNING component 1: metadata has the format Data16, not Data8",
                        "WARNING component 1 part 0: FlowOffset 0 in flow 0 is not DataOffset 472",
                        "WARNING component 2 part 0: FlowOffset 0 in flow 0 is not DataOffset 476"),
                container.problems().stream().map(GenDcProblem::toString).toList());
        assertThrows(GenDcException.class, () -> GenDcContainer.parse(bytes, CheckMode.STRICT));
    }

    @Test
    void findsTheDataOfADeviceWithoutFlowOffsetsInItsOnlyFlow() {
        ByteBuffer bytes = RawContainer.begin(1, 0, 1, 0, 4, 176, 64)
                .component(64, 0, 1, MONO8, 120)
                .part(120, 0x4200, 0, 56, MONO8, 0, 0, 4, 176)
                .image(2, 2, 0, 0)
                .count(7, 4)
                .end(180);

        GenDcContainer container = GenDcContainer.parseFlows(List.of(bytes), CheckMode.TOLERANT);

        assertEquals(176, part(container, 0, 0).flowPlace());
        assertEquals(7, data(container, 0, 0)[0]);
        assertArrayEquals(new long[] {180}, container.descriptor().flowTable().flowSizes());
    }

    @Test
    void readsPaddedLines() {
        // (13 + 3) * 4 + 5 = 69.
        GenDcPart part = part(
                clean(RawContainer.begin(1, 0, 1, 0, 69, 176, 64)
                        .component(64, 0, 1, MONO8, 120)
                        .part(120, 0x4200, 56, MONO8, 69, 176)
                        .image(13, 4, 3, 5)
                        .count(0, 69)
                        .end(245)),
                0,
                0);

        assertEquals(13, part.sizeX());
        assertEquals(4, part.sizeY());
        assertEquals(3, part.paddingX());
        assertEquals(5, part.paddingY());
    }

    private static List<GenDcProblem> image(int format, int x, int y, int dataSize) {
        return GenDcContainer.parse(RawContainer.begin(1, 0, 1, 0, dataSize, 176, 64)
                        .component(64, 0, 1, format, 120)
                        .part(120, 0x4200, 56, format, dataSize, 176)
                        .image(x, y, 0, 0)
                        .count(0, dataSize)
                        .end(176 + dataSize))
                .problems();
    }

    @Test
    void takesPackedLinesThatEndOnAByteAndLinesThatRunOn() {
        // 5 pixels of 10 bits are 50 bits, 7 bytes; three lines are 21 bytes, or 150 bits in 19 bytes.
        assertEquals(List.of(), image(MONO10P, 5, 3, 21));
        assertEquals(List.of(), image(MONO10P, 5, 3, 19));
        assertEquals(Severity.PART_REJECTED, image(MONO10P, 5, 3, 20).get(0).severity());
        assertEquals(Severity.WARNING, image(MONO10P, 5, 3, 22).get(0).severity());
    }

    @Test
    void takesOddLinesOfTheOldPackedFormatsInAllWaysThatDevicesHave() {
        // 5 pixels: 3 pairs are 9 bytes, 60 bits are 8 bytes; 15 pixels that run on are 180 bits in 23 bytes.
        assertEquals(List.of(), image(MONO12_PACKED, 5, 3, 27));
        assertEquals(List.of(), image(MONO12_PACKED, 5, 3, 24));
        assertEquals(List.of(), image(MONO12_PACKED, 5, 3, 23));
        assertEquals(
                Severity.PART_REJECTED, image(MONO12_PACKED, 5, 3, 22).get(0).severity());
    }

    @Test
    void readsPlanesOfOneComponent() {
        // Header 64, component 48 + 24 = 72, three parts of 56: 304.
        GenDcContainer container = clean(RawContainer.begin(1, 0, 1, 0, 12, 304, 64)
                .component(64, 0, 1, RGB8_PLANAR, 136, 192, 248)
                .part(136, 0x4200, 56, R8, 4, 304)
                .image(2, 2, 0, 0)
                .part(192, 0x4200, 56, G8, 4, 308)
                .image(2, 2, 0, 0)
                .part(248, 0x4200, 56, B8, 4, 312)
                .image(2, 2, 0, 0)
                .count(0, 12)
                .end(316));

        assertEquals("RGB8_Planar", container.components().get(0).pixelFormat().name());
        assertEquals("G8", part(container, 0, 1).pixelFormat().name());
        assertArrayEquals(new byte[] {8, 9, 10, 11}, data(container, 0, 2));
    }

    @Test
    void readsChunkDataBesideAnImage() {
        // Header 72; image component 56 + 56 to 184; metadata 48 + 16 = 64 to 248, chunk 64 to 312, XML 64 to 376.
        GenDcContainer container = clean(RawContainer.begin(1, 0, 1, 0, 12 + 28 + 8, 376, 72, 184)
                .component(72, 0, 1, 0, 0, 0, 0, 0, 1, RGB8, 128)
                .part(128, 0x4200, 56, RGB8, 12, 376)
                .image(2, 2, 0, 0)
                .component(184, 0, 0xFFFF, 0, 0, 0, 0, 0, 0x8001, DATA8, 248, 312)
                .part(248, 0x4000, 64, DATA8, 28, 388)
                .array(28, 0, 5)
                .part(312, 0x4001, 0x0300, 64, DATA8, 0, 416, 8, 416)
                .array(6, 2, 9)
                .count(0, 12)
                .u64(123_456_789)
                .u32(0x1001)
                .u32(8)
                .u32(42)
                .u32(0x1002)
                .u32(4)
                .u8('<', 'x', '/', '>', ' ', ' ', 0, 0)
                .end(424));
        GenDcComponent metadata = container.components().get(1);
        GenDcPart chunk = part(container, 1, 0);
        GenDcPart xml = part(container, 1, 1);

        assertEquals(ComponentType.METADATA, metadata.type());
        assertEquals(GenDcComponent.ALL_GROUPS, metadata.groupId());
        assertEquals(PartType.METADATA_CHUNK, chunk.headerType());
        assertTrue(chunk.is1d());
        assertEquals(28, chunk.size());
        assertEquals(5, chunk.layoutId());
        assertEquals(0x1002, container.data(chunk).getInt(20));
        assertEquals(PartType.METADATA_XML, xml.headerType());
        assertTrue(xml.xmlZipped());
        assertTrue(xml.xmlForChunk());
        assertEquals(9, xml.layoutId());
        assertEquals(6, xml.size());
        assertEquals(2, xml.padding());
        assertEquals(0, xml.typeSpecificCount());
        assertEquals('<', data(container, 1, 1)[0]);
    }

    @Test
    void readsPointsInOneDimension() {
        RawContainer raw = RawContainer.begin(1, 1, 1, 0, 26, 312, 72, 192)
                .component(72, 0, 4, COORD3D_ABC32F, 128)
                .part(128, 0x4100, 64, COORD3D_ABC32F, 24, 312)
                .array(2, 0, 0)
                .component(192, 0, 6, CONFIDENCE8, 248)
                .part(248, 0x4100, 64, CONFIDENCE8, 2, 336)
                .array(2, 0, 0);
        for (int i = 0; i < 6; i++) {
            raw.f32(2.5f * i);
        }
        GenDcContainer container = clean(raw.u8(0, 200).end(338));

        assertEquals(2, part(container, 0, 0).size());
        assertEquals(0, part(container, 0, 0).sizeX());
        assertEquals(12.5f, container.data(part(container, 0, 0)).getFloat(20));
        assertArrayEquals(new byte[] {0, (byte) 200}, data(container, 1, 0));
    }

    private static RawContainer twoFlowsDescriptor() {
        // Header 72, twice 56 + 56: 296; data from 320 on, 64 bytes in flow 0 and 128 in flow 1.
        return RawContainer.begin(1, 0, 1, 0, 216, 296, 72, 184)
                .component(72, 0, 1, MONO8, 128)
                .part(128, 0x4200, 0, 56, MONO8, 0, 320, 64, 320)
                .image(8, 8, 0, 0)
                .component(184, 0, 4, MONO16, 240)
                .part(240, 0x4200, 0, 56, MONO16, 1, 0, 128, 384)
                .image(8, 8, 0, 0)
                .expect(296);
    }

    private static RawContainer twoFlowsFlow0() {
        return twoFlowsDescriptor().count(0, 0).u64(0).u64(0).u64(0).count(0, 64);
    }

    @Test
    void findsTheSameDataByLinearAndByFlowAddress() {
        ByteBuffer linear = twoFlowsFlow0().count(100, 128).end(512);
        ByteBuffer flow0 = twoFlowsFlow0().end(384);
        ByteBuffer flow1 = linear.slice(384, 128);
        GenDcContainer one = clean(linear);
        GenDcContainer two = GenDcContainer.parseFlows(List.of(flow0, flow1), CheckMode.STRICT);

        assertTrue(one.linear());
        assertFalse(two.linear());
        for (int c = 0; c < 2; c++) {
            assertArrayEquals(data(one, c, 0), data(two, c, 0));
        }
        assertEquals((byte) 100, data(two, 1, 0)[0]);
        assertEquals(0, two.descriptor().flowBase(0).orElseThrow());
        assertEquals(384, two.descriptor().flowBase(1).orElseThrow());
        assertTrue(two.descriptor().flowBase(2).isEmpty());
    }

    @Test
    void putsFlowsTogetherToOneRun() {
        ByteBuffer linear = twoFlowsFlow0().count(100, 128).end(512);
        ByteBuffer flow0 = twoFlowsFlow0().end(384);
        ByteBuffer flow1 = linear.slice(384, 128);
        GenDcContainer two = GenDcContainer.parseFlows(List.of(flow0, flow1), CheckMode.STRICT);
        ByteBuffer target = ByteBuffer.allocate(600);
        target.position(10);

        assertEquals(linear, two.toLinear(512));
        assertEquals(512, two.writeLinear(target));
        assertEquals(522, target.position());
        assertEquals(linear, target.slice(10, 512));
        assertThrows(GenDcException.class, () -> two.toLinear(511));
        assertThrows(GenDcException.class, () -> two.writeLinear(ByteBuffer.allocate(511)));
    }

    @Test
    void rejectsAPartWhoseFlowIsNotThereOrTooShort() {
        ByteBuffer flow0 = twoFlowsFlow0().end(384);
        GenDcContainer without = GenDcContainer.parseFlows(List.of(flow0), CheckMode.TOLERANT);
        GenDcContainer tooShort =
                GenDcContainer.parseFlows(List.of(flow0, ByteBuffer.allocate(127)), CheckMode.TOLERANT);

        assertTrue(part(without, 0, 0).usable());
        assertEquals(
                "PART_REJECTED component 1 part 0: is in flow 1, there are 1 flows",
                without.problems().get(0).toString());
        assertEquals(
                "PART_REJECTED component 1 part 0: data of 128 bytes at 0 of flow 1 is beyond the 127 bytes that are"
                        + " there",
                tooShort.problems().get(0).toString());
        assertThrows(GenDcException.class, () -> GenDcContainer.parseFlows(List.of(), CheckMode.TOLERANT));
    }

    @Test
    void readsTheFlowTableOfTwoFlows() {
        ByteBuffer table = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
        table.putShort((short) 0x7000)
                .putShort((short) 0)
                .putInt(32)
                .put((byte) 1)
                .put((byte) 0)
                .putShort((short) 0);
        table.putInt(2).putLong(384).putLong(128).flip();

        assertArrayEquals(new long[] {384, 128}, FlowTable.parse(table).flowSizes());
        assertEquals(
                FlowTable.parse(table),
                GenDcDescriptor.parse(twoFlowsDescriptor().end(296)).flowTable());
    }

    @Test
    void keepsThePlaceOfAnInvalidComponent() {
        GenDcContainer container = clean(RawContainer.begin(1, 2, 1, 0, 4, 296, 72, 184)
                .component(72, 1, 2, MONO8, 128)
                .part(128, 0x4200, 56, MONO8, 0, 296)
                .image(8, 8, 0, 0)
                .component(184, 0, 1, MONO8, 240)
                .part(240, 0x4200, 56, MONO8, 4, 296)
                .image(2, 2, 0, 0)
                .count(0, 4)
                .end(300));

        assertTrue(container.descriptor().componentInvalid());
        assertTrue(container.components().get(0).invalid());
        assertFalse(container.components().get(1).invalid());
        assertEquals(0, data(container, 0, 0).length);
        assertEquals(4, data(container, 1, 0).length);
    }

    private static ByteBuffer lineScan(int variableFields, long timestamp, int lines) {
        return RawContainer.begin(1, 0, 1, variableFields, 1600, 176, 64)
                .component(64, 0, 0, 0, 0, 0, 0, timestamp, 1, MONO8, 120)
                .part(120, 0x4200, 56, MONO8, 16L * lines, 176)
                .image(16, lines, 0, 0)
                .end(176);
    }

    @Test
    void tellsPreliminaryFromFinal() {
        GenDcDescriptor preliminary =
                GenDcDescriptor.parse(lineScan(0x25, 0, 100), GenDcDescriptor.Kind.PRELIMINARY, CheckMode.STRICT);
        GenDcDescriptor last = GenDcDescriptor.parse(lineScan(0, 9, 37), GenDcDescriptor.Kind.FINAL, CheckMode.STRICT);

        assertFalse(preliminary.isFinal());
        assertEquals(
                List.of(VariableField.DATA_SIZE, VariableField.SIZE_Y, VariableField.TIMESTAMP),
                List.copyOf(preliminary.variable()));
        assertTrue(preliminary.toString().contains("variableFields=0x0025 DataSize SizeY Timestamp dataSize"));
        assertTrue(last.isFinal());
        assertEquals(592, last.components().get(0).parts().get(0).dataSize());
        assertEquals(List.of(), last.changesFrom(preliminary));
    }

    @Test
    void readsWhatADecoderOfH264MustKnow() {
        GenDcContainer container = clean(RawContainer.begin(1, 0, 1, 0, 8, 192, 64)
                .component(64, 0, 1, 0x0210003B, 120)
                .part(120, 0x4203, 72, 0x0210003B, 8, 192)
                .image(640, 480, 0, 0)
                .u8(0, 0x42, 0x15, 0x1E)
                .u16(3)
                .u16(4)
                .u32(5)
                .u32(4_294_967_295L)
                .count(0, 8)
                .end(200));
        GenDcPart part = part(container, 0, 0);

        assertEquals(Optional.of(new H264Parameters(0x42, 5, 1, 0x1E, 3, 4, 5, 4_294_967_295L)), part.h264());
        assertEquals(640, part.sizeX());
        assertEquals(0, part.typeSpecificCount());
        assertTrue(PartType.isCompressed(part.headerType()));
    }

    @Test
    void takesTheSizeOfCompressedImagesForWhatItIs() {
        for (int type : new int[] {0x4201, 0x4202}) {
            GenDcContainer container = clean(RawContainer.begin(1, 0, 1, 0, 4, 176, 64)
                    .component(64, 0, 1, RGB8, 120)
                    .part(120, type, 56, RGB8, 4, 176)
                    .image(640, 480, 0, 0)
                    .u8(0xFF, 0xD8, 0xFF, 0xD9)
                    .end(180));

            assertEquals(4, data(container, 0, 0).length);
            assertTrue(PartType.isCompressed(part(container, 0, 0).headerType()));
            assertTrue(part(container, 0, 0).h264().isEmpty());
        }
    }

    @Test
    void givesGeometryFieldsAndDataOfAVendorsImage() {
        GenDcContainer container = clean(RawContainer.begin(1, 0, 1, 0, 8, 192, 64)
                .component(64, 0, 0xFF00, MONO8, 120)
                .part(120, 0x42F3, 72, MONO8, 8, 192)
                .image(4, 2, 0, 0)
                .u64(1)
                .u64(2)
                .count(0, 8)
                .end(200));
        GenDcPart part = part(container, 0, 0);

        assertEquals(ComponentType.CUSTOM, container.components().get(0).type());
        assertEquals(4, part.sizeX());
        assertEquals(2, part.sizeY());
        assertArrayEquals(new long[] {1, 2}, part.typeSpecific());
        assertEquals(2, part.typeSpecific(1));
        assertThrows(IndexOutOfBoundsException.class, () -> part.typeSpecific(2));
        assertEquals(8, data(container, 0, 0).length);
    }

    @Test
    void givesFieldsAndDataOfAVendorsPartOfNoCategory() {
        GenDcContainer container = clean(RawContainer.begin(1, 0, 1, 0, 2, 168, 64)
                .component(64, 0, 0xFF00, MONO8, 120)
                .part(120, 0x4F42, 48, MONO8, 2, 168)
                .u64(77)
                .count(0, 2)
                .end(170));

        assertFalse(part(container, 0, 0).is2d());
        assertFalse(part(container, 0, 0).is1d());
        assertArrayEquals(new long[] {77}, part(container, 0, 0).typeSpecific());
        assertEquals(2, data(container, 0, 0).length);
    }

    @Test
    void readsWhatItKnowsOfANewerMinorVersion() {
        // Two parts, the second of a kind that does not exist in 1.1: 64 + 64 + 56 + 48 = 232.
        GenDcContainer container = GenDcContainer.parse(
                RawContainer.begin(7, 0, 1, 0, 12, 232, 64)
                        .component(64, 0, 1, MONO8, 128, 184)
                        .part(128, 0x4200, 56, MONO8, 8, 232)
                        .image(4, 2, 0, 0)
                        .part(184, 0x4F00 | 0xFF, 48, MONO8, 4, 240)
                        .u64(0)
                        .count(0, 12)
                        .end(244),
                CheckMode.STRICT);

        assertEquals(7, container.descriptor().versionMinor());
        assertEquals(8, data(container, 0, 0).length);
        assertEquals(4, data(container, 0, 1).length);
        assertEquals(
                List.of("SKIPPED component 0 part 1: part type 0x4FFF is not known"),
                container.problems().stream().map(GenDcProblem::toString).toList());
    }
}
