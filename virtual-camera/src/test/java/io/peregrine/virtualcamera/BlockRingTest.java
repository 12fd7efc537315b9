package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockRingTest {
    private static final int MIB = 1 << 20;
    private static final InetSocketAddress HOST = new InetSocketAddress(InetAddress.getLoopbackAddress(), 5000);

    @ParameterizedTest
    @CsvSource({
        "0, 1, 100, 8", // slow: at least 8
        "0, 1, 10, 25", // as many as a quarter of a second has
        "0, 1, 1, 64", // fast: at most 64
        "0, 16, 1, 12", // as many as 192 MiB hold
        "3, 1, 1, 3", // as many as wanted
        "64, 16, 1, 12",
        "1, 1, 1, 2", // at least 2
        "8, 1000, 1, 2"
    })
    void keepsBlocksAsWantedAndAffordable(int wanted, int blockMebibytes, long periodMillis, int kept) {
        assertEquals(kept, new BlockRing(wanted).count(blockMebibytes * MIB, periodMillis * 1_000_000));
    }

    private static BlockPackets packets(long blockId, boolean extended) {
        Composition composition = Composition.of(
                new Composition.Settings(
                        Content.COMPONENTS,
                        Set.of(ComponentKind.INTENSITY),
                        Formats.MONO8,
                        64,
                        4,
                        0,
                        0,
                        Scenario.Flows.SINGLE,
                        Optional.empty(),
                        false,
                        new ChunkData.Values(),
                        0),
                Optional.empty());
        PayloadLayout layout =
                new PayloadLayout(composition, PayloadLayout.IMAGE, false, List.of(), new ChunkData.Values());
        return new PacketPlan(layout, 1500, extended).cut(layout.stamp(blockId, 0));
    }

    private static BlockRing.Kept begin(BlockRing ring, long blockId, boolean extended) {
        BlockRing.Kept block = ring.next();
        block.begin(packets(blockId, extended), HOST, blockId);
        return block;
    }

    @Test
    void findsABlockByItsIdInTheSameForm() {
        BlockRing ring = new BlockRing(2);
        ring.prepare(256, 1);
        BlockRing.Kept block = begin(ring, 7, false);
        assertSame(block, ring.find(7, false));
        assertNull(ring.find(7, true));
        assertNull(ring.find(8, false));
    }

    @Test
    void theOldestBlockMakesRoom() {
        BlockRing ring = new BlockRing(2);
        ring.prepare(256, 1);
        BlockRing.Kept first = begin(ring, 1, false);
        begin(ring, 2, false);
        BlockRing.Kept third = begin(ring, 3, false);
        assertSame(first, third);
        assertNull(ring.find(1, false));
    }

    @Test
    void anotherAcquisitionForgetsTheBlocksAndKeepsTheMemory() {
        BlockRing ring = new BlockRing(2);
        ring.prepare(256, 1);
        ByteBuffer memory = begin(ring, 1, false).bytes;
        ring.prepare(128, 1);
        assertNull(ring.find(1, false));
        assertSame(memory, ring.next().bytes);
    }

    @Test
    void largerBlocksGetOtherMemory() {
        BlockRing ring = new BlockRing(2);
        ring.prepare(256, 1);
        ByteBuffer memory = ring.next().bytes;
        ring.prepare(512, 1);
        assertNotSame(memory, ring.next().bytes);
        assertEquals(512, ring.next().bytes.capacity());
    }
}
