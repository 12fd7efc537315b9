package io.peregrine.gendc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.pfnc.PfncCodes;
import io.peregrine.testing.SyntheticContainer;
import io.peregrine.testing.TwoFlows;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One small container per feature of the standard, written byte by byte from its tables. */
class SyntheticContainerTest {

    private static ByteBuffer bytes(SyntheticContainer container) {
        return ByteBuffer.wrap(container.bytes());
    }

    private static GenDcContainer sample(SyntheticContainer container) {
        return GenDcContainer.parse(bytes(container));
    }

    private static GenDcPart part(GenDcContainer container, int component, int part) {
        return container.components().get(component).parts().get(part);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NEWER_MINOR")
    void findsNothingToComplainAboutInWhatFollowsTheStandard(SyntheticContainer container) {
        assertEquals(List.of(), sample(container).problems());
        assertEquals(
                sample(container).id(),
                GenDcContainer.parse(bytes(container), CheckMode.STRICT).id());
    }

    @Test
    void readsGeometryAndPlaceOfAnImage() {
        GenDcContainer container = sample(SyntheticContainer.MONO8_2D);
        GenDcComponent component = container.components().get(0);

        assertEquals(7, container.id());
        assertEquals(1, component.sourceId());
        assertEquals(2, component.regionId());
        assertEquals(4, component.regionOffsetX());
        assertEquals(6, component.regionOffsetY());
        assertEquals(1_000_000_001L, component.timestamp());
        ByteBuffer data = container.data(part(container, 0, 0));
        assertEquals(128, data.remaining());
        for (int i = 0; i < 128; i++) {
            assertEquals(i, data.get(i));
        }
        assertTrue(data.isReadOnly());
    }

    @Test
    void readsPadding() {
        GenDcPart part = part(sample(SyntheticContainer.MONO8_PADDED), 0, 0);

        assertEquals(3, part.paddingX());
        assertEquals(5, part.paddingY());
        assertEquals(69, part.dataSize());
        ByteBuffer data = sample(SyntheticContainer.MONO8_PADDED).data(part);
        for (int line = 0; line < 4; line++) {
            for (int i = 13; i < 16; i++) {
                assertEquals((byte) 0xEE, data.get(16 * line + i));
            }
        }
        for (int i = 64; i < 69; i++) {
            assertEquals((byte) 0xDD, data.get(i));
        }
    }

    @Test
    void readsPackedLinesThatEndOnAByte() {
        GenDcContainer container = sample(SyntheticContainer.MONO10P_LINEPAD);
        ByteBuffer data = container.data(part(container, 0, 0));

        assertEquals(21, data.remaining());
        for (int y = 0; y < 3; y++) {
            for (int x = 0; x < 5; x++) {
                int at = 7 * y + 10 * x / 8;
                int two = Byte.toUnsignedInt(data.get(at)) | Byte.toUnsignedInt(data.get(at + 1)) << 8;
                assertEquals(100 * y + 7 * x, two >> 10 * x % 8 & 0x3FF);
            }
        }
    }

    @Test
    void readsTheChunksBesideAnImage() {
        GenDcContainer container = sample(SyntheticContainer.IMAGE_CHUNK);
        ByteBuffer chunks = container.data(part(container, 1, 0));
        int end = chunks.limit();

        assertEquals(1, container.components().get(0).groupId());
        assertEquals(5, part(container, 1, 0).layoutId());
        assertEquals(4, chunks.getInt(end - 4));
        assertEquals(0x1002, chunks.getInt(end - 8));
        assertEquals(42, chunks.getInt(end - 12));
        assertEquals(8, chunks.getInt(end - 16));
        assertEquals(0x1001, chunks.getInt(end - 20));
        assertEquals(123_456_789L, chunks.getLong(end - 28));
    }

    @Test
    void readsPlanesOfOneComponent() {
        GenDcContainer container = sample(SyntheticContainer.RGB8_PLANAR);

        assertEquals(PfncCodes.RGB8_PLANAR, container.components().get(0).format());
        int[] formats = {PfncCodes.R8, PfncCodes.G8, PfncCodes.B8};
        for (int i = 0; i < 3; i++) {
            assertEquals(formats[i], part(container, 0, i).format());
            ByteBuffer plane = container.data(part(container, 0, i));
            for (int pixel = 0; pixel < 32; pixel++) {
                assertEquals((byte) (64 * i + pixel), plane.get(pixel));
            }
        }
    }

    @Test
    void readsChunkAndXmlParts() {
        GenDcContainer container = sample(SyntheticContainer.CHUNK_XML);
        GenDcPart chunk = part(container, 0, 0);
        GenDcPart xml = part(container, 0, 1);

        assertEquals(ComponentType.METADATA, container.components().get(0).type());
        assertEquals(PartType.METADATA_CHUNK, chunk.headerType());
        assertEquals(5, chunk.layoutId());
        assertEquals(28, chunk.size());
        assertEquals(PartType.METADATA_XML, xml.headerType());
        assertTrue(xml.xmlForChunk());
        assertFalse(xml.xmlZipped());
        assertEquals(22, xml.size());
        assertEquals(2, xml.padding());
        assertEquals(24, xml.dataSize());
        assertEquals('<', container.data(xml).get(0));
        assertEquals(
                GenDcComponent.ALL_GROUPS,
                sample(SyntheticContainer.IMAGE_CHUNK).components().get(1).groupId());
    }

    @Test
    void readsPointsInOneDimension() {
        GenDcContainer container = sample(SyntheticContainer.POINTCLOUD_1D);
        GenDcPart points = part(container, 0, 0);

        assertTrue(points.is1d());
        assertFalse(points.is2d());
        assertEquals(10, points.size());
        assertTrue(container.descriptor().timestampPtp());
        for (int i = 0; i < 10; i++) {
            assertEquals(i, container.data(points).getFloat(12 * i));
            assertEquals(2.5f * i, container.data(points).getFloat(12 * i + 4));
            assertEquals(-i, container.data(points).getFloat(12 * i + 8));
        }
        assertEquals((byte) 225, container.data(part(container, 1, 0)).get(9));
    }

    @Test
    void findsTheSameDataByLinearAndByFlowAddress() {
        ByteBuffer flow0 = ByteBuffer.wrap(TwoFlows.flow0());
        ByteBuffer flow1 = ByteBuffer.wrap(TwoFlows.flow1());
        GenDcContainer linear = sample(SyntheticContainer.TWO_FLOWS);
        GenDcDescriptor descriptor = GenDcDescriptor.parse(flow0);
        GenDcPart first = descriptor.components().get(0).parts().get(0);
        GenDcPart second = descriptor.components().get(1).parts().get(0);

        assertEquals(0, first.flowId());
        assertEquals(320, first.flowOffset());
        assertEquals(1, second.flowId());
        assertEquals(0, second.flowOffset());
        assertEquals(384, second.dataOffset());
        assertEquals(linear.data(part(linear, 0, 0)), first.sliceFlow(flow0));
        assertEquals(linear.data(part(linear, 1, 0)), second.sliceFlow(flow1));

        GenDcContainer parallel = GenDcContainer.parseFlows(List.of(flow0, flow1), CheckMode.STRICT);
        assertEquals(bytes(SyntheticContainer.TWO_FLOWS), parallel.toLinear(512));

        ByteBuffer tableBytes = ByteBuffer.wrap(TwoFlows.table());
        FlowTable table = FlowTable.parse(tableBytes);
        assertArrayEquals(new long[] {384, 128}, table.flowSizes());
        assertEquals(table, descriptor.flowTable());
        assertEquals(tableBytes, ByteBuffer.wrap(table.toBytes()));
    }

    @Test
    void keepsThePlaceOfAnInvalidComponent() {
        GenDcContainer container = sample(SyntheticContainer.INVALID_COMPONENT);

        assertEquals(2, container.components().size());
        assertTrue(container.components().get(1).invalid());
        assertEquals(0, container.data(part(container, 1, 0)).remaining());
    }

    @Test
    void tellsPreliminaryFromFinal() {
        GenDcDescriptor preliminary = sample(SyntheticContainer.VARIABLE_PRELIM).descriptor();
        GenDcDescriptor last = sample(SyntheticContainer.VARIABLE_FINAL).descriptor();

        assertFalse(preliminary.isFinal());
        assertEquals(
                GenDcDescriptor.VariableField.DATA_SIZE.bit()
                        | GenDcDescriptor.VariableField.SIZE_Y.bit()
                        | GenDcDescriptor.VariableField.TIMESTAMP.bit(),
                preliminary.variableFields());
        assertEquals(100, preliminary.components().get(0).parts().get(0).sizeY());
        assertTrue(last.isFinal());
        assertEquals(37, last.components().get(0).parts().get(0).sizeY());
        assertEquals(592, last.components().get(0).parts().get(0).dataSize());
        assertEquals(List.of(), last.changesFrom(preliminary));
    }

    @Test
    void givesRawDataAndGeometryOfVendorParts() {
        GenDcContainer container = sample(SyntheticContainer.CUSTOM_2D);
        GenDcPart part = part(container, 0, 0);

        assertEquals(ComponentType.CUSTOM, container.components().get(0).type());
        assertEquals(4, part.sizeX());
        assertEquals(2, part.sizeY());
        assertArrayEquals(new long[] {1, 2}, part.typeSpecific());
        assertEquals(8, container.data(part).remaining());
    }

    @Test
    void readsWhatItKnowsOfANewerMinorVersion() {
        GenDcContainer container = sample(SyntheticContainer.NEWER_MINOR);

        assertEquals(7, container.descriptor().versionMinor());
        assertEquals(8, container.data(part(container, 0, 0)).remaining());
        assertEquals(1, container.problems().size());
        GenDcProblem problem = container.problems().get(0);
        assertEquals(GenDcProblem.Severity.SKIPPED, problem.severity());
        assertEquals(1, problem.part());
        assertEquals("SKIPPED component 0 part 1: part type 0x4207 is not known", problem.toString());
    }

    @Test
    void takesCompressedSizeForWhatItIs() {
        GenDcContainer container = sample(SyntheticContainer.JPEG);

        assertEquals(4, container.data(part(container, 0, 0)).remaining());
        assertTrue(PartType.isCompressed(part(container, 0, 0).headerType()));
        GenDcPart h264 = part(sample(SyntheticContainer.H264_HEADER), 0, 0);
        assertEquals(640, h264.sizeX());
        assertEquals(480, h264.sizeY());
        assertEquals(Optional.of(new H264Parameters(0x42, 0b0101, 1, 0x1E, 3, 4, 5, 6)), h264.h264());
    }
}
