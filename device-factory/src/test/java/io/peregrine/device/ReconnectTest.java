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
import io.peregrine.composite.WaitResult;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A camera that goes and comes back. */
@ExpectedWarning("Connection to .*: LOST")
@ExpectedWarning("a listener failed with Event")
@Timeout(60)
class ReconnectTest {
    private static final String FIRST = "127.51.0.1";
    private static final String SECOND = "127.51.0.2";

    private LosableCamera camera;

    @BeforeEach
    void start() {
        camera = new LosableCamera(
                Scenario.builder()
                        .bindAddress(FIRST)
                        .serial("BACK1")
                        .size(320, 240)
                        .frameRate(100),
                SECOND);
    }

    @AfterEach
    void stop() {
        camera.close();
    }

    @Test
    void aRunningStreamGoesOnWithItsSettingsWhenTheCameraHasRestarted() throws InterruptedException {
        try (Device device = camera.open("Reconnect", "1");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            device.nodes().integer("Width").set(160);
            device.nodes().floating("AcquisitionFrameRate").set(50);
            stream.start();
            Frames.takeWhole(stream, 3, 160);
            camera.lose();
            camera.await(Connection.State.LOST);
            camera.await(Connection.State.RECONNECTING);
            assertFalse(device.connection().connected());
            camera.comeBack();
            assertEquals(List.of(), camera.await(Connection.State.CONNECTED).problems());
            assertTrue(device.connection().connected());
            assertTrue(stream.running());
            Frames.takeWhole(stream, 5, 160);
            assertEquals(50, device.nodes().floating("AcquisitionFrameRate").value());
            assertEquals(1, stream.statistics().get(Counter.RECONNECTS));
            assertTrue(stream.statistics().get(Counter.FRAMES_COMPLETE) >= 3 + 5, "counters go on");
            stream.stop();
            assertInstanceOf(WaitResult.Abort.class, Frames.drained(stream));
        }
        assertEquals(List.of(), OwnResources.threads());
    }

    @Test
    void anUnconditionalStreamGoesOnAndOutlivesItsControllerWhenTheCameraHasRestarted() throws InterruptedException {
        try (Device device = camera.open("Reconnect", "1", "UnconditionalStreaming", "1");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            Frames.takeWhole(stream, 3, 320);
            assertEquals(List.of(), camera.awayAndBack().problems());
            // More than wait in flow sets.
            Frames.takeWhole(stream, 20, 320);
            assertEquals(1, stream.statistics().get(Counter.RECONNECTS));
        }
        assertTrue(camera.now().controller().isEmpty());
        assertTrue(camera.now().streaming());
    }

    @Test
    void anUnconditionalStreamGoesOnWhenTheCameraKeptSendingUnderAnotherController() throws InterruptedException {
        try (Device device = camera.open("Reconnect", "1", "UnconditionalStreaming", "1");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            Frames.takeWhole(stream, 3, 320);
            device.control().allowSwitchover(4711);
            try (Device other = camera.openUnheard("SwitchoverKey", "4711")) {
                camera.await(Connection.State.LOST);
                assertTrue(other.connection().connected());
                assertTrue(camera.now().streaming());
            }
            assertEquals(List.of(), camera.await(Connection.State.CONNECTED).problems());
            // More than wait in flow sets.
            Frames.takeWhole(stream, 20, 320);
            assertEquals(1, stream.statistics().get(Counter.RECONNECTS));
            stream.stop();
            assertTrue(camera.now().awaitStreaming(false, LosableCamera.LONG));
        }
    }

    @Test
    void theSameFlowSetsAreFilledAgain() throws InterruptedException {
        try (Device device = camera.open("Reconnect", "1", "FlowSetCount", "4");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            Composite held = Frames.next(stream);
            camera.lose();
            camera.await(Connection.State.RECONNECTING);
            camera.comeBack();
            camera.await(Connection.State.CONNECTED);
            // One of four is held, and the others come round many times.
            Frames.takeWhole(stream, 12, 320);
            held.close();
            Frames.takeWhole(stream, 4, 320);
            assertEquals(0, stream.starvations());
        }
    }

    @Test
    void aCameraIsFoundByItsSerialNumberAtAnotherAddress() throws InterruptedException {
        try (Device device = camera.open("Reconnect", "1");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            Frames.takeWhole(stream, 2, 320);
            camera.lose();
            camera.comeBack(same -> same.bindAddress(SECOND));
            camera.await(Connection.State.CONNECTED);
            assertEquals(SECOND, device.info().address().getHostAddress());
            assertEquals(
                    SECOND,
                    device.nodeMap(Device.TL_DEVICE)
                            .string("GevDeviceIPAddressText")
                            .value());
            Frames.takeWhole(stream, 3, 320);
        }
    }

