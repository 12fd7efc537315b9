package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.stream.BlockInfo.H264Parameters;
import io.peregrine.stream.BlockInfo.ImageGeometry;
import io.peregrine.stream.PayloadType;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Bytes written by hand from the layouts of the standard. */
class GvspPacketViewTest {

    private static ByteBuffer bytes(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    @Test
    void standardHeaderHas16BitBlocksAnd24BitPackets() {
        ByteBuffer packet = bytes("FFFF 0100 FF78 03 ABCDEF");
        assertTrue(GvspHeader.fits(packet, 2, 8));
        assertFalse(GvspHeader.fits(packet, 2, 7));
        assertFalse(GvspHeader.extended(packet, 2));
        assertEquals(8, GvspHeader.lengthBytes(packet, 2));
        assertEquals(GvspStatus.PACKET_RESEND, GvspHeader.status(packet, 2));
        assertEquals(0xFF78, GvspHeader.blockId(packet, 2));
        assertEquals(GvspHeader.FORMAT_PAYLOAD, GvspHeader.format(packet, 2));
        assertEquals(0xABCDEF, GvspHeader.packetId(packet, 2));
        assertEquals(0, GvspHeader.flags(packet, 2));
        assertTrue(GvspHeader.resent(packet, 2));
    }

    @Test
    void extendedHeaderHas64BitBlocksAnd32BitPackets() {
        ByteBuffer packet = bytes("0000 0001 88 000000 F123456789ABCDEF FEDCBA98");
        assertTrue(GvspHeader.fits(packet, 0, 20));
        assertFalse(GvspHeader.fits(packet, 0, 19));
        assertTrue(GvspHeader.extended(packet, 0));
        assertEquals(20, GvspHeader.lengthBytes(packet, 0));
        assertEquals(GvspStatus.SUCCESS, GvspHeader.status(packet, 0));
        assertEquals(GvspHeader.FORMAT_GENDC, GvspHeader.format(packet, 0));
        assertEquals(0xF123456789ABCDEFL, GvspHeader.blockId(packet, 0));
        assertEquals(0xFEDCBA98L, GvspHeader.packetId(packet, 0));
        assertEquals(GvspHeader.FLAG_RESENT, GvspHeader.flags(packet, 0));
        assertTrue(GvspHeader.resent(packet, 0));
    }

    @Test
    void imageLeaderTellsTimeAndGeometry() {
        ByteBuffer leader = bytes("0000 0001 0000001122334455 010C0006 00000780 00000438 00000010 FFFFFFFE 0002 0003");
        assertTrue(GvspLeader.fits(leader, 0, 36));
        assertFalse(GvspLeader.fits(leader, 0, 35));
        assertEquals(PayloadType.IMAGE, GvspLeader.payloadType(leader, 0));
        assertEquals(0x1122334455L, GvspLeader.timestampTicks(leader, 0));
        ImageGeometry image = GvspLeader.geometry(leader, 0);
        assertEquals(new ImageGeometry(0x010C0006, 1920, 1080, 16, 4294967294L, 2, 3), image);
        // 1920 x 1080 x 12 bits, 2 bytes after each of 1080 lines, 3 at the end.
        assertEquals(3_110_400 + 2160 + 3, GvspLeader.imageSizeBytes(image));
    }

    @Test
    void imageSizeIsExactOrBeyondEverything() {
        assertEquals(2, GvspLeader.imageSizeBytes(new ImageGeometry(0x010C0006, 1, 1, 0, 0, 0, 0)));
        assertEquals(0, GvspLeader.imageSizeBytes(new ImageGeometry(0x01000001, 100, 100, 0, 0, 0, 0)));
        assertEquals(
                Long.MAX_VALUE,
                GvspLeader.imageSizeBytes(new ImageGeometry(0x01080001, 0xFFFFFFFFL, 0xFFFFFFFFL, 0, 0, 0, 0)));
    }

    @Test
    void genDcLeaderTellsSizes() {
        ByteBuffer leader = bytes("0000 000B 0000000000000007 0000000100000000 80 000000 000001A8");
        assertTrue(GvspLeader.fits(leader, 0, 28));
        assertFalse(GvspLeader.fits(leader, 0, 27));
        assertEquals(PayloadType.GENDC, GvspLeader.payloadType(leader, 0));
        assertEquals(7, GvspLeader.timestampTicks(leader, 0));
        assertEquals(1L << 32, GvspLeader.payloadSizeBytes(leader, 0));
        assertTrue(GvspLeader.preliminaryDescriptor(leader, 0));
        assertEquals(424, GvspLeader.descriptorSizeBytes(leader, 0));
    }

    @Test
    void rawLeaderTellsItsSize() {
        ByteBuffer leader = bytes("0000 0002 0000000000000009 0000000000001000");
        assertTrue(GvspLeader.fits(leader, 0, 20));
        assertFalse(GvspLeader.fits(leader, 0, 19));
        assertEquals(4096, GvspLeader.payloadSizeBytes(leader, 0));
    }

    @Test
    void leaderOfMultiPartHasAtLeastOnePart() {
        assertTrue(GvspLeader.fits(bytes("0000 000A" + "00".repeat(56)), 0, 60));
        assertFalse(GvspLeader.fits(bytes("0000 000A" + "00".repeat(55)), 0, 59));
    }

    @Test
    void leaderWithoutAPayloadTypeIsNone() {
        assertFalse(GvspLeader.fits(bytes("0000 0000" + "00".repeat(60)), 0, 64));
        assertFalse(GvspLeader.fits(bytes("0000 4000" + "00".repeat(60)), 0, 64));
    }

    @Test
    void multiPartLeaderTellsItsParts() {
        ByteBuffer leader = bytes("0000 000A 0000000000000000" + "00".repeat(48)
                + "0009 123456789ABC 010800B5 0000 05 01 80000000 0607 0809"
                + "FFFFFFFF 00000002 00000003 00000004 0005 0006 00000000");
        assertEquals(9, GvspLeader.partDataType(leader, 0, 1));
        assertEquals(0x123456789ABCL, GvspLeader.partLengthBytes(leader, 0, 1));
        assertEquals(0x010800B5, GvspLeader.partFormat(leader, 0, 1));
        assertEquals(5, GvspLeader.partSourceId(leader, 0, 1));
        assertEquals(0x0607, GvspLeader.partPurposeId(leader, 0, 1));
        assertEquals(0x0809, GvspLeader.partRegionId(leader, 0, 1));
        assertEquals(new ImageGeometry(0x010800B5, 0xFFFFFFFFL, 2, 3, 4, 5, 6), GvspLeader.partGeometry(leader, 0, 1));
    }

    @Test
    void placedPayloadTellsPartZoneAndPlace() {
        ByteBuffer payload = bytes("0000 FE 4B FFFFFFFFFFFE AA");
        assertTrue(PlacedPayload.fits(8));
        assertFalse(PlacedPayload.fits(7));
        assertEquals(254, PlacedPayload.partId(payload, 2));
        assertEquals(5, PlacedPayload.zoneId(payload, 2));
        assertTrue(PlacedPayload.endOfPart(payload, 2));
        assertTrue(PlacedPayload.endOfZone(payload, 2));
        assertEquals(0xFFFFFFFFFFFEL, PlacedPayload.destinationOffset(payload, 2));
    }

    @Test
    void multiZoneLeaderHasItsGeometryBehindTheDirections() {
        ByteBuffer leader =
                bytes("0000 0009 0000000000000001 80000000 01080001 00000010 00000020 00000001 00000002 0003 0004");
        assertTrue(GvspLeader.fits(leader, 0, 40));
        assertFalse(GvspLeader.fits(leader, 0, 39));
        assertEquals(new ImageGeometry(0x01080001, 16, 32, 1, 2, 3, 4), GvspLeader.multiZoneGeometry(leader, 0));
    }

    @Test
    void h264LeaderTellsParametersAndNoTime() {
        ByteBuffer leader = bytes("0000 0008 0000000000001000 00 01 0578 00 42 80 1E 0002 0003 00000004 00000005");
        assertTrue(GvspLeader.fits(leader, 0, 32));
        assertEquals(0, GvspLeader.timestampTicks(leader, 0));
        assertEquals(4096, GvspLeader.h264PayloadSizeBytes(leader, 0));
        // The highest of the four bits is constraint_set0_flag.
        assertEquals(new H264Parameters(1, 0x42, 1, 0x1E, 2, 3, 4, 5), GvspLeader.h264Parameters(leader, 0));
        assertEquals(
                8, GvspLeader.h264Parameters(leader.put(18, (byte) 0x10), 0).constraintSets());
    }

    @Test
    void trailersOfChunkDataTellLengthsAndLayout() {
        ByteBuffer chunk = bytes("0000 0004 80000001");
        assertEquals(0x80000001L, GvspTrailer.chunkPayloadLengthBytes(chunk, 0, 8));
        ByteBuffer extended = bytes("0000 0005 00000100 00000020 00000007");
        assertEquals(256, GvspTrailer.chunkPayloadLengthBytes(extended, 0, 16));
        assertEquals(32, GvspTrailer.sizeY(extended, 0, 16, PayloadType.EXTENDED_CHUNK));
        assertEquals(7, GvspTrailer.extendedChunkLayoutId(extended, 0, 16));
        ByteBuffer bit = bytes("0000 4001 00000020 00000030 00000009");
        assertEquals(32, GvspTrailer.sizeY(bit, 0, 16, 0x4001));
        assertEquals(48, GvspTrailer.chunkDataLengthBytes(bit, 0, 16, 0x4001, 0));
        assertEquals(9, GvspTrailer.chunkLayoutId(bit, 0, 16, 0x4001, 0));
        assertEquals(0, GvspTrailer.chunkDataLengthBytes(bit, 0, 8, 0x4001, 0));
    }

    @Test
    void multiPartTrailerTellsWhatWasSent() {
        ByteBuffer trailer = bytes("0000 000A" + "00".repeat(16) + "0001 00000000FFFF 00000012 00000000");
        assertTrue(GvspTrailer.hasPart(36, 1));
        assertFalse(GvspTrailer.hasPart(35, 1));
        assertEquals(1, GvspTrailer.partDataType(trailer, 0, 1));
        assertEquals(65535, GvspTrailer.partLengthBytes(trailer, 0, 1));
        assertEquals(18, GvspTrailer.partSizeY(trailer, 0, 1));
    }

    @Test
    void imageTrailerTellsTheLinesSent() {
        ByteBuffer trailer = bytes("0000 0001 00000438");
        assertEquals(PayloadType.IMAGE, GvspTrailer.payloadType(trailer, 0));
        assertEquals(1080, GvspTrailer.sizeY(trailer, 0, 8, PayloadType.IMAGE));
        assertEquals(0, GvspTrailer.sizeY(trailer, 0, 4, PayloadType.IMAGE));
        assertTrue(GvspTrailer.fits(4));
        assertFalse(GvspTrailer.fits(3));
    }

    @Test
    void genDcPayloadTellsWhereItsDataBelongs() {
        // Final descriptor, start and end of it, first packet of the flow.
        ByteBuffer payload = bytes("00000003 0000000100000002 70 80 0105 AABBCC");
        assertTrue(GenDcPayload.fits(payload, 0, 19));
        assertFalse(GenDcPayload.fits(payload, 0, 18));
        assertEquals(3, GenDcPayload.dataSizeBytes(payload, 0));
        assertEquals(0x100000002L, GenDcPayload.destinationOffset(payload, 0));
        assertEquals(GenDcPayload.KIND_FINAL, GenDcPayload.descriptorKind(payload, 0));
        assertTrue(GenDcPayload.descriptorEnd(payload, 0));
        assertEquals(0x0105, GenDcPayload.flowId(payload, 0));
        assertEquals(
                GenDcPayload.KIND_PRELIMINARY, GenDcPayload.descriptorKind(bytes("00".repeat(12) + "C0000000"), 0));
        assertEquals(
                GenDcPayload.KIND_FINAL_AND_DATA, GenDcPayload.descriptorKind(bytes("00".repeat(12) + "80000000"), 0));
    }

    @Test
    void genDcPayloadWithSizesBeyond31BitsDoesNotFit() {
        assertFalse(GenDcPayload.fits(bytes("FFFFFFFF 0000000000000000 00 00 0000"), 0, 16));
        assertFalse(GenDcPayload.fits(bytes("00000000 8000000000000000 00 00 0000"), 0, 16));
    }
}
