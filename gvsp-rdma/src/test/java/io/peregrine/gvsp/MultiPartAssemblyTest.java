package io.peregrine.gvsp;

import static io.peregrine.gvsp.TestPackets.hex;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.gvsp.AssemblerRig.Request;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.BlockInfo.ImageGeometry;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.PayloadType;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Blocks of three parts: an image of 5 x 4 Mono8 (20 bytes), confidence of 5 x 2 (10 bytes), chunk data of 12 bytes.
 * They lie at 0, 24 and 40 of flow 0. Packet ids: 0 leader, 1 image, 2 confidence, 3 image, 4 chunk data, 5 trailer.
 */
class MultiPartAssemblyTest {
    private static final TestPackets STANDARD = TestPackets.standard(100);

    // Data type, length, format, reserved, source, zones, directions, purpose, region, type specific.
    private static final String IMAGE_PART = "0001 000000000014 01080001 0000 02 00 00000000 0003 0004"
            + "00000005 00000004 00000006 00000007 0000 0000 00000000";
    private static final String CONFIDENCE_PART = "0009 00000000000A 01080001 0000 02 00 00000000 0003 0005"
            + "00000005 00000002 00000000 00000000 0000 0000 00000000";
    private static final String CHUNK_PART =
            "000A 00000000000C 00000000 0000 00 00 00000000 0000 0000" + "00".repeat(24);

    private static final ImageGeometry IMAGE = new ImageGeometry(0x01080001, 5, 4, 6, 7, 0, 0);

    /** Status 0, flags 0, format with the bit for extended ids, part count, block id, packet id. */
    private static String header(int format, int partCount, long blockId, int packetId) {
        return "%04X%04X %02X 0000 %02X %016X %08X".formatted(0, 0, 0x80 | format, partCount, blockId, packetId);
    }

    private static ByteBuffer leader(long id, String... parts) {
        return hex(header(1, parts.length, id, 0), "0000 000A 0000000000000063", String.join("", parts));
    }

    private static ByteBuffer payload(long id, int packetId, String partAndZone, String offset, int value, int count) {
        return hex(
                header(7, 0, id, packetId),
                partAndZone,
                offset,
                "%02X".formatted(value).repeat(count));
    }

    private static ByteBuffer trailer(long id, int packetId, String... parts) {
        return hex(header(2, 0, id, packetId), "0000 000A", String.join("", parts));
    }

    private static List<ByteBuffer> block(long id) {
        return new ArrayList<>(List.of(
                leader(id, IMAGE_PART, CONFIDENCE_PART, CHUNK_PART),
                payload(id, 1, "0000", "000000000000", 0x11, 12),
                payload(id, 2, "0140", "000000000000", 0x22, 10),
                payload(id, 3, "0040", "00000000000C", 0x33, 8),
                payload(id, 4, "0240", "000000000000", 0x44, 12),
                trailer(
                        id,
                        5,
                        "0001 000000000014 00000004 00000000",
                        "0009 00000000000A 00000002 00000000",
                        "000A 00000000000C 00000000 00000000")));
    }

    /** As devices send it whose offsets count through the block. */
    private static List<ByteBuffer> blockWithOffsetsInBlock(long id) {
        List<ByteBuffer> packets = block(id);
        packets.set(2, payload(id, 2, "0140", "000000000014", 0x22, 10));
        packets.set(4, payload(id, 4, "0240", "00000000001E", 0x44, 12));
        return packets;
    }

    private static AssemblerRig rig() {
        return new AssemblerRig(AssemblerRig.settings(), 4, 64);
    }

    private static List<ByteBuffer> without(int... ids) {
        List<ByteBuffer> left = block(1);
        for (int i = ids.length - 1; i >= 0; i--) {
            left.remove(ids[i]);
        }
        return left;
    }

    private static void expectRange(FlowSet set, int from, int count, int value) {
        assertTrue(set.covered(0, from, count), "bytes from " + from);
        for (int i = from; i < from + count; i++) {
            assertEquals((byte) value, set.flow(0).get(i), "byte " + i);
        }
    }

