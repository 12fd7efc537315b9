package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.ImageItem;
import io.peregrine.composite.Item;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.StreamingMode.Protocol;
import io.peregrine.genapi.CachingMode;
import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.EnumerationNode;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.Visibility;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.virtualcamera.ComponentKind;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@ExpectedWarning("Connection to .*: LOST")
@ExpectedWarning("UseRdma=\\w+ is not met")
@Timeout(60)
class DeviceWithVirtualCameraTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    private VirtualCamera camera;
    private Devices factory;

    @BeforeEach
    void start() {
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.50.0.1")
                .port(0)
                .serial("PG-50")
                .userName("left")
                .size(320, 240)
                .frameRate(200)
                .components(Set.of(ComponentKind.values()))
                .flows(Scenario.Flows.PER_COMPONENT)
                .build());
        factory = DeviceFactory.create(PeregrineSettings.load()
                .with(
                        PeregrineSettings.DISCOVERY_ADDRESSES,
                        "127.50.0.1:" + camera.address().getPort())
                .with(PeregrineSettings.DISCOVERY_BROADCAST, "false"));
    }

    @AfterEach
    void stop() {
        camera.close();
    }

    private DiscoveryInformation found() {
        List<DiscoveryInformation> found = factory.discover(DiscoverFlags.FIND_ALL, LONG);
        assertEquals(1, found.size());
        return found.get(0);
    }

    @Test
    void cameraIsDiscovered() {
        assertEquals("PG-50", found().serialNumber());
    }

    @Test
    void featuresForBeginnersAreReadInFewRoundTripsAndThenInNone() {
        try (Device device = factory.open(found())) {
            List<Node> features = device.nodes().features(Visibility.BEGINNER);
            long before = camera.statistics().controlPackets();
            int fetched = device.nodes().prefetch(features);
            long roundTrips = camera.statistics().controlPackets() - before;
            features.stream()
                    .filter(feature -> feature.cachingMode() != CachingMode.NO_CACHE)
                    .filter(feature -> feature.readable() && !(feature instanceof CommandNode))
                    .forEach(Node::valueAsText);
            long after = camera.statistics().controlPackets() - before - roundTrips;
            assertTrue(fetched > 25, () -> fetched + " registers");
            assertTrue(roundTrips < fetched, () -> roundTrips + " round trips for " + fetched + " registers");
            // Predicates of what is remembered can be registers that must not be, such as TLParamsLocked.
            assertTrue(after < fetched, () -> after + " afterwards");
        }
    }

    @Test
    void cameraIsOpenedByUserName() {
        try (Device device = factory.open("left")) {
            assertEquals("left", device.info().userName());
        }
    }

    @Test
    void cameraIsOpenedByAccessToken() {
        try (Device device = factory.open(found().accessToken())) {
            assertTrue(device.connection().connected());
        }
    }

    @Test
    void absentCameraIsNotFound() {
        assertThrows(DeviceNotFoundException.class, () -> factory.open("127.50.0.99"));
    }

    @Test
    void featureIsReadAndSet() {
        try (Device device = factory.open(found())) {
            device.nodes().integer("Width").set(160);
            assertEquals(160, device.nodes().integer("Width").value());
        }
    }

    @Test
    void featureIsSetOnOpening() {
        try (Device device = factory.open(found().setGenApiFeature("Device", "Height", "120"))) {
            assertEquals(120, device.nodes().integer("Height").value());
        }
    }

    @Test
    void genDcFramesArriveWithEveryByte() {
        try (Device device = factory.open(found());
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            int frames = 0;
            for (Composite composite : stream) {
                try (composite) {
                    assertTrue(
                            composite.complete(),
                            () -> composite.incompleteReason().orElse(""));
                    assertEquals(3, composite.items().size());
                    for (Item item : composite.items()) {
                        assertEquals(0, Frames.badBytes(composite, item));
                    }
                }
                if (++frames == 50) {
                    stream.stop();
                    break;
                }
            }
            assertEquals(50, frames);
        }
    }

    @Test
    void plainImageAppearsAsCompositeWithOneImage() {
        try (Device device = factory.open(found().setParameter("Payload", "Image"));
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            try (Composite composite = next(stream)) {
                Item item = composite.items().get(0);
                assertInstanceOf(ImageItem.class, item);
                assertEquals(0, Frames.badBytes(composite, item));
            }
            stream.stop();
        }
    }

    @Test
    void streamRunsAgainAfterFormatChange() {
        try (Device device = factory.open(found());
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            next(stream).close();
            stream.stop();
            device.nodes().integer("Width").set(64);
            stream.start();
            try (Composite composite = next(stream)) {
                assertEquals(64, ((ImageItem) composite.items().get(0)).width());
            }
            stream.stop();
        }
    }

    @Test
    void formatIsLockedWhileStreaming() {
        try (Device device = factory.open(found());
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            assertFalse(device.nodes().node("Width").writable());
            stream.stop();
        }
    }

    @Test
    void rdmaRequestFallsBackAndSaysWhy() {
        try (Device device = factory.open(found().setParameter("UseRdma", "1"))) {
            assertEquals(Protocol.GVSP, device.streamingMode().protocol());
            assertTrue(device.streamingMode().reason().isPresent());
        }
    }

    @Test
    void streamingModeIsANodeOfTheTransportLayer() {
        try (Device device = factory.open(found())) {
            assertEquals(
                    "GVSP",
                    device.nodeMap(Device.TL_DEVICE)
                            .enumeration("GevDataStreamingMode")
                            .value());
        }
    }

    @Test
    void streamProtocolIsGvspWhereOnlyThatIsPossible() {
        try (Device device = factory.open(found())) {
            EnumerationNode protocol = device.nodeMap(Device.TL_DEVICE).enumeration("DeviceStreamProtocol");

            assertEquals("GVSP", protocol.value());
            assertEquals(List.of("GVSP"), protocol.symbols());
        }
    }

    @Test
    void requiredRdmaIsAnError() {
        DiscoveryInformation info = found().setParameter("UseRdma", "require");
        assertThrows(DeviceException.class, () -> factory.open(info));
    }

    @Test
    void countersAreNodesOfTheDataStream() {
        try (Device device = factory.open(found());
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            next(stream).close();
            stream.stop();
            long counted = stream.statistics().get(Counter.FRAMES_COMPLETE);
            assertTrue(counted > 0);
            assertEquals(
                    counted,
                    device.nodeMap(Device.TL_DATASTREAM)
                            .integer("StreamFramesComplete")
                            .value());
        }
    }

    @Test
    void streamThatGivesNothingSaysThatTheDeviceWaitsForATrigger() {
        DiscoveryInformation info = found();
        info.setGenApiFeature(Device.DEVICE, "TriggerMode", "On");
        try (Device device = factory.open(info);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            assertEquals(List.of(), stream.diagnosis(), "too early");
            assertInstanceOf(WaitResult.Timeout.class, stream.waitFor(Duration.ofMillis(1100)));
            List<String> reasons = stream.diagnosis();
            assertEquals(1, reasons.size(), reasons::toString);
            assertTrue(
                    reasons.get(0)
                            .startsWith("Nothing was received in 1 s: TriggerMode is On and the device waits for the"
                                    + " trigger Software"),
                    reasons::toString);
            assertEquals(
                    reasons.get(0),
                    device.nodeMap(Device.TL_DATASTREAM)
                            .string("StreamDiagnosis")
                            .value());
        }
    }

    @Test
    void streamThatGoesElsewhereIsToldWithBothAddresses() {
        DiscoveryInformation info = found();
        info.setGenApiFeature(Device.DEVICE, "TriggerMode", "On");
        try (Device device = factory.open(info);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            device.nodes().integer("GevSCPHostPort").set(9);
            assertInstanceOf(WaitResult.Timeout.class, stream.waitFor(Duration.ofMillis(1100)));
            String reason = stream.diagnosis().get(0);
            assertTrue(reason.contains("sends to 127.0.0.1:9 and not to 127.0.0.1:"), reason);
        }
    }

    @Test
    void streamThatLosesNothingHasNothingToSay() {
        try (Device device = factory.open(found());
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            next(stream).close();
            assertEquals(List.of(), stream.diagnosis());
        }
    }

    @Test
    void packetDelayOfAPlanIsWrittenToTheDevice() {
        try (Device device = factory.open(found())) {
            Bandwidth.Stream stream = device.network().bandwidth(0, 0);
            assertEquals(200, stream.framesPerSecond());
            assertEquals(1_000_000_000, stream.tickFrequencyHz());
            Bandwidth.Plan plan = Bandwidth.plan(10e9, List.of(stream, stream));
            long delay = plan.shares().get(0).packetDelayTicks();
            assertTrue(delay > 0, plan::toString);
            device.network().packetDelay(0, delay);
            assertEquals(delay, device.nodes().integer("GevSCPD").value());
            assertThrows(DeviceException.class, () -> device.network().packetDelay(0, -1));
            assertThrows(DeviceException.class, () -> device.network().bandwidth(1, 0));
        }
    }

    @Test
    void secondControllerIsDenied() {
        try (Device first = factory.open(found())) {
            assertTrue(first.connection().connected());
            assertThrows(DeviceAccessDeniedException.class, () -> factory.open(found()));
        }
    }

    @Test
    void monitorReadsWhileAnotherControls() {
        try (Device first = factory.open(found());
                Device monitor = factory.open(found().setParameter("AccessMode", "ReadOnly"))) {
            assertEquals(
                    first.nodes().integer("Width").value(),
                    monitor.nodes().integer("Width").value());
        }
    }

    @Test
    void lostCameraEndsTheWait() {
        try (Device device = factory.open(found());
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            device.nodes().find("AcquisitionFrameRate");
            stream.start();
            next(stream).close();
            camera.close();
            WaitResult result = stream.waitFor(LONG);
            while (result instanceof WaitResult.Ok ok) {
                ok.composite().close();
                result = stream.waitFor(LONG);
            }
            assertInstanceOf(WaitResult.Abort.class, result);
        }
    }

    private static Composite next(CompositeStream stream) {
        WaitResult result = stream.waitFor(LONG);
        return assertInstanceOf(WaitResult.Ok.class, result).composite();
    }
}
