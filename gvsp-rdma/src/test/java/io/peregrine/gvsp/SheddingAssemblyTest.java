package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.stream.StreamStatistics.Counter;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of blocks while the receiver lets in a share of them. */
class SheddingAssemblyTest {
    private static final TestPackets PACKETS = TestPackets.standard(100);
    /** Leader, five of payload, trailer. */
    private static final int PACKETS_OF_A_BLOCK = 7;

    private final AssemblerRig rig = new AssemblerRig(AssemblerRig.settings(), 4, 600);
    /** Across the end of the ids. */
    private long next = 65_400;

    private List<ByteBuffer> block(long position) {
        return PACKETS.image((position - 1) % 65_535 + 1, 20, 23);
    }

    private void returnFrames() {
        rig.frames.forEach(set -> set.release());
        rig.frames.clear();
    }

    /** The kernel drops packets of all blocks until some are left out. */
    @BeforeEach
    void overload() {
        rig.send(block(next++));
        long drops = 0;
        while (rig.assembler.blockShare() == BlockNumber.ALL) {
            rig.statistics.set(Counter.KERNEL_DROPS, drops += 10);
            rig.assembler.caughtUp();
            rig.send(block(next++).subList(0, 3)).pass(50);
            returnFrames();
            assertTrue(drops < 1000, "never");
        }
        rig.assembler.admitted(0);
        // Those that were damaged are over.
        sendShare(2);
    }

    /** A share is let in of which all blocks come whole. */
    private int sendShare(int blocks) {
        int shed = 0;
        for (int left = blocks; left > 0; next++) {
            int share = rig.assembler.blockShare();
            if (BlockNumber.isIn((next - 1) % 65_535 + 1, share)) {
                rig.send(block(next)).pass(1);
                returnFrames();
                left--;
            } else {
                shed++;
            }
            rig.assembler.caughtUp();
            if (rig.assembler.blockShare() != share) {
                rig.assembler.admitted(0);
            }
        }
        return shed;
    }

    @Test
    void blocksThatWereLeftOutAreCountedAsShedAndNotAskedFor() {
        long shedBefore = rig.count(Counter.FRAMES_SHED);
        long packetsBefore = rig.count(Counter.PACKETS_SHED);
        long missingBefore = rig.count(Counter.PACKETS_MISSING);
        rig.requests.clear();
        int shed = sendShare(14);
        assertTrue(shed > 0);
        assertEquals(shed, rig.count(Counter.FRAMES_SHED) - shedBefore);
        assertEquals(PACKETS_OF_A_BLOCK * (long) shed, rig.count(Counter.PACKETS_SHED) - packetsBefore);
        assertEquals(missingBefore, rig.count(Counter.PACKETS_MISSING));
        assertEquals(0, rig.count(Counter.BLOCK_ID_GAPS));
        assertEquals(List.of(), rig.requests);
    }

    @Test
    void allAreWantedAgainWhenTheOverloadIsOver() {
        sendShare(600);
        assertEquals(BlockNumber.ALL, rig.assembler.blockShare());
    }

    @Test
    void damagedBlockEndsWhenTwoNewerOnesCame() {
        rig.send(block(next).subList(0, 4));
        rig.send(block(next + 1));
        rig.send(block(next + 2));
        assertEquals(3, rig.frames.size(), "in order, so that the first one ended");
    }

    @Test
    void receiverThatCannotKeepPacketsOutIsSentAll() {
        rig.assembler.cannotShed();
        assertEquals(BlockNumber.ALL, rig.assembler.blockShare());
    }
}
