package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks that are delivered in order, and what those cost that wait for one that is not whole. */
class OrderedDeliveryTest {
    private static final TestPackets PACKETS = TestPackets.standard(100);
    /** The block that is damaged, or does not come. */
    private static final int ODD = 20;

    private static final int LAST = 200;

    private final List<Long> delivered = new ArrayList<>();

    private static GvspSettings defaults() {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        return GvspSettings.defaults(loopback, loopback).withPacketSizeBytes(136);
    }

    private static List<ByteBuffer> image(long block) {
        return PACKETS.image(block, 20, 20);
    }

    private static List<ByteBuffer> damaged(long block) {
        List<ByteBuffer> packets = image(block);
        packets.remove(3);
        return packets;
    }

    private void giveBack(AssemblerRig rig) {
        delivered.addAll(rig.blockIds());
        rig.frames.forEach(FlowSet::release);
        rig.frames.clear();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 9})
    void aLostPacketCostsItsBlockOnly(int period) {
        AssemblerRig rig = new AssemblerRig(defaults(), 10, 1000);
        for (int block = 1; block <= LAST; block++) {
            rig.send(block == ODD ? damaged(block) : image(block)).pass(period);
            giveBack(rig);
        }
        assertEquals(0, rig.count(Counter.FRAMES_DROPPED_NO_FLOW_SET));
        assertEquals(LAST - 1, rig.count(Counter.FRAMES_COMPLETE));
        assertEquals(1, rig.count(Counter.FRAMES_INCOMPLETE));
    }

    @Test
    void anIdThatTheDeviceSkipsCostsNoBlock() {
        AssemblerRig rig = new AssemblerRig(defaults(), 10, 1000);
        for (int block = 1; block <= LAST; block++) {
            if (block != ODD) {
                rig.send(image(block));
            }
            rig.pass(5);
            giveBack(rig);
        }
        assertEquals(0, rig.count(Counter.FRAMES_DROPPED_NO_FLOW_SET));
        assertEquals(LAST - 1, rig.count(Counter.FRAMES_COMPLETE));
        assertEquals(1, rig.count(Counter.BLOCK_ID_GAPS));
    }

    @Test
    void twoDamagedBlocksGiveWayOneAfterTheOther() {
        AssemblerRig rig = new AssemblerRig(defaults(), 10, 1000);
        for (int block = 1; block <= LAST; block++) {
            rig.send(block == ODD || block == ODD + 2 ? damaged(block) : image(block))
                    .pass(5);
            giveBack(rig);
        }
        assertEquals(0, rig.count(Counter.FRAMES_DROPPED_NO_FLOW_SET));
        assertEquals(LAST - 2, rig.count(Counter.FRAMES_COMPLETE));
    }

    @Test
    void aDamagedBlockIsWaitedForWhileMoreThanOneFlowSetIsFree() {
        AssemblerRig rig = new AssemblerRig(defaults(), 10, 1000);
        rig.send(damaged(1));
        for (int block = 2; block <= 9; block++) {
            rig.send(image(block)).pass(5);
        }
        rig.send(PACKETS.resent(image(1).get(3)));
        assertEquals(9, rig.count(Counter.FRAMES_COMPLETE));
    }

    @Test
    void theLastFlowSetDoesNotEndADamagedBlockForTheSakeOfOne() {
        AssemblerRig rig = new AssemblerRig(defaults(), 3, 1000);
        rig.send(damaged(1)).send(image(2)).send(image(3));
        rig.send(PACKETS.resent(image(1).get(3)));
        assertEquals(3, rig.count(Counter.FRAMES_COMPLETE));
    }

    @Test
    void aBlockThatFindsNoMemoryGetsThatOfOneThatWaited() {
        AssemblerRig rig = new AssemblerRig(defaults(), 2, 1000);
        rig.yieldToConsumer = () -> giveBack(rig);
        rig.send(damaged(1)).send(image(2)).send(image(3));
        giveBack(rig);
        assertEquals(List.of(1L, 2L, 3L), delivered);
    }

    @Test
    void aBlockThatComesWhenNewerOnesLeaveIsLate() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings().withResendEnabled(false), 10, 1000);
        rig.send(image(1)).send(damaged(2)).send(image(4)).send(image(5)).send(image(6));
        rig.send(image(3)).send(image(5).subList(0, 2));
        rig.send(image(7)).send(image(8));
        assertEquals(List.of(1L, 2L, 4L, 5L, 6L, 7L, 8L), rig.blockIds());
        assertEquals(image(3).size() + 2, rig.count(Counter.PACKETS_LATE));
        assertEquals(1, rig.count(Counter.BLOCK_ID_GAPS));
    }
}
