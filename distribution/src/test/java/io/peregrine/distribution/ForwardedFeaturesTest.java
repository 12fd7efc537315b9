package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.CompositeStream;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceException;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.DeviceTimeoutException;
import io.peregrine.device.OpenOptions;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.PortNode;
import io.peregrine.testing.Await;
import io.peregrine.testing.FreePort;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Features of a published camera, read and set by programs that open the stream, over UDP and shared memory. */
@Timeout(60)
class ForwardedFeaturesTest {
    private static final String NAME = "line 3";
    private static final long FIRST_URL = 0x200;

    private final DistributionRig rig = new DistributionRig();

    @TempDir
    private Path directory;

    private Device camera;
    private FramePublisher publisher;

    @BeforeEach
    void setUp() {
        rig.set(PeregrineSettings.DISCOVERY_BROADCAST, "false");
        VirtualCamera virtual = rig.keep(VirtualCamera.start(Scenario.builder()
                .bindAddress("127.61.0.2")
                .serial("FWD-1")
                .size(64, 48)
                .frameRate(50)
                .build()));
        camera = rig.keep(DeviceFactory.open("127.61.0.2:" + virtual.address().getPort()));
    }

    @AfterEach
    void tearDown() throws Exception {
        rig.close();
    }

    private void publish(String kind) {
        String route = rig.route(kind.equals("ipc") ? kind : "from:127.0.0.1:" + FreePort.next());
        publisher = rig.publisher(PublisherSettings.of(NAME, route).withCamera(camera.snapshot()));
    }

