package io.peregrine.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.peregrine.fabric.FakeFabric;
import io.peregrine.stream.RdmaMode;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamEngine;
import io.peregrine.testing.ExpectedWarning;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a device sends: no exception, nothing whole that is not, no flow set lost. */
@ExpectedWarning("The RDMA connection to .* was lost and is made again")
@Timeout(120)
class GvrspHostFuzzTest {
    private static final int FLOW0 = TestContainer.FLOW0;
    private static final int FLOW1 = TestContainer.FLOW1;

    // ---- bytes

    @FuzzTest(maxDuration = "60s")
    void anyDescriptor(FuzzedDataProvider data) {
        int flows = data.consumeInt(1, 2);
        long first = data.consumeLong(0, FLOW0);
        long second = data.consumeLong(0, FLOW1);
        look(data.consumeRemainingAsBytes(), flows, first, second);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void damagedDescriptor(long seed) {
        Random random = new Random(seed);
        int whole = 0;
        int readable = 0;
        for (int i = 0; i < 3000; i++) {
            byte[] bytes = TestContainer.of(5)[0];
            for (int change = random.nextInt(3); change > 0; change--) {
                int at = random.nextInt(TestContainer.DESCRIPTOR);
                bytes[at] = (byte) (random.nextBoolean() ? random.nextInt() : random.nextInt(3) - 1);
            }
            boolean cut = random.nextInt(4) == 0;
            ContainerView.Finding finding = look(
                    bytes,
                    1 + random.nextInt(2),
                    cut ? random.nextInt(FLOW0 + 1) : FLOW0,
                    cut ? random.nextInt(FLOW1 + 1) : FLOW1);
            whole += finding == ContainerView.Finding.WHOLE ? 1 : 0;
            readable += finding != ContainerView.Finding.UNREADABLE ? 1 : 0;
        }
        // Otherwise the checks above would be of little worth.
        assertTrue(whole > 100 && readable > whole + 100);
    }

    private static ContainerView.Finding look(byte[] bytes, int flows, long first, long second) {
        long[] sizes = flows == 1 ? new long[] {FLOW0 + FLOW1} : new long[] {FLOW0, FLOW1};
        FlowSet set = FlowSetPool.allocate(1, sizes, 1 << 20).take().orElseThrow();
        set.beginFilling();
        set.flow(0).put(0, bytes, 0, (int) Math.min(bytes.length, sizes[0]));
        set.markReceived(0, 0, flows == 1 ? first + second : first);
        if (flows == 2) {
            set.markReceived(1, 0, second);
        }
        ByteBuffer head = set.flow(0).duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
        ContainerView view = new ContainerView();
        ContainerView.Finding finding = view.read(head, set);
        assertTrue(view.descriptorBytes() >= 0 && view.descriptorBytes() <= set.filledBytes(0));
        if (finding == ContainerView.Finding.WHOLE) {
            assertEquals(head.getInt(48), view.descriptorBytes());
            assertEquals(head.getLong(16), view.blockId());
        }
        return finding;
    }

    @FuzzTest(maxDuration = "60s")
    void anyMessage(FuzzedDataProvider data) {
        byte[] bytes = data.consumeRemainingAsBytes();
        ByteBuffer message = ByteBuffer.allocate(Math.max(bytes.length, 64)).order(ByteOrder.LITTLE_ENDIAN);
        message.put(0, bytes);
        InterimMapping.at(0xB000).onMessage(message, bytes.length, 2, new GvrspEvents() {
            @Override
            public void flowDone(long setId, int flow, long lengthBytes) {
                assertTrue(setId >= 0 && flow >= 0 && flow < 2 && lengthBytes >= 0);
            }

            @Override
            public void blockReported(long setId, int status, long blockId, long totalBytes, long blocksDropped) {
                assertTrue(setId >= 0 && status >= 0);
            }

            @Override
            public void blockDone(long setId) {
                assertTrue(setId >= 0);
            }

            @Override
            public void broken(String reason) {
                assertTrue(!reason.isEmpty());
            }
        });
    }

    @Test
    void emptyReplyAndRejectionAreNoException() {
        InterimMapping mapping = InterimMapping.at(0xB000);
        assertTrue(!mapping.explain(new ConnectionRejectedException("no", 0, new byte[0]))
                .getMessage()
                .isEmpty());
    }

    // ---- a device that does whatever it likes

    @ParameterizedTest
    @CsvSource({"SEND,1", "SEND,2", "SEND,3", "WRITE,4", "WRITE,5", "WRITE,6"})
    void unreliableDevice(RdmaMode mode, long seed) throws InterruptedException {
        Random random = new Random(seed);
        FakeFabric fabric = new FakeFabric();
        FakeFabric.Transport host = fabric.transport("127.0.0.1");
        FakeGvrspDevice device = new FakeGvrspDevice(fabric, FLOW0, FLOW1);
        FlowSetPool pool = FlowSetPool.allocate(3, new long[] {FLOW0, FLOW1}, 1 << 20);
        RdmaStreamSettings settings =
                RdmaStreamSettings.defaults().withReconnect(new ReconnectPolicy(1000, Duration.ZERO, Duration.ZERO));
        try (StreamEngine channel = new StreamEngine(
                RdmaSource.open("fuzz", settings, host, pool, mode, InterimMapping.at(0xB000), device))) {
            channel.start();
            settle(channel, device);
            // On a slow machine the host notices the end of a connection late, and more tries come to nothing.
            for (long id = 1; id <= 200 || (id <= 20_000 && !sawEverything(channel)); id++) {
                try {
                    misbehave(device, mode, random, id);
                } catch (RdmaException | NoSuchElementException e) {
                    // The host ended the connection for what was sent before.
                    assertEquals(Optional.empty(), channel.failure());
                }
                settle(channel, device);
            }
            assertEquals(Optional.empty(), channel.failure());
            assertTrue(sawEverything(channel), () -> channel.statistics().toString());
        }
        assertEquals(0, host.openObjects());
        pool.reclaim();
        assertTrue(pool.flowSets().stream().allMatch(set -> set.state() == FlowSet.State.FREE));
    }

    private static boolean sawEverything(StreamEngine channel) {
        return channel.statistics().get(Counter.RECONNECTS) > 5
                && channel.statistics().get(Counter.FRAMES_COMPLETE) > 20
                && channel.statistics().get(Counter.FRAMES_INCOMPLETE) > 0;
    }

    /** Gives back what is delivered, until the device has every flow set again: none is ever lost. */
    private static void settle(StreamEngine channel, FakeGvrspDevice device) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (device.announcedNow() < 3) {
            assertTrue(
                    System.nanoTime() - deadline < 0,
                    () -> "a flow set is lost: " + channel.pool().flowSets());
            channel.poll(Duration.ofMillis(1)).ifPresent(GvrspHostFuzzTest::checkAndRelease);
        }
    }

