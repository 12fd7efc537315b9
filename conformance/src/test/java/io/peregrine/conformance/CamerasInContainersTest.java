package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Connection;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceAccessDeniedException;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.testing.Await;
import io.peregrine.testing.ExpectedWarning;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Testcontainers;

/** Cameras that are hosts of their own, in containers at a bridge. */
@EnabledIfDocker
@Testcontainers(disabledWithoutDocker = true)
@Timeout(value = 240, unit = TimeUnit.SECONDS)
@ExpectedWarning("Connection to .* was lost: no answer")
class CamerasInContainersTest {
    private static final Duration LIMIT = CameraNetwork.LIMIT;
    private static final String[] SMALL = {"--size", "160x120", "--rate", "25"};

    private CameraNetwork network;

    @BeforeEach
    void start() {
        network = new CameraNetwork();
    }

    @AfterEach
    void stop() {
        network.close();
    }

    private static Composite next(CompositeStream stream) {
        return assertInstanceOf(WaitResult.Ok.class, stream.waitFor(LIMIT)).composite();
    }

    /** Takes frames of a virtual camera until so many are whole, and compares every byte of them. */
    private static void takeWhole(CompositeStream stream, int frames) {
        for (int whole = 0; whole < frames; ) {
            try (Composite composite = next(stream)) {
                if (composite.complete()) {
                    assertEquals(0, PatternCheck.badBytes(composite), composite::toString);
                    whole++;
                }
            }
        }
    }

    private static CompositeStream streamOf(Device device) {
        return device.stream(CompositeStream.class, 0);
    }

    @Test
    void theFakeCameraOfAravisIsFoundByBroadcastAndStreams() {
        network.aravisCamera("ARV1");
        assertEquals(List.of("ARV1"), network.serialNumbers());
        try (Device device = network.open("ARV1");
                CompositeStream stream = streamOf(device)) {
            stream.start();
            for (int whole = 0; whole < 10; ) {
                try (Composite composite = next(stream)) {
                    whole += composite.complete() ? 1 : 0;
                }
            }
        }
    }

    @Test
    void fourCamerasAreFoundByOneBroadcastAndStreamAtOnce() {
        List<String> serials = List.of("CAM1", "CAM2", "CAM3", "CAM4");
        serials.forEach(serial -> network.virtualCamera(serial, SMALL));
        assertEquals(serials, network.serialNumbers());
        List<Device> devices = new ArrayList<>();
        try {
            serials.forEach(serial -> devices.add(network.open(serial)));
            List<CompositeStream> streams =
                    devices.stream().map(CamerasInContainersTest::streamOf).toList();
            streams.forEach(CompositeStream::start);
            streams.forEach(stream -> takeWhole(stream, 20));
        } finally {
            devices.forEach(Device::close);
        }
    }

    @Test
    void aPausedCameraIsLostAndCanBeOpenedWhenItGoesOn() throws InterruptedException {
        GenericContainer<?> camera = network.virtualCamera("PAUSED", SMALL);
        CountDownLatch lost = new CountDownLatch(1);
        try (Device device = network.open("PAUSED");
                CompositeStream stream = streamOf(device)) {
            device.connection().onLost(cause -> lost.countDown());
            stream.start();
            takeWhole(stream, 3);
            network.pause(camera);
            assertTrue(lost.await(LIMIT.toSeconds(), TimeUnit.SECONDS));
            awaitAbort(stream);
            network.unpause(camera);
        }
        streamsWhenControlIsFree("PAUSED");
    }

    @Test
    void aRestartedCameraIsFoundAtItsNewAddress() {
        GenericContainer<?> camera = network.virtualCamera("MOVED", SMALL);
        String old = network.address(camera);
        try (Device device = network.open("MOVED");
                CompositeStream stream = streamOf(device)) {
            stream.start();
            takeWhole(stream, 3);
            network.stop(camera);
            network.restart(camera, network.address(77));
            awaitAbort(stream);
        }
        assertEquals(network.address(77), streamsWhenControlIsFree("MOVED"));
        assertTrue(!old.equals(network.address(camera)), old);
    }

    @Test
    void aNetworkThatIsCutInTheMiddleOfAStreamEndsItAndItsReturnAllowsAnother() {
        GenericContainer<?> camera = network.virtualCamera("CUT", SMALL);
        String address = network.address(camera);
        try (Device device = network.open("CUT");
                CompositeStream stream = streamOf(device)) {
            stream.start();
            takeWhole(stream, 3);
            network.disconnect(camera);
            awaitAbort(stream);
        }
        network.connect(camera, address);
        assertEquals(address, streamsWhenControlIsFree("CUT"));
    }

