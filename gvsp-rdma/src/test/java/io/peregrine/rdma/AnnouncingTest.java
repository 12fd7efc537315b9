package io.peregrine.rdma;

import static io.peregrine.rdma.TestContainer.FLOW0;
import static io.peregrine.rdma.TestContainer.FLOW1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.fabric.FakeFabric;
import io.peregrine.stream.RdmaMode;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When flow sets that are free again are announced to the device. */
@Timeout(60)
class AnnouncingTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int SETS = 8;

    private final FakeFabric fabric = new FakeFabric();
    private final FakeGvrspDevice device = new FakeGvrspDevice(fabric, FLOW0, FLOW1);
    private final RdmaSource source = RdmaSource.open(
            "test",
            RdmaStreamSettings.defaults(),
            fabric.transport("127.0.0.1"),
            FlowSetPool.allocate(SETS, new long[] {FLOW0, FLOW1}, 1 << 20),
            RdmaMode.SEND,
            InterimMapping.at(0xB000),
            device);
    private final StreamEngine engine = new StreamEngine(source);
    private long blockId;

    @BeforeEach
    void start() {
        engine.start();
        device.awaitAnnounced(SETS);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private FlowSet block() throws InterruptedException {
        blockId++;
        device.send(TestContainer.of(blockId));
        return engine.poll(LONG).orElseThrow();
    }

    @Test
    void flowSetsWaitForOthers() throws Exception {
        block().release();
        block().release();
        assertEquals(SETS - 2, device.announcedNow());
        block().release();
        // Those of the blocks before.
        device.awaitAnnounced(SETS - 1);
    }

    @Test
    void aDeviceWithFewGetsOneWithoutAnotherBlock() throws Exception {
        List<FlowSet> held = new ArrayList<>();
        for (int i = 0; i < SETS / 2 + 1; i++) {
            held.add(block());
        }
        held.get(0).release();
        device.awaitAnnounced(SETS / 2);
    }

    @Test
    void aDeviceWithoutAnyGetsTheFirstThatComesBack() throws Exception {
        List<FlowSet> held = new ArrayList<>();
        for (int i = 0; i < SETS; i++) {
            held.add(block());
        }
        held.get(0).release();
        device.awaitAnnounced(1);
    }
}
