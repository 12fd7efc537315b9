package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.stream.BlockInfo.ImageGeometry;
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
    void leadersOfMultiPartAreNotReceived() {
        assertFalse(GvspLeader.fits(bytes("0000 000A" + "00".repeat(60)), 0, 64));
    }

    @Test
    void imageTrailerTellsTheLinesSent() {
        ByteBuffer trailer = bytes("0000 0001 00000438");
        assertEquals(PayloadType.IMAGE, GvspTrailer.payloadType(trailer, 0));
        assertEquals(1080, GvspTrailer.sizeY(trailer, 0, 8));
        assertEquals(0, GvspTrailer.sizeY(trailer, 0, 4));
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