    @Test
    void aStreamGoesOnWhenAPausedCameraDoes() {
        GenericContainer<?> camera = network.virtualCamera("WAITS", SMALL);
        streamOutlives("WAITS", () -> network.pause(camera), () -> network.unpause(camera));
    }

    @Test
    void aStreamFollowsACameraThatRestartsAtANewAddress() {
        GenericContainer<?> camera = network.virtualCamera("FOLLOWED", SMALL);
        streamOutlives("FOLLOWED", () -> network.stop(camera), () -> network.restart(camera, network.address(78)));
        assertEquals(network.address(78), network.address(camera));
    }

    @Test
    void aStreamGoesOnWhenTheNetworkIsBack() {
        GenericContainer<?> camera = network.virtualCamera("BACK", SMALL);
        String address = network.address(camera);
        streamOutlives("BACK", () -> network.disconnect(camera), () -> network.connect(camera, address));
    }

    private void streamOutlives(String serial, Runnable fault, Runnable end) {
        try (Device device = network.open(serial, "Reconnect", "1");
                CompositeStream stream = streamOf(device)) {
            device.nodes().floating("Gain").set(3);
            stream.start();
            takeWhole(stream, 3);
            fault.run();
            Await.until("loss", LIMIT, () -> device.connection().state() != Connection.State.CONNECTED);
            end.run();
            Await.until("return", LIMIT, () -> device.connection().state() == Connection.State.CONNECTED);
            takeWhole(stream, 10);
            assertEquals(3, device.nodes().floating("Gain").value());
            assertEquals(1, stream.statistics().get(Counter.RECONNECTS));
        }
    }

    /** What had arrived before still comes. */
    private static void awaitAbort(CompositeStream stream) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        WaitResult result = stream.waitFor(LIMIT);
        while (!(result instanceof WaitResult.Abort) && System.nanoTime() < deadline) {
            if (result instanceof WaitResult.Ok ok) {
                ok.composite().close();
            }
            result = stream.waitFor(LIMIT);
        }
        assertTrue(assertInstanceOf(WaitResult.Abort.class, result).cause().isPresent());
    }

    /** The camera notices itself that its controller is gone. Returns its address. */
    private String streamsWhenControlIsFree(String serial) {
        try (Device device = openWhenFree(serial);
                CompositeStream stream = streamOf(device)) {
            stream.start();
            takeWhole(stream, 10);
            return device.info().address().getHostAddress();
        }
    }

    private Device openWhenFree(String serial) {
        List<Device> opened = new ArrayList<>();
        Await.until("control of " + serial, LIMIT, () -> {
            try {
                return opened.add(network.open(serial));
            } catch (DeviceAccessDeniedException e) {
                return false;
            }
        });
        return opened.get(0);
    }

    @Test
    void ofTwoControllersOnTwoHostsOneIsRefusedUntilTheOtherLeaves() throws IOException, InterruptedException {
        String camera = network.address(network.virtualCamera("WANTED", SMALL));
        GenericContainer<?> other = network.start(ContainerImages.peregrine(), "camera", "--serial", "OTHER");
        try (Device device = network.open("WANTED")) {
            ExecResult refused = run(other, "set", camera, "Gain=2");
            assertTrue(refused.getExitCode() != 0, refused::toString);
            assertTrue(refused.getStderr().contains("controlled by an application on another host"), refused::toString);
            // Who does not want to change anything may look.
            assertEquals("160", run(other, "get", camera, "Width").getStdout().trim());
            assertEquals(0, device.nodes().floating("Gain").value());
        }
        assertEquals(0, run(other, "set", camera, "Gain=2").getExitCode());
        try (Device device = network.open("WANTED")) {
            assertEquals(2, device.nodes().floating("Gain").value());
        }
    }

    @Test
    void aCameraThatAnotherHostControlsIsRefusedHere() throws IOException, InterruptedException {
        String camera = network.address(network.virtualCamera("TAKEN", SMALL));
        GenericContainer<?> other = network.start(
                ContainerImages.peregrine(), "io.peregrine.cli.PeregrineMain", "stream", camera, "--frames", "0");
        try (Device monitor = network.open("TAKEN", "AccessMode", "ReadOnly")) {
            Await.until(
                    "stream to the other host",
                    LIMIT,
                    () -> monitor.nodes().bool("AcquisitionStatus").value(),
                    other::getLogs);
        }
        assertThrows(
                DeviceAccessDeniedException.class, () -> network.open("TAKEN").close());
    }

    private static ExecResult run(GenericContainer<?> host, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("sh", "/peregrine/start", "io.peregrine.cli.PeregrineMain"));
        command.addAll(List.of(arguments));
        return host.execInContainer(command.toArray(String[]::new));
    }
}
