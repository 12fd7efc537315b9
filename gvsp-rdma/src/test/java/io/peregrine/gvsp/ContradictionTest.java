package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.StreamStatistics.Counter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks of which every packet came, and whose leader, trailer and bytes do not go together, or only seem not to. */
class ContradictionTest {
    private static final TestPackets PACKETS = TestPackets.standard(1024);
    private static final int BYTES = 4096;
    private static final int PAYLOAD_SIZE = 8192;
    private static final int MONO10_P = 0x010A0046;
    private static final int OWN_FORMAT = 0x81080001;

    private static AssemblerRig rig() {
        return new AssemblerRig(AssemblerRig.settings().withPacketSizeBytes(1024 + 36), 4, PAYLOAD_SIZE);
    }

    private static AssemblerRig block(ByteBuffer leader, int bytes, ByteBuffer trailerOfPacketZero) {
        List<ByteBuffer> packets = new ArrayList<>(List.of(leader));
        byte[] data = TestPackets.pixels(1, bytes);
        int id = 1;
        for (int at = 0; at < bytes; at += 1024) {
            packets.add(PACKETS.payload(1, id, java.util.Arrays.copyOfRange(data, at, Math.min(bytes, at + 1024))));
            id++;
        }
        packets.add(trailerOfPacketZero.putShort(6, (short) id));
        return rig().send(packets);
    }

    private static AssemblerRig image(int format, int width, int height, int bytes, int trailerLines) {
        return block(PACKETS.imageLeader(1, 5, format, width, height), bytes, PACKETS.imageTrailer(1, 0, trailerLines));
    }

    @ParameterizedTest
    @CsvSource({"8,8", "0,0", "0,64", "64,0", "64,63"})
    void moreBytesThanTheImageOfTheLeaderAreAContradiction(int width, int height) {
        image(TestPackets.MONO8, width, height, BYTES, height).expectIncomplete(IncompleteCause.CONTRADICTION, 0);
    }

    @Test
    void moreBytesThanRawDataOfTheLeaderAreAContradiction() {
        block(PACKETS.rawLeader(1, 5, 10), BYTES, PACKETS.trailer(2, 1, 0))
                .expectIncomplete(IncompleteCause.CONTRADICTION, 0);
    }

    @ParameterizedTest
    @CsvSource({"2", "4", "11"})
    void trailerOfAnotherPayloadTypeIsAContradiction(int type) {
        block(PACKETS.imageLeader(1, 5, TestPackets.MONO8, 64, 64), BYTES, PACKETS.trailer(type, 1, 0))
                .expectIncomplete(IncompleteCause.CONTRADICTION, 0);
    }

    @ParameterizedTest
    @CsvSource({"6, 4611686018427387904", "7, 8193", "6, -1"})
    void encodedImageThatIsToldLargerThanThereIsRoomForIsNotWhole(int type, long told) {
        ByteBuffer body = ByteBuffer.allocate(32).putShort(2, (short) type).putLong(12, told);
        block(PACKETS.packet(0, 0, 1, 1, 0, body.array()), BYTES, PACKETS.trailer(type, 1, 0))
                .expectIncomplete(IncompleteCause.DATA_MISSING, 0);
    }

    @Test
    void moreChunkDataThanTheTrailerTellsBehindAnImageIsAContradiction() {
        ByteBuffer leader = PACKETS.imageLeader(1, 5, TestPackets.MONO8, 8, 8).putShort(10, (short) 0x4001);
        ByteBuffer body =
                ByteBuffer.allocate(16).putShort(2, (short) 0x4001).putInt(4, 8).putInt(8, 12);
        block(leader, BYTES, PACKETS.packet(0, 0, 2, 1, 0, body.array()))
                .expectIncomplete(IncompleteCause.CONTRADICTION, 0);
    }

    // ---- What only looks like it

    @Test
    void trailerWithoutAPayloadTypeIsNone() {
        block(PACKETS.imageLeader(1, 5, TestPackets.MONO8, 64, 64), BYTES, PACKETS.trailer(0, 1, 0))
                .expectComplete(0, BYTES);
    }

    @Test
    void linesThatBeginOnAByteAreNone() {
        // 3 pixels of 10 bits each in 4 bytes.
        image(MONO10_P, 3, 64, 64 * 4, 64).expectComplete(0, 64 * 4);
    }

    @Test
    void wholeWordsOfMemoryAreNone() {
        image(TestPackets.MONO8, 5, 5, 64, 5).expectComplete(0, 64);
    }

    @Test
    void lastPacketThatIsFilledUpToThePayloadSizeOfTheDeviceIsNone() {
        image(TestPackets.MONO8, 100, 80, PAYLOAD_SIZE, 80).expectComplete(0, PAYLOAD_SIZE);
    }

    @Test
    void lastPacketThatIsFilledUpToAnythingElseIsAContradiction() {
        image(TestPackets.MONO8, 100, 80, PAYLOAD_SIZE - 1, 80).expectIncomplete(IncompleteCause.CONTRADICTION, 0);
    }

    @Test
    void fillingThatIsMostOfAnImageIsAContradiction() {
        image(TestPackets.MONO8, 8, 8, PAYLOAD_SIZE, 8).expectIncomplete(IncompleteCause.CONTRADICTION, 0);
    }

    @Test
    void formatOfAManufacturersOwnTellsNoSize() {
        image(OWN_FORMAT, 8, 8, BYTES, 8).expectComplete(0, BYTES);
    }

    @Test
    void linesThatOnlyTheTrailerTellsAreNone() {
        image(TestPackets.MONO8, 64, 0, BYTES, 64).expectComplete(0, BYTES);
    }

    @Test
    void imageThatIsSentWholeAlthoughTheTrailerShortensItIsNone() {
        AssemblerRig rig = image(TestPackets.MONO8, 64, 64, BYTES, 32);
        assertTrue(rig.onlyBlock().complete());
    }

    @Test
    void rawDataThatTellsNoSizeIsNone() {
        block(PACKETS.rawLeader(1, 5, 0), BYTES, PACKETS.trailer(2, 1, 0)).expectComplete(0, BYTES);
    }

    // ---- Ids

    @Test
    void extendedIdsGoFromTheLastToOneWithoutAGap() {
        TestPackets extended = TestPackets.extended(1024);
        AssemblerRig rig = rig().send(extended.image(-2, 64, 64))
                .send(extended.image(-1, 64, 64))
                .send(extended.image(1, 64, 64))
                .pass(200);
        assertEquals(List.of(-2L, -1L, 1L), rig.blockIds());
        assertEquals(0, rig.count(Counter.BLOCK_ID_GAPS));
    }

    @Test
    void blockLostBeforeExtendedIdsBeginAnewIsAskedFor() {
        TestPackets extended = TestPackets.extended(1024);
        AssemblerRig rig = rig().send(extended.image(-2, 64, 64))
                .send(extended.image(1, 64, 64))
                .pass(1);
        assertEquals(
                List.of(-1L),
                rig.requests.stream().map(AssemblerRig.Request::blockId).toList());
        rig.send(extended.image(-1, 64, 64));
        assertEquals(List.of(-2L, -1L, 1L), rig.blockIds());
    }
}
