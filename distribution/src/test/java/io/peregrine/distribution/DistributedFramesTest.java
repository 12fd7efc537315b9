package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceException;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.DeviceNotFoundException;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.device.StreamingMode;
import io.peregrine.genapi.GenApiException;
import io.peregrine.recording.Camera;
import io.peregrine.stream.End;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.testing.Await;
import io.peregrine.testing.FreePort;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames of a publisher, received as those of a device, over shared memory and over UDP. */
@Timeout(60)
class DistributedFramesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String IPC = "ipc";

    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeEach
    void setUp() {
        System.setProperty(DistributionSettings.DISCOVERY_WINDOW, "10s");
        System.setProperty(PeregrineSettings.DISCOVERY_BROADCAST, "false");
        System.setProperty(PeregrineSettings.DISCOVERY_ADDRESSES, "127.61.0.1");
    }

    @AfterEach
    void tearDown() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
        for (String key : List.of(
                PeregrineSettings.DISCOVERY_BROADCAST,
                PeregrineSettings.DISCOVERY_ADDRESSES,
                DistributionSettings.DISCOVERY_WINDOW,
                DistributionSettings.ROUTES,
                DistributionSettings.SLOW)) {
            System.clearProperty(key);
        }
        assertEquals(List.of(), directories());
    }

    /** Of media drivers of this program that are left in shared memory. */
    private static List<Path> directories() throws IOException {
        String prefix = "peregrine-aeron-" + ProcessHandle.current().pid() + "-";
        Path parent = Path.of("/dev/shm");
        if (!Files.isDirectory(parent)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(parent)) {
            return entries.filter(path -> path.getFileName().toString().startsWith(prefix))
                    .toList();
        }
    }

    private <T extends AutoCloseable> T keep(T resource) {
        open.add(resource);
        return resource;
    }

    /** Where consumers in this program look; they share its media driver, whatever the route. */
    private static String route(String kind) {
        String route = kind.equals(IPC) ? IPC : "from:127.0.0.1:" + FreePort.next();
        System.setProperty(DistributionSettings.ROUTES, route);
        return route;
    }

    private FramePublisher publisher(PublisherSettings settings) {
        return keep(FramePublisher.start(settings));
    }

    private static PublisherSettings settings(String name, String route) {
        return PublisherSettings.of(name, route).withFrameBytes(1 << 16);
    }

    private Device device(String name) {
        return keep(DeviceFactory.open("aeron:" + name));
    }

    private CompositeStream started(Device device) {
        CompositeStream stream = keep(device.stream(CompositeStream.class, 0));
        stream.start();
        return stream;
    }

    private static void awaitConsumers(FramePublisher publisher) {
        Await.until("consumer", PATIENCE, publisher::connected);
    }

    private static Composite next(CompositeStream stream) {
        return assertInstanceOf(WaitResult.Ok.class, stream.waitFor(PATIENCE)).composite();
    }

    /** Waits until it is sent: another one finds an empty queue. */
    private static void send(FramePublisher publisher, long id) {
        long before = publisher.statistics().framesPublished();
        try (Composite frame = Containers.frame(id, 200, 150)) {
            assertTrue(publisher.publish(frame), () -> "frame " + id + " of " + publisher);
        }
        Await.until("sent frame", PATIENCE, () -> publisher.statistics().framesPublished() > before);
    }

    @ParameterizedTest
    @ValueSource(strings = {IPC, "udp"})
    void everyByteOfEachFrameArrives(String kind) {
        FramePublisher publisher = publisher(settings("whole", route(kind)));
        CompositeStream stream = started(device("whole"));
        awaitConsumers(publisher);
        for (long id = 1; id <= 20; id++) {
            send(publisher, id);
            try (Composite sent = Containers.frame(id, 200, 150);
                    Composite received = next(stream)) {
                assertEquals(Containers.describe(sent), Containers.describe(received));
            }
        }
        assertEquals(20, stream.statistics().get(Counter.FRAMES_COMPLETE));
    }

    @Test
    void aProgramForACameraRunsUnchanged() {
        Scenario scenario = Scenario.builder()
                .bindAddress("127.61.0.1")
                .serial("PUB-1")
                .size(64, 48)
                .frameRate(100)
                .build();
        try (VirtualCamera virtual = VirtualCamera.start(scenario);
                Device camera =
                        DeviceFactory.open(virtual.address().getAddress().getHostAddress() + ":"
                                + virtual.address().getPort())) {
            FramePublisher publisher =
                    publisher(PublisherSettings.of("line 3", route("udp")).withCamera(camera.snapshot()));
            CompositeStream stream = started(camera);
            // The first frame gives the size, though there is no consumer.
            try (Composite composite = next(stream)) {
                publisher.publish(composite);
            }
            System.setProperty(DistributionSettings.DISCOVERY_WINDOW, "2s");
            DiscoveryInformation info = DeviceFactory.discover().stream()
                    .filter(found -> found.accessToken().startsWith("aeron:"))
                    .findFirst()
                    .orElseThrow();
            assertEquals("aeron:line 3 PUB-1", info.accessToken() + " " + info.serialNumber());
            Device device = keep(DeviceFactory.open(info.setParameter("UseRdma", "1")));
            assertEquals(64, device.nodes().integer("Width").value());
            assertEquals(
                    StreamingMode.Protocol.PUBLISHED, device.streamingMode().protocol());
            GenApiException refusal = assertThrows(
                    GenApiException.class, () -> device.nodes().integer("Width").set(32));
            assertTrue(refusal.getMessage().contains("another program"), refusal.getMessage());
            CompositeStream received = started(device);
            awaitConsumers(publisher);
            for (int i = 0; i < 10; i++) {
                String sent;
                try (Composite composite = next(stream)) {
                    sent = Containers.describe(composite);
                    publisher.publish(composite);
                }
                try (Composite composite = next(received)) {
                    assertEquals(sent, Containers.describe(composite));
                }
            }
            received.close();
            stream.close();
        }
    }

    @Test
    void aLateConsumerGoesOnWithTheNextFrame() {
        FramePublisher publisher = publisher(settings("late", route(IPC)));
        CompositeStream first = started(device("late"));
        awaitConsumers(publisher);
        send(publisher, 1);
        next(first).close();
        CompositeStream late = started(device("late"));
        send(publisher, 2);
        long id = 2;
        WaitResult result = late.waitFor(Duration.ofMillis(50));
        while (!(result instanceof WaitResult.Ok)) {
            send(publisher, ++id);
            next(first).close();
            result = late.waitFor(Duration.ofMillis(50));
        }
        try (Composite composite = ((WaitResult.Ok) result).composite()) {
            assertTrue(composite.complete());
        }
        assertEquals(0, late.statistics().framesLost());
    }

    @Test
    void framesWithoutAConsumerAreCounted() {
        FramePublisher publisher = publisher(settings("nobody", route(IPC)));
        try (Composite frame = Containers.frame(1, 20, 10)) {
            publisher.publish(frame);
        }
        assertEquals(1, publisher.statistics().framesDroppedNoSubscriber());
        assertEquals(1, publisher.diagnosis().size(), publisher.diagnosis().toString());
    }

    @Test
    void aConsumerThatDoesNotTakeFramesLosesThemByItself() {
        FramePublisher publisher = publisher(settings("slow", route(IPC)));
        CompositeStream slow = started(device("slow"));
        awaitConsumers(publisher);
        for (long id = 1; id <= 30; id++) {
            send(publisher, id);
        }
        Await.until("end", PATIENCE, () -> slow.statistics().get(Counter.FRAMES_DROPPED_NO_FLOW_SET) == 20);
        assertEquals(0, publisher.statistics().framesDropped());
        assertTrue(
                slow.diagnosis().get(0).contains("flow sets"), slow.diagnosis().toString());
    }

    @Test
    void aConsumerThatMustHaveEachFrameHoldsUpThePublisherAndNeverTheCamera() {
        System.setProperty(DistributionSettings.SLOW, "wait");
        String route = route(IPC);
        FramePublisher publisher = publisher(settings("all", route)
                .withDistribution(DistributionSettings.load().with(DistributionSettings.TERM, "64k")));
        CompositeStream stream = started(device("all"));
        awaitConsumers(publisher);
        long id = 0;
        while (publisher.statistics().framesDroppedBackPressure() < 50) {
            try (Composite frame = Containers.frame(++id, 200, 150)) {
                publisher.publish(frame);
            }
        }
        // What was sent comes whole, and what was dropped is missing as a whole.
        long published = id - publisher.statistics().framesDropped();
        for (long i = 0; i < published; i++) {
            try (Composite composite = next(stream)) {
                assertTrue(composite.complete());
                try (Composite sent = Containers.frame(composite.id(), 200, 150)) {
                    assertEquals(Containers.describe(sent), Containers.describe(composite));
                }
            }
        }
        StreamStatistics counted = stream.statistics();
        assertEquals(0, counted.get(Counter.FRAMES_DROPPED_NO_FLOW_SET));
        assertEquals(0, counted.get(Counter.FRAMES_INCOMPLETE));
    }

    @ParameterizedTest
    @ValueSource(strings = {IPC, "udp"})
    void aPublisherThatIsClosedEndsTheStreamInOrder(String kind) {
        FramePublisher publisher = publisher(settings("ending", route(kind)));
        CompositeStream stream = started(device("ending"));
        awaitConsumers(publisher);
        send(publisher, 1);
        publisher.close();
        int frames = 0;
        for (Composite composite : stream) {
            composite.close();
            frames++;
        }
        assertEquals(1, frames);
        assertInstanceOf(End.Finished.class, stream.end().orElseThrow());
    }

    @Test
    void theCameraIsDescribedEvenWhereNothingIsKnownOfIt() {
        publisher(settings("unknown", route(IPC)));
        Device device = device("unknown");
        assertEquals("unknown", device.nodes().string("DeviceUserID").value());
    }

    @Test
    void twoStreamsOfOneNameAreToldApartBySession() {
        String route = route(IPC);
        publisher(settings("twice", route));
        publisher(settings("twice", route));
        System.setProperty(DistributionSettings.DISCOVERY_WINDOW, "1s");
        List<DiscoveryInformation> found = DeviceFactory.discover().stream()
                .filter(info -> info.accessToken().startsWith("aeron:twice#"))
                .toList();
        assertEquals(2, found.size());
        Device device = device(found.get(1).accessToken().substring("aeron:".length()));
        assertEquals(found.get(1).accessToken(), device.info().accessToken());
    }

    @Test
    void aNameThatIsNotPublishedIsReported() {
        route(IPC);
        System.setProperty(DistributionSettings.DISCOVERY_WINDOW, "300ms");
        assertThrows(DeviceNotFoundException.class, () -> DeviceFactory.open("aeron:nothing"));
    }

    @Test
    void withoutARouteNothingIsLookedFor() {
        DeviceException refusal = assertThrows(DeviceException.class, () -> DeviceFactory.open("aeron:nothing"));
        assertTrue(refusal.getMessage().contains(DistributionSettings.ROUTES), refusal.getMessage());
    }

    @Test
    void aStreamWithoutASizeCannotBeOpenedYet() {
        publisher(PublisherSettings.of("early", route(IPC))
                .withCamera(new Camera(Map.of("DeviceModel", "M"), "", Optional.empty(), Optional.empty())));
        System.setProperty(DistributionSettings.DISCOVERY_WINDOW, "1s");
        Device device = device("early");
        RuntimeException refusal = assertThrows(RuntimeException.class, () -> device.stream(CompositeStream.class, 0));
        assertTrue(refusal.getMessage().contains("open the device again later"), refusal.getMessage());
    }
}
