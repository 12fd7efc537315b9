package io.peregrine.gvsp;

import static io.peregrine.gvsp.PlacedBlocks.FLOW_BYTES;
import static io.peregrine.gvsp.PlacedBlocks.PACKET_BYTES;
import static io.peregrine.gvsp.PlacedBlocks.block;
import static io.peregrine.gvsp.PlacedBlocks.data;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.gvsp.PlacedBlocks.Kind;
import io.peregrine.nativeio.Libc;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.testing.Needs;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Payload whose packets say where their data belongs, written there by an adapter. */
class VerbsPlacementTest {
    @BeforeEach
    void needs() {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
    }

    private static void check(FlowSet set) {
        long block = set.block().blockId();
        for (int flow = 0; flow < set.flowCount(); flow++) {
            int number = flow;
            byte[] expected = data(block, flow, 0, FLOW_BYTES[flow]);
            set.received(flow, 0, FLOW_BYTES[flow]).forEach(range -> {
                byte[] seen = new byte[(int) range.lengthBytes()];
                set.flow(number).get((int) range.offset(), seen);
                assertTrue(
                        Arrays.equals(seen, Arrays.copyOfRange(expected, (int) range.offset(), (int) range.end())),
                        () -> "flow " + number + " of block " + block + ", " + range);
            });
        }
    }

    private static VerbsRig rig(int depth, int sets) throws Exception {
        return new VerbsRig(depth, sets, PACKET_BYTES, VerbsPlacementTest::check, FLOW_BYTES[0], FLOW_BYTES[1]);
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsCopiedOnceBlocksAreKnown(Kind kind) throws Exception {
        try (VerbsRig rig = rig(24, 16)) {
            long before = 0;
            for (long block = 1; block <= 60; block++) {
                int sent = 0;
                for (ByteBuffer packet : block(kind, block)) {
                    rig.send(packet);
                    if (sent++ % 4 == 0) {
                        rig.receive(1000);
                    }
                }
                rig.receive(1000);
                rig.release();
                if (block == 10) {
                    before = rig.counters.get(Counter.BYTES_COPIED);
                }
            }
            assertEquals(60, rig.counters.get(Counter.FRAMES_COMPLETE));
            assertEquals(50L * kind.copiedBytes(), rig.counters.get(Counter.BYTES_COPIED) - before);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatFramesSayTheyReceivedIsWhatWasSent(Kind kind) throws Exception {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            int chance = 4 + random.nextInt(30);
            try (VerbsRig rig = rig(8 + seed % 5 * 20, 3 + seed % 8)) {
                for (long block = 1; block <= 40; block++) {
                    List<ByteBuffer> packets = block(kind, block);
                    for (int id = 0; id < packets.size(); id++) {
                        // Blocks at first are as they should be, so that they become known.
                        if (block > 3 && random.nextInt(chance) == 0) {
                            switch (random.nextInt(4)) {
                                case 0 -> id = Math.min(id + 1, packets.size() - 1);
                                case 1 -> rig.send(packets.get(id).duplicate());
                                case 2 ->
                                    rig.send(block(kind, Math.max(1, block - 1)).get(random.nextInt(packets.size())));
                                default ->
                                    rig.send(block(kind, block + random.nextInt(2))
                                            .get(random.nextInt(packets.size())));
                            }
                        }
                        rig.send(packets.get(id).duplicate());
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
}