    private static void expectWhole(FlowSet set) {
        BlockInfo block = set.block();
        assertEquals(Optional.empty(), block.incomplete());
        assertEquals(0, block.missingPackets());
        assertEquals(PayloadType.MULTI_PART, block.payloadType());
        assertEquals(0x63, block.timestampTicks());
        assertEquals(52, block.payloadBytes());
        assertEquals(Optional.empty(), block.chunk());
        assertEquals(
                List.of(
                        new BlockInfo.Part(1, 0, 20, 0x01080001, 2, 3, 4, 0, Optional.of(IMAGE)),
                        new BlockInfo.Part(
                                9,
                                24,
                                10,
                                0x01080001,
                                2,
                                3,
                                5,
                                0,
                                Optional.of(new ImageGeometry(0x01080001, 5, 2, 0, 0, 0, 0))),
                        new BlockInfo.Part(10, 40, 12, 0, 0, 0, 0, 0, Optional.empty())),
                block.parts());
        expectRange(set, 0, 12, 0x11);
        expectRange(set, 12, 8, 0x33);
        expectRange(set, 24, 10, 0x22);
        expectRange(set, 40, 12, 0x44);
        assertEquals(42, set.filledBytes(0));
    }

    // ---- Whole blocks

    @Test
    void partsLieOneBehindAnotherOnEightBytes() {
        AssemblerRig rig = rig().send(block(1));
        rig.onlyBlock();
        expectWhole(rig.frames.get(0));
        assertEquals(1, rig.count(Counter.FRAMES_COMPLETE));
        assertEquals(42, rig.count(Counter.BYTES_RECEIVED));
    }

    @Test
    void offsetsMayCountThroughTheBlock() {
        AssemblerRig rig = rig().send(blockWithOffsetsInBlock(1));
        rig.onlyBlock();
        expectWhole(rig.frames.get(0));
    }

    @Test
    void everyOrderOfPacketsGivesTheSameBlock() {
        Random random = new Random(5);
        AssemblerRig rig = rig();
        for (int id = 1; id <= 2000; id++) {
            List<ByteBuffer> packets = block(id);
            Collections.shuffle(packets, random);
            rig.send(packets);
            rig.onlyBlock();
            FlowSet set = rig.frames.remove(0);
            expectWhole(set);
            set.release();
        }
        assertEquals(0, rig.count(Counter.PACKETS_MALFORMED));
        assertEquals(List.of(), rig.requests);
    }

    @Test
    void blocksMayBeMixedPacketByPacket() {
        AssemblerRig rig = rig();
        for (int i = 0; i < 6; i++) {
            rig.send(block(1).get(i), block(2).get(i));
        }
        assertEquals(List.of(1L, 2L), rig.blockIds());
        rig.frames.forEach(MultiPartAssemblyTest::expectWhole);
    }

    @Test
    void duplicatesChangeNothing() {
        AssemblerRig rig = rig();
        for (ByteBuffer packet : block(1).subList(0, 5)) {
            rig.send(packet, packet);
        }
        rig.send(block(1).get(5));
        rig.onlyBlock();
        expectWhole(rig.frames.get(0));
        assertEquals(5, rig.count(Counter.PACKETS_DUPLICATE));
    }

