package io.peregrine.rdma;

import static io.peregrine.rdma.TestContainer.FLOW0;
import static io.peregrine.rdma.TestContainer.FLOW1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.fabric.FakeFabric;
import io.peregrine.nativeio.Libc;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.RdmaMode;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamEngine;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.testing.Needs;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several devices, one completion thread. */
@ExpectedWarning("The RDMA connection to .* was lost and is made again")
@Timeout(60)
class RdmaStreamGroupTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int SETS = 3;
    private static final int DEVICES = 3;
    private static final InterimMapping MAPPING = InterimMapping.at(0xB000);
    private static final RdmaStreamSettings SETTINGS =
            RdmaStreamSettings.defaults().withReconnect(new ReconnectPolicy(1000, Duration.ZERO, Duration.ZERO));

    private final FakeFabric fabric = new FakeFabric();
    private final FakeFabric.Transport host = fabric.transport("127.0.0.1");
    private final RdmaStreamGroup group = RdmaStreamGroup.open("test", host, SETTINGS, DEVICES * SETS, MAPPING, 2);
    private final List<FakeGvrspDevice> devices = new ArrayList<>();
    private final List<StreamEngine> channels = new ArrayList<>();

    private StreamEngine open(FakeGvrspDevice device) {
        FlowSetPool pool = FlowSetPool.allocate(SETS, new long[] {FLOW0, FLOW1}, 1 << 20);
        StreamEngine channel =
                new StreamEngine(RdmaSource.open("member-" + channels.size(), SETTINGS, group, pool, MAPPING, device));
        channels.add(channel);
        return channel;
    }

    private void start() {
        for (int i = 0; i < DEVICES; i++) {
            FakeGvrspDevice device = new FakeGvrspDevice(fabric, "127.0.1." + (1 + i), FLOW0, FLOW1);
            devices.add(device);
            open(device).start();
            device.awaitAnnounced(SETS);
        }
    }

    @AfterEach
    void nothingIsLeft() {
        channels.forEach(StreamEngine::close);
        group.close();
        group.close();
        assertEquals(0, host.openObjects());
        assertFalse(Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().startsWith("peregrine-rdma-group-test")));
    }

    private FlowSet next(int device) throws InterruptedException {
        return channels.get(device)
                .poll(LONG)
                .orElseThrow(() -> new AssertionError(channels.get(device).failure()));
    }

    private static void expect(long id, FlowSet set) {
        assertEquals(Optional.empty(), set.block().incomplete());
        assertEquals(id, set.block().blockId());
        assertEquals(
                ByteBuffer.wrap(TestContainer.of(id)[1]),
                set.flow(1).duplicate().clear());
        set.release();
    }

    @Test
    void blocksArriveAtTheStreamOfTheirDevice() throws Exception {
        start();
        Random random = new Random(1);
        for (long id = 1; id <= 60; id++) {
            int device = random.nextInt(DEVICES);
            devices.get(device).writeBlock(id, TestContainer.of(id));
            expect(id, next(device));
            devices.get(device).awaitAnnounced(SETS);
        }
    }

    @Test
    void processorThatTheGroupsThreadCannotHaveIsToldByEachStream() throws Exception {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        RdmaStreamSettings settings = SETTINGS.withThread(RdmaSourceTest.ON_NO_PROCESSOR);
        FakeGvrspDevice device = new FakeGvrspDevice(fabric, FLOW0, FLOW1);
        FlowSetPool pool = FlowSetPool.allocate(SETS, new long[] {FLOW0, FLOW1}, 1 << 20);
        try (RdmaStreamGroup bound = RdmaStreamGroup.open("test-bound", host, settings, SETS, MAPPING, 2);
                StreamEngine channel =
                        new StreamEngine(RdmaSource.open("member", SETTINGS, bound, pool, MAPPING, device))) {
            channel.start();
            device.awaitAnnounced(SETS);
            device.writeBlock(1, TestContainer.of(1));
            expect(1, channel.poll(LONG).orElseThrow());
            List<String> told = channel.diagnosis(channel.statistics());
            assertEquals(1, told.size(), told::toString);
            assertTrue(told.get(0).startsWith("The receiver thread may not run on CPU [1023] alone: "), told::toString);
        }
    }

    @Test
    void receivesAreSharedByAllDevices() throws Exception {
        start();
        for (int device = 0; device < DEVICES; device++) {
            for (int id = 1; id <= SETS; id++) {
                devices.get(device).writeBlock(id, TestContainer.of(id));
            }
        }
        for (int device = 0; device < DEVICES; device++) {
            for (int id = 1; id <= SETS; id++) {
                expect(id, next(device));
            }
        }
    }

    @Test
    void brokenConnectionOfOneDeviceLeavesTheOthers() throws Exception {
        start();
        devices.get(0).writeBlock(1, TestContainer.of(1));
        devices.get(0).connection().fail("cable");
        devices.get(1).writeBlock(7, TestContainer.of(7));
        expect(7, next(1));
        expect(1, next(0));
        devices.get(0).awaitAnnounced(SETS);
        devices.get(0).writeBlock(2, TestContainer.of(2));
        expect(2, next(0));
        assertEquals(1, channels.get(0).statistics().get(Counter.RECONNECTS));
        assertEquals(0, channels.get(1).statistics().get(Counter.RECONNECTS));
    }

    @Test
    void deviceThatBreaksTheProtocolHurtsNobodyElse() throws Exception {
        start();
        for (int i = 1; i <= 50; i++) {
            int before = devices.get(0).connects;
            devices.get(0).sendMessage(new byte[3]);
            devices.get(1).writeBlock(i, TestContainer.of(i));
            expect(i, next(1));
            devices.get(1).awaitAnnounced(SETS);
            long deadline = System.nanoTime() + LONG.toNanos();
            while (devices.get(0).connects == before) {
                assertTrue(System.nanoTime() - deadline < 0);
                Thread.onSpinWait();
            }
            devices.get(0).awaitAnnounced(SETS);
        }
        assertEquals(50, channels.get(0).statistics().get(Counter.RECONNECTS));
        assertEquals(50, channels.get(0).statistics().get(Counter.MESSAGES_MALFORMED));
    }

    @Test
    void memberStopsAndStartsAgain() throws Exception {
        start();
        for (int run = 0; run < 5; run++) {
            channels.get(0).stop();
            devices.get(1).awaitAnnounced(SETS).writeBlock(run + 1, TestContainer.of(run + 1));
            expect(run + 1, next(1));
            channels.get(0).start();
            devices.get(0).awaitAnnounced(SETS).writeBlock(9, TestContainer.of(9));
            expect(9, next(0));
        }
    }

    @Test
    void blockWithAnErrorIsIncomplete() throws Exception {
        start();
        devices.get(2).done(devices.get(2).write().setId(), 0x8FFF, 5, 0, 0, 0);
        FlowSet set = next(2);
        assertEquals(Optional.of(IncompleteCause.DEVICE_ERROR), set.block().incomplete());
        set.release();
    }

    @Test
    void failedStartLeavesTheGroupAsItWas() {
        start();
        channels.get(0).stop();
        devices.get(0).containerBytes = 1;
        assertThrows(RdmaException.class, channels.get(0)::start);
        devices.get(0).containerBytes = FLOW0 + FLOW1;
        channels.get(0).start();
        devices.get(0).awaitAnnounced(SETS);
    }

    @Test
    void streamThatMustActAfterACompletionIsWoken() {
        afterAMessage(
                message -> {
                    // Its content does not matter.
                },
                true,
                port -> {});
    }

    /** A thread that ended without a word would leave the streams waiting. */
    @Test
    void errorWhileAMessageIsHandledReachesItsStream() {
        Error error = new InternalError("no memory");
        afterAMessage(
                message -> {
                    throw error;
                },
                false,
                port -> assertSame(
                        error, assertThrows(RdmaException.class, port::poll).getCause()));
    }

    /** Sends a message to a member that handles it so, and waits until its stream is woken. */
    private void afterAMessage(Consumer<ByteBuffer> onMessage, boolean mustAct, Consumer<CompletionPort> then) {
        FakeGvrspDevice device = new FakeGvrspDevice(fabric, "127.0.1.9", FLOW0, FLOW1);
        GvrspSession session = device.open(RdmaMode.WRITE);
        CompletionPort.Handler handler = new CompletionPort.Handler() {
            @Override
            public void onCompletion(Completion completion) {
                // Nothing was posted but receives for messages.
            }

            @Override
            public void onMessage(Completion completion, ByteBuffer message) {
                onMessage.accept(message);
            }

            @Override
            public boolean mustAct() {
                return mustAct;
            }
        };
        ReentrantLock state = new ReentrantLock();
        CompletionPort port = group.join(handler, state, SETS, MAPPING.messageBytes(RdmaMode.WRITE, 2));
        RdmaConnection made = host.prepare(session.endpoint(), port.settings(1, 0));
        port.attach(made);
        made.connect(MAPPING.requestPrivateData(session, 2, SETS), LONG);
        device.sendMessage(new byte[3]);
        long deadline = System.nanoTime() + LONG.toNanos();
        state.lock();
        try {
            port.await(deadline);
            assertTrue(System.nanoTime() - deadline < 0, "not woken");
            then.accept(port);
        } finally {
            state.unlock();
            made.close();
            port.close();
        }
    }

    @Test
    void fullGroupTakesNoMore() {
        start();
        FakeGvrspDevice device = new FakeGvrspDevice(fabric, "127.0.1.9", FLOW0, FLOW1);
        assertThrows(RdmaException.class, () -> open(device));
        channels.get(0).close();
        open(device).start();
        device.awaitAnnounced(SETS);
    }

    @Test
    void flowSetsOfMoreFlowsAreRefused() {
        FlowSetPool pool = FlowSetPool.allocate(2, new long[] {FLOW0, FLOW1, 5}, 1 << 20);
        FakeGvrspDevice device = new FakeGvrspDevice(fabric, FLOW0, FLOW1, 5);
        assertThrows(RdmaException.class, () -> RdmaSource.open("more", SETTINGS, group, pool, MAPPING, device));
    }

    @Test
    void groupWithStreamsIsNotClosed() {
        start();
        assertThrows(RdmaException.class, group::close);
    }
}
