package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.stream.engine.FlowSet;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * However packets contradict each other, each of them and each look at the time costs little: else a receiver thread
 * that is to end would not look up for long. The time limits are hundreds of times what is needed.
 */
@Timeout(value = 20, unit = TimeUnit.SECONDS)
class BoundedWorkTest {
    private static final int MEBI = 1 << 20;
    /** Beyond it no packet of a flow set of 64 MiB is believed. */
    private static final int LAST_PACKET = MEBI + 4095;

    private static final TestPackets PACKETS = TestPackets.extended(100);
    private static final int REMOVED = 0x8010;

    private static AssemblerRig rig() {
        return new AssemblerRig(AssemblerRig.settings().withOpenBlocks(16), 2, 64 * MEBI);
    }

    @Test
    void statusPacketsForABlockThatMissesAMillion() {
        AssemblerRig rig = rig().send(PACKETS.payload(1, LAST_PACKET, new byte[100]));
        for (int i = 0; i < 10_000; i++) {
            rig.send(PACKETS.error(REMOVED, 1, LAST_PACKET));
        }
        assertEquals(1, rig.assembler.openBlocks());
    }

    @Test
    void packetSizesThatChangeWithEachPacketOfABlockThatMissesAMillion() {
        AssemblerRig rig = rig().send(PACKETS.payload(1, LAST_PACKET, new byte[1]));
        for (int i = 2; i < 5000; i++) {
            rig.send(PACKETS.payload(1, i, new byte[100 + i]));
        }
        assertEquals(1, rig.assembler.openBlocks());
    }

    @Test
    void blocksOfWhichOnlyTheLastPacketComes() {
        AssemblerRig rig = rig();
        for (int i = 1; i <= 1000; i++) {
            rig.send(PACKETS.payload(i, LAST_PACKET, new byte[1]));
            rig.frames.forEach(FlowSet::release);
            rig.frames.clear();
        }
        assertTrue(rig.assembler.openBlocks() <= 16);
    }

    @Test
    void userIsWaitedForAFewTimesInABatchOfBlocksWithoutAFlowSet() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings().withInOrder(false), 2, 1000);
        int[] given = {0};
        rig.yieldToConsumer = () -> given[0]++;
        for (int i = 1; i <= 1000; i++) {
            rig.send(PACKETS.image(i, 10, 10));
        }
        assertEquals(8, given[0]);
        rig.pass(1).send(PACKETS.image(1001, 10, 10));
        assertEquals(16, given[0]);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void packetsOfAllKindsMixed(long seed) {
        Random random = new Random(seed);
        AssemblerRig rig = rig();
        int requests = 0;
        for (int batch = 0; batch < 30; batch++) {
            for (int i = 0; i < 200; i++) {
                rig.send(anything(random, batch));
            }
            rig.pass(1 + random.nextInt(3));
            requests = Math.max(requests, rig.requests.size());
            rig.requests.clear();
            rig.frames.forEach(FlowSet::release);
            rig.frames.clear();
            assertTrue(rig.assembler.openBlocks() <= 16);
        }
        int most = requests;
        assertTrue(most < 20_000, () -> "requests at a time: " + most);
    }

    private static ByteBuffer anything(Random random, int newest) {
        long block = Math.max(1, newest + random.nextInt(8) - 4);
        int packet = switch (random.nextInt(4)) {
            case 0 -> LAST_PACKET - random.nextInt(10);
            case 1 -> random.nextInt(LAST_PACKET);
            default -> 1 + random.nextInt(1000);
        };
        byte[] data = new byte[1 + random.nextInt(300)];
        random.nextBytes(data);
        return switch (random.nextInt(10)) {
            case 0 -> PACKETS.imageLeader(block, random.nextInt(3), TestPackets.MONO8, 4000, 4000);
            case 1 -> PACKETS.rawLeader(block, random.nextInt(3), random.nextLong());
            case 2 -> PACKETS.genDcLeader(block, 5, 64 * MEBI, random.nextBoolean(), random.nextInt(MEBI));
            case 3 -> PACKETS.imageTrailer(block, packet, 4000);
            case 4 -> PACKETS.error(random.nextBoolean() ? REMOVED : 0x8000 + random.nextInt(32), block, packet);
            case 5 -> PACKETS.genDcPayload(block, packet, 0, random.nextInt(64 * MEBI), random.nextInt(256), data);
            default -> PACKETS.packet(0, 0, random.nextInt(10), block, packet, data);
        };
    }
}
