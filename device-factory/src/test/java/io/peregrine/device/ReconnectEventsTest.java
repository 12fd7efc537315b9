package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.genapi.Registration;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.virtualcamera.Scenario;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Events of a camera that goes and comes back. */
@ExpectedWarning("Connection to .*: LOST")
@Timeout(90)
class ReconnectEventsTest {
    private final BlockingQueue<DeviceEvent> heard = new LinkedBlockingQueue<>();
    private LosableCamera camera;
    private Device device;

    @BeforeEach
    void start() {
        camera = new LosableCamera(Scenario.builder()
                .bindAddress("127.53.2.1")
                .serial("BACK3")
                .size(64, 32)
                .frameRate(100));
        device = camera.open("Reconnect", "1");
    }

    @AfterEach
    void stop() {
        device.close();
        camera.close();
    }

    private static DeviceEvent next(BlockingQueue<DeviceEvent> queue) throws InterruptedException {
        DeviceEvent event = queue.poll(LosableCamera.LONG.toSeconds(), TimeUnit.SECONDS);
        assertNotNull(event, "no event came");
        return event;
    }

    private void generateTestEvent() {
        device.nodes().command("TestEventGenerate").execute();
    }

    @Test
    void listenersAreToldOfEventsAgain() throws InterruptedException {
        DeviceEvents events = device.events();
        events.onEvent("Test", heard::add);
        events.enable("Test");
        generateTestEvent();
        next(heard);
        camera.awayAndBack();
        assertSame(events, device.events());
        generateTestEvent();
        assertEquals(Optional.of("Test"), next(heard).name());
        assertEquals(2, events.statistics().events());
    }

    @Test
    void listenersAreToldAgainWhenControlWasTakenAndGivenBack() throws InterruptedException {
        device.events().onEvent(heard::add);
        device.events().enable("Test");
        for (int losses = 0; losses < 2; losses++) {
            camera.robbedAndBack(device);
            generateTestEvent();
            assertEquals(Optional.of("Test"), next(heard).name());
        }
        assertEquals(0, camera.now().statistics().eventsLost());
    }

    @Test
    void listenersOfTheFeatureAreToldAgain() throws InterruptedException {
        BlockingQueue<Long> timestamps = new LinkedBlockingQueue<>();
        device.events().onEvent(heard::add);
        device.events().enable("Test");
        camera.awayAndBack();
        device.nodes()
                .integer("EventTestTimestamp")
                .onChange(node -> timestamps.add(
                        device.nodes().integer("EventTestTimestamp").value()));
        generateTestEvent();
        long timestamp = next(heard).timestampTicks();
        assertEquals(timestamp, timestamps.poll(LosableCamera.LONG.toSeconds(), TimeUnit.SECONDS));
    }

    @Test
    void aListenerThatWasTakenAwayMeanwhileIsNotCalled() throws InterruptedException {
        BlockingQueue<DeviceEvent> others = new LinkedBlockingQueue<>();
        Registration registration = device.events().onEvent(others::add);
        device.events().onEvent(heard::add);
        device.events().enable("Test");
        camera.lose();
        camera.await(Connection.State.RECONNECTING);
        registration.close();
        camera.comeBack();
        camera.await(Connection.State.CONNECTED);
        generateTestEvent();
        next(heard);
        assertTrue(others.isEmpty());
    }

    @Test
    void eventsThatNobodyWantedBeforeCanBeHadAfterwards() throws InterruptedException {
        camera.lose();
        camera.await(Connection.State.RECONNECTING);
        assertThrows(DeviceLostException.class, device::events);
        camera.comeBack();
        camera.await(Connection.State.CONNECTED);
        device.events().onEvent(heard::add);
        device.events().enable("Test");
        generateTestEvent();
        assertEquals(Optional.of("Test"), next(heard).name());
    }

    @Test
    void framesOfAStreamThatGoesOnTellOfThemselves() throws InterruptedException {
        device.events().onEvent("FrameStart", heard::add);
        device.events().enable("FrameStart");
        try (CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            Frames.next(stream).close();
            camera.awayAndBack();
            for (int frame = 0; frame < 20; frame++) {
                try (Composite composite = Frames.next(stream)) {
                    DeviceEvent event = next(heard);
                    while (event.timestampTicks() != composite.timestamp()) {
                        event = next(heard);
                    }
                    assertEquals(composite.blockId(), event.blockId());
                }
            }
            stream.stop();
        }
    }
}