    @Test
    void whoeverTookControlMeanwhileIsWaitedFor() throws InterruptedException {
        try (Device device = camera.open("Reconnect", "1");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            Frames.takeWhole(stream, 2, 320);
            VirtualCamera lost = camera.now();
            camera.comeBack(same -> same.bindAddress(SECOND));
            try (Device other = DeviceFactory.create(PeregrineSettings.load()).open(SECOND + ":" + camera.port())) {
                lost.close();
                Connection.Event refused = camera.await(Connection.State.RECONNECTING);
                while (!(refused.cause().orElseThrow() instanceof DeviceAccessDeniedException)) {
                    refused = camera.await(Connection.State.RECONNECTING);
                }
                assertEquals(Connection.State.RECONNECTING, device.connection().state());
                assertTrue(other.connection().connected());
            }
            camera.await(Connection.State.CONNECTED);
            Frames.takeWhole(stream, 3, 320);
        }
    }

    @Test
    void aCameraThatStaysAwayIsGivenUpWhenTheTimeIsOver() throws InterruptedException {
        try (Device device = camera.open("Reconnect", "1", "ReconnectTimeout", "500ms");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            Frames.takeWhole(stream, 2, 320);
            camera.lose();
            WaitResult.Abort abort = assertInstanceOf(WaitResult.Abort.class, Frames.drained(stream));
            assertInstanceOf(DeviceException.class, abort.cause().orElseThrow());
            assertEquals(Connection.State.LOST, device.connection().state());
            assertThrows(RuntimeException.class, stream::start);
        }
        assertEquals(List.of(), OwnResources.threads());
    }

    @Test
    void withoutReconnectTheLossEndsTheStream() throws InterruptedException {
        try (Device device = camera.open();
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            Frames.takeWhole(stream, 2, 320);
            camera.lose();
            Connection.Event lost = camera.await(Connection.State.LOST);
            assertTrue(lost.cause().isPresent());
            assertInstanceOf(WaitResult.Abort.class, Frames.drained(stream));
            assertEquals(Connection.State.LOST, device.connection().state());
        }
    }

    @Test
    void aStreamThatWasStoppedMeanwhileStaysStopped() throws InterruptedException {
        try (Device device = camera.open("Reconnect", "1");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            Frames.takeWhole(stream, 2, 320);
            camera.lose();
            camera.await(Connection.State.RECONNECTING);
            stream.stop();
            camera.comeBack();
            camera.await(Connection.State.CONNECTED);
            assertFalse(stream.running());
            assertFalse(camera.now().streaming());
            assertInstanceOf(WaitResult.Abort.class, Frames.drained(stream));
            stream.start();
            Frames.takeWhole(stream, 2, 320);
        }
    }

    @Test
    void aDeviceCanBeClosedWhileItIsAway() throws InterruptedException {
        Device device = camera.open("Reconnect", "1");
        CompositeStream stream = device.stream(CompositeStream.class, 0);
        stream.start();
        Frames.takeWhole(stream, 2, 320);
        camera.lose();
        camera.await(Connection.State.RECONNECTING);
        device.close();
        camera.await(Connection.State.CLOSED);
        assertEquals(Connection.State.CLOSED, device.connection().state());
        assertTrue(stream.closed());
        assertEquals(List.of(), OwnResources.threads());
    }

    @Test
    void listenersAreCalledOnAThreadOfTheirOwnAndMayFail() throws InterruptedException {
        CompletableFuture<Thread> called = new CompletableFuture<>();
        try (Device device = camera.open()) {
            device.connection().onState(event -> {
                throw new IllegalStateException("a listener's own mistake");
            });
            device.connection().onState(event -> called.complete(Thread.currentThread()));
            camera.lose();
            camera.await(Connection.State.LOST);
            Thread caller = called.join();
            assertNotSame(Thread.currentThread(), caller);
            assertTrue(caller.getName().startsWith("peregrine-connection-"), caller::getName);
        }
        assertEquals(List.of(), OwnResources.threads());
    }

    @Test
    void aShutdownHookIsThereAsLongAsADeviceIsOpen() {
        int before = OpenDevices.count();
        try (Device device = camera.open()) {
            assertTrue(device.connection().connected());
            assertEquals(before + 1, OpenDevices.count());
        }
        assertEquals(before, OpenDevices.count());
    }

    @Test
    void theApplicationInControlIsToldToEverybody() {
        try (Device device = camera.open();
                Device monitor = camera.open("AccessMode", "ReadOnly")) {
            InetSocketAddress holder = device.control().primaryApplication().orElseThrow();
            assertEquals(camera.now().controller().orElseThrow(), holder);
            assertEquals(Optional.of(holder), monitor.control().primaryApplication());
        }
    }

    @Test
    void aListenerThatWasTakenAwayIsNotCalled() throws InterruptedException {
        BlockingQueue<Connection.Event> others = new LinkedBlockingQueue<>();
        try (Device device = camera.open()) {
            device.connection().onState(others::add).close();
            camera.lose();
            camera.await(Connection.State.LOST);
        }
        camera.await(Connection.State.CLOSED);
        assertEquals(0, others.size());
    }

    @Test
    void aListenerMayCloseTheDevice() throws InterruptedException {
        Device device = camera.open("Reconnect", "1");
        device.connection().onState(event -> {
            if (event.state() == Connection.State.LOST) {
                device.close();
            }
        });
        camera.lose();
        camera.await(Connection.State.CLOSED);
        assertNotEquals(Connection.State.CONNECTED, device.connection().state());
    }
}