    @Test
    void standardIdsCountPartsByTheLengthOfTheLeader() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings(), 4, 64);
        for (ByteBuffer packet : block(1)) {
            byte[] body = new byte[packet.capacity() - 20];
            packet.get(20, body);
            rig.send(STANDARD.packet(0, 0, packet.get(4) & 0x7F, 1, packet.getInt(16), body));
        }
        rig.onlyBlock();
        expectWhole(rig.frames.get(0));
    }

    @Test
    void compressedPartCarriesItsFlagsAndFormat() {
        String jpeg = "000B 000000000003 00000000 0000 00 00 00000000 0000 0000"
                + "81 000000 000000003B9ACA00 00000002 0000000000000000";
        AssemblerRig rig = rig().send(
                        leader(1, jpeg),
                        payload(1, 1, "0040", "000000000000", 7, 3),
                        trailer(1, 2, "000B 000000000003 00000000 00000000"));
        assertEquals(
                List.of(new BlockInfo.Part(11, 0, 3, 2, 0, 0, 0, 0x81, Optional.empty())),
                rig.onlyBlock().parts());
    }

    // ---- Sizes that vary

    @Test
    void trailerShortensParts() {
        List<ByteBuffer> packets = block(1).subList(0, 3);
        packets.add(payload(1, 3, "0240", "000000000000", 0x44, 8));
        packets.add(trailer(
                1,
                4,
                "0001 00000000000A 00000002 00000000",
                "0009 00000000000A 00000002 00000000",
                "000A 000000000008 00000000 00000000"));
        packets.set(1, payload(1, 1, "0040", "000000000000", 0x11, 10));
        AssemblerRig rig = rig().send(packets);
        BlockInfo block = rig.onlyBlock();
        assertTrue(block.complete());
        assertEquals(
                List.of(10L, 10L, 8L),
                block.parts().stream().map(BlockInfo.Part::lengthBytes).toList());
        assertEquals(
                List.of(0L, 24L, 40L),
                block.parts().stream().map(BlockInfo.Part::offsetBytes).toList());
        assertEquals(2, block.parts().get(0).image().orElseThrow().height());
        assertEquals(48, block.payloadBytes());
    }

    @Test
    void fewerLinesShortenAPartWhoseLengthTheTrailerRepeats() {
        AssemblerRig rig = rig().send(
                        leader(1, IMAGE_PART),
                        payload(1, 1, "0040", "000000000000", 0x11, 15),
                        trailer(1, 2, "0001 000000000014 00000003 00000000"));
        assertTrue(rig.onlyBlock().complete());
        assertEquals(15, rig.onlyBlock().parts().get(0).lengthBytes());
        assertEquals(3, rig.onlyBlock().parts().get(0).image().orElseThrow().height());
    }

    @Test
    void trailerThatTellsNothingOfPartsLeavesThemAsTheLeaderHasThem() {
        List<ByteBuffer> packets = block(1);
        packets.set(5, trailer(1, 5));
        AssemblerRig rig = rig().send(packets);
        rig.onlyBlock();
        expectWhole(rig.frames.get(0));
    }

    @Test
    void emptyPartOfTheTrailerIsEmptyOnlyIfNothingCame() {
        AssemblerRig rig = rig().send(
                        leader(1, IMAGE_PART, CHUNK_PART),
                        payload(1, 1, "0040", "000000000000", 0x11, 20),
                        trailer(1, 2, "0001 000000000000 00000000 00000000", "000A 000000000000 00000000 00000000"));
        assertTrue(rig.onlyBlock().complete());
        assertEquals(
                List.of(20L, 0L),
                rig.onlyBlock().parts().stream()
                        .map(BlockInfo.Part::lengthBytes)
                        .toList());
    }

    @Test
    void trailerThatTellsMoreThanTheLeaderContradictsIt() {
        List<ByteBuffer> packets = block(1);
        packets.set(5, trailer(1, 5, "0001 000000000015 00000004 00000000"));
        AssemblerRig rig = rig().send(packets);
        rig.expectIncomplete(IncompleteCause.CONTRADICTION, 0);
        assertEquals(20, rig.onlyBlock().parts().get(0).lengthBytes());
    }

    @Test
    void partWithLessThanPromisedIsNotWhole() {
        AssemblerRig rig = rig().send(
                        leader(1, IMAGE_PART),
                        payload(1, 1, "0040", "000000000000", 0x11, 19),
                        trailer(1, 2, "0001 000000000014 00000004 00000000"));
        rig.expectIncomplete(IncompleteCause.DATA_MISSING, 0);
    }

    // ---- Loss

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void lostPacketIsAskedForAndMakesTheBlockWhole(int lost) {
        AssemblerRig rig = rig().send(without(lost)).pass(1);
        assertEquals(List.of(new Request(1, lost, lost, true)), rig.requests);
        rig.send(TestPackets.extended(0).resent(block(1).get(lost)));
        rig.onlyBlock();
        expectWhole(rig.frames.get(0));
    }

    @Test
    void lostPartLeavesTheOthersCovered() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings().withResendEnabled(false), 4, 64);
        rig.send(without(2)).pass(20);
        rig.expectIncomplete(IncompleteCause.PACKETS_MISSING, 1);
        FlowSet set = rig.frames.get(0);
        assertEquals(3, set.block().parts().size());
        expectRange(set, 0, 12, 0x11);
        expectRange(set, 40, 12, 0x44);
        assertFalse(set.covered(0, 24, 1));
    }

    @Test
    void blockWithoutALeaderHasNoParts() {
        AssemblerRig rig = rig().send(without(0)).pass(200);
        rig.expectIncomplete(IncompleteCause.LEADER_MISSING, 1);
        assertEquals(List.of(), rig.onlyBlock().parts());
        expectRange(rig.frames.get(0), 0, 12, 0x11);
        assertEquals(20, rig.frames.get(0).filledBytes(0));
    }

    @Test
    void blockOfWhichNothingHadAPlaceIsDropped() {
        AssemblerRig rig = rig().send(block(1).get(2)).pass(200);
        assertEquals(List.of(), rig.frames);
        assertEquals(1, rig.count(Counter.FRAMES_DROPPED_UNUSABLE));
    }

    @Test
    void endOfABlockIsAskedForAfterSilence() {
        AssemblerRig rig = rig().send(block(1)).send(block(2).subList(0, 3)).pass(10);
        assertEquals(List.of(new Request(2, 3, 3, true)), rig.requests);
    }

    @Test
    void whatThereIsNoRoomToKeepBeforeTheLeaderIsAskedForAgain() {
        // Second part of 40 x 8000 bytes, of which no more than 32 packets may wait.
        String large = "0001 00000004E200 01080001 0000 00 00 00000000 0000 0000"
                + "00001F40 00000028 00000000 00000000 0000 0000 00000000";
        List<ByteBuffer> packets = new ArrayList<>();
        packets.add(leader(1, IMAGE_PART, large));
        packets.add(payload(1, 1, "0040", "000000000000", 0x11, 20));
        for (int i = 0; i < 40; i++) {
            packets.add(payload(1, 2 + i, "0100", "%012X".formatted(i * 8000), i, 8000));
        }
        packets.add(trailer(1, 42));
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings(), 2, 24 + 320_000);
        rig.send(packets.subList(1, 43)).pass(1);
        assertEquals(8, rig.count(Counter.PACKETS_WITHOUT_PLACE));
        assertEquals(List.of(new Request(1, 0, 0, true), new Request(1, 34, 41, true)), rig.requests);
        rig.send(packets.get(0)).send(packets.subList(34, 42));
        assertTrue(rig.onlyBlock().complete());
        for (int i = 0; i < 40; i++) {
            expectRange(rig.frames.get(0), 24 + i * 8000, 8000, i);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void lossReorderingAndDuplicatesNeverMakeAWrongBlock(long seed) {
        Random random = new Random(seed);
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings().withResendEnabled(seed % 2 == 0), 8, 64);
        List<ByteBuffer> waiting = new ArrayList<>();
        int whole = 0;
        for (int id = 1; id <= 1000; id++) {
            for (ByteBuffer packet : block(id)) {
                int fate = random.nextInt(100);
                if (fate >= 5) {
                    waiting.add(packet);
                }
                if (fate >= 97) {
                    waiting.add(packet);
                }
            }
            for (int i = 0; i + 1 < waiting.size(); i++) {
                if (random.nextInt(5) == 0) {
                    Collections.swap(waiting, i, Math.min(waiting.size() - 1, i + 1 + random.nextInt(4)));
                }
            }
            int now = Math.max(0, waiting.size() - random.nextInt(5));
            rig.send(waiting.subList(0, now));
            waiting.subList(0, now).clear();
            rig.pass(random.nextInt(8));
            for (FlowSet set : rig.frames) {
                if (set.block().complete()) {
                    expectWhole(set);
                    whole++;
                } else {
                    byte[] expected = new byte[52];
                    Arrays.fill(expected, 0, 12, (byte) 0x11);
                    Arrays.fill(expected, 12, 20, (byte) 0x33);
                    Arrays.fill(expected, 24, 34, (byte) 0x22);
                    Arrays.fill(expected, 40, 52, (byte) 0x44);
                    for (int i = 0; i < 52; i++) {
                        if (set.covered(0, i, 1)) {
                            assertEquals(expected[i], set.flow(0).get(i), "byte " + i);
                        }
                    }
                }
                set.release();
            }
            rig.frames.clear();
        }
        assertEquals(0, rig.count(Counter.PACKETS_MALFORMED));
        assertTrue(whole > 500, () -> rig.statistics.toString());
    }

    // ---- Hostile leaders and packets

    @Test
    void leaderWithoutPartsOrWithLessThanItsPartsIsMalformed() {
        AssemblerRig rig = rig();
        rig.send(hex(header(1, 0, 1, 0), "0000 000A 0000000000000063", IMAGE_PART));
        rig.send(hex(header(1, 2, 1, 0), "0000 000A 0000000000000063", IMAGE_PART, CHUNK_PART.substring(2)));
        rig.send(hex(header(1, 255, 1, 0), "0000 000A 0000000000000063", IMAGE_PART));
        assertEquals(3, rig.count(Counter.PACKETS_MALFORMED));
        assertEquals(0, rig.assembler.openBlocks());
    }

    @Test
    void partsBeyondTheFlowAreToldWithoutLeadingBeyondIt() {
        String huge = "0001 FFFFFFFFFFFF 01080001 0000 00 00 00000000 0000 0000"
                + "FFFFFFFF FFFFFFFF 00000000 00000000 0000 0000 00000000";
        String[] parts = new String[255];
        Arrays.fill(parts, huge);
        AssemblerRig rig = rig().send(
                        leader(1, parts),
                        payload(1, 1, "0000", "000000000000", 0x11, 12),
                        payload(1, 2, "FE00", "FFFFFFFFFFF0", 0x22, 12),
                        trailer(1, 3));
        rig.expectIncomplete(IncompleteCause.DATA_LARGER_THAN_FLOW_SET, 0);
        FlowSet set = rig.frames.get(0);
        assertEquals(255, set.block().parts().size());
        for (BlockInfo.Part part : set.block().parts()) {
            assertTrue(part.offsetBytes() + part.lengthBytes() <= 64, part.toString());
        }
        assertEquals(12, set.filledBytes(0));
    }

    @Test
    void packetOfAPartThatThereIsNotIsMalformed() {
        AssemblerRig rig = rig().send(block(1).get(0), payload(1, 1, "0300", "000000000000", 0x11, 12));
        assertEquals(1, rig.count(Counter.PACKETS_MALFORMED));
        rig.send(block(1).subList(1, 6));
        rig.onlyBlock();
        expectWhole(rig.frames.get(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"000000000009", "000000000015", "FFFFFFFFFFFF", "800000000000"})
    void packetThatLeavesItsPartIsMalformed(String offset) {
        AssemblerRig rig = rig().send(block(1).get(0), payload(1, 1, "0000", offset, 0x66, 12));
        assertEquals(1, rig.count(Counter.PACKETS_MALFORMED));
        rig.send(block(1).subList(1, 6));
        rig.onlyBlock();
        expectWhole(rig.frames.get(0));
    }

    @Test
    void packetThatWaitedForALeaderItDoesNotFitIsMalformedAndAskedForAgain() {
        AssemblerRig rig = rig().send(payload(1, 2, "0300", "000000000000", 0x66, 10))
                .send(without(2))
                .pass(1);
        assertEquals(1, rig.count(Counter.PACKETS_MALFORMED));
        assertEquals(List.of(new Request(1, 2, 2, true)), rig.requests);
        rig.send(block(1).get(2));
        rig.onlyBlock();
        expectWhole(rig.frames.get(0));
    }

    @Test
    void leaderThatContradictsTheFirstPartIsMalformed() {
        AssemblerRig rig = rig().send(payload(1, 1, "0000", "00000000000A", 0x11, 11), block(1).get(0));
        assertEquals(1, rig.count(Counter.PACKETS_MALFORMED));
        rig.pass(200);
        rig.expectIncomplete(IncompleteCause.LEADER_MISSING, rig.onlyBlock().missingPackets());
    }

    @Test
    void packetsOfAnotherPayloadDoNotFitIn() {
        AssemblerRig rig = rig().send(block(1).get(0));
        rig.send(hex(header(3, 0, 1, 1), "0011 2233 4455 6677 8899"));
        rig.send(hex(header(6, 0, 1, 1), "0000 000000000000 55"));
        rig.send(hex(header(8, 0, 1, 1), "00000001 0000000000000000 00 00 0000 55"));
        assertEquals(3, rig.count(Counter.PACKETS_MALFORMED));
        rig.send(block(1).subList(1, 6));
        rig.onlyBlock();
        expectWhole(rig.frames.get(0));
    }
}
