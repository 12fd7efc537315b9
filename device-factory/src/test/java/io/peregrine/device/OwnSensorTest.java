package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.Item;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.virtualcamera.DeviceFeature;
import io.peregrine.virtualcamera.VirtualDevice;
import java.nio.ByteBuffer;
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

/** A device declared in code that tells of events and sends frames is a camera like any other. */
@Timeout(60)
class OwnSensorTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int WIDTH = 122;
    private static final int HEIGHT = 37;

    private final BlockingQueue<DeviceEvent> heard = new LinkedBlockingQueue<>();
    private VirtualDevice sensor;
    private Device device;

    @BeforeEach
    void start() {
        sensor = VirtualDevice.builder("Own Maker", "Sensor")
                .bindAddress("127.50.8.1")
                .port(0)
                .category(
                        "AcquisitionControl",
                        DeviceFeature.floating("ExposureTime").range(1, 1000).initial(10))
                .event("Opened")
                .event("Overheated", "Place", "Celsius")
                .frames(WIDTH, HEIGHT, "Mono16", 50, OwnSensorTest::fill)
                .start();
        device = DeviceFactory.create(PeregrineSettings.load().with(PeregrineSettings.DISCOVERY_BROADCAST, "false"))
                .open("127.50.8.1:" + sensor.address().getPort());
    }

    @AfterEach
    void stop() {
        device.close();
        sensor.close();
    }

    private static short pixel(long blockId, int index) {
        return (short) (blockId * 257 + index);
    }

    private static void fill(long blockId, ByteBuffer frame) {
        for (int i = 0; frame.hasRemaining(); i++) {
            frame.putShort(pixel(blockId, i));
        }
    }

    private static long wrongPixels(Composite composite) {
        assertTrue(composite.complete(), () -> composite.incompleteReason().orElse(""));
        Item image = composite.image().orElseThrow();
        assertEquals("122x37 Mono16", image.width() + "x" + image.height() + " " + image.format());
        ByteBuffer data = image.data();
        assertEquals(2 * WIDTH * HEIGHT, data.remaining());
        long wrong = 0;
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            int at = data.position() + 2 * i;
            int received = (data.get(at) & 0xFF) | (data.get(at + 1) & 0xFF) << 8;
            wrong += (short) received == pixel(composite.blockId(), i) ? 0 : 1;
        }
        return wrong;
    }

    private void streamWholeFrames(int count) {
        try (CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            for (int frame = 1; frame <= count; frame++) {
                try (Composite composite = stream.waitFor(LONG).toOptional().orElseThrow()) {
                    assertEquals(0, wrongPixels(composite), "pixels of frame " + composite.blockId());
                }
            }
            stream.stop();
        }
    }

    @Test
    void everyByteOfItsFramesArrives() {
        streamWholeFrames(20);
    }

    @Test
    void itStreamsAgainAfterAStop() {
        streamWholeFrames(3);
        streamWholeFrames(3);
    }

    @Test
    void itStreamsWithExtendedIdsToo() {
        device.nodes().bool("GevGVSPExtendedIDMode").set(true);
        streamWholeFrames(3);
    }

    @Test
    void itsDescriptionHasWhatStreamingNeeds() {
        NodeMap nodes = device.nodes();
        assertEquals(List.of(), nodes.problems());
        assertEquals(1, device.streamCount());
        assertEquals(WIDTH, nodes.integer("Width").value());
        assertEquals(HEIGHT, nodes.integer("Height").value());
        assertEquals("Mono16", nodes.enumeration("PixelFormat").value());
        assertEquals(0x01100007, nodes.enumeration("PixelFormat").intValue());
        assertEquals(2 * WIDTH * HEIGHT, nodes.integer("PayloadSize").value());
        assertEquals(50, nodes.floating("AcquisitionFrameRate").value());
        assertEquals(1500, nodes.integer("GevSCPSPacketSize").value());
        assertEquals(0, nodes.integer("GevSCPHostPort").value());
        assertEquals(
                List.of(
                        "ExposureTime",
                        "AcquisitionMode",
                        "AcquisitionStart",
                        "AcquisitionStop",
                        "AcquisitionFrameRate"),
                nodes.category("AcquisitionControl").features().stream()
                        .map(Node::name)
                        .toList());
    }

    private DeviceEvent next() throws InterruptedException {
        DeviceEvent event = heard.poll(20, TimeUnit.SECONDS);
        assertTrue(event != null, "no event came");
        return event;
    }

    private void listen(String event) {
        device.events().onEvent(heard::add);
        device.events().enable(event);
    }

    @Test
    void itsEventsAreKnownByName() {
        assertEquals(List.of("Opened", "Overheated"), device.events().names());
    }

    @Test
    void anEventComesByName() throws Exception {
        listen("Opened");
        sensor.fire("Opened");
        DeviceEvent event = next();
        assertEquals(Optional.of("Opened"), event.name());
        assertEquals(0x9000, event.id());
        assertEquals(OptionalInt.empty(), event.streamChannel());
        assertEquals(
                event.timestampTicks(),
                device.nodes().integer("EventOpenedTimestamp").value());
    }

    @Test
    void theNumbersOfAnEventAreFeatures() throws Exception {
        listen("Overheated");
        sensor.fire("Overheated", 2, -40);
        DeviceEvent event = next();
        assertEquals(
                List.of(
                        "EventOverheated",
                        "EventOverheatedTimestamp",
                        "EventOverheatedPlace",
                        "EventOverheatedCelsius"),
                event.features().stream().map(Node::name).toList());
        assertEquals(2, device.nodes().integer("EventOverheatedPlace").value());
        assertEquals(-40, device.nodes().integer("EventOverheatedCelsius").value());
    }

    @Test
    void theNumbersAreFoundBehindAnExtendedHeadToo() throws Exception {
        device.nodes().bool("GevGVSPExtendedIDMode").set(true);
        listen("Overheated");
        sensor.fire("Overheated", 2, -40);
        DeviceEvent event = next();
        assertEquals(2, device.nodes().integer("EventOverheatedPlace").value());
        assertEquals(-40, device.nodes().integer("EventOverheatedCelsius").value());
        assertEquals(
                event.timestampTicks(),
                device.nodes().integer("EventOverheatedTimestamp").value());
    }

    @Test
    void eventsAndFramesComeBesideEachOther() throws Exception {
        listen("Opened");
        try (CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            for (int frame = 1; frame <= 5; frame++) {
                sensor.fire("Opened");
                try (Composite composite = stream.waitFor(LONG).toOptional().orElseThrow()) {
                    assertEquals(0, wrongPixels(composite));
                }
                assertEquals(Optional.of("Opened"), next().name());
            }
        }
    }
}
