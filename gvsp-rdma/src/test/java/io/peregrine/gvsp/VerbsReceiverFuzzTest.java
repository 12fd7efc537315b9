package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.peregrine.nativeio.Libc;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.testing.Needs;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Streams with losses, repetitions, any order and hostile packets, over a queue without an adapter: what a frame says
 * it received is what was sent, and nothing writes into it while the user holds it.
 */
class VerbsReceiverFuzzTest {
    private static final int PACKET_BYTES = 40;
    private static final int WIDTH = 25;
    private static final int HEIGHT = 15;
    private static final int BLOCK_BYTES = WIDTH * HEIGHT;
    private static final int LAST_ID = (BLOCK_BYTES + PACKET_BYTES - 1) / PACKET_BYTES + 1;

    private final TestPackets packets = TestPackets.standard(PACKET_BYTES);

    private VerbsRig rig(int depth, int sets, boolean honest) throws Exception {
        return new VerbsRig(depth, sets, PACKET_BYTES, honest ? VerbsReceiverFuzzTest::check : set -> {}, BLOCK_BYTES);
    }

    private static void check(FlowSet set) {
        long block = set.block().blockId();
        byte[] seen = new byte[BLOCK_BYTES];
        set.flow(0).get(0, seen);
        set.received(0, 0, BLOCK_BYTES).forEach(range -> {
            for (long i = range.offset(); i < range.end(); i++) {
                assertEquals(TestPackets.pixel(block, (int) i), seen[(int) i], "block " + block + " at " + i);
            }
        });
    }

    private void send(VerbsRig rig, long block, int id) {
        if (id == 0) {
            rig.send(packets.imageLeader(block, block, TestPackets.MONO8, WIDTH, HEIGHT));
        } else if (id >= LAST_ID) {
            rig.send(packets.imageTrailer(block, LAST_ID, HEIGHT));
        } else {
            int at = (id - 1) * PACKET_BYTES;
            byte[] data = new byte[Math.min(PACKET_BYTES, BLOCK_BYTES - at)];
            for (int i = 0; i < data.length; i++) {
                data[i] = TestPackets.pixel(block, at + i);
            }
            rig.send(packets.payload(block, id, data));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 13, 64, 200})
    void whatFramesSayTheyReceivedIsWhatWasSent(int depth) throws Exception {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            int chance = seed % 4 == 0 ? 0 : 4 + random.nextInt(30);
            try (VerbsRig rig = rig(depth, 3 + seed % 8, true)) {
                for (long block = 1; block <= 40; block++) {
                    for (int id = 0; id <= LAST_ID; id++) {
                        if (chance > 0 && random.nextInt(chance) == 0) {
                            switch (random.nextInt(4)) {
                                case 0 -> id++;
                                case 1 -> send(rig, block, id);
                                case 2 -> send(rig, Math.max(1, block - 1), random.nextInt(LAST_ID + 1));
                                default -> send(rig, block + random.nextInt(2), random.nextInt(LAST_ID + 1));
                            }
                        }
                        if (id <= LAST_ID) {
                            send(rig, block, id);
                        }
                        if (random.nextInt(6) == 0) {
                            rig.receive(random.nextInt(20) == 0 ? 200_000_000 : 1000);
                        }
                        if (random.nextInt(8) == 0) {
                            rig.release();
                        }
                        if (random.nextInt(150) == 0) {
                            rig.recall();
                        }
                    }
                }
                rig.receive(1000);
                assertTrue(rig.frames > 0);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {24, 64})
    void nothingIsCopiedOnceBlocksAreKnown(int depth) throws Exception {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        try (VerbsRig rig = rig(depth, 16, true)) {
            long before = 0;
            for (long block = 1; block <= 100; block++) {
                for (int id = 0; id <= LAST_ID; id++) {
                    send(rig, block, id);
                    if (id % 4 == 0) {
                        rig.receive(1000);
                    }
                }
                rig.receive(1000);
                rig.release();
                if (block == 50) {
                    before = rig.counters.get(Counter.BYTES_COPIED);
                }
            }
            assertEquals(100, rig.counters.get(Counter.FRAMES_COMPLETE));
            assertEquals(0, rig.counters.get(Counter.BYTES_COPIED) - before);
        }
    }

    /** Blocks of 12 packets: fewer are posted than there are receives, since no flow set is there for the rest. */
    @ParameterizedTest
    @ValueSource(ints = {4, 6, 10})
    void nothingIsCopiedThoughFlowSetsHoldFewerPacketsThanReceives(int sets) throws Exception {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        try (VerbsRig rig = rig(200, sets, true)) {
            long before = 0;
            for (long block = 1; block <= 100; block++) {
                for (int id = 0; id <= LAST_ID; id++) {
                    send(rig, block, id);
                    if (id % 4 == 0) {
                        rig.receive(1000);
                    }
                }
                rig.receive(1000);
                rig.release();
                if (block == 50) {
                    before = rig.counters.get(Counter.BYTES_COPIED);
                }
            }
            assertEquals(100, rig.counters.get(Counter.FRAMES_COMPLETE));
            assertEquals(0, rig.counters.get(Counter.BYTES_COPIED) - before);
            assertEquals(0, rig.queue.drops());
        }
    }

    /** While the user holds all flow sets but one, packets are copied rather than lost. */
    @Test
    void nothingIsLostWhileHardlyAnyFlowSetIsFree() throws Exception {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        try (VerbsRig rig = rig(200, 4, true)) {
            for (long block = 1; block <= 60; block++) {
                boolean holds = block >= 20 && block < 40;
                for (int id = 0; id <= LAST_ID; id++) {
                    send(rig, block, id);
                }
                rig.receive(1000);
                if (!holds || rig.leased() > 3) {
                    rig.release();
                }
                if (block == 40) {
                    rig.release();
                    rig.release();
                }
            }
            assertEquals(60, rig.counters.get(Counter.FRAMES_COMPLETE));
            assertEquals(0, rig.queue.drops());
        }
    }

    /** Each step: what, how many bytes, the bytes. */
    @FuzzTest(maxDuration = "60s")
    void hostilePackets(byte[] script) throws Exception {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        ByteBuffer steps = ByteBuffer.wrap(script);
        try (VerbsRig rig = rig(12, 6, false)) {
            for (long block = 1; block <= 3; block++) {
                for (int id = 0; id <= LAST_ID; id++) {
                    send(rig, block, id);
                }
                rig.receive(1000);
                rig.release();
            }
            while (steps.remaining() >= 3) {
                int what = steps.get() & 7;
                long block = 4L + (steps.get() & 3);
                int value = Byte.toUnsignedInt(steps.get());
                byte[] bytes = new byte[Math.min(value, steps.remaining())];
                switch (what) {
                    case 0, 1 -> send(rig, block, value % (LAST_ID + 1));
                    case 2 -> {
                        steps.get(bytes);
                        rig.queue.arrive(bytes);
                    }
                    case 3 -> {
                        steps.get(bytes);
                        rig.send(ByteBuffer.wrap(bytes));
                    }
                    case 4 -> {
                        steps.get(bytes);
                        rig.send(packets.packet(0, 0, value & 15, block, value % 16, bytes));
                    }
                    case 5 -> rig.receive(value * 1_000_000L);
                    case 6 -> rig.release();
                    default -> rig.recall();
                }
            }
            rig.receive(1000);
        }
    }
}
