package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.ImageItem;
import io.peregrine.composite.Item;
import io.peregrine.composite.WaitResult;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.TestPattern;
import io.peregrine.virtualcamera.VirtualCamera;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A camera that goes and comes back. */
@Timeout(60)
class ReconnectTest {
    private static final String FIRST = "127.51.0.1";
    private static final String SECOND = "127.51.0.2";
    private static final Duration LONG = Duration.ofSeconds(20);

    private final BlockingQueue<ConnectionEvent> events = new LinkedBlockingQueue<>();
    private VirtualCamera camera;
    private int port;

    @BeforeEach
    void start() {
        camera = camera(FIRST, 0);
        port = camera.address().getPort();
    }

    @AfterEach
    void stop() {
        camera.close();
    }

    private static VirtualCamera camera(String address, int port) {
        return VirtualCamera.start(Scenario.builder()
                .bindAddress(address)
                .port(port)
                .serial("BACK1")
                .size(320, 240)
                .frameRate(100)
                .build());
    }

    private Device open(String... parameters) {
        DeviceFactory factory = DeviceFactory.create(PeregrineSettings.load()
                .with(PeregrineSettings.DISCOVERY_ADDRESSES, FIRST + ":" + port + "," + SECOND + ":" + port)
                .with(PeregrineSettings.DISCOVERY_WINDOW, "100ms")
                .with(PeregrineSettings.DISCOVERY_BROADCAST, "false"));
        DiscoveryInformation info = factory.find("BACK1").setParameter("HeartbeatTimeout", "1500ms");
        for (int i = 0; i < parameters.length; i += 2) {
            info.setParameter(parameters[i], parameters[i + 1]);
        }
        Device device = factory.openDevice(info);
        device.onConnectionState(events::add);
        return device;
    }

    private ConnectionEvent await(ConnectionState state) throws InterruptedException {
        List<ConnectionEvent> seen = new ArrayList<>();
        while (true) {
            ConnectionEvent event = events.poll(LONG.toSeconds(), TimeUnit.SECONDS);
            if (event == null) {
                throw new AssertionError("no " + state + ", only " + seen);
            }
            seen.add(event);
            if (event.state() == state) {
                return event;
            }
        }
    }

    private static Composite next(CompositeStream stream) {
        return assertInstanceOf(WaitResult.Ok.class, stream.waitFor(LONG)).composite();
    }

    /** Takes whole frames and compares every byte. */
    private static void takeWhole(CompositeStream stream, int frames, int width) {
        int whole = 0;
        while (whole < frames) {
            try (Composite composite = next(stream)) {
                if (composite.complete()) {
                    whole++;
                    Item item = composite.items().get(0);
                    assertEquals(width, ((ImageItem) item).width());
                    assertEquals(
                            0,
                            TestPattern.countBadBytes(
                                    item.typeId(),
                                    item.format().code(),
                                    composite.blockId(),
                                    item.width(),
                                    item.height(),
                                    item.data()));
                }
            }
        }
    }

    @Test
    void aRunningStreamGoesOnWithItsSettingsWhenTheCameraHasRestarted() throws InterruptedException {
        try (Device device = open("Reconnect", "1");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            device.nodes().integer("Width").set(160);
            device.nodes().floating("AcquisitionFrameRate").set(50);
            stream.start();
            takeWhole(stream, 3, 160);
            long before = stream.statistics().get(Counter.FRAMES_COMPLETE);
            camera.close();
            await(ConnectionState.LOST);
            await(ConnectionState.RECONNECTING);
            assertFalse(device.connected());
            camera = camera(FIRST, port);
            assertEquals(List.of(), await(ConnectionState.CONNECTED).problems());
            assertTrue(device.connected());
            assertTrue(stream.running());
            takeWhole(stream, 5, 160);
            assertEquals(50, device.nodes().floating("AcquisitionFrameRate").value());
            assertEquals(1, stream.statistics().get(Counter.RECONNECTS));
            assertTrue(stream.statistics().get(Counter.FRAMES_COMPLETE) >= before + 5, "counters go on");
            stream.stop();
            assertInstanceOf(WaitResult.Abort.class, drained(stream));
        }
        assertEquals(List.of(), ownThreads());
    }

    private static WaitResult drained(CompositeStream stream) {
        WaitResult result = stream.waitFor(LONG);
        while (result instanceof WaitResult.Ok ok) {
            ok.composite().close();
            result = stream.waitFor(LONG);
        }
        return result;
    }

    @Test
    void theSameFlowSetsAreFilledAgain() throws InterruptedException {
        try (Device device = open("Reconnect", "1", "FlowSetCount", "4");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            Composite held = next(stream);
            camera.close();
            await(ConnectionState.RECONNECTING);
            camera = camera(FIRST, port);
            await(ConnectionState.CONNECTED);
            // One of four is held, and the others come round many times.
            takeWhole(stream, 12, 320);
            held.close();
            takeWhole(stream, 4, 320);
            assertEquals(0, stream.starvations());
        }
    }

    @Test
    void aCameraIsFoundByItsSerialNumberAtAnotherAddress() throws InterruptedException {
        try (Device device = open("Reconnect", "1");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            takeWhole(stream, 2, 320);
            camera.close();
            camera = camera(SECOND, port);
            await(ConnectionState.CONNECTED);
            assertEquals(SECOND, device.info().address().getHostAddress());
            assertEquals(
                    SECOND,
                    device.nodeMap(Device.TL_DEVICE)
                            .string("GevDeviceIPAddressText")
                            .value());
            takeWhole(stream, 3, 320);
        }
    }

