package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A device begins with the block id 1 again, and its leaders have no time by which that could be seen. */
class RestartedIdsTest {
    private static final TestPackets PACKETS = TestPackets.standard(100);
    private static final int H264 = 8;
    private static final int RAW = 2;
    private static final long RETENTION_MILLIS = 100;

    private final AssemblerRig rig = new AssemblerRig(AssemblerRig.settings(), 10, 1000);

    private static List<ByteBuffer> raw(long block) {
        return List.of(
                PACKETS.rawLeader(block, 0, 100),
                PACKETS.payload(block, 1, new byte[100]),
                PACKETS.trailer(RAW, block, 2));
    }

    private static List<ByteBuffer> h264(long block) {
        ByteBuffer leader = ByteBuffer.allocate(32).putShort(2, (short) H264);
        ByteBuffer data = ByteBuffer.allocate(58).putLong(0, block);
        return List.of(
                PACKETS.packet(0, 0, 1, block, 0, leader.array()),
                PACKETS.packet(0, 0, 5, block, 1, data.array()),
                PACKETS.trailer(H264, block, 2));
    }

    private void send(List<ByteBuffer> block) {
        rig.send(block).pass(1);
        rig.frames.forEach(FlowSet::release);
        rig.frames.clear();
    }

    private void expect(long complete, long latePackets) {
        assertEquals(
                List.of(complete, latePackets),
                List.of(rig.count(Counter.FRAMES_COMPLETE), rig.count(Counter.PACKETS_LATE)));
    }

    @Test
    void burstsOfVideoThatAllBeginWithTheSameIdAreWhole() {
        for (int run = 0; run < 5; run++) {
            for (int block = 1; block <= 10; block++) {
                send(h264(block));
            }
            rig.pass(1000);
        }
        expect(50, 0);
        assertEquals(0, rig.count(Counter.BLOCK_ID_GAPS));
    }

    @Test
    void rawDataWithoutATimeIsFollowed() {
        send(raw(1));
        send(raw(2));
        rig.pass(RETENTION_MILLIS);
        send(raw(1));
        expect(3, 0);
    }

    @Test
    void leaderThatComesTwiceWithinTheRetentionTimeIsLate() {
        send(raw(1));
        send(raw(2));
        rig.pass(RETENTION_MILLIS - 10);
        send(raw(1));
        expect(2, 3);
    }

    @Test
    void retentionTimeOfABlockThatWaitedBeginsWhenItLeft() {
        rig.send(raw(1).get(0)).send(raw(2)).pass(RETENTION_MILLIS);
        assertEquals(0, rig.assembler.openBlocks());
        send(raw(1));
        expect(1, 3);
    }

    @Test
    void leaderThatWasAskedForIsLateHoweverLongItTook() {
        send(raw(1));
        send(raw(2));
        rig.pass(10 * RETENTION_MILLIS);
        send(List.of(PACKETS.resent(raw(1).get(0))));
        expect(2, 1);
    }
}