    private Path key(String name, String text) {
        Path file = directory.resolve(name);
        try {
            Files.writeString(file, text);
            if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return file;
    }

    private Path goodKey() {
        return key("key", "00112233445566778899aabbccddeeff\n");
    }

    private Device consumer(Path key) {
        OpenOptions options = OpenOptions.builder().featuresKeyFile(key).build();
        return rig.keep(DeviceFactory.open("aeron:" + NAME, options));
    }

    private Device consumerOf(String kind) {
        publish(kind);
        publisher.forwardFeatures(camera.nodes(), goodKey());
        return consumer(goodKey());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ipc", "udp"})
    void aFeatureThatIsSetIsSetAtTheCamera(String kind) {
        NodeMap nodes = consumerOf(kind).nodes();
        camera.nodes().floating("ExposureTime").value();
        nodes.floating("ExposureTime").set(1234);
        assertEquals(1234, camera.nodes().floating("ExposureTime").value());
    }

    @Test
    void whatDependsOnAFeatureIsNewAtThePublisherToo() {
        NodeMap nodes = consumerOf("udp").nodes();
        long before = camera.nodes().integer("PayloadSize").value();
        nodes.integer("Width").set(32);
        assertEquals(before / 2, camera.nodes().integer("PayloadSize").value());
    }

    @Test
    void whatThePublisherSetsShowsAtTheConsumer() {
        NodeMap nodes = consumerOf("udp").nodes();
        nodes.floating("ExposureTime").value();
        camera.nodes().floating("ExposureTime").set(4321);
        Await.until(
                "new value",
                DistributionRig.PATIENCE,
                () -> nodes.floating("ExposureTime").value() == 4321);
    }

    @Test
    void aFeatureIsLockedWhileTheCameraStreams() {
        NodeMap nodes = consumerOf("udp").nodes();
        try (CompositeStream stream = camera.stream(CompositeStream.class, 0)) {
            stream.start();
            GenApiException local = assertThrows(
                    GenApiException.class, () -> camera.nodes().integer("Width").set(32));
            GenApiException refusal = assertThrows(
                    GenApiException.class, () -> nodes.integer("Width").set(32));
            assertEquals(local.getClass(), refusal.getClass());
            nodes.floating("ExposureTime").set(1500);
            assertEquals(1500, camera.nodes().floating("ExposureTime").value());
        }
        Await.until(
                "unlocked feature",
                DistributionRig.PATIENCE,
                () -> nodes.integer("Width").writable(),
                () -> "TLParamsLocked " + nodes.integer("TLParamsLocked").value() + ", at the publisher "
                        + camera.nodes().integer("TLParamsLocked").value());
        nodes.integer("Width").set(32);
        assertEquals(32, camera.nodes().integer("Width").value());
    }

    @Test
    void aRefusalOfTheCameraIsThatOfTheCamera() {
        PortNode here = port(consumerOf("udp"));
        RuntimeException local = assertThrows(RuntimeException.class, () -> writeNowhere(port(camera)));
        RuntimeException forwarded = assertThrows(RuntimeException.class, () -> writeNowhere(here));
        assertEquals(local.toString(), forwarded.toString());
    }

    private static PortNode port(Device device) {
        return device.nodes().find("Device", PortNode.class).orElseThrow();
    }

    private static void writeNowhere(PortNode port) {
        port.write(0x7FFF_0000L, ByteBuffer.wrap(new byte[] {1, 2, 3, 4}));
    }

    @Test
    void longReadsComeInPieces() {
        PortNode here = port(consumerOf("udp"));
        byte[] url = new byte[512];
        port(camera).read(FIRST_URL, ByteBuffer.wrap(url));
        // Local:NAME;ADDRESS;LENGTH
        long description = Long.parseLong(new String(url, StandardCharsets.ISO_8859_1).split(";", -1)[1], 16);
        ByteBuffer local = ByteBuffer.allocate(3000);
        port(camera).read(description, local);
        ByteBuffer forwarded = ByteBuffer.allocate(3000);
        here.read(description, forwarded);
        assertEquals(local.flip(), forwarded.flip());
    }

    @Test
    void allFeaturesAreThoseOfTheCamera() {
        Device consumer = consumerOf("udp");
        camera.nodes().floating("ExposureTime").set(1357);
        assertEquals(camera.snapshot().settings(), consumer.snapshot().settings());
    }

    @Test
    void withoutTheKeyAFeatureCannotBeSetAndTheReasonSaysWhatToDo() {
        publish("udp");
        publisher.forwardFeatures(camera.nodes(), goodKey());
        Device device = rig.keep(DeviceFactory.open("aeron:" + NAME));
        long width = device.nodes().integer("Width").value();
        GenApiException refusal = assertThrows(
                GenApiException.class, () -> device.nodes().integer("Width").set(32));
        assertTrue(refusal.getMessage().contains("FeaturesKeyFile"), refusal.getMessage());
        assertEquals(width, camera.nodes().integer("Width").value());
    }

    @Test
    void anotherKeyIsNotAccepted() {
        publish("udp");
        publisher.forwardFeatures(camera.nodes(), goodKey());
        rig.set(DistributionSettings.LOST_AFTER, "1s");
        Path other = key("other", "ffeeddccbbaa99887766554433221100");
        DeviceException refusal = assertThrows(DeviceException.class, () -> consumer(other));
        assertTrue(refusal.getMessage().contains("FeaturesKeyFile"), refusal.getMessage());
        assertEquals(1, publisher.statistics().featureRequestsForged());
        assertTrue(
                publisher.diagnosis().stream().anyMatch(one -> one.contains("another key")),
                () -> publisher.diagnosis().toString());
    }

    @Test
    void aPublisherThatForwardsNothingSaysSo() {
        publish("udp");
        DeviceException refusal = assertThrows(DeviceException.class, () -> consumer(goodKey()));
        assertTrue(refusal.getMessage().contains("--features-key"), refusal.getMessage());
    }

    @Test
    void aPublisherThatIsGoneIsATimeOut() {
        rig.set(DistributionSettings.LOST_AFTER, "1s");
        NodeMap nodes = consumerOf("udp").nodes();
        publisher.close();
        DeviceTimeoutException late = assertThrows(
                DeviceTimeoutException.class,
                () -> nodes.floating("ExposureTime").set(2000));
        assertTrue(late.getMessage().contains("publisher"), late.getMessage());
    }

    @Test
    void requestsAreCounted() {
        Device device = consumerOf("udp");
        device.nodes().floating("ExposureTime").set(1234);
        FramePublisher.Statistics counted = publisher.statistics();
        assertTrue(counted.featureRequests() >= 2, counted::toString);
        assertEquals(0, counted.featureRequestsForged());
    }

    @Test
    void twoConsumersHaveTheirOwnSessions() {
        NodeMap one = consumerOf("udp").nodes();
        NodeMap other = consumer(goodKey()).nodes();
        one.floating("ExposureTime").set(1111);
        other.floating("Gain").set(2);
        one.floating("ExposureTime").set(2222);
        assertEquals(
                List.of(2222.0, 2.0),
                List.of(
                        camera.nodes().floating("ExposureTime").value(),
                        camera.nodes().floating("Gain").value()));
    }
}
