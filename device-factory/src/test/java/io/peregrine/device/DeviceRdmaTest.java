package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.Item;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.StreamingMode.Protocol;
import io.peregrine.genapi.NodeMap;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaProviders;
import io.peregrine.rdma.RdmaSelection;
import io.peregrine.rdma.RdmaTransport;
import io.peregrine.rdma.RdmaUnavailableException;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.testing.Await;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.virtualcamera.ComponentKind;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.ScenarioBuilder;
import io.peregrine.virtualcamera.VirtualCamera;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.Inet4Address;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RDMA in software between a device and the virtual camera, each on a loopback address of its own. */
@ExpectedWarning("No frame can be received: all .* flow sets of the stream are held")
@ExpectedWarning("The RDMA connection to .* was lost and is made again")
@ExpectedWarning("UseRdma=\\w+ is not met")
@Timeout(60)
class DeviceRdmaTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final String CAMERA = "127.51.0.1";
    private static final String HOST = "127.51.0.2";

    private VirtualCamera camera;
    private Devices factory;

    private static ScenarioBuilder scenario() {
        return Scenario.builder()
                .bindAddress(CAMERA)
                .port(0)
                .serial("PG-51")
                .size(320, 240)
                .frameRate(200)
                .components(Set.of(ComponentKind.values()))
                .flows(Scenario.Flows.PER_COMPONENT)
                .rdmaProvider("software");
    }

    private void start(ScenarioBuilder scenario) {
        start(scenario, RdmaProviders::open);
    }

    private void start(ScenarioBuilder scenario, RdmaLink.Opener transports) {
        camera = VirtualCamera.start(scenario.build());
        factory = Devices.of(
                PeregrineSettings.load()
                        .with(
                                PeregrineSettings.DISCOVERY_ADDRESSES,
                                CAMERA + ":" + camera.address().getPort())
                        .with(PeregrineSettings.DISCOVERY_BROADCAST, "false")
                        .with(OpenParameter.RDMA_PROVIDER.settingsKey(), "software")
                        .with(OpenParameter.RDMA_INTERFACE.settingsKey(), HOST),
                transports);
    }

    @AfterEach
    void stop() {
        if (camera != null) {
            camera.close();
        }
    }

    private DiscoveryInformation found(String useRdma) {
        List<DiscoveryInformation> found = factory.discover(DiscoverFlags.FIND_ALL, LONG);
        assertEquals(1, found.size());
        return found.get(0).setParameter("UseRdma", useRdma);
    }

    private static Composite next(CompositeStream stream) {
        WaitResult result = stream.waitFor(LONG);
        return assertInstanceOf(WaitResult.Ok.class, result, result::toString).composite();
    }

    private static void expectGood(Composite composite) {
        try (composite) {
            assertTrue(composite.complete(), () -> composite.incompleteReason().orElse(""));
            assertEquals(3, composite.items().size());
            for (Item item : composite.items()) {
                assertEquals(0, Frames.badBytes(composite, item));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"send,PER_COMPONENT", "write,PER_COMPONENT", "send,SINGLE", "write,SINGLE"})
    void framesArriveWithEveryByte(String mode, Scenario.Flows flows) {
        start(scenario().flows(flows));
        try (Device device = factory.open(found("require").setParameter("RdmaMode", mode));
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            for (int i = 0; i < 50; i++) {
                expectGood(next(stream));
            }
            assertEquals(Protocol.RDMA, device.streamingMode().protocol());
            assertEquals(mode, device.streamingMode().rdma().orElseThrow().mode());
            stream.stop();
            assertEquals(0, stream.statistics().get(Counter.FRAMES_INCOMPLETE));
            assertEquals(0, stream.statistics().get(Counter.COMPLETION_ERRORS));
        }
    }

    @Test
    void streamRunsAgainAfterFormatChange() {
        start(scenario());
        try (Device device = factory.open(found("require"));
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            for (int width : new int[] {320, 64, 64}) {
                device.nodes().integer("Width").set(width);
                stream.start();
                Composite first = next(stream);
                assertEquals(width, first.items().get(0).width());
                expectGood(first);
                stream.stop();
            }
        }
    }

    @Test
    void framesThatTheUserHoldsMakeTheCameraDropOthers() {
        start(scenario());
        try (Device device = factory.open(found("require").setParameter("FlowSetCount", "2"));
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            Composite first = next(stream);
            Composite second = next(stream);
            assertInstanceOf(WaitResult.Timeout.class, stream.waitFor(Duration.ofMillis(100)));
            long last = second.blockId();
            first.close();
            second.close();
            Composite later = next(stream);
            assertTrue(later.blockId() > last + 1);
            expectGood(later);
            stream.stop();
            assertTrue(stream.statistics().get(Counter.FRAMES_DROPPED_BY_DEVICE) > 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"send", "write"})
    void framesThatTheCameraDropsAreCountedAndExplainedWhileItStreams(String mode) throws InterruptedException {
        start(scenario());
        try (Device device = factory.open(
                        found("require").setParameter("FlowSetCount", "2").setParameter("RdmaMode", mode));
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            Composite first = next(stream);
            Composite second = next(stream);
            Await.until(
                    "frames dropped by the camera",
                    LONG,
                    () -> stream.statistics().get(Counter.FRAMES_DROPPED_BY_DEVICE) > 0);
            String sentence =
                    "because none of the 2 flow sets was free: close composites earlier, or raise FlowSetCount";
            assertTrue(stream.diagnosis().get(0).endsWith(sentence), () -> "" + stream.diagnosis());
            assertTrue(device.nodeMap(Device.TL_DATASTREAM)
                    .string("StreamDiagnosis")
                    .value()
                    .contains(sentence));
            first.close();
            second.close();
            stream.stop();
            assertEquals(1, stream.diagnosis().size(), () -> "" + stream.diagnosis());
        }
    }

    @Test
    void lostConnectionsAreExplained() {
        start(scenario());
        try (Device device = factory.open(found("require"));
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            assertEquals(List.of(), stream.diagnosis());
            camera.faults().rdmaVanishEveryBlocks(20);
            stream.start();
            while (stream.statistics().get(Counter.RECONNECTS) < 1) {
                next(stream).close();
            }
            String found = stream.diagnosis().get(0);
            stream.stop();
            assertTrue(found.startsWith("The connection was lost and made again 1 time"), found);
            assertTrue(found.contains(", the last time because: "), found);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"send", "write"})
    void brokenConnectionIsMadeAgain(String mode) {
        start(scenario());
        try (Device device = factory.open(found("require").setParameter("RdmaMode", mode));
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            camera.faults().rdmaVanishEveryBlocks(20);
            stream.start();
            int whole = 0;
            while (stream.statistics().get(Counter.RECONNECTS) < 2 || whole < 30) {
                Composite composite = next(stream);
                if (composite.complete()) {
                    whole++;
                    expectGood(composite);
                } else {
                    composite.close();
                }
            }
            stream.stop();
        }
    }

    @Test
    void nodesOfTheTransportLayerShowTheLink() {
        start(scenario());
        try (Device device = factory.open(found("1"));
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            NodeMap nodes = device.nodeMap(Device.TL_DEVICE);
            assertEquals("RDMA", nodes.enumeration("GevDataStreamingMode").value());
            assertEquals("GVRSP", nodes.enumeration("DeviceStreamProtocol").value());
            assertEquals("software", nodes.string("GevRdmaProvider").value());
            assertFalse(nodes.string("GevRdmaDevice").value().isEmpty());
            assertTrue(nodes.string("GevRdmaGid").value().contains(HOST));
            assertEquals(0, nodes.integer("GevRdmaPathMtu").value());
            stream.start();
            next(stream).close();
            assertTrue(nodes.integer("GevRdmaPathMtu").value() >= 256);
            stream.stop();
        }
    }

    private static long groupThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("peregrine-rdma-group-" + HOST))
                .count();
    }

    @Test
    void oneThreadServesSeveralCameras() {
        start(scenario());
        DiscoveryInformation first = found("require").setParameter("RdmaShared", "1");
        try (VirtualCamera other =
                VirtualCamera.start(scenario().bindAddress("127.51.0.3").build())) {
            factory = DeviceFactory.create(PeregrineSettings.load()
                    .with(
                            PeregrineSettings.DISCOVERY_ADDRESSES,
                            "127.51.0.3:" + other.address().getPort())
                    .with(PeregrineSettings.DISCOVERY_BROADCAST, "false"));
            DiscoveryInformation second = found("require")
                    .setParameter("RdmaShared", "1")
                    .setParameter("RdmaInterface", HOST)
                    .setParameter("RdmaProvider", "software");
            try (Device left = factory.open(
                            first.setParameter("RdmaInterface", HOST).setParameter("RdmaProvider", "software"));
                    Device right = factory.open(second);
                    CompositeStream leftStream = left.stream(CompositeStream.class, 0);
                    CompositeStream rightStream = right.stream(CompositeStream.class, 0)) {
                leftStream.start();
                rightStream.start();
                for (int i = 0; i < 30; i++) {
                    expectGood(next(leftStream));
                    expectGood(next(rightStream));
                }
                assertEquals("write", left.streamingMode().rdma().orElseThrow().mode());
                assertEquals(1, groupThreads());
                leftStream.stop();
                expectGood(next(rightStream));
                rightStream.stop();
            }
        }
        assertEquals(0, groupThreads());
    }

    @Test
    void providerThatIsNotThereIsAReasonForGvsp() {
        start(scenario(), (provider, address) -> {
            throw new RdmaUnavailableException("no adapter");
        });
        try (Device device = factory.open(found("1"));
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            assertEquals(Protocol.GVSP, device.streamingMode().protocol());
            assertEquals("no adapter", device.streamingMode().reason().orElseThrow());
            stream.start();
            expectGood(next(stream));
            stream.stop();
        }
    }

    @Test
    void requiredProviderThatIsNotThereIsAnError() {
        start(scenario(), (provider, address) -> {
            throw new RdmaUnavailableException("no adapter");
        });
        DiscoveryInformation info = found("require");
        assertTrue(assertThrows(DeviceException.class, () -> factory.open(info))
                .getMessage()
                .contains("no adapter"));
    }

    @Test
    void imageThatWasAskedForIsAReasonForGvsp() {
        start(scenario());
        try (Device device = factory.open(found("1").setParameter("Payload", "Image"))) {
            assertTrue(device.streamingMode().reason().orElseThrow().contains("Payload=Image"));
        }
    }

    @Test
    void cameraWithoutRdmaIsAReasonForGvsp() {
        start(scenario().rdmaProvider(Scenario.NO_RDMA));
        try (Device device = factory.open(found("1"))) {
            assertEquals(Protocol.GVSP, device.streamingMode().protocol());
            assertFalse(device.streamingMode().reason().orElseThrow().isEmpty());
        }
    }

    /** The provider's transport, but no connection can be made as long as it is told so. */
    private static RdmaSelection unconnectable(AtomicBoolean broken, String provider, Inet4Address address) {
        RdmaSelection real = RdmaProviders.open(provider, address);
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().equals("prepare") && broken.get()) {
                throw new RdmaException("no way");
            }
            return method.invoke(real.transport(), arguments);
        };
        return new RdmaSelection(
                (RdmaTransport) Proxy.newProxyInstance(
                        RdmaTransport.class.getClassLoader(), new Class<?>[] {RdmaTransport.class}, handler),
                real.reason());
    }

    @Test
    void connectionThatCannotBeMadeFallsBackUntilItCan() {
        AtomicBoolean broken = new AtomicBoolean(true);
        start(scenario(), (provider, address) -> unconnectable(broken, provider, address));
        try (Device device = factory.open(found("1"));
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            assertEquals(Protocol.RDMA, device.streamingMode().protocol());
            stream.start();
            expectGood(next(stream));
            stream.stop();
            assertEquals("no way", device.streamingMode().reason().orElseThrow());
            NodeMap nodes = device.nodeMap(Device.TL_DEVICE);
            assertEquals("GVSP", nodes.enumeration("GevDataStreamingMode").value());
            assertEquals("GVSP", nodes.enumeration("DeviceStreamProtocol").value());
            broken.set(false);
            stream.start();
            expectGood(next(stream));
            stream.stop();
            assertEquals(Protocol.RDMA, device.streamingMode().protocol());
            assertEquals("GVRSP", nodes.enumeration("DeviceStreamProtocol").value());
        }
    }

    @Test
    void requiredConnectionThatCannotBeMadeIsAnError() {
        start(scenario(), (provider, address) -> unconnectable(new AtomicBoolean(true), provider, address));
        try (Device device = factory.open(found("require"));
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            assertTrue(assertThrows(DeviceException.class, stream::start)
                    .getMessage()
                    .contains("no way"));
        }
    }
}
