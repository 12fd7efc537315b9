package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.genapi.GenApiAccessException;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.Registration;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events on their way from the virtual camera through message channel and event ports to listeners. */
@ExpectedWarning("A listener for events failed")
@Timeout(60)
class DeviceEventsTest {
    private VirtualCamera camera;
    private Devices factory;
    private Device device;
    private final BlockingQueue<DeviceEvent> heard = new LinkedBlockingQueue<>();

    @BeforeEach
    void start() {
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.50.7.1")
                .port(0)
                .size(64, 32)
                .frameRate(100)
                .build());
        factory = DeviceFactory.create(PeregrineSettings.load().with(PeregrineSettings.DISCOVERY_BROADCAST, "false"));
        device = factory.open(address());
    }

    @AfterEach
    void stop() {
        device.close();
        camera.close();
    }

    private String address() {
        return "127.50.7.1:" + camera.address().getPort();
    }

    private DeviceEvent next() throws InterruptedException {
        DeviceEvent event = heard.poll(20, TimeUnit.SECONDS);
        assertTrue(event != null, "no event came");
        return event;
    }

    private void generateTestEvent() {
        device.nodes().command("TestEventGenerate").execute();
    }

    @Test
    void theEventsOfTheDeviceAreKnownByName() {
        assertEquals(
                List.of("Test", "FrameStart", "ExposureEnd", "FrameEnd", "ActionLate", "PrimaryApplicationSwitch"),
                device.events().names());
    }

    @Test
    void anEventComesWithNameAndFeatures() throws Exception {
        device.events().onEvent(heard::add);
        device.events().enable("Test");
        generateTestEvent();
        DeviceEvent event = next();
        assertEquals(Optional.of("Test"), event.name());
        assertEquals(0x9000, event.id());
        assertEquals(OptionalInt.empty(), event.streamChannel());
        assertEquals(
                List.of("EventTest", "EventTestTimestamp"),
                event.features().stream().map(Node::name).toList());
    }

    @Test
    void theFeaturesOfAnEventHaveItsValues() throws Exception {
        device.events().onEvent(heard::add);
        device.events().enable("Test");
        generateTestEvent();
        DeviceEvent event = next();
        assertEquals(0x9000, device.nodes().integer("EventTest").value());
        assertEquals(
                event.timestampTicks(),
                device.nodes().integer("EventTestTimestamp").value());
    }

    @Test
    void featuresOfAnEventThatDidNotComeAreNotAvailable() {
        device.events();
        assertThrows(
                GenApiAccessException.class,
                () -> device.nodes().integer("EventTest").value());
    }

    @Test
    void aListenerOnTheNodeIsTold() throws Exception {
        BlockingQueue<Long> values = new LinkedBlockingQueue<>();
        device.events().enable("Test");
        device.nodes()
                .integer("EventTestTimestamp")
                .onChange(node ->
                        values.add(device.nodes().integer("EventTestTimestamp").value()));
        generateTestEvent();
        assertTrue(values.poll(20, TimeUnit.SECONDS) > 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void framesTellOfThemselvesWithShortAndLongIds(boolean extended) throws Exception {
        device.nodes().bool("GevGVSPExtendedIDMode").set(extended);
        BlockingQueue<Long> frameIds = new LinkedBlockingQueue<>();
        DeviceEvents events = device.events();
        events.onEvent("ExposureEnd", event -> {
            frameIds.add(device.nodes().integer("EventExposureEndFrameID").value());
            heard.add(event);
        });
        BlockingQueue<DeviceEvent> starts = new LinkedBlockingQueue<>();
        BlockingQueue<Long> startIds = new LinkedBlockingQueue<>();
        events.onEvent("FrameStart", event -> {
            startIds.add(device.nodes().integer("EventFrameStartFrameID").value());
            starts.add(event);
        });
        events.enable("ExposureEnd");
        events.enable("FrameStart");
        try (CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            for (int frame = 0; frame < 5; frame++) {
                WaitResult.Ok ok = (WaitResult.Ok) stream.waitFor(Duration.ofSeconds(10));
                try (Composite composite = ok.composite()) {
                    DeviceEvent start = starts.poll(20, TimeUnit.SECONDS);
                    assertEquals(composite.id(), start.blockId());
                    assertEquals(composite.id(), startIds.poll(20, TimeUnit.SECONDS));
                    assertEquals(composite.timestamp(), start.timestampTicks());
                    DeviceEvent end = next();
                    assertEquals(composite.id(), end.blockId());
                    assertEquals(composite.id(), frameIds.poll(20, TimeUnit.SECONDS));
                    assertEquals(composite.id(), end.data().getLong(0));
                    assertEquals(OptionalInt.of(0), end.streamChannel());
                }
            }
        }
    }

    @Test
    void whatIsSwitchedOffComesNoLonger() throws Exception {
        DeviceEvents events = device.events();
        events.onEvent(heard::add);
        events.enable("Test");
        generateTestEvent();
        assertEquals(Optional.of("Test"), next().name());
        events.disable("Test");
        generateTestEvent();
        events.enable("Test");
        long before = device.nodes().integer("EventTestTimestamp").value();
        generateTestEvent();
        assertTrue(next().timestampTicks() > before);
        assertTrue(heard.isEmpty());
        assertEquals(2, events.statistics().events());
    }

    @Test
    void everyEventIsAnsweredTheFirstTime() throws Exception {
        DeviceEvents events = device.events();
        events.onEvent(heard::add);
        events.enable("Test");
        device.nodes().integer("GevMCTT").set(20_000);
        for (int i = 0; i < 100; i++) {
            generateTestEvent();
            next();
        }
        generateTestEvent();
        next();
        assertEquals(0, camera.statistics().eventsRepeated());
        assertEquals(0, camera.statistics().eventsLost());
    }

    @Test
    void aListenerThatFailsByAnErrorDoesNotKeepOthersFromHearing() throws Exception {
        device.events().onEvent(event -> {
            throw new AssertionError("on purpose");
        });
        device.events().onEvent(heard::add);
        device.events().enable("Test");
        for (int i = 0; i < 5; i++) {
            generateTestEvent();
            next();
        }
    }

    @Test
    void aListenerThatFailsDoesNotKeepOthersFromHearing() throws Exception {
        device.events().onEvent(event -> {
            throw new IllegalStateException("on purpose");
        });
        device.events().onEvent(heard::add);
        device.events().enable("Test");
        generateTestEvent();
        assertEquals("Test", next().name().orElseThrow());
    }

    @Test
    void aClosedRegistrationHearsNoMore() throws Exception {
        BlockingQueue<DeviceEvent> first = new LinkedBlockingQueue<>();
        Registration registration = device.events().onEvent(first::add);
        device.events().onEvent(heard::add);
        device.events().enable("Test");
        registration.close();
        generateTestEvent();
        next();
        assertTrue(first.isEmpty());
    }

    @Test
    void anEventOfAnotherNameIsRefused() {
        DeviceEvents events = device.events();
        assertThrows(GenApiException.class, () -> events.enable("Doomsday"));
    }

    @Test
    void aDeviceThatIsOnlyReadGetsNoEvents() {
        device.close();
        try (Device reading = factory.open(factory.find(address()).setParameter("AccessMode", "ReadOnly"))) {
            assertThrows(DeviceException.class, reading::events);
        }
    }

    @Test
    void aClosedDeviceHasNoEvents() {
        device.events();
        device.close();
        assertThrows(DeviceException.class, device::events);
        assertFalse(camera.controller().isPresent());
    }

    @Test
    void aListenerForAnEventThatTheDeviceDoesNotHaveIsRefused() {
        GenApiException refused =
                assertThrows(GenApiException.class, () -> device.events().onEvent("ExposureEn", heard::add));
        assertEquals(
                "The device has no event ExposureEn. Did you mean ExposureEnd? It has [Test, FrameStart, ExposureEnd,"
                        + " FrameEnd, ActionLate, PrimaryApplicationSwitch]",
                refused.getMessage());
    }

    private String notification(String event) {
        device.nodes().enumeration("EventSelector").set(event);
        return device.nodes().enumeration("EventNotification").value();
    }

    @ParameterizedTest
    @ValueSource(strings = {"On", "Off"})
    void whatWasEnabledIsPutBackAsItWas(String before) {
        notification("Test");
        device.nodes().enumeration("EventNotification").set(before);
        Registration enabled = device.events().enable("Test");
        assertEquals("On", notification("Test"));
        enabled.close();
        assertEquals(before, notification("Test"));
    }

    @Test
    void theSelectorStaysWhereItWas() {
        notification("FrameEnd");
        Registration enabled = device.events().enable("Test");
        assertEquals("FrameEnd", device.nodes().enumeration("EventSelector").value());
        enabled.close();
        assertEquals("FrameEnd", device.nodes().enumeration("EventSelector").value());
    }
}
