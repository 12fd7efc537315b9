package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.gvsp.AssemblerRig.Request;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.PayloadType;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.StreamDiagnosis;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Images of 20 x 23 Mono8: 460 bytes in 5 payload packets of 100, the last one of 60; leader 0, trailer 6. */
class FrameAssemblerTest {
    private static final int WIDTH = 20;
    private static final int HEIGHT = 23;
    private static final int BYTES = WIDTH * HEIGHT;
    private static final TestPackets STANDARD = TestPackets.standard(100);
    private static final TestPackets EXTENDED = TestPackets.extended(88);

    private static List<ByteBuffer> image(long blockId) {
        return new ArrayList<>(STANDARD.image(blockId, WIDTH, HEIGHT));
    }

    private static List<ByteBuffer> without(List<ByteBuffer> packets, int... ids) {
        List<ByteBuffer> left = new ArrayList<>(packets);
        for (int i = ids.length - 1; i >= 0; i--) {
            left.remove(ids[i]);
        }
        return left;
    }

    private static AssemblerRig rig() {
        return new AssemblerRig(AssemblerRig.settings(), 6, 600);
    }

    private static AssemblerRig rigWithoutResend() {
        return new AssemblerRig(AssemblerRig.settings().withResendEnabled(false), 6, 600);
    }

    // ---- Whole blocks

    @Test
    void imageInOrderIsWholeAndCarriesItsLeader() {
        AssemblerRig rig = rig().send(image(1));
        rig.expectComplete(0, BYTES);
        BlockInfo block = rig.onlyBlock();
        assertEquals(PayloadType.IMAGE, block.payloadType());
        assertEquals(1001, block.timestampTicks());
        assertEquals(
                Optional.of(new BlockInfo.ImageGeometry(TestPackets.MONO8, WIDTH, HEIGHT, 0, 0, 0, 0)), block.image());
        assertEquals(7, rig.count(Counter.PACKETS_RECEIVED));
        assertEquals(BYTES, rig.count(Counter.BYTES_RECEIVED));
        assertEquals(1, rig.count(Counter.FRAMES_COMPLETE));
    }

    @Test
    void endOfABlockIsExpectedByTheTimeThatTheBlockBeforeItTook() {
        AssemblerRig rig = rig();
        assertEquals(PacketSink.NO_BLOCK, rig.assembler.nanosToEnd(rig.now));
        List<ByteBuffer> first = image(1);
        rig.send(first.subList(0, 3)).pass(1);
        assertEquals(PacketSink.END_UNKNOWN, rig.assembler.nanosToEnd(rig.now));
        rig.send(first.subList(3, 7)).pass(10);
        assertEquals(PacketSink.NO_BLOCK, rig.assembler.nanosToEnd(rig.now));
        rig.send(image(2).subList(0, 1));
        assertEquals(AssemblerRig.MILLI, rig.assembler.nanosToEnd(rig.now));
        assertEquals(0, rig.assembler.nanosToEnd(rig.now + 3 * AssemblerRig.MILLI));
    }

    @Test
    void aBlockThatIsAskedAboutLateIsStillTheOneThatWasDelivered() {
        AssemblerRig rig = rig();
        for (int round = 0; round < 2; round++) {
            int firstId = 6 * round + 1;
            for (int i = 0; i < 6; i++) {
                rig.send(STANDARD.image(firstId + i, WIDTH, HEIGHT - i - round));
            }
            for (int i = 0; i < 6; i++) {
                BlockInfo block = rig.frames.get(i).block();
                assertEquals(firstId + i, block.blockId());
                assertEquals(1000 + firstId + i, block.timestampTicks());
                assertEquals(HEIGHT - i - round, block.image().orElseThrow().height());
                assertTrue(block.complete());
            }
            rig.frames.forEach(FlowSet::release);
            rig.frames.clear();
        }
    }

    @Test
    void nothingIsToldAboutABlockThatWasGivenBack() {
        AssemblerRig rig = rig().send(image(1));
        FlowSet set = rig.frames.get(0);
        set.release();

        assertThrows(IllegalStateException.class, set::block);
    }

    @Test
    void imageWithExtendedIdsIsWhole() {
        long id = 0x0123_4567_89AB_CDEFL;
        AssemblerRig rig = rig().send(EXTENDED.image(id, WIDTH, HEIGHT));
        rig.expectComplete(0, BYTES);
        assertEquals(id, rig.onlyBlock().blockId());
    }

    @Test
    void everyOrderOfPacketsGivesTheSameImageOnceThePacketSizeIsKnown() {
        Random random = new Random(7);
        AssemblerRig rig = rig();
        rig.send(image(1));
        rig.frames.remove(0).release();
        for (int block = 2; block < 500; block++) {
            List<ByteBuffer> packets = image(block);
            Collections.shuffle(packets, random);
            rig.send(packets);
            rig.expectComplete(0, BYTES);
            rig.frames.remove(0).release();
        }
        assertEquals(0, rig.count(Counter.PACKETS_MALFORMED));
        assertEquals(0, rig.count(Counter.BLOCK_ID_GAPS));
    }

    @Test
    void trailerThatTellsNoHeightIsAccepted() {
        List<ByteBuffer> packets = image(1);
        packets.set(6, STANDARD.imageTrailer(1, 6, 0));
        AssemblerRig rig = rig().send(packets);
        rig.expectComplete(0, BYTES);
        assertEquals(HEIGHT, rig.onlyBlock().image().orElseThrow().height());
    }

