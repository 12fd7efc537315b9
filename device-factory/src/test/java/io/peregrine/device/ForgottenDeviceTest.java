package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.genapi.IntegerNode;
import io.peregrine.virtualcamera.Scenario;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A device that nobody has any longer and nobody closed gives its camera back. */
@Timeout(90)
class ForgottenDeviceTest {
    private static final Logger LOG = Logger.getLogger(Holdings.class.getName());

    private final Queue<String> logged = new ConcurrentLinkedQueue<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord message) {
            logged.add(new java.util.logging.SimpleFormatter().formatMessage(message));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private final List<String> threadsBefore = OwnResources.threads();
    private final Set<String> socketsBefore = OwnResources.udpSockets();
    private LosableCamera camera;

    @BeforeEach
    void start() {
        LOG.addHandler(handler);
        LOG.setUseParentHandlers(false);
        camera = new LosableCamera(Scenario.builder()
                .bindAddress("127.55.9.31")
                .serial("FORGOTTEN")
                .size(64, 48)
                .frameRate(100)
                .rdmaProvider("software"));
    }

    @AfterEach
    void stop() {
        camera.close();
        LOG.removeHandler(handler);
        LOG.setUseParentHandlers(true);
    }

    /** Something to do with a device, which is forgotten then. */
    private record Use(String name, String rdma, String reconnect, Consumer<Device> steps) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static void stream(Device device) {
        CompositeStream stream = device.stream(CompositeStream.class, 0);
        stream.start();
        stream.iterator().next().close();
    }

    static Stream<Use> uses() {
        return Stream.of(
                new Use("nothing", "0", "0", device -> {}),
                new Use("nothing, to be reconnected", "0", "1", device -> {}),
                new Use(
                        "features",
                        "0",
                        "1",
                        device -> device.nodes().integer("Width").set(32)),
                new Use("a stream", "0", "0", ForgottenDeviceTest::stream),
                new Use("a stream by RDMA", "require", "0", ForgottenDeviceTest::stream),
                new Use("events", "0", "0", device -> {
                    device.events().onEvent(event -> System.out.println(device + " " + event));
                    device.events().enable("Test");
                }),
                new Use(
                        "a listener that has the device",
                        "0",
                        "0",
                        device -> device.connection().onState(event -> System.out.println(device + " " + event))),
                new Use(
                        "a listener for its loss",
                        "0",
                        "0",
                        device -> device.connection().onLost(cause -> System.out.println(device + " " + cause))),
                new Use("its clock", "0", "0", device -> device.clock().latch()));
    }

    private void useAndForget(Use use) {
        use.steps.accept(open(use.rdma, use.reconnect));
    }

    private Device open(String rdma, String reconnect) {
        return camera.openUnheard(
                "UseRdma", rdma, "RdmaProvider", "software", "RdmaInterface", "127.55.9.32", "Reconnect", reconnect);
    }

    /** Collects garbage until something has happened. */
    private static void collectUntil(BooleanSupplier happened) {
        long deadline = System.nanoTime() + LosableCamera.LONG.toNanos();
        while (!happened.getAsBoolean() && System.nanoTime() - deadline < 0) {
            System.gc();
            LockSupport.parkNanos(5_000_000);
        }
        assertTrue(happened.getAsBoolean());
    }

    private void expectNothingLeft() {
        camera.close();
        OwnResources.awaitThreads(threadsBefore, LosableCamera.LONG);
        assertEquals(threadsBefore, OwnResources.threads());
        Set<String> sockets = new TreeSet<>(OwnResources.udpSockets());
        sockets.removeAll(socketsBefore);
        assertEquals(Set.of(), sockets);
    }

    @ParameterizedTest
    @MethodSource("uses")
    void isReleasedAndSaysWhereItWasOpened(Use use) {
        useAndForget(use);
        assertTrue(camera.now().controller().isPresent());
        collectUntil(() -> !logged.isEmpty());
        assertTrue(camera.now().controller().isEmpty());
        assertEquals(0, camera.now().statistics().heartbeatTimeouts());
        String text = logged.remove();
        assertTrue(text.contains("FORGOTTEN at 127.55.9.31 was opened at "), text);
        assertTrue(text.contains("LosableCamera.openUnheard(LosableCamera.java:"), text);
        collectUntil(() -> !camera.now().streaming());
        expectNothingLeft();
    }

    @Test
    void isLetGoWhileItIsLookedFor() throws InterruptedException {
        useAndForget(new Use("a stream that waits", "0", "1", ForgottenDeviceTest::stream));
        camera.lose();
        collectUntil(() -> !logged.isEmpty());
        expectNothingLeft();
    }

    @Test
    void isNoLongerAmongTheOpenOnes() {
        int before = OpenDevices.count();
        useAndForget(new Use("nothing", "0", "0", device -> {}));
        collectUntil(() -> OpenDevices.count() == before && !logged.isEmpty());
        camera.openUnheard().close();
    }

    @Test
    void isNotMentionedWhenItWasClosed() {
        WeakReference<Device> closed = openAndClose();
        collectUntil(() -> closed.get() == null);
        collectUntil(() -> camera.now().controller().isEmpty());
        assertEquals(List.of(), List.copyOf(logged));
    }

    private WeakReference<Device> openAndClose() {
        Device device = camera.openUnheard();
        device.close();
        return new WeakReference<>(device);
    }

    // ---- what keeps it

    /** A part of a device keeps it, for as long as the part is there. */
    private <T> void keeps(Function<Device, T> part, Consumer<T> use) {
        keepAndUse(part, use);
        collectUntil(() -> !logged.isEmpty());
        expectNothingLeft();
    }

    /** Garbage is collected for long enough to notice a device that nobody has. */
    private <T> void keepAndUse(Function<Device, T> part, Consumer<T> use) {
        T kept = part.apply(open("0", "0"));
        collectUntil(new BooleanSupplier() {
            private final long end = System.nanoTime() + 500_000_000;

            @Override
            public boolean getAsBoolean() {
                return System.nanoTime() - end > 0;
            }
        });
        use.accept(kept);
        assertEquals(List.of(), List.copyOf(logged));
        assertTrue(camera.now().controller().isPresent());
    }

    @Test
    void isKeptByANode() {
        keeps(device -> device.nodes().integer("Width"), (IntegerNode width) -> width.set(32));
    }

    @Test
    void isKeptByAStream() {
        keeps(
                device -> {
                    CompositeStream stream = device.stream(CompositeStream.class, 0);
                    stream.start();
                    return stream;
                },
                stream -> {
                    try (Composite composite = stream.iterator().next()) {
                        assertEquals(64, composite.items().get(0).width());
                    }
                });
    }

    @Test
    void isKeptByItsClock() {
        keeps(Device::clock, DeviceClock::latch);
    }

    @Test
    void isKeptByItsEvents() {
        keeps(Device::events, events -> events.enable("Test"));
    }
}
