package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.GroupFrame;
import io.peregrine.composite.ImageStream;
import io.peregrine.composite.StreamGroup;
import io.peregrine.composite.WaitResult;
import io.peregrine.stream.End;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.virtualcamera.FaultPlan;
import io.peregrine.virtualcamera.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How streams and connections of a device end, and what a loop over frames makes of it. */
@ExpectedWarning("Connection to .*: LOST")
@ExpectedWarning("The RDMA connection to .* was lost and is made again")
@Timeout(60)
class StreamEndTest {
    private LosableCamera camera;

    @BeforeEach
    void start() {
        camera = new LosableCamera(Scenario.builder()
                .bindAddress("127.55.9.1")
                .serial("ENDS")
                .size(64, 48)
                .frameRate(200)
                .rdmaProvider("software"));
    }

    @AfterEach
    void stop() {
        camera.close();
    }

    private Device open(String rdma, String... parameters) {
        List<String> all =
                new ArrayList<>(List.of("UseRdma", rdma, "RdmaProvider", "software", "RdmaInterface", "127.55.9.2"));
        all.addAll(List.of(parameters));
        return camera.open(all.toArray(new String[0]));
    }

    private static List<Long> idsOf(CompositeStream stream) {
        List<Long> ids = new ArrayList<>();
        for (Composite composite : stream) {
            try (composite) {
                ids.add(composite.blockId());
            }
        }
        return ids;
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "require"})
    void aLoopThrowsWhenTheCameraIsLost(String rdma) {
        try (Device device = open(rdma);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            List<Long> ids = new ArrayList<>();
            DeviceException thrown = assertThrows(DeviceException.class, () -> {
                for (Composite composite : stream) {
                    try (composite) {
                        ids.add(composite.blockId());
                    }
                    if (ids.size() == 5) {
                        camera.lose();
                    }
                }
            });
            assertTrue(ids.size() >= 5, ids::toString);
            assertTrue(thrown.getMessage().startsWith("The stream failed: "), thrown::getMessage);
            assertSame(stream.failure().orElseThrow(), thrown.getCause());
            assertInstanceOf(End.Failed.class, stream.end().orElseThrow());
        }
    }

    @Test
    void aLoopOverImagesThrowsWhenTheCameraIsLost() {
        try (Device device = open("0", "Payload", "Image");
                ImageStream stream = device.stream(ImageStream.class, 0)) {
            stream.start();
            stream.iterator().next().close();
            camera.lose();
            DeviceLostException thrown = assertThrows(DeviceLostException.class, () -> idsOf(stream));
            assertTrue(thrown.getMessage().contains("no answer for"), thrown::getMessage);
            assertTrue(thrown.getMessage().endsWith("Reconnect=1, which does so by itself"), thrown::getMessage);
        }
    }

    @Test
    void aLoopOverAGroupThrowsWhenItsCameraIsLost() {
        try (Device device = open("0");
                CompositeStream stream = device.stream(CompositeStream.class, 0);
                StreamGroup group = StreamGroup.byBlockId(0).add("only", stream).build()) {
            group.start();
            group.iterator().next().close();
            camera.lose();
            assertThrows(DeviceLostException.class, () -> group.forEach(GroupFrame::close));
        }
    }

    @Test
    void theStreamEndsAsItsConnectionDoes() throws InterruptedException {
        End end;
        try (Device device = open("0");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            assertTrue(device.connection().end().isEmpty());
            camera.lose();
            end = camera.await(Connection.State.LOST).end().orElseThrow();
            assertSame(end, device.connection().end().orElseThrow());
            assertSame(end, stream.end().orElseThrow());
            WaitResult.Abort abort = assertInstanceOf(WaitResult.Abort.class, Frames.drained(stream));
            assertSame(end, abort.end());
        }
        assertSame(end, camera.await(Connection.State.CLOSED).end().orElseThrow());
    }

    @Test
    void aConnectionThatMayComeBackHasNotEnded() throws InterruptedException {
        try (Device device = open("0", "Reconnect", "1");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            camera.lose();
            assertTrue(camera.await(Connection.State.LOST).end().isEmpty());
            assertTrue(stream.end().isEmpty());
            camera.await(Connection.State.RECONNECTING);
            stream.stop();
            assertEquals(new End.Stopped(), stream.end().orElseThrow());
        }
        assertEquals(
                new End.Closed(), camera.await(Connection.State.CLOSED).end().orElseThrow());
    }

    @Test
    void aLoopThatWaitsForALostCameraGoesOnWhenItIsBack() throws InterruptedException {
        try (Device device = open("0", "Reconnect", "1");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            stream.iterator().next().close();
            camera.awayAndBack();
            stream.iterator().next().close();
        }
    }

    @Test
    void aLoopOverAStreamThatWasNeverStartedThrows() {
        try (Device device = open("0");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            DeviceException thrown = assertThrows(DeviceException.class, () -> idsOf(stream));
            assertEquals(
                    "The stream was never started: call start() before taking composites from it", thrown.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "require"})
    void aLoopInAnInterruptedThreadThrowsAndTheCameraIsLeftInOrder(String rdma) {
        try (Device device = open(rdma);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            stream.iterator().next().close();
            Thread.currentThread().interrupt();
            assertThrows(DeviceException.class, () -> idsOf(stream));
            assertTrue(Thread.currentThread().isInterrupted());
        }
        assertTrue(Thread.interrupted());
        assertTrue(camera.now().controller().isEmpty());
    }

    // ---- acquisitions that end by themselves

    private static void frames(Device device, int count) {
        if (count == 1) {
            device.nodes().enumeration("AcquisitionMode").set("SingleFrame");
        } else {
            device.nodes().enumeration("AcquisitionMode").set("MultiFrame");
            device.nodes().integer("AcquisitionFrameCount").set(count);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "require"})
    void aLoopEndsAfterTheFramesOfAMultiFrameAcquisition(String rdma) {
        try (Device device = open(rdma);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            frames(device, 5);
            stream.start();
            assertEquals(5, idsOf(stream).size());
            assertEquals(new End.Finished(), stream.end().orElseThrow());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "require"})
    void singleFramesAreTakenOneAfterTheOther(String rdma) {
        try (Device device = open(rdma);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            frames(device, 1);
            for (int i = 0; i < 3; i++) {
                stream.start();
                assertEquals(1, idsOf(stream).size());
            }
            stream.stop();
            assertEquals(0, device.nodes().integer("GevSCPHostPort").value());
        }
    }

    @Test
    void acquisitionsAreStartedAloneOneAfterTheOther() {
        try (Device device = open("0");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            frames(device, 2);
            stream.engineStart();
            for (int i = 0; i < 3; i++) {
                stream.deviceStart();
                assertEquals(2, idsOf(stream).size());
                stream.deviceStop();
            }
            stream.engineStop();
            assertEquals(new End.Finished(), stream.end().orElseThrow());
        }
    }

    @Test
    void aFinishedAcquisitionIsNotStartedAgainWhenItsCameraComesBack() throws InterruptedException {
        try (Device device = open("0", "Reconnect", "1");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            frames(device, 2);
            stream.start();
            assertEquals(2, idsOf(stream).size());
            camera.awayAndBack();
            assertEquals(List.of(), idsOf(stream));
            assertFalse(camera.now().streaming());
            stream.start();
            assertEquals(2, idsOf(stream).size());
        }
    }

    @Test
    void aLoopEndsThoughTheLastFramesNeverCame() {
        camera.lose();
        // Only every tenth block is whole, or partly.
        camera.comeBack(same -> same.rdmaProvider("none")
                .size(16, 16)
                .faults(new FaultPlan(3, 900, 1000, 0, 0, 0, Duration.ZERO, 0, 0, Duration.ZERO)));
        try (Device device = camera.open("ResendEnabled", "0");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            frames(device, 40);
            stream.start();
            List<Long> ids = idsOf(stream);
            assertTrue(!ids.isEmpty() && ids.get(ids.size() - 1) < 40, ids::toString);
            assertEquals(new End.Finished(), stream.end().orElseThrow());
        }
    }

    @Test
    void framesOfAnAcquisitionThatBeganAgainCountAnew() throws InterruptedException {
        try (Device device = open("0", "Reconnect", "1");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            frames(device, 1000);
            stream.start();
            stream.iterator().next().close();
            camera.lose();
            camera.await(Connection.State.RECONNECTING);
            camera.comeBack();
            camera.await(Connection.State.CONNECTED);
            assertTrue(idsOf(stream).size() >= 900);
            assertEquals(new End.Finished(), stream.end().orElseThrow());
        }
    }
}