    @Test
    void trailerWithFewerLinesShortensTheImage() {
        List<ByteBuffer> packets = image(1).subList(0, 4);
        packets.add(STANDARD.imageTrailer(1, 4, 15));
        AssemblerRig rig = rig().send(packets);
        rig.expectComplete(0, 300);
        assertEquals(15, rig.onlyBlock().image().orElseThrow().height());
    }

    @Test
    void imageWithFewerBytesThanItsGeometryIsNotWhole() {
        List<ByteBuffer> packets = image(1).subList(0, 4);
        packets.add(STANDARD.imageTrailer(1, 4, HEIGHT));
        rig().send(packets).expectIncomplete(IncompleteCause.DATA_MISSING, 0);
    }

    @Test
    void imageOfOnePacketIsWhole() {
        AssemblerRig rig = rig().send(STANDARD.image(1, 10, 4)).send(STANDARD.image(2, 10, 10));
        rig.expectComplete(0, 40);
        rig.expectComplete(1, 100);
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 64, 99, 100, 101, 230, 460, 500})
    void packetSizeIsTakenFromThePacketsIfItIsNotAsConfigured(int payloadBytes) {
        TestPackets packets = TestPackets.standard(payloadBytes);
        AssemblerRig rig = rig();
        for (int block = 1; block <= 3; block++) {
            rig.send(packets.image(block, WIDTH, HEIGHT));
        }
        for (int frame = 0; frame < 3; frame++) {
            rig.expectComplete(frame, BYTES);
        }
        assertEquals(0, rig.count(Counter.PACKETS_MALFORMED));
    }

    @Test
    void packetSizeMayChangeBetweenBlocks() {
        AssemblerRig rig = rig().send(TestPackets.standard(100).image(1, WIDTH, HEIGHT))
                .send(TestPackets.standard(60).image(2, WIDTH, HEIGHT))
                .send(TestPackets.standard(200).image(3, WIDTH, HEIGHT));
        for (int frame = 0; frame < 3; frame++) {
            rig.expectComplete(frame, BYTES);
        }
    }

    @Test
    void packetsPutInTheWrongPlaceAreAskedForAgain() {
        // The leader comes late and the packets are smaller than configured, so the first one looks like a last one.
        TestPackets small = TestPackets.standard(50);
        List<ByteBuffer> packets = small.image(1, WIDTH, HEIGHT);
        AssemblerRig rig = rig().send(packets.get(2), packets.get(3), packets.get(0), packets.get(1));
        rig.send(packets.subList(4, packets.size()));
        rig.pass(2);
        assertEquals(List.of(new Request(1, 2, 2, false)), rig.requests);
        rig.send(small.resent(packets.get(2)));
        rig.expectComplete(0, BYTES);
    }

    @Test
    void rawDataIsWholeWithTheSizeOfItsLeader() {
        AssemblerRig rig = rig().send(
                        STANDARD.rawLeader(9, 5, 130),
                        STANDARD.payload(9, 1, TestPackets.pixels(9, 100)),
                        STANDARD.payload(9, 2, java.util.Arrays.copyOfRange(TestPackets.pixels(9, 130), 100, 130)),
                        STANDARD.trailer(2, 9, 3));
        rig.expectComplete(0, 130);
        assertEquals(Optional.empty(), rig.onlyBlock().image());
        assertEquals(PayloadType.RAW, rig.onlyBlock().payloadType());
    }

    @Test
    void rawDataShorterThanItsLeaderTellsIsNotWhole() {
        rig().send(
                        STANDARD.rawLeader(9, 5, 130),
                        STANDARD.payload(9, 1, TestPackets.pixels(9, 100)),
                        STANDARD.trailer(2, 9, 2))
                .expectIncomplete(IncompleteCause.DATA_MISSING, 0);
    }

    // ---- Order of blocks

    @Test
    void neighbouringBlocksMayBeMixed() {
        List<ByteBuffer> first = image(1);
        List<ByteBuffer> second = image(2);
        AssemblerRig rig = rig();
        for (int i = 0; i < first.size(); i++) {
            rig.send(first.get(i), second.get(i));
        }
        rig.expectComplete(0, BYTES);
        rig.expectComplete(1, BYTES);
        assertEquals(List.of(1L, 2L), rig.blockIds());
    }

    @Test
    void wholeBlockWaitsForAnOlderOneThatIsStillOpen() {
        AssemblerRig rig = rig().send(without(image(1), 3)).send(image(2));
        assertEquals(List.of(), rig.blockIds());
        rig.send(image(1).get(3));
        assertEquals(List.of(1L, 2L), rig.blockIds());
        rig.expectComplete(0, BYTES);
        rig.expectComplete(1, BYTES);
    }

    @Test
    void blockIdsWrapFrom65535To1() {
        AssemblerRig rig =
                rig().send(image(65534)).send(without(image(65535), 2)).send(image(1));
        assertEquals(List.of(65534L), rig.blockIds());
        rig.send(image(65535).get(2)).send(image(2));
        assertEquals(List.of(65534L, 65535L, 1L, 2L), rig.blockIds());
        assertEquals(0, rig.count(Counter.BLOCK_ID_GAPS));
    }

    @Test
    void extendedBlockIdsWrapWithoutAGap() {
        AssemblerRig rig = rig().send(EXTENDED.image(Long.MAX_VALUE, WIDTH, HEIGHT))
                .send(EXTENDED.image(Long.MIN_VALUE, WIDTH, HEIGHT))
                .send(EXTENDED.image(-1, WIDTH, HEIGHT));
        assertEquals(List.of(Long.MAX_VALUE, Long.MIN_VALUE, -1L), rig.blockIds());
    }

    @Test
    void blocksThatNeverCameAreCounted() {
        AssemblerRig rig = rigWithoutResend().send(image(1)).send(image(4)).send(image(5));
        assertEquals(List.of(1L, 4L, 5L), rig.blockIds());
        assertEquals(2, rig.count(Counter.BLOCK_ID_GAPS));
    }

    @Test
    void blockThatWasLostAsAWholeIsAskedForAndDeliveredInOrder() {
        AssemblerRig rig = rig().send(image(1)).send(image(3)).pass(1);
        assertEquals(List.of(new Request(2, 0, 6, false)), rig.requests);
        assertEquals(List.of(1L), rig.blockIds());
        image(2).forEach(packet -> rig.send(STANDARD.resent(packet)));
        assertEquals(List.of(1L, 2L, 3L), rig.blockIds());
        rig.expectComplete(1, BYTES);
        assertEquals(0, rig.count(Counter.BLOCK_ID_GAPS));
    }

    @Test
    void firstBlocksThatWereLostAreAskedFor() {
        AssemblerRig rig = rig().send(image(3)).pass(1);
        assertEquals(List.of(new Request(1, 0, 6, false), new Request(2, 0, 6, false)), rig.requests);
    }

    @Test
    void blockLostAtTheWrapOfIdsIsAskedFor() {
        AssemblerRig rig = rig().send(image(65534)).send(image(2)).pass(1);
        assertEquals(List.of(new Request(65535, 0, 6, false), new Request(1, 0, 6, false)), rig.requests);
        rig.send(image(1)).send(image(65535));
        assertEquals(List.of(65534L, 65535L, 1L, 2L), rig.blockIds());
    }

    @Test
    void blockWithExtendedIdsThatWasLostIsAskedFor() {
        AssemblerRig rig = rig().send(EXTENDED.image(Long.MAX_VALUE, WIDTH, HEIGHT))
                .send(EXTENDED.image(Long.MIN_VALUE + 1, WIDTH, HEIGHT))
                .pass(1);
        assertEquals(List.of(new Request(Long.MIN_VALUE, 0, 7, true)), rig.requests);
    }

    @Test
    void blockThatTheDeviceSkippedHoldsOthersUpOnlyUntilItSaysSo() {
        AssemblerRig rig = rig().send(image(1))
                .send(image(3))
                .pass(1)
                .send(STANDARD.error(0x800C, 2, 0))
                .pass(1);
        assertEquals(List.of(1L, 3L), rig.blockIds());
        assertEquals(1, rig.count(Counter.BLOCK_ID_GAPS));
        assertEquals(0, rig.count(Counter.FRAMES_DROPPED_UNUSABLE));
        rig.send(image(2));
        assertEquals(7, rig.count(Counter.PACKETS_LATE));
    }

    @Test
    void skippedBlockOfADeviceThatSaysNothingIsGivenUp() {
        AssemblerRig rig = rig().send(image(1)).send(image(3)).pass(32);
        assertEquals(List.of(1L, 3L), rig.blockIds());
        assertEquals(3, rig.requests.size());
        assertEquals(1, rig.count(Counter.BLOCK_ID_GAPS));
    }

    @Test
    void skippedBlockThatComesWithoutAFlowSetIsDroppedAsSuch() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings(), 1, 600);
        rig.send(image(1));
        rig.frames.remove(0).release();
        rig.send(image(3)).send(image(2));
        assertEquals(List.of(3L), rig.blockIds());
        assertEquals(1, rig.count(Counter.FRAMES_DROPPED_NO_FLOW_SET));
        assertEquals(7, rig.count(Counter.PACKETS_WITHOUT_FLOW_SET));
        assertEquals(0, rig.count(Counter.BLOCK_ID_GAPS));
    }

    @Test
    void removalOfAllPreviousPacketsEndsOlderBlocks() {
        AssemblerRig rig = rig().send(without(image(1), 3))
                .send(without(image(2), 3))
                .pass(1)
                .send(STANDARD.error(0x8011, 2, 3))
                .pass(1);
        assertEquals(List.of(1L, 2L), rig.blockIds());
        assertEquals(
                Optional.of(IncompleteCause.PACKETS_UNAVAILABLE),
                rig.frames.get(0).block().incomplete());
    }

    // ---- Blocks as they end

    @Test
    void wholeBlockDoesNotWaitWhenOrderDoesNotMatter() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings().withInOrder(false), 6, 600);
        rig.send(without(image(1), 3)).send(image(2)).send(image(3));
        assertEquals(List.of(2L, 3L), rig.blockIds());
        rig.send(image(1).get(3)).send(image(4));
        assertEquals(List.of(2L, 3L, 1L, 4L), rig.blockIds());
        for (int frame = 0; frame < 4; frame++) {
            rig.expectComplete(frame, BYTES);
        }
        assertEquals(0, rig.count(Counter.BLOCK_ID_GAPS));
    }

    @Test
    void blockThatIsDeliveredAfterANewerOneIsSaidToBeOvertaken() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings().withInOrder(false), 6, 600);
        rig.send(without(image(1), 3)).send(without(image(2), 3)).send(image(3));
        rig.send(image(2).get(3)).send(image(4)).send(image(1).get(3));
        assertEquals(List.of(3L, 2L, 4L, 1L), rig.blockIds());
        assertEquals(List.of(2L, 1L), rig.overtaken);
    }

    @Test
    void blockOfADeviceThatRestartedItsIdsIsNotOvertaken() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings().withInOrder(false), 12, 600);
        for (int block = 40; block <= 42; block++) {
            rig.send(image(block));
        }
        rig.send(image(1));
        assertEquals(List.of(40L, 41L, 42L, 1L), rig.blockIds());
        assertEquals(List.of(), rig.overtaken);
    }

    @Test
    void packetsOfABlockDeliveredOutOfOrderAreLate() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings().withInOrder(false), 6, 600);
        rig.send(without(image(1), 3)).send(image(2)).send(image(2));
        assertEquals(List.of(2L), rig.blockIds());
        assertEquals(7, rig.count(Counter.PACKETS_LATE));
    }

    @Test
    void moreOpenBlocksThanAllowedEndTheOldest() {
        AssemblerRig rig = rig();
        for (int block = 1; block <= 5; block++) {
            rig.send(without(image(block), 3));
        }
        assertEquals(List.of(1L), rig.blockIds());
        rig.expectIncomplete(IncompleteCause.PACKETS_MISSING, 1);
    }

    @Test
    void deviceThatCountsAnewIsFollowed() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings(), 12, 600);
        for (int block = 1; block <= 5; block++) {
            rig.send(image(block));
        }
        List<ByteBuffer> again = image(1);
        again.set(0, STANDARD.imageLeader(1, 777_777, TestPackets.MONO8, WIDTH, HEIGHT));
        rig.send(again).send(image(2));
        assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 1L, 2L), rig.blockIds());
        assertEquals(7, rig.count(Counter.FRAMES_COMPLETE));
        assertEquals(0, rig.count(Counter.BLOCK_ID_GAPS));
    }

    @Test
    void streamMayChangeToExtendedIdsWithALeader() {
        AssemblerRig rig = rig().send(image(8)).send(EXTENDED.image(1, WIDTH, HEIGHT));
        assertEquals(List.of(8L, 1L), rig.blockIds());
        assertEquals(2, rig.count(Counter.FRAMES_COMPLETE));
    }

    // ---- Duplicates, late packets, contradictions

    @Test
    void duplicatesChangeNothing() {
        List<ByteBuffer> packets = image(1);
        AssemblerRig rig = rig();
        for (ByteBuffer packet : packets.subList(0, 6)) {
            rig.send(packet, packet);
        }
        rig.send(packets.get(6));
        rig.expectComplete(0, BYTES);
        assertEquals(6, rig.count(Counter.PACKETS_DUPLICATE));
        assertEquals(BYTES, rig.count(Counter.BYTES_RECEIVED));
    }

    @Test
    void packetsOfADeliveredBlockAreLate() {
        AssemblerRig rig = rig().send(image(1)).send(image(1)).send(STANDARD.resent(image(1).get(0)));
        assertEquals(1, rig.frames.size());
        assertEquals(8, rig.count(Counter.PACKETS_LATE));
    }

    @Test
    void otherKindOfIdsWithinABlockIsMalformed() {
        AssemblerRig rig = rig().send(image(1).subList(0, 3)).send(EXTENDED.image(1, WIDTH, HEIGHT));
        assertEquals(7 + 1, rig.count(Counter.PACKETS_MALFORMED));
        rig.send(image(1).subList(3, 7));
        rig.expectComplete(0, BYTES);
    }

    @Test
    void contradictionsWithinABlockAreMalformedAndHarmless() {
        AssemblerRig rig = rig().send(image(1).subList(0, 5));
        byte[] full = new byte[100];
        List<ByteBuffer> wrong = List.of(
                STANDARD.genDcPayload(1, 5, 0, 0, 0, full),
                STANDARD.imageTrailer(1, 4, HEIGHT),
                STANDARD.payload(1, 5, new byte[101]),
                STANDARD.packet(0, 0, 7, 1, 5, full),
                STANDARD.packet(0, 0, 4, 1, 5, full),
                STANDARD.packet(0, 0, 3, 1, 0, full),
                STANDARD.packet(0, 0, 1, 1, 5, new byte[36]),
                STANDARD.packet(0, 0, 3, 1, 5, new byte[0]),
                STANDARD.packet(0, 0, 3, 1, 0xFFFFFF, full));
        rig.send(wrong);
        assertEquals(wrong.size(), rig.count(Counter.PACKETS_MALFORMED));
        rig.send(image(1).get(6));
        rig.send(STANDARD.imageTrailer(1, 7, HEIGHT), STANDARD.payload(1, 8, full), STANDARD.payload(1, 6, full));
        assertEquals(wrong.size() + 3, rig.count(Counter.PACKETS_MALFORMED));
        rig.send(image(1).get(5));
        rig.expectComplete(0, BYTES);
    }

    @Test
    void packetsThatAreTooShortOrOfNoKnownKindOpenNoBlock() {
        AssemblerRig rig = rig();
        rig.send(ByteBuffer.wrap(new byte[7]), ByteBuffer.allocate(0));
        rig.send(ByteBuffer.wrap(new byte[] {0, 0, 0, 0, (byte) 0x81, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}));
        ByteBuffer shortLeader = STANDARD.packet(0, 0, 1, 1, 0, new byte[35]);
        shortLeader.putShort(10, (short) 1);
        rig.send(shortLeader);
        rig.send(STANDARD.packet(0, 0, 2, 1, 6, new byte[3]));
        rig.send(STANDARD.packet(0, 0, 8, 1, 1, new byte[15]));
        ByteBuffer tooMuch = STANDARD.genDcPayload(1, 1, 0, 0, 0, new byte[10]);
        tooMuch.putInt(8, 11);
        ByteBuffer farAway = STANDARD.genDcPayload(1, 1, 0, -1, 0, new byte[10]);
        rig.send(tooMuch, farAway);
        ByteBuffer noType = STANDARD.packet(0, 0, 1, 1, 0, new byte[60]);
        rig.send(noType);
        assertEquals(9, rig.count(Counter.PACKETS_MALFORMED));
        assertEquals(0, rig.assembler.openBlocks());
    }

    @Test
    void testPacketIsCountedWithTheSizeThatDevicesCount() {
        AssemblerRig rig = rig().send(STANDARD.packet(0, 0, 3, 0, 0, new byte[1464]));
        rig.send(EXTENDED.packet(0, 0, 3, 0, 0, new byte[8952]));
        assertEquals(List.of(1500, 9000), rig.testPackets);
        assertEquals(2, rig.count(Counter.TEST_PACKETS));
        assertEquals(0, rig.assembler.openBlocks());
    }

    @Test
    void littleEndianBufferIsRefused() {
        AssemblerRig rig = rig();
        ByteBuffer packet = image(1).get(0).order(ByteOrder.LITTLE_ENDIAN);
        assertThrows(IllegalArgumentException.class, () -> rig.assembler.onPacket(packet, 0, packet.limit(), 0));
    }

    // ---- Memory

    @Test
    void blockWithoutAFlowSetIsCountedOnce() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings(), 1, 600);
        rig.send(image(1));
        rig.send(image(2).subList(0, 4));
        rig.frames.get(0).release();
        rig.send(image(2).subList(4, 7));
        assertEquals(1, rig.count(Counter.FRAMES_DROPPED_NO_FLOW_SET));
        assertEquals(7, rig.count(Counter.PACKETS_WITHOUT_FLOW_SET));
        rig.send(image(3));
        assertEquals(3, rig.frames.get(1).block().blockId());
        assertEquals(2, rig.count(Counter.FRAMES_COMPLETE));
        assertEquals(0, rig.count(Counter.BLOCK_ID_GAPS));
    }

    @Test
    void userWhoGivesAFlowSetBackAsSoonAsHeMayLosesNoBlock() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings(), 1, 600);
        rig.send(image(1));
        rig.yieldToConsumer = () -> rig.frames.remove(0).release();
        rig.send(image(2));
        assertEquals(List.of(2L), rig.blockIds());
        assertEquals(0, rig.count(Counter.FRAMES_DROPPED_NO_FLOW_SET));
    }

    @Test
    void droppedBlockWaitsForOlderOnesWithoutBeingDelivered() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings(), 1, 600);
        rig.send(without(image(1), 2)).send(image(2)).send(image(3));
        assertEquals(14, rig.count(Counter.PACKETS_WITHOUT_FLOW_SET));
        assertEquals(2, rig.count(Counter.FRAMES_DROPPED_NO_FLOW_SET));
        rig.send(image(1).get(2));
        rig.expectComplete(0, BYTES);
        assertEquals(0, rig.assembler.openBlocks());
        assertEquals(0, rig.count(Counter.BLOCK_ID_GAPS));
    }

    @Test
    void blockLargerThanItsFlowSetKeepsWhatFits() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings(), 2, 250);
        rig.send(image(1));
        rig.expectIncomplete(IncompleteCause.DATA_LARGER_THAN_FLOW_SET, 0);
        assertEquals(250, rig.frames.get(0).filledBytes(0));
    }

    @Test
    void usedFlowSetShowsNothingOfTheBlockBefore() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings(), 1, 600);
        rig.send(image(1));
        rig.frames.remove(0).release();
        rig.send(without(image(2), 3)).pass(200);
        FlowSet set = rig.frames.get(0);
        assertFalse(set.covered(0, 200, 1));
        assertTrue(set.covered(0, 0, 200));
        assertEquals(BYTES - 100, set.filledBytes(0));
    }

    // ---- Loss without resending

    @Test
    void missingPacketWithoutResendingEndsTheBlockSoon() {
        AssemblerRig rig = rigWithoutResend().send(without(image(1), 3));
        rig.pass(9);
        assertEquals(0, rig.frames.size());
        rig.pass(2);
        rig.expectIncomplete(IncompleteCause.PACKETS_MISSING, 1);
        assertEquals(List.of(), rig.requests);
        assertFalse(rig.frames.get(0).covered(0, 200, 100));
    }

    @Test
    void missingPacketMayStillComeInTime() {
        AssemblerRig rig = rigWithoutResend().send(without(image(1), 3)).pass(8).send(image(1).get(3));
        rig.expectComplete(0, BYTES);
    }

    @Test
    void blockWithoutALeaderIsDeliveredWithoutGeometry() {
        AssemblerRig rig = rigWithoutResend().send(without(image(1), 0)).pass(20);
        rig.expectIncomplete(IncompleteCause.LEADER_MISSING, 1);
        assertEquals(0, rig.onlyBlock().payloadType());
        assertEquals(Optional.empty(), rig.onlyBlock().image());
        assertEquals(BYTES, rig.frames.get(0).filledBytes(0));
    }

    @Test
    void blockWithoutATrailerEndsAfterTheRetentionTime() {
        AssemblerRig rig = rigWithoutResend().send(without(image(1), 6)).pass(98);
        assertEquals(0, rig.frames.size());
        rig.pass(3);
        rig.expectIncomplete(IncompleteCause.TRAILER_MISSING, 1);
    }

    @Test
    void blockWithoutATrailerEndsSoonWhenAnotherFollows() {
        AssemblerRig rig =
                rigWithoutResend().send(without(image(1), 6)).send(image(2)).pass(12);
        assertEquals(List.of(1L, 2L), rig.blockIds());
        assertEquals(
                Optional.of(IncompleteCause.TRAILER_MISSING),
                rig.frames.get(0).block().incomplete());
        rig.expectComplete(1, BYTES);
    }

    @Test
    void blockWithoutItsEndIsMissingPacketsAndTrailer() {
        AssemblerRig rig = rigWithoutResend().send(image(1).subList(0, 3)).pass(101);
        rig.expectIncomplete(IncompleteCause.PACKETS_MISSING, 4);
    }

    @Test
    void leaderThatComesLongBeforeItsPayloadIsNotGivenUp() {
        AssemblerRig rig = rig().send(image(1).get(0)).pass(5000);
        assertEquals(List.of(), rig.requests);
        rig.send(image(1).subList(1, 7));
        rig.expectComplete(0, BYTES);
    }

    @Test
    void leaderAloneIsDroppedOnceALaterBlockHasCome() {
        AssemblerRig rig = rigWithoutResend()
                .send(image(1).get(0))
                .pass(500)
                .send(image(2))
                .pass(101);
        assertEquals(List.of(2L), rig.blockIds());
        assertEquals(1, rig.count(Counter.FRAMES_DROPPED_UNUSABLE));
        assertEquals(0, rig.count(Counter.BLOCK_ID_GAPS));
        rig.frames.remove(0).release();
        for (int block = 3; block < 20; block++) {
            rig.send(image(block));
            rig.frames.remove(0).release();
        }
    }

    @Test
    void endOfTheStreamDeliversWhatIsOpen() {
        AssemblerRig rig =
                rig().send(image(1).subList(0, 3)).send(image(2).get(0)).send(image(3));
        rig.assembler.end();
        assertEquals(List.of(1L, 3L), rig.blockIds());
        assertEquals(
                Optional.of(IncompleteCause.STREAM_ENDED),
                rig.frames.get(0).block().incomplete());
        rig.expectComplete(1, BYTES);
        assertEquals(1, rig.count(Counter.FRAMES_DROPPED_UNUSABLE));
        assertEquals(0, rig.assembler.openBlocks());
    }

    @Test
    void ofTheLastBlockOnlyPacketsBeforeOneThatCameAreCountedAsMissingWhenTheStreamEnds() {
        AssemblerRig rig = rig().send(image(1)).send(image(2).get(0), image(2).get(1), image(2).get(3));
        rig.assembler.end();
        assertEquals(1, rig.count(Counter.PACKETS_MISSING));
    }

    @Test
    void ofABlockBeforeTheLastAllPacketsAreCountedAsMissingWhenTheStreamEnds() {
        AssemblerRig rig = rig().send(image(1)).send(image(2).subList(0, 4)).send(image(3));
        rig.assembler.end();
        assertEquals(image(2).size() - 4, rig.count(Counter.PACKETS_MISSING));
    }

    // ---- Loss with resending

    @Test
    void missingPacketsAreAskedForInRangesAfterAShortTime() {
        AssemblerRig rig = rig().send(image(1).get(0), image(1).get(3), image(1).get(5));
        assertEquals(List.of(), rig.requests);
        rig.pass(1);
        assertEquals(List.of(new Request(1, 1, 2, false), new Request(1, 4, 4, false)), rig.requests);
        assertEquals(3, rig.count(Counter.RESENDS_REQUESTED));
        rig.send(image(1).get(6));
        for (int id : new int[] {1, 2, 4}) {
            rig.send(STANDARD.resent(image(1).get(id)));
        }
        rig.expectComplete(0, BYTES);
        assertEquals(3, rig.count(Counter.RESENDS_RECEIVED));
    }

    @Test
    void reorderedPacketsAreNotAskedFor() {
        AssemblerRig rig = rig();
        List<ByteBuffer> packets = image(1);
        Collections.swap(packets, 2, 3);
        rig.send(packets).pass(20);
        assertEquals(List.of(), rig.requests);
        rig.expectComplete(0, BYTES);
    }

    @Test
    void packetIsAskedForAgainUpToTheLimitAndThenGivenUp() {
        AssemblerRig rig = rig().send(without(image(1), 3));
        rig.pass(1);
        assertEquals(1, rig.requests.size());
        rig.pass(9);
        assertEquals(1, rig.requests.size());
        rig.pass(1);
        assertEquals(2, rig.requests.size());
        rig.pass(10);
        assertEquals(3, rig.requests.size());
        assertEquals(0, rig.frames.size());
        rig.pass(10);
        rig.expectIncomplete(IncompleteCause.PACKETS_MISSING, 1);
        assertEquals(Collections.nCopies(3, new Request(1, 3, 3, false)), rig.requests);
    }

    @Test
    void extendedIdsAreAskedForAsSuch() {
        AssemblerRig rig =
                rig().send(without(EXTENDED.image(1L << 40, WIDTH, HEIGHT), 3)).pass(1);
        assertEquals(List.of(new Request(1L << 40, 3, 3, true)), rig.requests);
        rig.send(EXTENDED.resent(EXTENDED.image(1L << 40, WIDTH, HEIGHT).get(3)));
        rig.expectComplete(0, BYTES);
        assertEquals(1, rig.count(Counter.RESENDS_RECEIVED));
    }

    @Test
    void endOfABlockThatNothingFollowsIsAskedForAfterSilence() {
        AssemblerRig rig = rig().send(image(1).subList(0, 4)).pass(9);
        assertEquals(List.of(), rig.requests);
        rig.pass(1);
        Request first = new Request(1, 4, 4, false);
        assertEquals(List.of(first), rig.requests);
        rig.send(STANDARD.resent(image(1).get(4))).pass(10);
        assertEquals(List.of(first, new Request(1, 5, 6, false)), rig.requests);
        rig.send(image(1).subList(5, 7));
        rig.expectComplete(0, BYTES);
    }

    @Test
    void aDeviceThatStallsIsAskedForOnePacketEachTime() {
        AssemblerRig rig = rig().send(image(1).subList(0, 3)).pass(10);
        rig.send(image(1).subList(3, 5)).pass(10);
        rig.send(image(1).subList(5, 7));
        assertEquals(List.of(new Request(1, 3, 3, false), new Request(1, 5, 5, false)), rig.requests);
        rig.expectComplete(0, BYTES);
    }

    @Test
    void endOfABlockThatAnotherFollowsIsAskedForAtOnce() {
        AssemblerRig rig =
                rig().send(image(1).subList(0, 4)).send(image(2).get(0)).pass(1);
        assertEquals(List.of(new Request(1, 4, 6, false)), rig.requests);
    }

    @Test
    void endFurtherAwayThanThatOfTheBlockBeforeIsAskedForStepByStep() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings(), 6, 600);
        rig.send(container(1, 1)).send(container(2, 6).subList(0, 2));
        for (int id = 2; id <= 7; id++) {
            rig.pass(12);
            rig.send(EXTENDED.resent(container(2, 6).get(id)));
        }
        assertEquals(List.of(1L, 2L), rig.blockIds());
        assertEquals(Optional.empty(), rig.frames.get(1).block().incomplete());
        assertTrue(rig.requests.contains(new Request(2, 7, 7, true)), rig.requests::toString);
    }

    /** A container whose descriptor is its first packet, and which tells too small a size. */
    private static List<ByteBuffer> container(long blockId, int payloadPackets) {
        List<ByteBuffer> packets = new ArrayList<>();
        packets.add(EXTENDED.genDcLeader(blockId, 5, 60, false, 60));
        for (int i = 0; i < payloadPackets; i++) {
            packets.add(EXTENDED.genDcPayload(blockId, i + 1L, 0, 60L * i, i == 0 ? 0x70 : 0, new byte[60]));
        }
        packets.add(EXTENDED.trailer(PayloadType.GENDC, blockId, payloadPackets + 1L));
        return packets;
    }

    @Test
    void lostLeaderIsAskedFor() {
        AssemblerRig rig = rig().send(without(image(1), 0)).pass(1);
        assertEquals(List.of(new Request(1, 0, 0, false)), rig.requests);
        rig.send(STANDARD.resent(image(1).get(0)));
        rig.expectComplete(0, BYTES);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x800C, 0x8011, 0x8012})
    void packetThatTheDeviceHasNoMoreIsGivenUpAtOnce(int status) {
        AssemblerRig rig = rig().send(without(image(1), 3))
                .pass(1)
                .send(STANDARD.error(status, 1, 3))
                .pass(1);
        rig.expectIncomplete(IncompleteCause.PACKETS_UNAVAILABLE, 1);
        assertEquals(1, rig.requests.size());
        assertEquals(1, rig.count(Counter.RESENDS_UNAVAILABLE));
        assertEquals(1, rig.count(Counter.PACKETS_WITH_ERROR_STATUS));
    }

    @Test
    void removalOfAllPreviousPacketsGivesThemAllUp() {
        AssemblerRig rig = rig().send(without(image(1), 1, 3))
                .pass(1)
                .send(STANDARD.error(0x8011, 1, 3))
                .pass(1);
        rig.expectIncomplete(IncompleteCause.PACKETS_UNAVAILABLE, 2);
    }

    @Test
    void packetThatIsNotThereYetIsAskedForAgain() {
        AssemblerRig rig = rig().send(without(image(1), 3))
                .pass(1)
                .send(STANDARD.error(0x8010, 1, 3))
                .pass(10);
        assertEquals(2, rig.requests.size());
        assertEquals(0, rig.count(Counter.RESENDS_UNAVAILABLE));
        rig.send(STANDARD.resent(image(1).get(3)));
        rig.expectComplete(0, BYTES);
    }

    @ParameterizedTest
    @ValueSource(ints = {GvspStatus.PACKET_NOT_YET_AVAILABLE, GvspStatus.PACKET_TEMPORARILY_UNAVAILABLE})
    void packetThatWasAskedForBeforeItWasSentIsNotCountedAsLost(int status) {
        AssemblerRig rig = rig().send(without(image(1), 3))
                .pass(1)
                .send(STANDARD.error(status, 1, 3))
                .send(image(1).get(3));
        rig.expectComplete(0, BYTES);
        assertEquals(0, StreamDiagnosis.lostInNetwork(rig.statistics.snapshot()));
    }

    @Test
    void packetThatIsSentAgainAfterItWasNotThereYetIsCountedAsLostOnce() {
        AssemblerRig rig = rig().send(without(image(1), 3))
                .pass(1)
                .send(STANDARD.error(GvspStatus.PACKET_NOT_YET_AVAILABLE, 1, 3))
                .pass(10)
                .send(STANDARD.resent(image(1).get(3)));
        rig.expectComplete(0, BYTES);
        assertEquals(1, StreamDiagnosis.lostInNetwork(rig.statistics.snapshot()));
    }

    @Test
    void errorStatusOfNoOpenBlockIsOnlyCounted() {
        AssemblerRig rig = rig().send(STANDARD.error(0x800C, 5, 3), STANDARD.error(0x8015, 6, 0));
        assertEquals(2, rig.count(Counter.PACKETS_WITH_ERROR_STATUS));
        assertEquals(0, rig.assembler.openBlocks());
    }

    @Test
    void requestsOfABlockAreBounded() {
        TestPackets tiny = TestPackets.standard(100);
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings().withResendLimits(50, 0.1), 4, 100_000);
        List<ByteBuffer> packets = tiny.image(1, 100, 1000);
        rig.send(packets.get(0), packets.get(1), packets.get(999), packets.get(1000), packets.get(1001))
                .pass(110);
        assertEquals(100, rig.count(Counter.RESENDS_REQUESTED));
        assertEquals(List.of(new Request(1, 2, 101, false)), rig.requests);
        assertEquals(1, rig.frames.size());
    }

    @Test
    void answersAreAwaitedWhenNothingMoreMayBeAskedFor() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings().withResendLimits(3, 0), 4, 10_000);
        List<ByteBuffer> packets = STANDARD.image(1, 100, 100);
        rig.send(packets.get(0)).send(packets.subList(51, 102)).pass(12);
        assertEquals(64, rig.count(Counter.RESENDS_REQUESTED));
        rig.pass(8).send(packets.subList(1, 51));
        rig.expectComplete(0, 10_000);
    }

    // ---- Storms

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void onePercentLossWithLossOfResendsLosesNoFrame(long seed) {
        Random random = new Random(seed);
        boolean extended = seed % 2 == 0;
        TestPackets packets = new TestPackets(extended, extended ? 88 : 100);
        GvspSettings settings = AssemblerRig.settings().withResendLimits(8, 1).withOpenBlocks(16);
        AssemblerRig rig = new AssemblerRig(settings, 10, 10_000);
        for (int block = 1; block <= 1020; block++) {
            // The last ones only let time pass for what is still on its way.
            if (block <= 1000) {
                for (ByteBuffer packet : packets.image(block, 100, 100)) {
                    if (random.nextInt(100) != 0) {
                        rig.send(packet);
                    }
                }
            }
            for (int millis = 0; millis < 10; millis++) {
                rig.pass(1);
                List<Request> requests = List.copyOf(rig.requests);
                rig.requests.clear();
                for (Request request : requests) {
                    List<ByteBuffer> all = packets.image(request.blockId(), 100, 100);
                    for (long id = request.first(); id <= Math.min(request.last(), all.size() - 1); id++) {
                        if (random.nextInt(100) != 0) {
                            rig.send(packets.resent(all.get((int) id)));
                        }
                    }
                }
            }
            while (!rig.frames.isEmpty()) {
                rig.expectComplete(0, 10_000);
                rig.frames.remove(0).release();
            }
        }
        assertEquals(1000, rig.count(Counter.FRAMES_COMPLETE), () -> rig.statistics.toString());
        assertEquals(0, rig.count(Counter.FRAMES_INCOMPLETE));
        assertEquals(0, rig.count(Counter.PACKETS_MALFORMED));
        assertEquals(0, rig.count(Counter.FRAMES_DROPPED_NO_FLOW_SET));
        assertEquals(0, rig.count(Counter.BLOCK_ID_GAPS));
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14})
    void lossReorderingAndDuplicatesNeverMakeAWrongFrame(long seed) {
        Random random = new Random(seed);
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings().withResendEnabled(seed % 2 == 0), 8, 600);
        List<ByteBuffer> waiting = new ArrayList<>();
        int delivered = 0;
        long lastId = 0;
        for (int block = 1; block <= 2000; block++) {
            for (ByteBuffer packet : image(block)) {
                int fate = random.nextInt(100);
                if (fate >= 5) {
                    waiting.add(packet);
                }
                if (fate >= 97) {
                    waiting.add(packet);
                }
            }
            // Let packets overtake each other, across blocks too.
            for (int i = 0; i + 1 < waiting.size(); i++) {
                if (random.nextInt(10) == 0) {
                    Collections.swap(waiting, i, Math.min(waiting.size() - 1, i + 1 + random.nextInt(4)));
                }
            }
            int now = Math.max(0, waiting.size() - random.nextInt(5));
            rig.send(waiting.subList(0, now));
            waiting.subList(0, now).clear();
            rig.pass(random.nextInt(8));
            for (FlowSet set : rig.frames) {
                BlockInfo info = set.block();
                assertTrue(info.blockId() > lastId, "in order");
                lastId = info.blockId();
                delivered++;
                ByteBuffer flow = set.flow(0);
                if (info.complete()) {
                    assertEquals(BYTES, info.payloadBytes());
                    assertTrue(set.covered(0, 0, BYTES));
                } else {
                    assertTrue(set.filledBytes(0) <= BYTES);
                }
                for (int i = 0; i < BYTES; i++) {
                    if (set.covered(0, i, 1)) {
                        assertEquals(TestPackets.pixel(info.blockId(), i), flow.get(i), "byte " + i);
                    }
                }
                set.release();
            }
            rig.frames.clear();
        }
        assertTrue(delivered > 1900, () -> rig.statistics.toString());
        assertEquals(0, rig.count(Counter.PACKETS_MALFORMED));
        assertTrue(rig.count(Counter.FRAMES_COMPLETE) > 1000, () -> rig.statistics.toString());
    }

    @Test
    void nothingIsLeftBehindInThePool() {
        AssemblerRig rig =
                rig().send(without(image(1), 3)).send(image(2).get(0)).send(image(3));
        rig.assembler.end();
        rig.pool.reclaimUnfilled();
        rig.frames.forEach(FlowSet::release);
        assertTrue(rig.pool.flowSets().stream().allMatch(set -> set.state() == FlowSet.State.FREE));
        assertArrayEquals(new long[] {600}, rig.pool.flowSizesBytes());
    }
}
