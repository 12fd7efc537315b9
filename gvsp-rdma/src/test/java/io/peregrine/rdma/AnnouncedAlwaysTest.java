package io.peregrine.rdma;

import static io.peregrine.rdma.TestContainer.FLOW0;
import static io.peregrine.rdma.TestContainer.FLOW1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.fabric.FakeFabric;
import io.peregrine.stream.RdmaMode;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamEngine;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many flow sets the device has, turn by turn, without a receiver thread and without waiting. */
class AnnouncedAlwaysTest {
    private static final int BLOCKS = 2000;

    private final FakeFabric fabric = new FakeFabric();
    private final FakeGvrspDevice device = new FakeGvrspDevice(fabric, FLOW0, FLOW1);
    private final ArrayDeque<FlowSet> held = new ArrayDeque<>();
    private RdmaSource source;
    private StreamEngine engine;
    private long blockId;

    private void begin(int sets) {
        source = RdmaSource.open(
                "test",
                RdmaStreamSettings.defaults(),
                fabric.transport("127.0.0.1"),
                FlowSetPool.allocate(sets, new long[] {FLOW0, FLOW1}, 1 << 20),
                RdmaMode.SEND,
                InterimMapping.at(0xB000),
                device);
        engine = new StreamEngine(source);
        source.begin(engine);
    }

    @AfterEach
    void close() {
        held.forEach(FlowSet::release);
        source.end();
        engine.close();
    }

    /** A block comes, the receiver handles it in its turn, and the user takes it. */
    private void block() throws InterruptedException {
        blockId++;
        device.send(TestContainer.of(blockId));
        Optional<FlowSet> taken = Optional.empty();
        while (taken.isEmpty()) {
            source.turn();
            taken = engine.poll(Duration.ZERO);
        }
        held.add(taken.get());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 8, 10, 16, 32, 100})
    void onlyAQuarterWaitsToBeAnnounced(int sets) throws Exception {
        begin(sets);
        Random random = new Random(sets);
        int most = 0;
        for (int i = 0; i < BLOCKS; i++) {
            int inUse = held.size();
            block();
            most = Math.max(most, sets - inUse - 1 - device.announcedNow());
            while (held.size() == sets || (!held.isEmpty() && random.nextBoolean())) {
                held.remove().release();
                if (device.announcedNow() == 0) {
                    source.turn();
                }
            }
        }
        assertTrue(most <= Math.max(1, sets / 4), most + " waited");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 8, 10, 16, 32, 100})
    void aUserWhoStallsGetsAsManyBlocksAsThereAreFlowSets(int sets) throws Exception {
        for (int before = 0; before < Math.min(sets, 20); before++) {
            begin(sets);
            for (int i = 0; i < before; i++) {
                block();
                held.remove().release();
            }
            int blocks = 0;
            while (device.announcedNow() > 0) {
                block();
                blocks++;
            }
            assertEquals(sets, blocks, before + " blocks before");
            close();
            held.clear();
        }
        begin(sets);
    }
}
