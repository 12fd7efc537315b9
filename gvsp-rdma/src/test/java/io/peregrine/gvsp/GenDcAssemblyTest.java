package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.gvsp.AssemblerRig.Request;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.PayloadType;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Containers with a descriptor of 120 bytes in flow 0, sent in two packets, data of 180 bytes behind it, and 150 bytes
 * in flow 1. Packet ids: 0 leader, 1 and 2 preliminary descriptor, 3 and 4 data of flow 0, 5 and 6 data of flow 1, 7
 * and 8 final descriptor, 9 trailer.
 */
class GenDcAssemblyTest {
    private static final TestPackets PACKETS = TestPackets.extended(88);
    private static final int DESCRIPTOR_BYTES = 120;
    private static final int FINAL = 0x40;
    private static final int PRELIMINARY = 0xC0;
    private static final int START = 0x20;
    private static final int END = 0x10;

    private static byte[] filled(int value, int count) {
        byte[] bytes = new byte[count];
        java.util.Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private static List<ByteBuffer> container(long id) {
        return new ArrayList<>(List.of(
                PACKETS.genDcLeader(id, 77, 450, true, DESCRIPTOR_BYTES),
                PACKETS.genDcPayload(id, 1, 0, 0, PRELIMINARY | START, filled(0xAA, 72)),
                PACKETS.genDcPayload(id, 2, 0, 72, PRELIMINARY | END, filled(0xAA, 48)),
                PACKETS.genDcPayload(id, 3, 0, 120, 0, filled(3, 90)),
                PACKETS.genDcPayload(id, 4, 0, 210, 0, filled(4, 90)),
                PACKETS.genDcPayload(id, 5, 1, 0, 0, filled(5, 100)),
                PACKETS.genDcPayload(id, 6, 1, 100, 0, filled(6, 50)),
                PACKETS.genDcPayload(id, 7, 0, 0, FINAL | START, filled(0xF1, 72)),
                PACKETS.genDcPayload(id, 8, 0, 72, FINAL | END, filled(0xF2, 48)),
                PACKETS.trailer(0x000B, id, 9)));
    }

    private static AssemblerRig rig() {
        return new AssemblerRig(AssemblerRig.settings(), 4, 300, 150);
    }

    private static List<ByteBuffer> without(long id, int... ids) {
        List<ByteBuffer> left = container(id);
        for (int i = ids.length - 1; i >= 0; i--) {
            left.remove(ids[i]);
        }
        return left;
    }

    private static void expectFinal(FlowSet set) {
        BlockInfo block = set.block();
        assertEquals(Optional.empty(), block.incomplete());
        assertEquals(PayloadType.GENDC, block.payloadType());
        assertEquals(77, block.timestampTicks());
        assertEquals(450, block.payloadBytes());
        assertEquals(DESCRIPTOR_BYTES, block.descriptorBytes());
        ByteBuffer flow0 = set.flow(0);
        for (int i = 0; i < 300; i++) {
            int expected = i < 72 ? 0xF1 : i < 120 ? 0xF2 : i < 210 ? 3 : 4;
            assertEquals((byte) expected, flow0.get(i), "flow 0 byte " + i);
        }
        ByteBuffer flow1 = set.flow(1);
        for (int i = 0; i < 150; i++) {
            assertEquals(i < 100 ? 5 : 6, flow1.get(i), "flow 1 byte " + i);
        }
        assertTrue(set.covered(0, 0, 300));
        assertTrue(set.covered(1, 0, 150));
    }

    @Test
    void dataGoesToItsFlowAndTheFinalDescriptorToItsStart() {
        AssemblerRig rig = rig().send(container(1));
        rig.onlyBlock();
        expectFinal(rig.frames.get(0));
    }

    @Test
    void noOrderOfPacketsLetsThePreliminaryDescriptorWin() {
        Random random = new Random(3);
        AssemblerRig rig = rig();
        for (int id = 1; id <= 500; id++) {
            List<ByteBuffer> packets = container(id);
            Collections.shuffle(packets, random);
            rig.send(packets);
            expectFinal(rig.frames.remove(0));
            rig.pool.flowSets().stream()
                    .filter(set -> set.state() == FlowSet.State.LEASED)
                    .forEach(FlowSet::release);
        }
        assertEquals(0, rig.count(Counter.PACKETS_MALFORMED));
    }

    @Test
    void lateResendOfThePreliminaryDescriptorDoesNotOverwriteTheFinalOne() {
        AssemblerRig rig = rig().send(without(1, 1)).pass(1);
        assertEquals(List.of(new Request(1, 1, 1, true)), rig.requests);
        rig.send(PACKETS.resent(container(1).get(1)));
        rig.onlyBlock();
        expectFinal(rig.frames.get(0));
    }

    @Test
    void descriptorWithDataBehindItIsFinal() {
        AssemblerRig rig = rig().send(
                        PACKETS.genDcLeader(1, 77, 100, false, 60),
                        PACKETS.genDcPayload(1, 1, 0, 0, 0x80 | START | END, filled(9, 100)),
                        PACKETS.trailer(0x000B, 1, 2));
        assertTrue(rig.onlyBlock().complete());
        assertEquals(60, rig.onlyBlock().descriptorBytes());
        assertTrue(rig.frames.get(0).covered(0, 0, 100));
    }

    @Test
    void preliminaryDescriptorStandsInForALostFinalOne() {
        AssemblerRig rig = rig().send(without(1, 8)).pass(200);
        rig.expectIncomplete(IncompleteCause.PACKETS_MISSING, 1);
        FlowSet set = rig.frames.get(0);
        assertEquals(DESCRIPTOR_BYTES, set.block().descriptorBytes());
        assertEquals((byte) 0xAA, set.flow(0).get(0));
        assertEquals((byte) 0xAA, set.flow(0).get(119));
        assertTrue(set.covered(0, 0, 300));
    }

    @Test
    void containerWithoutAnyDescriptorIsDropped() {
        AssemblerRig rig = rig().send(without(1, 2, 8)).pass(200);
        assertEquals(List.of(), rig.frames);
        assertEquals(1, rig.count(Counter.FRAMES_DROPPED_UNUSABLE));
    }

    @Test
    void lostDataLeavesTheOtherPartsCovered() {
        AssemblerRig rig = rig().send(without(1, 5)).pass(200);
        rig.expectIncomplete(IncompleteCause.PACKETS_MISSING, 1);
        FlowSet set = rig.frames.get(0);
        assertTrue(set.covered(0, 120, 180));
        assertFalse(set.covered(1, 0, 150));
        assertTrue(set.covered(1, 100, 50));
        assertEquals((byte) 0xF1, set.flow(0).get(0));
    }

    @Test
    void lostLeaderStillGivesTheDescriptor() {
        AssemblerRig rig = rig().send(without(1, 0)).pass(200);
        rig.expectIncomplete(IncompleteCause.LEADER_MISSING, 1);
        assertEquals(DESCRIPTOR_BYTES, rig.onlyBlock().descriptorBytes());
    }

    @Test
    void endOfAContainerIsAskedForByTheNumberOfPacketsOfTheOneBefore() {
        AssemblerRig rig =
                rig().send(container(1)).send(container(2).subList(0, 6)).pass(10);
        rig.send(PACKETS.resent(container(2).get(6))).pass(10);
        assertEquals(List.of(new Request(2, 6, 6, true), new Request(2, 7, 9, true)), rig.requests);
    }

    @Test
    void dataForAFlowThatTheSetDoesNotHaveIsTold() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings(), 4, 300).send(container(1));
        rig.expectIncomplete(IncompleteCause.DATA_LARGER_THAN_FLOW_SET, 0);
        assertTrue(rig.frames.get(0).covered(0, 0, 300));
    }

    @Test
    void dataBeyondTheEndOfAFlowIsNotStored() {
        List<ByteBuffer> packets = container(1);
        packets.set(6, PACKETS.genDcPayload(1, 6, 1, 149, 0, filled(6, 50)));
        packets.set(4, PACKETS.genDcPayload(1, 4, 0, Long.MAX_VALUE, 0, filled(6, 50)));
        AssemblerRig rig = rig().send(packets);
        rig.expectIncomplete(IncompleteCause.DATA_LARGER_THAN_FLOW_SET, 0);
        assertEquals(101, rig.frames.get(0).filledBytes(1));
    }

    @Test
    void flowZeroHoldsTheContainerWhenItIsTheOnlyFlow() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings(), 2, 450)
                .send(
                        PACKETS.genDcLeader(1, 77, 450, false, DESCRIPTOR_BYTES),
                        PACKETS.genDcPayload(1, 1, 0, 0, FINAL | START | END, filled(1, 120)),
                        PACKETS.genDcPayload(1, 2, 0, 120, 0, filled(2, 330)),
                        PACKETS.trailer(0x000B, 1, 3));
        assertTrue(rig.onlyBlock().complete());
        assertTrue(rig.frames.get(0).covered(0, 0, 450));
    }

    @Test
    void descriptorWithFewerComponentsThanAnnouncedMayBeShorter() {
        List<ByteBuffer> packets = container(1);
        packets.set(8, PACKETS.genDcPayload(1, 8, 0, 72, FINAL | END, filled(0xF2, 40)));
        AssemblerRig rig = rig().send(packets);
        assertTrue(rig.onlyBlock().complete());
        assertEquals(112, rig.onlyBlock().descriptorBytes());
    }

    @Test
    void halfOfTheFinalDescriptorDoesNotMixWithThePreliminaryOne() {
        AssemblerRig rig = rig().send(without(1, 7)).pass(200);
        rig.expectIncomplete(IncompleteCause.PACKETS_MISSING, 1);
        for (int i = 0; i < DESCRIPTOR_BYTES; i++) {
            assertEquals((byte) 0xAA, rig.frames.get(0).flow(0).get(i), "byte " + i);
        }
    }

    @Test
    void lostPreliminaryDescriptorIsNoHarm() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings().withResendEnabled(false), 4, 300, 150);
        rig.send(without(1, 1, 2)).pass(20);
        rig.expectIncomplete(IncompleteCause.PACKETS_MISSING, 2);
        assertEquals((byte) 0xF1, rig.frames.get(0).flow(0).get(0));
        assertTrue(rig.frames.get(0).covered(0, 0, 300));
    }

    /** Packets as a reference camera writes them: one for the descriptor, and never a flag at the end of a flow. */
    @Test
    void gapsAndPaddingOfPacketsAreLegal() {
        AssemblerRig rig = rig().send(
                        TestPackets.hex(
                                "0000 0000 81 0000 00 0000000000000001 00000000",
                                "0000 000B 000000000000004D 0000000000000014 00 000000 00000008"),
                        TestPackets.hex(
                                "0000 0000 88 0000 00 0000000000000001 00000001",
                                "00000008 0000000000000000 70 80 0000 474E444301010000"),
                        // 4 bytes of data, and 2 that only fill the packet.
                        TestPackets.hex(
                                "0000 0000 88 0000 00 0000000000000001 00000002",
                                "00000004 0000000000000010 00 00 0000 11121314 FFFF"),
                        TestPackets.hex(
                                "0000 0000 88 0000 00 0000000000000001 00000003",
                                "00000002 0000000000000008 00 80 0001 2122"),
                        TestPackets.hex("0000 0000 82 0000 00 0000000000000001 00000004", "0000 000B"));
        FlowSet set = rig.frames.get(0);
        assertTrue(rig.onlyBlock().complete());
        assertEquals(8, rig.onlyBlock().descriptorBytes());
        assertEquals(0x4D, rig.onlyBlock().timestampTicks());
        assertEquals(12, set.filledBytes(0));
        assertFalse(set.covered(0, 8, 1));
        assertEquals(0x14, set.flow(0).get(0x13));
        assertFalse(set.covered(0, 0x14, 1));
        assertEquals(0x22, set.flow(1).get(9));
        assertEquals(2, set.filledBytes(1));
    }

    @Test
    void descriptorOutsideOfFlowZeroIsMalformed() {
        AssemblerRig rig = rig().send(
                        container(1).get(0),
                        PACKETS.genDcPayload(1, 1, 1, 0, PRELIMINARY | START, filled(0xAA, 72)),
                        PACKETS.genDcPayload(1, 7, 1, 0, FINAL | START, filled(0xF1, 72)));
        assertEquals(2, rig.count(Counter.PACKETS_MALFORMED));
        rig.send(container(1).subList(1, 10));
        rig.onlyBlock();
        expectFinal(rig.frames.get(0));
    }

    @Test
    void preliminaryDescriptorBeyondWhatIsKeptIsTold() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings(), 2, 4 << 20, 150)
                .send(container(1).get(0));
        rig.send(PACKETS.genDcPayload(1, 1, 0, (1 << 20) - 71, PRELIMINARY | START, filled(0xAA, 72)));
        rig.send(container(1).subList(2, 10));
        rig.expectIncomplete(IncompleteCause.DATA_LARGER_THAN_FLOW_SET, 0);
        assertEquals((byte) 0xF1, rig.frames.get(0).flow(0).get(0));
    }

    @Test
    void genericPayloadInAContainerIsMalformed() {
        AssemblerRig rig = rig().send(container(1).get(0), PACKETS.payload(1, 1, new byte[80]));
        assertEquals(1, rig.count(Counter.PACKETS_MALFORMED));
    }
}
