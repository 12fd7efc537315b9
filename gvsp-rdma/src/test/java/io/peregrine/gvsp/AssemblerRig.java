package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamCounters;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An assembler with a clock that the test turns, and with everything that comes out of it. */
final class AssemblerRig implements FrameSink {
    static final long MILLI = 1_000_000L;

    /** A request for packets. */
    record Request(long blockId, long first, long last, boolean extended) {}

    final FlowSetPool pool;
    final StreamCounters statistics = new StreamCounters();
    final List<FlowSet> frames = new ArrayList<>();
    /** Ids of the blocks that came after a newer one. */
    final List<Long> overtaken = new ArrayList<>();

    final List<Integer> testPackets = new ArrayList<>();
    final List<Request> requests = new ArrayList<>();
    final FrameAssembler assembler;
    /** What a user does on the same processor when the receiver gives way. */
    Runnable yieldToConsumer = () -> {};

    /** Far from zero, and near the point where it wraps. */
    long now = Long.MAX_VALUE - 50 * MILLI;

    AssemblerRig(GvspSettings settings, int flowSets, long... flowSizes) {
        pool = FlowSetPool.allocate(flowSets, flowSizes, 1L << 30);
        assembler = new FrameAssembler(
                settings,
                pool,
                (block, first, last, extended) -> requests.add(new Request(block, first, last, extended)),
                this,
                statistics);
    }

    /** Packet size for 100 payload bytes in a standard packet; first request after 1 ms, next after 10 ms, 3 tries. */
    static GvspSettings settings() {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        return GvspSettings.defaults(loopback, loopback)
                .withPacketSizeBytes(136)
                .withTimeouts(Duration.ofMillis(1), Duration.ofMillis(10))
                .withResendLimits(3, 1)
                .withOpenBlocks(4);
    }

    @Override
    public void onFrame(FlowSet filled, boolean late) {
        filled.lease();
        frames.add(filled);
        if (late) {
            overtaken.add(filled.block().blockId());
        }
    }

    @Override
    public void yieldToConsumer() {
        yieldToConsumer.run();
    }

    @Override
    public void onTestPacket(int packetSizeBytes) {
        testPackets.add(packetSizeBytes);
    }

    AssemblerRig send(ByteBuffer... packets) {
        return send(List.of(packets));
    }

    AssemblerRig send(List<ByteBuffer> packets) {
        for (ByteBuffer packet : packets) {
            // Not at the start of the buffer, and with bytes behind it that do not belong to it.
            ByteBuffer larger = ByteBuffer.allocate(packet.remaining() + 40);
            larger.put(7, packet, packet.position(), packet.remaining());
            assembler.onPacket(larger, 7, packet.remaining(), now);
        }
        return this;
    }

    AssemblerRig pass(long millis) {
        for (long i = 0; i < millis; i++) {
            now += MILLI;
            assembler.onTime(now);
        }
        return this;
    }

    long count(Counter counter) {
        return statistics.get(counter);
    }

    List<Long> blockIds() {
        return frames.stream().map(set -> set.block().blockId()).toList();
    }

    BlockInfo onlyBlock() {
        assertEquals(1, frames.size(), () -> "frames, with " + statistics);
        return frames.get(0).block();
    }

    void expectComplete(int frame, int bytes) {
        assertTrue(frames.size() > frame, () -> "no frame " + frame + ": " + statistics);
        FlowSet set = frames.get(frame);
        BlockInfo block = set.block();
        assertEquals(Optional.empty(), block.incomplete());
        assertEquals(bytes, block.payloadBytes());
        assertEquals(0, block.missingPackets());
        byte[] pixels = new byte[bytes];
        set.flow(0).get(0, pixels);
        assertArrayEquals(TestPackets.pixels(block.blockId(), bytes), pixels);
        assertTrue(set.covered(0, 0, bytes));
    }

    void expectIncomplete(IncompleteCause cause, long missing) {
        BlockInfo block = onlyBlock();
        assertEquals(Optional.of(cause), block.incomplete());
        assertEquals(missing, block.missingPackets());
        assertEquals(1, count(Counter.FRAMES_INCOMPLETE));
        assertEquals(0, count(Counter.FRAMES_COMPLETE));
    }
}
