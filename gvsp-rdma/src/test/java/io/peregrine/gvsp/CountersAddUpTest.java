package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.gvsp.AssemblerRig.Request;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.StreamCounters;
import io.peregrine.stream.engine.StreamDiagnosis;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a device sent is what arrived, what the kernel dropped and what was lost on the way, to the packet. */
class CountersAddUpTest {
    private static final int BLOCKS = 400;
    private static final TestPackets PACKETS = TestPackets.standard(100);

    /** A device, a path that loses packets, a kernel that drops some, and a stranger. */
    private static final class LossySource {
        private final AssemblerRig rig;
        private final Random random;
        private final int lossPerMille;
        private final int dropPerMille;
        long sent;
        long lostInNetwork;
        long dropped;
        long foreign;

        LossySource(AssemblerRig rig, long seed, int lossPerMille, int dropPerMille) {
            this.rig = rig;
            this.random = new Random(seed);
            this.lossPerMille = lossPerMille;
            this.dropPerMille = dropPerMille;
        }

        void send(ByteBuffer packet) {
            sent++;
            int fate = random.nextInt(1000);
            if (fate < lossPerMille) {
                lostInNetwork++;
            } else if (fate < lossPerMille + dropPerMille) {
                rig.statistics.set(Counter.KERNEL_DROPS, ++dropped);
            } else {
                rig.send(packet);
            }
            if (random.nextInt(100) == 0) {
                foreign++;
                rig.statistics.increment(Counter.PACKETS_FOREIGN_SOURCE);
            }
        }

        void answer() {
            List<Request> requests = List.copyOf(rig.requests);
            rig.requests.clear();
            for (Request request : requests) {
                List<ByteBuffer> image = PACKETS.image(request.blockId(), 20, 23);
                for (long id = request.first(); id <= request.last(); id++) {
                    send(PACKETS.resent(image.get((int) id)));
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"true,10,0", "true,50,20", "true,0,100", "false,10,10", "false,200,50"})
    void sentIsReceivedAndDroppedAndLost(boolean resend, int lossPerMille, int dropPerMille) {
        AssemblerRig rig = new AssemblerRig(
                AssemblerRig.settings().withResendEnabled(resend).withOpenBlocks(16), 20, 600);
        LossySource source = new LossySource(rig, 5, lossPerMille, dropPerMille);
        // What a whole block looks like must be known before one can be missed.
        rig.send(PACKETS.image(1, 20, 23));
        source.sent += 7;
        for (int block = 2; block <= BLOCKS; block++) {
            PACKETS.image(block, 20, 23).forEach(source::send);
            for (int millis = 0; millis < 3; millis++) {
                rig.pass(1);
                source.answer();
            }
            releaseAll(rig);
        }
        // Without loss, so that the last blocks are not missed as a whole.
        rig.send(PACKETS.image(BLOCKS + 1, 20, 23));
        source.sent += 7;
        for (int millis = 0; millis < 300; millis++) {
            rig.pass(1);
            source.answer();
            releaseAll(rig);
        }
        StreamCounters counters = rig.statistics;
        assertEquals(0, counters.get(Counter.FRAMES_DROPPED_NO_FLOW_SET), "the test gives flow sets back in time");
        assertEquals(source.lostInNetwork, StreamDiagnosis.lostInNetwork(counters.snapshot()), counters::toString);
        assertEquals(
                source.sent + source.foreign,
                counters.get(Counter.PACKETS_RECEIVED)
                        + counters.get(Counter.KERNEL_DROPS)
                        + counters.get(Counter.PACKETS_FOREIGN_SOURCE)
                        + StreamDiagnosis.lostInNetwork(counters.snapshot()),
                counters::toString);
        assertTrue(source.lostInNetwork + source.dropped > 20, "the source loses something");
    }

    private static void releaseAll(AssemblerRig rig) {
        while (!rig.frames.isEmpty()) {
            rig.frames.remove(0).release();
        }
    }
}
