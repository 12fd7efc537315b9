package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamCounters;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** A stream over a raw packet queue without an adapter. Nothing may write into a frame while the user holds it. */
final class VerbsRig implements FrameSink, AutoCloseable {
    private static final int DEVICE = 0x7F140702;
    private static final int LOCAL = 0x7F140701;
    private static final int DEVICE_PORT = 4711;

    final FlowSetPool pool;
    final StreamCounters counters = new StreamCounters();
    final FakeRawQueue queue;
    final VerbsPacketReceiver receiver;
    final FrameAssembler assembler;
    final HeldFrames held;
    private final Deque<FlowSet> leased = new ArrayDeque<>();
    private final Deque<byte[][]> contents = new ArrayDeque<>();
    private final Consumer<FlowSet> check;
    int frames;

    /**
     * Opens a stream.
     *
     * @param depth receives that are posted at a time
     * @param sets number of flow sets
     * @param packetBytes bytes of data of a full packet of generic payload
     * @param check takes each frame
     * @param flowBytes sizes of the flows
     */
    VerbsRig(int depth, int sets, int packetBytes, Consumer<FlowSet> check, long... flowBytes) throws Exception {
        this.check = check;
        pool = FlowSetPool.allocate(sets, flowBytes, 1 << 20);
        queue = new FakeRawQueue(depth);
        GvspSettings settings = GvspSettings.defaults(address(LOCAL), address(DEVICE))
                .withPacketSizeBytes(packetBytes + 36)
                .withResendEnabled(false)
                .withVerbs(new VerbsSettings(depth * 242, 200, 0, 1, List.of()));
        receiver = VerbsPacketReceiver.open(settings, counters, request -> queue);
        assembler = new FrameAssembler(settings, pool, (block, first, last, extended) -> {}, this, counters);
        assembler.beside(receiver);
        held = new HeldFrames(receiver, this::deliver);
    }

    private static InetAddress address(int number) throws Exception {
        return InetAddress.getByAddress(ByteBuffer.allocate(4).putInt(number).array());
    }

    @Override
    public void onFrame(FlowSet filled, boolean overtaken) {
        held.onFrame(filled, overtaken);
    }

    @Override
    public void onTestPacket(int packetSizeBytes) {}

    @Override
    public void yieldToConsumer() {}

    private void deliver(FlowSet set, boolean overtaken) {
        frames++;
        set.lease();
        check.accept(set);
        leased.add(set);
        contents.add(bytes(set));
    }

    private static byte[][] bytes(FlowSet set) {
        byte[][] flows = new byte[set.flowCount()][];
        for (int flow = 0; flow < flows.length; flow++) {
            flows[flow] = new byte[(int) set.flowSizeBytes(flow)];
            set.flow(flow).get(0, flows[flow]);
        }
        return flows;
    }

    /** Number of frames that the user holds. */
    int leased() {
        return leased.size();
    }

    void release() {
        FlowSet set = leased.poll();
        if (set != null) {
            assertTrue(Arrays.deepEquals(contents.poll(), bytes(set)), "written while the user held it");
            set.release();
        }
    }

    void send(ByteBuffer packet) {
        queue.arrive(FakeRawQueue.ethernet(DEVICE, DEVICE_PORT, LOCAL, receiver.localPort(), packet));
    }

    void receive(long nanos) {
        receiver.receive(assembler, System.nanoTime());
        assembler.onTime(System.nanoTime() + nanos);
        held.release();
    }

    void recall() {
        receiver.recall(assembler);
        held.release();
        assertTrue(held.isEmpty(), "held though nothing writes");
    }

    @Override
    public void close() {
        receiver.recall(assembler);
        receiver.forget();
        assembler.end();
        held.release();
        while (!leased.isEmpty()) {
            release();
        }
        receiver.close();
    }
}
