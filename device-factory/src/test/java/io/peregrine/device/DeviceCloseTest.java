package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.CompositeStream;
import io.peregrine.genapi.GenApiException;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.virtualcamera.FaultPlan;
import io.peregrine.virtualcamera.Scenario;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a device whose camera is gone, in each state of the connection. */
@ExpectedWarning("Connection to .*: LOST")
@ExpectedWarning("The RDMA connection to .* was lost and is made again")
@Timeout(120)
class DeviceCloseTest {
    /** Much longer than the few commands whose answers are waited for in vain, and shorter than one that is put off. */
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static final Duration PUT_OFF = Duration.ofSeconds(50);

    private final List<String> threadsBefore = OwnResources.threads();
    private final Set<String> socketsBefore = OwnResources.udpSockets();
    private LosableCamera camera;

    @BeforeEach
    void start() {
        camera = new LosableCamera(Scenario.builder()
                .bindAddress("127.53.5.1")
                .serial("GONE")
                .size(320, 240)
                .frameRate(100)
                .rdmaProvider("software"));
    }

    @AfterEach
    void stop() {
        camera.close();
    }

    private Device open(String reconnect, String rdma) {
        return camera.open(
                "Reconnect", reconnect, "UseRdma", rdma, "RdmaProvider", "software", "RdmaInterface", "127.53.5.2");
    }

    /** Lets a stream run and events come, so that there is something to end. */
    private static CompositeStream use(Device device) {
        device.events().enable("Test");
        CompositeStream stream = device.stream(CompositeStream.class, 0);
        stream.start();
        Frames.takeWhole(stream, 3, 320);
        return stream;
    }

    /** Takes the place of the camera and never answers. */
    private DatagramSocket silence() throws SocketException {
        return new DatagramSocket(new InetSocketAddress("127.53.5.1", camera.port()));
    }

    private static void closeInTime(Device device) {
        long start = System.nanoTime();
        try {
            device.close();
        } catch (DeviceException | GenApiException e) {
            assertTrue(e.getMessage().contains("no answer"), e::getMessage);
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
        assertTrue(seconds < LIMIT.toSeconds(), () -> "closing took " + seconds + " s");
    }

    private void expectNothingLeft(CompositeStream stream) throws InterruptedException {
        camera.await(Connection.State.CLOSED);
        assertEquals(List.of(), camera.restOfEvents(), "told after the end");
        assertTrue(stream.closed());
        camera.close();
        assertEquals(threadsBefore, OwnResources.threads());
        List<String> sockets = new ArrayList<>(OwnResources.udpSockets());
        sockets.removeAll(socketsBefore);
        assertEquals(List.of(), sockets);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1"})
    void afterALossForGood(String rdma) throws InterruptedException {
        Device device = open("0", rdma);
        CompositeStream stream = use(device);
        camera.lose();
        camera.await(Connection.State.LOST);
        closeInTime(device);
        expectNothingLeft(stream);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1"})
    void whileTheCameraIsLookedFor(String rdma) throws InterruptedException {
        Device device = open("1", rdma);
        CompositeStream stream = use(device);
        camera.lose();
        camera.await(Connection.State.RECONNECTING);
        closeInTime(device);
        expectNothingLeft(stream);
    }

    @Test
    void whileTheCameraIsLookedForAndSilent() throws InterruptedException, SocketException {
        Device device = open("1", "0");
        CompositeStream stream = use(device);
        camera.lose();
        try (DatagramSocket silent = silence()) {
            camera.await(Connection.State.RECONNECTING);
            closeInTime(device);
            assertTrue(silent.isBound());
        }
        expectNothingLeft(stream);
    }

    @Test
    void whileTheCameraThatIsBackPutsItsAnswersOff() throws InterruptedException {
        Device device = open("1", "0");
        CompositeStream stream = use(device);
        camera.lose();
        camera.await(Connection.State.RECONNECTING);
        camera.comeBack(same -> same.faults(new FaultPlan(1, 0, 0, 0, 0, 0, Duration.ofMillis(2), 0, 0, PUT_OFF)));
        // It has given control, and says so only later.
        long deadline = System.nanoTime() + LosableCamera.LONG.toNanos();
        while (camera.now().controller().isEmpty() && System.nanoTime() - deadline < 0) {
            Thread.onSpinWait();
        }
        assertTrue(camera.now().controller().isPresent());
        closeInTime(device);
        expectNothingLeft(stream);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1"})
    void whileTheCameraIsSilentAndNobodyHasNoticed(String reconnect) throws InterruptedException, SocketException {
        Device device = open(reconnect, "0");
        CompositeStream stream = use(device);
        camera.lose();
        try (DatagramSocket silent = silence()) {
            closeInTime(device);
            assertTrue(silent.isBound());
        }
        expectNothingLeft(stream);
    }

    @Test
    void byAListenerThatHearsOfTheLoss() throws InterruptedException {
        Device device = open("1", "0");
        CompositeStream stream = use(device);
        device.connection().onLost(cause -> device.close());
        camera.lose();
        camera.await(Connection.State.LOST);
        OwnResources.awaitThreads(threadsBefore, LosableCamera.LONG);
        expectNothingLeft(stream);
    }

    /** Closes a device whose end waits for a listener, until that is released. */
    private static Thread closeSlowly(Device device, CompletableFuture<Boolean> release) throws InterruptedException {
        CountDownLatch closed = new CountDownLatch(1);
        device.connection().onState(event -> {
            if (event.state() == Connection.State.CLOSED) {
                closed.countDown();
                release.join();
            }
        });
        Thread closing = new Thread(device::close, "closing");
        closing.start();
        assertTrue(closed.await(LIMIT.toSeconds(), TimeUnit.SECONDS));
        return closing;
    }

    @Test
    void waitsForTheThreadThatIsAboutIt() throws InterruptedException {
        Device device = open("0", "0");
        CompletableFuture<Boolean> release = new CompletableFuture<>();
        Thread first = closeSlowly(device, release);
        Thread second = new Thread(device::close, "second");
        second.start();
        while (second.getState() == Thread.State.RUNNABLE) {
            Thread.onSpinWait();
        }
        assertTrue(second.isAlive());
        release.complete(true);
        second.join(LIMIT.toMillis());
        first.join(LIMIT.toMillis());
        assertFalse(second.isAlive());
    }

    @Test
    void doesNotWaitInAListenerThatTheEndWaitsFor() throws InterruptedException {
        Device device = open("0", "0");
        CountDownLatch returned = new CountDownLatch(1);
        device.connection().onState(event -> {
            device.close();
            returned.countDown();
        });
        device.close();
        assertEquals(0, returned.getCount());
    }

    @Test
    void doesNotWaitAmongOperationsThatTheEndWaitsFor() throws InterruptedException {
        Device device = open("0", "0");
        use(device);
        Grouped.besideAnotherThread(device.nodes(), LIMIT, device::close, device::close);
    }

    @Test
    void moreThanOnce() throws InterruptedException {
        Device device = open("1", "0");
        CompositeStream stream = use(device);
        device.close();
        device.close();
        assertTrue(camera.now().controller().isEmpty());
        expectNothingLeft(stream);
    }
}
