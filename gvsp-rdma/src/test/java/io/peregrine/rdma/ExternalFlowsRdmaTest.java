package io.peregrine.rdma;

import static io.peregrine.rdma.TestContainer.FLOW0;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.fabric.FakeFabric;
import io.peregrine.nativeio.GuardedMemory;
import io.peregrine.stream.FlowMemory;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.RdmaMode;
import io.peregrine.stream.engine.ExternalMemory;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.StreamEngine;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A stream whose flow 1 has 3 GiB, in memory of the user's, against a device that a test drives. */
@Timeout(60)
class ExternalFlowsRdmaTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final long LARGE = (3L << 30) + 77;
    private static final int SETS = 2;

    private final FakeFabric fabric = new FakeFabric();
    private final FakeFabric.Transport host = fabric.transport("127.0.0.1");
    private final FakeGvrspDevice device = new FakeGvrspDevice(fabric, FLOW0, LARGE);
    private final AtomicInteger releases = new AtomicInteger();
    private final List<GuardedMemory> memory = new ArrayList<>();
    private ExternalMemory external;
    private StreamEngine engine;

    private void give(Path folder) throws Exception {
        List<List<FlowMemory>> sets = new ArrayList<>();
        for (int set = 0; set < SETS; set++) {
            GuardedMemory first = GuardedMemory.of(FLOW0);
            GuardedMemory second = GuardedMemory.inSparseFile(folder.resolve("flow" + set), LARGE);
            memory.addAll(List.of(first, second));
            sets.add(List.of(first.flow(), second.flow()));
        }
        external = new ExternalMemory(sets, releases::incrementAndGet);
    }

    private RdmaSource source(RdmaMode mode) {
        return RdmaSource.open(
                "test",
                RdmaStreamSettings.defaults().withReconnect(new ReconnectPolicy(0, Duration.ZERO, Duration.ZERO)),
                host,
                external.pool(new long[] {FLOW0, LARGE}),
                mode,
                InterimMapping.at(0xB000),
                device);
    }

    private void start() {
        engine = new StreamEngine(source(RdmaMode.WRITE));
        external.release();
        engine.start();
        device.awaitAnnounced(SETS);
    }

    @AfterEach
    void nothingWasWrittenOutside() {
        if (engine != null) {
            engine.close();
            assertEquals(1, releases.get());
        }
        assertEquals(0, host.openObjects());
        memory.forEach(GuardedMemory::assertNothingBeyond);
        memory.forEach(GuardedMemory::close);
    }

    /** A container whose second part lies at the end of flow 1. */
    private static byte[] descriptor(long id, int partBytes) {
        byte[] flow0 = TestContainer.of(id)[0];
        ByteBuffer.wrap(flow0)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(TestContainer.PART1_AT + 16, LARGE - partBytes)
                .putLong(TestContainer.PART1_AT + 24, partBytes);
        return flow0;
    }

    private static byte[] data(int seed, int count) {
        byte[] bytes = new byte[count];
        new java.util.Random(seed).nextBytes(bytes);
        return bytes;
    }

    private void write(FakeGvrspDevice.Target target, long offset, byte[] bytes) {
        ByteBuffer from = ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
        device.connection()
                .postWrite(
                        3000,
                        device.transport.register(RdmaMemory.of(from)),
                        0,
                        bytes.length,
                        target.address() + offset,
                        target.key());
    }

    @Test
    void bothEndsOfAFlowOfThreeGibibytesAreWritten(@TempDir Path folder) throws Exception {
        give(folder);
        start();
        for (int id = 1; id <= 3; id++) {
            FakeGvrspDevice.Announcement target = device.write(descriptor(id, 5000));
            assertEquals(LARGE, target.flows().get(1).length());
            write(target.flows().get(1), 0, data(id, 4000));
            write(target.flows().get(1), LARGE - 5000, data(-id, 5000));
            device.done(target.setId(), 0, id, FLOW0 + LARGE, FLOW0, LARGE);
            FlowSet set = engine.poll(LONG).orElseThrow(() -> new AssertionError(engine.end()));
            assertEquals(Optional.empty(), set.block().incomplete());
            assertEquals(FLOW0 + LARGE, set.block().payloadBytes());
            GuardedMemory flow = memory.get(2 * set.index() + 1);
            assertArrayEquals(data(id, 4000), flow.bytes(0, 4000));
            assertArrayEquals(data(-id, 5000), flow.bytes(LARGE - 5000, 5000));
            assertArrayEquals(descriptor(id, 5000), memory.get(2 * set.index()).bytes(0, FLOW0));
            set.release();
            device.awaitAnnounced(SETS);
        }
    }

    @Test
    void moreThanTheMemoryIsReportedAndNotBelieved(@TempDir Path folder) throws Exception {
        give(folder);
        start();
        FakeGvrspDevice.Announcement target = device.write(descriptor(1, 5000));
        device.done(target.setId(), 0, 1, FLOW0 + LARGE, FLOW0, LARGE + 1);
        FlowSet set = engine.poll(LONG).orElseThrow();
        assertEquals(
                Optional.of(IncompleteCause.DATA_LARGER_THAN_FLOW_SET),
                set.block().incomplete());
        set.release();
    }

    @Test
    void writeBeyondTheMemoryEndsTheConnection(@TempDir Path folder) throws Exception {
        give(folder);
        start();
        FakeGvrspDevice.Announcement target = device.write(descriptor(1, 5000));
        write(target.flows().get(1), LARGE - 10, data(1, 11));
        assertEquals(Optional.empty(), engine.poll(LONG));
        assertTrue(engine.failure().isPresent());
        assertArrayEquals(new byte[10], memory.get(2 * target.setId() + 1).bytes(LARGE - 10, 10));
    }

    @Test
    void oneMessageIsTooSmallForIt(@TempDir Path folder) throws Exception {
        give(folder);
        RdmaException refused = assertThrows(RdmaException.class, () -> source(RdmaMode.SEND));
        assertEquals(
                "A flow of " + LARGE + " bytes does not fit one message, which has at most 2147483647: set"
                        + " RdmaMode=write",
                refused.getMessage());
    }
}
