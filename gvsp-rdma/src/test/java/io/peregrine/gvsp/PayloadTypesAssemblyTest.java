package io.peregrine.gvsp;

import static io.peregrine.gvsp.TestPackets.hex;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.gvsp.AssemblerRig.Request;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.BlockInfo.ChunkRange;
import io.peregrine.stream.BlockInfo.Compression;
import io.peregrine.stream.BlockInfo.H264Parameters;
import io.peregrine.stream.BlockInfo.ImageGeometry;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Payload types beside plain images, multi-part and GenDC, in packets written by hand. Every block has the id 1 in a
 * standard header: status, block id, format, packet id.
 */
class PayloadTypesAssemblyTest {
    private static final ImageGeometry IMAGE = new ImageGeometry(0x01080001, 4, 2, 0, 0, 0, 0);
    private static final String GEOMETRY = "01080001 00000004 00000002 00000000 00000000 0000 0000";
    private static final String TIME = "0000000000000063";

    /** A block, what it must become, and the bytes of flow 0. */
    record Sample(String name, List<ByteBuffer> packets, BlockInfo whole, String flow) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static BlockInfo info(
            int type,
            long ticks,
            long bytes,
            Optional<ImageGeometry> image,
            Optional<ChunkRange> chunk,
            Optional<Compression> compression) {
        return new BlockInfo(1, type, ticks, bytes, image, 0, Optional.empty(), 0, List.of(), chunk, compression);
    }

    private static final Sample CHUNK = new Sample(
            "chunk data",
            List.of(
                    hex("0000 0001 01 000000 0000 0004", TIME),
                    hex("0000 0001 03 000001 0102030405060708 0000000A"),
                    hex("0000 0001 03 000002 00000008"),
                    hex("0000 0001 02 000003 0000 0004 00000010")),
            info(4, 0x63, 16, Optional.empty(), Optional.of(new ChunkRange(0, 16, 0)), Optional.empty()),
            "0102030405060708 0000000A 00000008");

    private static final Sample EXTENDED_CHUNK = new Sample(
            "extended chunk data",
            List.of(
                    hex("0000 0001 01 000000 0000 0005", TIME, GEOMETRY),
                    hex("0000 0001 03 000001 0102030405060708 0000000A"),
                    hex("0000 0001 03 000002 00000008"),
                    hex("0000 0001 02 000003 0000 0005 00000010 00000002 00000BAD")),
            info(5, 0x63, 16, Optional.of(IMAGE), Optional.of(new ChunkRange(0, 16, 0xBAD)), Optional.empty()),
            "0102030405060708 0000000A 00000008");

    private static final Sample IMAGE_WITH_CHUNKS = new Sample(
            "image with chunk data",
            List.of(
                    hex("0000 0001 01 000000 0000 4001", TIME, GEOMETRY),
                    hex("0000 0001 03 000001 0102030405060708 AABBCCDD 0000000A"),
                    hex("0000 0001 03 000002 00000004"),
                    hex("0000 0001 02 000003 0000 4001 00000002 0000000C 00000BAD")),
            info(0x4001, 0x63, 20, Optional.of(IMAGE), Optional.of(new ChunkRange(8, 12, 0xBAD)), Optional.empty()),
            "0102030405060708 AABBCCDD 0000000A 00000004");

    private static final Sample IMAGE_AS_FIRST_CHUNK = new Sample(
            "image with chunk data, the image being the first chunk",
            List.of(
                    hex("0000 0001 01 000000 0000 4001", TIME, GEOMETRY),
                    hex("0000 0001 03 000001 0102030405060708 A5000000 00000008"),
                    hex("0000 0001 03 000002 AABBCCDD 0000000A 00000004"),
                    hex("0000 0001 02 000003 0000 4001 00000002 0000001C 00000BAD")),
            info(0x4001, 0x63, 28, Optional.of(IMAGE), Optional.of(new ChunkRange(0, 28, 0xBAD)), Optional.empty()),
            "0102030405060708 A5000000 00000008 AABBCCDD 0000000A 00000004");

    private static final Sample JPEG = new Sample(
            "JPEG",
            List.of(
                    hex("0000 0001 01 000000 0000 0006", TIME, "0000000000000007 000000003B9ACA00 00000002"),
                    hex("0000 0001 03 000001 FFD8FF"),
                    hex("0000 0001 03 000002 112233"),
                    hex("0000 0001 03 000003 D9"),
                    hex("0000 0001 02 000004 0000 0006")),
            info(
                    6,
                    0x63,
                    7,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(new Compression(2, 1_000_000_000, Optional.empty()))),
            "FFD8FF 112233 D9");