    @Test
    void whoeverTookControlMeanwhileIsWaitedFor() throws InterruptedException {
        try (Device device = open("Reconnect", "1");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            takeWhole(stream, 2, 320);
            VirtualCamera lost = camera;
            camera = camera(SECOND, port);
            try (Device other = DeviceFactory.create(PeregrineSettings.load()).openDevice(SECOND + ":" + port)) {
                lost.close();
                ConnectionEvent refused = await(ConnectionState.RECONNECTING);
                while (!refused.cause().orElseThrow().getMessage().contains("ACCESS_DENIED")) {
                    refused = await(ConnectionState.RECONNECTING);
                }
                assertEquals(ConnectionState.RECONNECTING, device.connectionState());
                assertTrue(other.connected());
            }
            await(ConnectionState.CONNECTED);
            takeWhole(stream, 3, 320);
        }
    }

    @Test
    void aCameraThatStaysAwayIsGivenUpWhenTheTimeIsOver() throws InterruptedException {
        try (Device device = open("Reconnect", "1", "ReconnectTimeout", "500ms");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            takeWhole(stream, 2, 320);
            camera.close();
            WaitResult.Abort abort = assertInstanceOf(WaitResult.Abort.class, drained(stream));
            assertInstanceOf(DeviceException.class, abort.cause().orElseThrow());
            assertEquals(ConnectionState.LOST, device.connectionState());
            assertThrows(RuntimeException.class, stream::start);
        }
        assertEquals(List.of(), ownThreads());
    }

    @Test
    void withoutReconnectTheLossEndsTheStream() throws InterruptedException {
        try (Device device = open();
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            takeWhole(stream, 2, 320);
            camera.close();
            ConnectionEvent lost = await(ConnectionState.LOST);
            assertTrue(lost.cause().isPresent());
            assertInstanceOf(WaitResult.Abort.class, drained(stream));
            assertEquals(ConnectionState.LOST, device.connectionState());
        }
    }

    @Test
    void aStreamThatWasStoppedMeanwhileStaysStopped() throws InterruptedException {
        try (Device device = open("Reconnect", "1");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            takeWhole(stream, 2, 320);
            camera.close();
            await(ConnectionState.RECONNECTING);
            stream.stop();
            camera = camera(FIRST, port);
            await(ConnectionState.CONNECTED);
            assertFalse(stream.running());
            assertFalse(camera.streaming());
            assertInstanceOf(WaitResult.Abort.class, drained(stream));
            stream.start();
            takeWhole(stream, 2, 320);
        }
    }

    @Test
    void aDeviceCanBeClosedWhileItIsAway() throws InterruptedException {
        Device device = open("Reconnect", "1");
        CompositeStream stream = device.stream(CompositeStream.class, 0);
        stream.start();
        takeWhole(stream, 2, 320);
        camera.close();
        await(ConnectionState.RECONNECTING);
        device.close();
        await(ConnectionState.CLOSED);
        assertEquals(ConnectionState.CLOSED, device.connectionState());
        assertTrue(stream.closed());
        assertEquals(List.of(), ownThreads());
    }

    @Test
    void listenersAreCalledOnAThreadOfTheirOwnAndMayFail() throws InterruptedException {
        CompletableFuture<Thread> called = new CompletableFuture<>();
        try (Device device = open()) {
            device.onConnectionState(event -> {
                throw new IllegalStateException("a listener's own mistake");
            });
            device.onConnectionState(event -> called.complete(Thread.currentThread()));
            camera.close();
            await(ConnectionState.LOST);
            Thread caller = called.join();
            assertNotSame(Thread.currentThread(), caller);
            assertTrue(caller.getName().startsWith("peregrine-connection-"), caller::getName);
        }
        assertEquals(List.of(), ownThreads());
    }

    @Test
    void aShutdownHookIsThereAsLongAsADeviceIsOpen() {
        int before = OpenDevices.count();
        try (Device device = open()) {
            assertTrue(device.connected());
            assertEquals(before + 1, OpenDevices.count());
        }
        assertEquals(before, OpenDevices.count());
    }

    @Test
    void theApplicationInControlIsToldToEverybody() {
        try (Device device = open();
                Device monitor = open("AccessMode", "ReadOnly")) {
            InetSocketAddress holder = device.primaryApplication().orElseThrow();
            assertEquals(camera.controller().orElseThrow(), holder);
            assertEquals(Optional.of(holder), monitor.primaryApplication());
        }
    }

    @Test
    void aListenerThatWasTakenAwayIsNotCalled() throws InterruptedException {
        BlockingQueue<ConnectionEvent> others = new LinkedBlockingQueue<>();
        try (Device device = open()) {
            device.onConnectionState(others::add).close();
            camera.close();
            await(ConnectionState.LOST);
        }
        await(ConnectionState.CLOSED);
        assertEquals(0, others.size());
    }

    @Test
    void aListenerMayCloseTheDevice() throws InterruptedException {
        Device device = open("Reconnect", "1");
        device.onConnectionState(event -> {
            if (event.state() == ConnectionState.LOST) {
                device.close();
            }
        });
        camera.close();
        await(ConnectionState.CLOSED);
        assertNotEquals(ConnectionState.CONNECTED, device.connectionState());
    }

    private static List<String> ownThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.matches("peregrine-(connection|reconnect)-.*") || name.startsWith("gvcp-"))
                .toList();
    }
}
