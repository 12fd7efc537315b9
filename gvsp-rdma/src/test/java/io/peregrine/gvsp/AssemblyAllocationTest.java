package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamCounters;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Once the arrays of an assembler have grown, memory is only needed for what a block's user is told. */
class AssemblyAllocationTest {
    private static final int PACKETS = 1000;
    private static final int BLOCKS = 40;
    private static final int DATA_BYTES = 20;
    /** A tenth of what one object for each packet would take. */
    private static final long MAX_BYTES_PER_BLOCK = 1600;

    @ParameterizedTest
    @ValueSource(ints = {0x0001, 0x4001, 0x0006, 0x0008, 0x0009, 0x000A, 0x000B})
    void packetsOfASteadyStreamAllocateNothing(int type) {
        FlowSetPool pool = FlowSetPool.allocate(4, new long[] {DATA_BYTES * PACKETS}, 1 << 20);
        StreamCounters statistics = new StreamCounters();
        FrameAssembler assembler = new FrameAssembler(
                AssemblerRig.settings(), pool, (block, first, last, extended) -> {}, new Returning(), statistics);
        List<List<ByteBuffer>> blocks = new ArrayList<>();
        for (int id = 1; id <= 2 * BLOCKS; id++) {
            blocks.add(block(type, id));
        }
        run(assembler, blocks.subList(0, BLOCKS));
        long before = AllocatedBytes.ofThisThread();
        run(assembler, blocks.subList(BLOCKS, 2 * BLOCKS));
        long allocated = AllocatedBytes.ofThisThread() - before;
        assertEquals(2 * BLOCKS, statistics.get(Counter.FRAMES_COMPLETE), statistics::toString);
        assertTrue(allocated / BLOCKS < MAX_BYTES_PER_BLOCK, allocated / BLOCKS + " bytes a block");
    }

    private static void run(FrameAssembler assembler, List<List<ByteBuffer>> blocks) {
        long now = 0;
        for (int i = 0; i < blocks.size(); i++) {
            List<ByteBuffer> packets = blocks.get(i);
            for (int packet = 0; packet < packets.size(); packet++) {
                ByteBuffer buffer = packets.get(packet);
                assembler.onPacket(buffer, 0, buffer.capacity(), now++);
            }
            assembler.onTime(now);
        }
    }

    private static List<ByteBuffer> block(int type, long id) {
        TestPackets packets = TestPackets.extended(0);
        List<ByteBuffer> block = new ArrayList<>();
        ByteBuffer leader = ByteBuffer.allocate(60);
        leader.putShort(2, (short) type);
        int bytes = DATA_BYTES * PACKETS;
        switch (type) {
            case 0x000A -> leader.putShort(12, (short) 1).putInt(16, bytes);
            case 0x000B -> leader.putLong(12, bytes).putInt(24, DATA_BYTES);
            default -> {}
        }
        block.add(packets.packet(0, 0, 1, id, 0, leader.array()));
        block.get(0).put(7, (byte) 1);
        int format = GvspHeader.payloadFormat(type);
        int head = format == 3 ? 0 : format == 8 ? 16 : 8;
        for (int packet = 0; packet < PACKETS; packet++) {
            ByteBuffer body = ByteBuffer.allocate(head + DATA_BYTES);
            switch (format) {
                case 6, 7 -> body.putInt(4, packet * DATA_BYTES);
                case 8 ->
                    body.putInt(0, DATA_BYTES)
                            .putLong(4, (long) packet * DATA_BYTES)
                            .put(12, (byte) (packet == 0 ? 0x70 : 0));
                default -> {}
            }
            block.add(packets.packet(0, 0, format, id, packet + 1L, body.array()));
        }
        ByteBuffer trailer = ByteBuffer.allocate(20);
        trailer.putShort(2, (short) type);
        block.add(packets.packet(0, 0, 2, id, PACKETS + 1L, trailer.array()));
        return block;
    }

    /** Gives every flow set back at once. */
    private static final class Returning implements FrameSink {
        @Override
        public void onFrame(FlowSet filled, boolean overtaken) {
            filled.lease();
            filled.release();
        }

        @Override
        public void yieldToConsumer() {
            // It has nothing to wait for.
        }

        @Override
        public void onTestPacket(int packetSizeBytes) {
            throw new AssertionError("a test packet");
        }
    }
}