    private static final Sample H264 = new Sample(
            "H.264",
            List.of(
                    hex(
                            "0000 0001 01 000000 0000 0008 0000000000000007 00 01 0578 00 42 A0 1E 0002 0003 00000004",
                            "00000005"),
                    hex("0000 0001 05 000001", TIME, "01"),
                    hex("0000 0001 05 000002", TIME, "02030405"),
                    hex("0000 0001 05 000003", TIME, "0607"),
                    hex("0000 0001 02 000004 0000 0008")),
            info(
                    8,
                    0x63,
                    7,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(new Compression(0, 0, Optional.of(new H264Parameters(1, 0x42, 5, 0x1E, 2, 3, 4, 5))))),
            "01 02030405 0607");

    private static final Sample FILE = new Sample(
            "file",
            List.of(
                    hex("0000 0001 01 000000 0000 0003", TIME, "0000000000000004 612E747874 00"),
                    hex("0000 0001 03 000001 746578"),
                    hex("0000 0001 03 000002 74"),
                    hex("0000 0001 02 000003 0000 0003")),
            file("a.txt"),
            "74657874");

    private static BlockInfo file(String name) {
        return new BlockInfo(
                1,
                3,
                0x63,
                4,
                Optional.empty(),
                0,
                Optional.empty(),
                0,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(name));
    }

    private static final Sample MULTI_ZONE = new Sample(
            "multi-zone",
            List.of(
                    hex("0000 0001 01 000000 0000 0009", TIME, "40000000", GEOMETRY),
                    hex("0000 0001 06 000001 0000 000000000000 0102"),
                    hex("0000 0001 06 000002 0003 000000000004 05060708"),
                    hex("0000 0001 06 000003 0001 000000000002 0304"),
                    hex("0000 0001 02 000004 0000 0009 00000002")),
            info(9, 0x63, 8, Optional.of(IMAGE), Optional.empty(), Optional.empty()),
            "0102030405060708");

    static Stream<Sample> samples() {
        return Stream.of(CHUNK, EXTENDED_CHUNK, IMAGE_WITH_CHUNKS, IMAGE_AS_FIRST_CHUNK, JPEG, H264, FILE, MULTI_ZONE);
    }

    private static AssemblerRig rig() {
        return new AssemblerRig(AssemblerRig.settings(), 4, 64);
    }

    private static void expectWhole(AssemblerRig rig, BlockInfo whole, String flow) {
        assertEquals(whole, rig.onlyBlock());
        byte[] expected = HexFormat.of().parseHex(flow.replace(" ", ""));
        byte[] actual = new byte[expected.length];
        FlowSet set = rig.frames.get(0);
        set.flow(0).get(0, actual);
        assertArrayEquals(expected, actual);
        assertTrue(set.covered(0, 0, expected.length));
        assertEquals(expected.length, set.filledBytes(0));
        assertEquals(0, rig.count(Counter.PACKETS_MALFORMED));
    }

    @ParameterizedTest
    @CsvSource({"C3A4 00 61, ä", "6162, ab", "00, ''", "'', ''"})
    void fileNameEndsWithAZeroOrTheLeader(String name, String expected) {
        AssemblerRig rig = rig().send(
                        hex("0000 0001 01 000000 0000 0003", TIME, "0000000000000001", name),
                        hex("0000 0001 03 000001 74"),
                        hex("0000 0001 02 000002 0000 0003"));
        assertEquals(expected, rig.onlyBlock().fileName().orElse(""));
    }

    // ---- Each of them