    private static void checkAndRelease(FlowSet set) {
        if (set.block().complete()) {
            byte[][] expected = TestContainer.of(set.block().blockId());
            for (int flow = 0; flow < 2; flow++) {
                assertEquals(
                        ByteBuffer.wrap(expected[flow]),
                        set.flow(flow).duplicate().clear());
            }
        }
        set.release();
    }

    private static void misbehave(FakeGvrspDevice device, RdmaMode mode, Random random, long id) {
        byte[][] flows = TestContainer.of(id);
        switch (random.nextInt(6)) {
            case 0 -> device.connection().fail("cable");
            case 1 -> device.connection().disconnect();
            case 2 -> {
                if (mode == RdmaMode.SEND) {
                    device.sendMessage(flows[0]);
                    device.sendMessage(new byte[FLOW1 + 1 + random.nextInt(9)]);
                } else {
                    device.sendMessage(new byte[random.nextInt(60)]);
                }
            }
            case 3 -> {
                if (mode == RdmaMode.SEND) {
                    device.sendMessage(flows[0]);
                    device.connection().fail("cable");
                } else {
                    device.done(random.nextInt(4), random.nextInt(2), random.nextLong(), 0, random.nextLong(), 7);
                }
            }
            default -> {
                if (mode == RdmaMode.SEND) {
                    device.send(flows);
                } else {
                    device.writeBlock(id, flows);
                }
            }
        }
    }
}
