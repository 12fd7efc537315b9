package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.device.StreamingMode.Protocol;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.virtualcamera.ComponentKind;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.ScenarioBuilder;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A camera that streams by RDMA in software, goes, and comes back. */
@ExpectedWarning("Connection to .*: LOST")
@ExpectedWarning("The RDMA connection to .* was lost and is made again")
@ExpectedWarning("UseRdma=\\w+ is not met")
@Timeout(90)
class ReconnectRdmaTest {
    private static final String CAMERA = "127.53.1.1";
    private static final String OTHER_CAMERA = "127.53.1.3";
    private static final String HOST = "127.53.1.2";
    private static final int WIDTH = 320;

    private LosableCamera camera;

    @BeforeEach
    void start() {
        camera = new LosableCamera(scenario(CAMERA, "BACK2"));
    }

    @AfterEach
    void stop() {
        camera.close();
    }

    private static ScenarioBuilder scenario(String address, String serial) {
        return Scenario.builder()
                .bindAddress(address)
                .serial(serial)
                .size(WIDTH, 240)
                .frameRate(100)
                .components(Set.of(ComponentKind.values()))
                .flows(Scenario.Flows.PER_COMPONENT)
                .rdmaProvider("software");
    }

    private static Device open(LosableCamera which, String name, String value) {
        return which.open(
                "Reconnect", "1", "RdmaProvider", "software", "RdmaInterface", HOST, "UseRdma", "1", name, value);
    }

    private static void expectRdma(Device device) {
        assertEquals(
                Protocol.RDMA,
                device.streamingMode().protocol(),
                () -> device.streamingMode().toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"send", "write"})
    void aStreamGoesOnByRdmaWhenTheCameraHasRestarted(String mode) throws InterruptedException {
        Set<List<Long>> delivered = new HashSet<>();
        try (Device device = open(camera, "RdmaMode", mode);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            Frames.takeWhole(stream, 20, WIDTH, delivered);
            expectRdma(device);
            assertEquals(List.of(), camera.awayAndBack().problems());
            assertTrue(stream.running());
            Frames.takeWhole(stream, 50, WIDTH, delivered);
            expectRdma(device);
            assertEquals(mode, device.streamingMode().rdma().orElseThrow().mode());
            assertEquals(1, stream.statistics().get(Counter.RECONNECTS));
            assertTrue(stream.statistics().get(Counter.FRAMES_COMPLETE) >= 20 + 50, "counters go on");
            stream.stop();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"send", "write"})
    void aStreamGoesOnByRdmaWhenControlWasTakenAndGivenBack(String mode) throws InterruptedException {
        Set<List<Long>> delivered = new HashSet<>();
        try (Device device = open(camera, "RdmaMode", mode);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            for (int losses = 1; losses <= 2; losses++) {
                Frames.takeWhole(stream, 20, WIDTH, delivered);
                assertEquals(List.of(), camera.robbedAndBack(device).problems());
            }
            Frames.takeWhole(stream, 50, WIDTH, delivered);
            expectRdma(device);
            assertEquals(2, stream.statistics().get(Counter.RECONNECTS));
        }
    }

    private void loseAndComeBackWith(String rdmaProvider) throws InterruptedException {
        camera.lose();
        camera.await(Connection.State.RECONNECTING);
        camera.comeBack(same -> same.rdmaProvider(rdmaProvider));
    }

    @Test
    void aStreamGoesOnByGvspAsLongAsTheCameraHasNoRdma() throws InterruptedException {
        Set<List<Long>> delivered = new HashSet<>();
        try (Device device = open(camera, "UseRdma", "1");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            Frames.takeWhole(stream, 20, WIDTH, delivered);
            loseAndComeBackWith(Scenario.NO_RDMA);
            camera.await(Connection.State.CONNECTED);
            Frames.takeWhole(stream, 20, WIDTH, delivered);
            assertEquals(Protocol.GVSP, device.streamingMode().protocol());
            assertTrue(device.streamingMode().reason().isPresent());
            camera.awayAndBack();
            Frames.takeWhole(stream, 20, WIDTH, delivered);
            expectRdma(device);
        }
    }

    @Test
    void aCameraWithoutTheRdmaThatIsRequiredIsWaitedForUntilItHasIt() throws InterruptedException {
        try (Device device = open(camera, "UseRdma", "require");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            Frames.takeWhole(stream, 20, WIDTH);
            loseAndComeBackWith(Scenario.NO_RDMA);
            Connection.Event told = camera.await(Connection.State.RECONNECTING);
            while (!told.cause().orElseThrow().getMessage().contains("UseRdma=require")) {
                told = camera.await(Connection.State.RECONNECTING);
            }
            camera.lose();
            camera.comeBack();
            camera.await(Connection.State.CONNECTED);
            Frames.takeWhole(stream, 20, WIDTH);
            expectRdma(device);
        }
    }

    @Test
    void framesThatTheUserHoldsStayAsTheyAre() throws InterruptedException {
        try (Device device = open(camera, "FlowSetCount", "4");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            Composite first = Frames.next(stream);
            Composite second = Frames.next(stream);
            camera.awayAndBack();
            // Two of four are held, and the others come round many times.
            Frames.takeWhole(stream, 12, WIDTH);
            Frames.compare(first, WIDTH);
            Frames.compare(second, WIDTH);
            first.close();
            second.close();
            Frames.takeWhole(stream, 12, WIDTH);
        }
    }

    @Test
    void aStreamOfOneThreadForAllDoesNotDisturbTheOthers() throws InterruptedException {
        Set<List<Long>> delivered = new HashSet<>();
        try (LosableCamera other = new LosableCamera(scenario(OTHER_CAMERA, "STAYS"));
                Device staying = open(other, "RdmaShared", "1");
                Device device = open(camera, "RdmaShared", "1");
                CompositeStream stays = staying.stream(CompositeStream.class, 0);
                CompositeStream goes = device.stream(CompositeStream.class, 0)) {
            stays.start();
            goes.start();
            Frames.takeWhole(goes, 10, WIDTH, delivered);
            Frames.takeWhole(stays, 10, WIDTH);
            camera.lose();
            camera.await(Connection.State.RECONNECTING);
            Frames.takeWhole(stays, 10, WIDTH);
            camera.comeBack();
            camera.await(Connection.State.CONNECTED);
            Frames.takeWhole(goes, 10, WIDTH, delivered);
            Frames.takeWhole(stays, 10, WIDTH);
            expectRdma(device);
            assertEquals(0, stays.statistics().get(Counter.RECONNECTS));
            assertEquals(0, stays.statistics().get(Counter.FRAMES_INCOMPLETE));
        }
    }
}
