package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.CompositeStream;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.virtualcamera.Scenario;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A camera with two stream channels that goes and comes back. */
@ExpectedWarning("Connection to .*: LOST")
@Timeout(90)
class ReconnectStreamsTest {
    private static final int WIDTH = 320;

    private final Set<List<Long>> deliveredByFirst = new HashSet<>();
    private final Set<List<Long>> deliveredBySecond = new HashSet<>();
    private LosableCamera camera;

    @BeforeEach
    void start() {
        camera = new LosableCamera(Scenario.builder()
                .bindAddress("127.53.3.1")
                .serial("BACK4")
                .size(WIDTH, 240)
                .frameRate(100)
                .streamChannels(2));
    }

    @AfterEach
    void stop() {
        camera.close();
    }

    private void takeOfBoth(CompositeStream first, CompositeStream second) {
        // More than wait in flow sets.
        for (int i = 0; i < 40; i++) {
            Frames.takeWhole(first, 1, WIDTH, deliveredByFirst);
            Frames.takeWhole(second, 1, WIDTH, deliveredBySecond);
        }
    }

    /** As the register SCPS of the channel says (GigE Vision 2.2: 0x0D04, and 0x40 further for each channel). */
    private int packetSize(Device device, int channel) {
        try (DeviceRegisters registers = camera.factory().openRegisters(device.info())) {
            return registers.read(0x0D04 + channel * 0x40) & 0xFFFF;
        }
    }

    @Test
    void bothStreamsGoOnWhenTheCameraHasRestarted() throws InterruptedException {
        try (Device device = camera.open("Reconnect", "1", "PacketSize", "4000");
                CompositeStream first = device.stream(CompositeStream.class, 0);
                CompositeStream second = device.stream(CompositeStream.class, 1)) {
            first.engineStart();
            second.engineStart();
            first.deviceStart();
            second.deviceStart();
            takeOfBoth(first, second);
            assertEquals(List.of(), camera.awayAndBack().problems());
            takeOfBoth(first, second);
            assertEquals(1, first.statistics().get(Counter.RECONNECTS));
            assertEquals(1, second.statistics().get(Counter.RECONNECTS));
            assertEquals(4000, packetSize(device, 0));
            assertEquals(4000, packetSize(device, 1));
            first.stop();
            Frames.takeWhole(second, 10, WIDTH, deliveredBySecond);
            second.stop();
            assertTrue(camera.now().awaitStreaming(false, LosableCamera.LONG));
        }
    }

    @Test
    void bothStreamsGoOnWhenControlWasTakenAndGivenBack() throws InterruptedException {
        try (Device device = camera.open("Reconnect", "1");
                CompositeStream first = device.stream(CompositeStream.class, 0);
                CompositeStream second = device.stream(CompositeStream.class, 1)) {
            first.start();
            second.start();
            for (int losses = 0; losses < 2; losses++) {
                takeOfBoth(first, second);
                assertEquals(List.of(), camera.robbedAndBack(device).problems());
            }
            takeOfBoth(first, second);
        }
    }

    @Test
    void aStreamThatDidNotRunDoesNotBegin() throws InterruptedException {
        try (Device device = camera.open("Reconnect", "1");
                CompositeStream idle = device.stream(CompositeStream.class, 0);
                CompositeStream second = device.stream(CompositeStream.class, 1)) {
            second.start();
            Frames.takeWhole(second, 10, WIDTH, deliveredBySecond);
            camera.awayAndBack();
            Frames.takeWhole(second, 10, WIDTH, deliveredBySecond);
            assertFalse(idle.running());
            idle.start();
            takeOfBoth(idle, second);
        }
    }

    @Test
    void aCameraThatCameBackWithOneChannelOnlyIsWaitedForUntilItHasBoth() throws InterruptedException {
        try (Device device = camera.open("Reconnect", "1");
                CompositeStream first = device.stream(CompositeStream.class, 0);
                CompositeStream second = device.stream(CompositeStream.class, 1)) {
            first.start();
            second.start();
            takeOfBoth(first, second);
            camera.lose();
            camera.await(Connection.State.RECONNECTING);
            camera.comeBack(same -> same.streamChannels(1));
            Connection.Event told = camera.await(Connection.State.RECONNECTING);
            while (!told.cause().orElseThrow().getMessage().contains("INVALID_ADDRESS")) {
                told = camera.await(Connection.State.RECONNECTING);
            }
            camera.lose();
            camera.comeBack();
            camera.await(Connection.State.CONNECTED);
            takeOfBoth(first, second);
        }
    }
}