    @ParameterizedTest
    @MethodSource("samples")
    void blockInOrderIsWhole(Sample sample) {
        expectWhole(rig().send(sample.packets), sample.whole, sample.flow);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void duplicatesChangeNothing(Sample sample) {
        AssemblerRig rig = rig();
        int last = sample.packets.size() - 1;
        for (ByteBuffer packet : sample.packets.subList(0, last)) {
            rig.send(packet, packet);
        }
        expectWhole(rig.send(sample.packets.get(last)), sample.whole, sample.flow);
        assertEquals(last, rig.count(Counter.PACKETS_DUPLICATE));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void everyLostPacketIsAskedForAndMakesTheBlockWhole(Sample sample) {
        boolean samePacketSizes = sample.packets.get(1).get(4) == 3;
        for (int lost = 0; lost < sample.packets.size() - 1; lost++) {
            if (lost == 1 && samePacketSizes) {
                // It tells the size of those that follow.
                continue;
            }
            AssemblerRig rig = rig();
            List<ByteBuffer> left = new ArrayList<>(sample.packets);
            ByteBuffer missing = left.remove(lost);
            rig.send(left).pass(1);
            assertEquals(List.of(new Request(1, lost, lost, false)), rig.requests);
            expectWhole(rig.send(missing), sample.whole, sample.flow);
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void lostPacketThatNeverComesLeavesTheBlockIncomplete(Sample sample) {
        AssemblerRig rig = rig();
        List<ByteBuffer> left = new ArrayList<>(sample.packets);
        left.remove(2);
        rig.send(left).pass(200);
        rig.expectIncomplete(IncompleteCause.PACKETS_MISSING, 1);
        assertTrue(rig.frames.get(0).filledBytes(0) > 0);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void anyOrderGivesTheSameBlockOnceThePacketSizeIsKnown(Sample sample) {
        Random random = new Random(9);
        AssemblerRig rig = rig();
        for (int round = 0; round < 50; round++) {
            List<ByteBuffer> packets = new ArrayList<>(sample.packets.subList(2, sample.packets.size()));
            Collections.shuffle(packets, random);
            rig.send(sample.packets.subList(0, 2)).send(packets);
            expectWhole(rig, sample.whole, sample.flow);
            rig.frames.remove(0).release();
            rig.assembler.end();
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void packetsOfAnotherFormatDoNotFitIn(Sample sample) {
        AssemblerRig rig = rig().send(sample.packets.get(0));
        int format = sample.packets.get(1).get(4);
        int others = 0;
        for (int other : new int[] {3, 5, 6, 7, 8}) {
            if (other != format) {
                rig.send(hex("0000 0001 %02X 000001".formatted(other), "00".repeat(20)));
                others++;
            }
        }
        assertEquals(others, rig.count(Counter.PACKETS_MALFORMED));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void leaderThatIsCutShortIsMalformed(Sample sample) {
        ByteBuffer leader = sample.packets.get(0);
        int least = 8 + GvspLeader.minimumLengthBytes(leader.getShort(10));
        AssemblerRig rig = rig().send(leader.duplicate().limit(least - 1));
        assertEquals(1, rig.count(Counter.PACKETS_MALFORMED));
        assertEquals(0, rig.assembler.openBlocks());
    }

    // ---- Chunk data

    @Test
    void trailerCutsWhatTheLastPacketHasBehindChunkData() {
        AssemblerRig rig = rig().send(
                        hex("0000 0001 01 000000 0000 0004", TIME),
                        hex("0000 0001 03 000001 AABBCCDD 0000000A 00000004 00000000"),
                        hex("0000 0001 02 000002 0000 0004 0000000C"));
        assertTrue(rig.onlyBlock().complete());
        assertEquals(12, rig.onlyBlock().payloadBytes());
        assertEquals(Optional.of(new ChunkRange(0, 12, 0)), rig.onlyBlock().chunk());
    }

    @Test
    void chunkDataShorterThanItsTrailerTellsIsNotWhole() {
        AssemblerRig rig = rig().send(
                        hex("0000 0001 01 000000 0000 0004", TIME),
                        hex("0000 0001 03 000001 AABBCCDD 0000000A 00000004"),
                        hex("0000 0001 02 000002 0000 0004 0000000D"));
        rig.expectIncomplete(IncompleteCause.DATA_MISSING, 0);
    }

    @Test
    void chunkDataWithoutItsEndIsNotTold() {
        AssemblerRig rig = rig().send(IMAGE_WITH_CHUNKS.packets.subList(0, 2)).pass(200);
        assertFalse(rig.onlyBlock().complete());
        assertEquals(Optional.of(IMAGE), rig.onlyBlock().image());
        assertEquals(Optional.empty(), rig.onlyBlock().chunk());
    }

    @Test
    void chunkDataBehindAnImageWithAGapIsTold() {
        AssemblerRig rig = rig().send(
                        hex("0000 0001 01 000000 0000 4001", TIME, GEOMETRY),
                        hex("0000 0001 03 000001 01020304"),
                        hex("0000 0001 03 000003 AABBCCDD"),
                        hex("0000 0001 03 000004 0000000A"),
                        hex("0000 0001 03 000005 00000004"),
                        hex("0000 0001 02 000006 0000 4001 00000002 0000000C 00000007"))
                .pass(200);
        rig.expectIncomplete(IncompleteCause.PACKETS_MISSING, 1);
        assertEquals(Optional.of(new ChunkRange(8, 12, 7)), rig.onlyBlock().chunk());
        assertTrue(rig.frames.get(0).covered(0, 8, 12));
    }

    @Test
    void chunkDataOfAShortenedImageFollowsItsLastLine() {
        AssemblerRig rig = rig().send(
                        hex("0000 0001 01 000000 0000 4001", TIME, GEOMETRY),
                        hex("0000 0001 03 000001 01020304 AABBCCDD 0000000A 00000004"),
                        hex("0000 0001 02 000002 0000 4001 00000001 0000000C 00000007"));
        assertTrue(rig.onlyBlock().complete());
        assertEquals(1, rig.onlyBlock().image().orElseThrow().height());
        assertEquals(Optional.of(new ChunkRange(4, 12, 7)), rig.onlyBlock().chunk());
    }

    @Test
    void trailerWithoutItsLastBytesLeavesWhatIsBehindTheImage() {
        AssemblerRig rig =
                rig().send(IMAGE_WITH_CHUNKS.packets.subList(0, 3)).send(hex("0000 0001 02 000003 0000 4001 00000002"));
        assertEquals(Optional.of(new ChunkRange(8, 12, 0)), rig.onlyBlock().chunk());
    }

    @Test
    void chunkBitWithoutChunkDataIsAnImage() {
        AssemblerRig rig = rig().send(
                        hex("0000 0001 01 000000 0000 4001", TIME, GEOMETRY),
                        hex("0000 0001 03 000001 0102030405060708"),
                        hex("0000 0001 02 000002 0000 4001 00000002 00000000 00000000"));
        assertTrue(rig.onlyBlock().complete());
        assertEquals(Optional.empty(), rig.onlyBlock().chunk());
    }

    @Test
    void imageThatIsAChunkItselfBelongsToTheChunkData() {
        AssemblerRig rig = rig().send(
                        hex("0000 0001 01 000000 0000 4001", TIME, GEOMETRY),
                        hex("0000 0001 03 000001 0102030405060708 0000000A 00000008"),
                        hex("0000 0001 02 000002 0000 4001 00000002 00000010 00000007"));
        assertTrue(rig.onlyBlock().complete());
        assertEquals(Optional.of(new ChunkRange(0, 16, 7)), rig.onlyBlock().chunk());
    }

    @Test
    void chunkDataThatIsSaidToBeLargerThanTheBlockIsNotTold() {
        AssemblerRig rig = rig().send(IMAGE_WITH_CHUNKS.packets.subList(0, 3))
                .send(hex("0000 0001 02 000003 0000 4001 00000002 FFFFFFFF 00000007"));
        rig.expectIncomplete(IncompleteCause.DATA_MISSING, 0);
        assertEquals(Optional.empty(), rig.onlyBlock().chunk());
    }

    @Test
    void trailerOfAnotherPayloadTypeContradictsAndTellsNothing() {
        AssemblerRig rig = rig().send(
                        hex("0000 0001 01 000000 0000 0001", TIME, GEOMETRY),
                        hex("0000 0001 03 000001 0102030405060708"),
                        hex("0000 0001 02 000002 0000 0004 00000001"));
        rig.expectIncomplete(IncompleteCause.CONTRADICTION, 0);
        assertEquals(Optional.of(IMAGE), rig.onlyBlock().image());
    }

    // ---- H.264

    @Test
    void whatComesBehindALostPacketOfEncodedDataIsNotPutInItsPlace() {
        AssemblerRig rig = rig().send(
                        H264.packets.get(0), H264.packets.get(1), H264.packets.get(3), H264.packets.get(4))
                .pass(200);
        rig.expectIncomplete(IncompleteCause.PACKETS_MISSING, 1);
        assertEquals(1, rig.frames.get(0).filledBytes(0));
        assertEquals(1, rig.frames.get(0).flow(0).get(0));
    }

    @Test
    void morePacketsBeforeTheirTurnThanThereIsRoomForAreAskedForAgain() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings(), 2, 2000).send(H264.packets.get(0));
        for (int id = 2; id <= 1030; id++) {
            rig.send(hex("0000 0001 05 %06X".formatted(id), TIME, "%02X".formatted(id & 0xFF)));
        }
        assertEquals(5, rig.count(Counter.PACKETS_WITHOUT_PLACE));
        rig.pass(1);
        assertEquals(List.of(new Request(1, 1, 1, false), new Request(1, 1026, 1030, false)), rig.requests);
        rig.send(hex("0000 0001 05 000001", TIME, "01"));
        for (int id = 1026; id <= 1030; id++) {
            rig.send(hex("0000 0001 05 %06X".formatted(id), TIME, "%02X".formatted(id & 0xFF)));
        }
        rig.send(hex("0000 0001 02 000407 0000 0008"));
        assertTrue(rig.onlyBlock().complete());
        for (int id = 1; id <= 1030; id++) {
            assertEquals((byte) id, rig.frames.get(0).flow(0).get(id - 1));
        }
    }

    // ---- Multi-zone

    @Test
    void zoneBeyondTheFlowIsNotStored() {
        AssemblerRig rig = rig().send(
                        hex("0000 0001 01 000000 0000 0009", TIME, "00000000", GEOMETRY),
                        hex("0000 0001 06 000001 0001 00000000003E 01020304"),
                        hex("0000 0001 06 000002 0001 FFFFFFFFFFFF 01020304"),
                        hex("0000 0001 02 000003 0000 0009 00000002"));
        rig.expectIncomplete(IncompleteCause.DATA_LARGER_THAN_FLOW_SET, 0);
        assertEquals(2, rig.frames.get(0).filledBytes(0));
    }

    @Test
    void gapBetweenZonesIsNotWhole() {
        AssemblerRig rig = rig().send(
                        hex("0000 0001 01 000000 0000 0009", TIME, "00000000", GEOMETRY),
                        hex("0000 0001 06 000001 0001 000000000000 010203"),
                        hex("0000 0001 06 000002 0001 000000000004 05060708"),
                        hex("0000 0001 02 000003 0000 0009 00000002"));
        rig.expectIncomplete(IncompleteCause.DATA_MISSING, 0);
    }

    // ---- All in one packet

    static Stream<Sample> allIn() {
        return Stream.of(
                new Sample(
                        "image",
                        List.of(hex(
                                "0000 0001 04 000000 0000 0001",
                                TIME,
                                GEOMETRY,
                                "0000 0001 00000002 0102030405060708")),
                        info(1, 0x63, 8, Optional.of(IMAGE), Optional.empty(), Optional.empty()),
                        "0102030405060708"),
                new Sample(
                        "image with chunk data",
                        List.of(hex(
                                "0000 0001 04 000000 0000 4001",
                                TIME,
                                GEOMETRY,
                                "0000 4001 00000002 0000000C 00000007 0102030405060708 AABBCCDD 0000000A 00000004")),
                        info(
                                0x4001,
                                0x63,
                                20,
                                Optional.of(IMAGE),
                                Optional.of(new ChunkRange(8, 12, 7)),
                                Optional.empty()),
                        "0102030405060708 AABBCCDD 0000000A 00000004"),
                new Sample(
                        "chunk data",
                        List.of(hex(
                                "0000 0001 04 000000 0000 0004",
                                TIME,
                                "0000 0004 0000000C AABBCCDD 0000000A 00000004")),
                        info(4, 0x63, 12, Optional.empty(), Optional.of(new ChunkRange(0, 12, 0)), Optional.empty()),
                        "AABBCCDD 0000000A 00000004"),
                new Sample(
                        "extended chunk data",
                        List.of(hex(
                                "0000 0001 04 000000 0000 0005",
                                TIME,
                                GEOMETRY,
                                "0000 0005 00000010 00000002 00000009 0102030405060708 0000000A 00000008")),
                        info(5, 0x63, 16, Optional.of(IMAGE), Optional.of(new ChunkRange(0, 16, 9)), Optional.empty()),
                        "0102030405060708 0000000A 00000008"),
                new Sample(
                        "raw data",
                        List.of(hex("0000 0001 04 000000 0000 0002", TIME, "0000000000000003 0000 0002 010203")),
                        info(2, 0x63, 3, Optional.empty(), Optional.empty(), Optional.empty()),
                        "010203"),
                new Sample(
                        "file",
                        List.of(hex(
                                "0000 0001 04 000000 0000 0003",
                                TIME,
                                "0000000000000004 612E747874 00 0000 0003 74657874")),
                        file("a.txt"),
                        "74657874"),
                new Sample(
                        "H.264",
                        List.of(hex(
                                "0000 0001 04 000000 0000 0008 0000000000000007 00 01 0578 00 42 A0 1E 0002 0003",
                                "00000004 00000005 0000 0008",
                                TIME,
                                "01020304")),
                        info(
                                8,
                                0x63,
                                4,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(new Compression(
                                        0, 0, Optional.of(new H264Parameters(1, 0x42, 5, 0x1E, 2, 3, 4, 5))))),
                        "01020304"),
                new Sample(
                        "multi-zone",
                        List.of(hex(
                                "0000 0001 04 000000 0000 0009",
                                TIME,
                                "00000000",
                                GEOMETRY,
                                "0000 0009 00000002 0001 000000000000 0102030405060708")),
                        info(9, 0x63, 8, Optional.of(IMAGE), Optional.empty(), Optional.empty()),
                        "0102030405060708"));
    }

    @ParameterizedTest
    @MethodSource("allIn")
    void onePacketIsAWholeBlock(Sample sample) {
        AssemblerRig rig = rig().send(sample.packets);
        expectWhole(rig, sample.whole, sample.flow);
        assertEquals(0, rig.assembler.openBlocks());
        rig.send(sample.packets);
        assertEquals(1, rig.count(Counter.PACKETS_LATE));
    }

    @ParameterizedTest
    @MethodSource("allIn")
    void onePacketThatIsCutShortIsNeverAWholeBlock(Sample sample) {
        ByteBuffer packet = sample.packets.get(0);
        for (int length = 0; length < packet.capacity(); length++) {
            AssemblerRig rig = rig().send(packet.duplicate().limit(length));
            for (FlowSet set : rig.frames) {
                // Nobody knows how long encoded data is, but for its end.
                assertTrue(
                        set.block().incomplete().isPresent()
                                || set.block().compression().isPresent(),
                        "cut to " + length);
            }
        }
    }

    @Test
    void blocksOfOnePacketFollowEachOther() {
        ByteBuffer second = hex("0000 0002 04 000000 0000 0001", TIME, GEOMETRY, "0000 0001 00000002 1112131415161718");
        AssemblerRig rig = rig().send(allIn().findFirst().orElseThrow().packets).send(second);
        assertEquals(List.of(1L, 2L), rig.blockIds());
        assertEquals(2, rig.count(Counter.FRAMES_COMPLETE));
        assertEquals(0x18, rig.frames.get(1).flow(0).get(7));
    }

    @Test
    void onePacketForABlockThatHasOthersIsMalformed() {
        AssemblerRig rig = rig().send(IMAGE_WITH_CHUNKS.packets.get(0))
                .send(allIn().findFirst().orElseThrow().packets);
        assertEquals(1, rig.count(Counter.PACKETS_MALFORMED));
        rig.send(IMAGE_WITH_CHUNKS.packets.subList(1, 4));
        assertTrue(rig.onlyBlock().complete());
    }

    @Test
    void partsAndContainersDoNotComeInOnePacket() {
        AssemblerRig rig = rig().send(
                        hex("0000 0001 04 000000 0000 000A", TIME, "00".repeat(80)),
                        hex("0000 0001 04 000000 0000 000B", TIME, "00".repeat(80)),
                        hex("0000 0001 04 000000 0000 8001", TIME, "00".repeat(80)));
        assertEquals(3, rig.count(Counter.PACKETS_MALFORMED));
    }

    @Test
    void containerWithTheBitForChunkDataIsNoLeader() {
        AssemblerRig rig = rig().send(hex("0000 0001 01 000000 0000 400B", TIME, "00".repeat(16)));
        assertEquals(1, rig.count(Counter.PACKETS_MALFORMED));
    }

    @Test
    void leaderThatDoesNotFitIntoAPacketIsGivenUpAtOnce() {
        AssemblerRig rig = rig().send(CHUNK.packets.subList(1, 4))
                .send(hex("8017 0001 01 000000"))
                .pass(1);
        rig.expectIncomplete(IncompleteCause.LEADER_MISSING, 1);
        assertEquals(1, rig.count(Counter.RESENDS_UNAVAILABLE));
    }
}
