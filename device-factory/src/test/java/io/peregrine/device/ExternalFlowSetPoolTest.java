package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.ExternalFlowSetPool;
import io.peregrine.composite.Item;
import io.peregrine.stream.FlowInfo;
import io.peregrine.stream.FlowMemory;
import io.peregrine.stream.MemoryFile;
import io.peregrine.stream.StreamException;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.testing.Needs;
import io.peregrine.virtualcamera.ComponentKind;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames of the virtual camera in memory of the test's, which is a file with a page of one value after each flow. */
@ExpectedWarning("UseRdma=\\w+ is not met")
@Timeout(60)
class ExternalFlowSetPoolTest {
    private static final String CAMERA = "127.51.9.1";
    private static final String HOST = "127.51.9.2";
    private static final int PAGE = 4096;
    private static final byte BETWEEN = 0x5A;
    private static final int SETS = 4;

    @TempDir
    Path folder;

    private final AtomicInteger releases = new AtomicInteger();
    private final List<MemoryFile> files = new ArrayList<>();
    private VirtualCamera camera;
    private Devices factory;

    @BeforeEach
    void start() {
        Needs.that(System.getProperty("os.name").equals("Linux"), "Linux, for memory files");
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress(CAMERA)
                .port(0)
                .serial("PG-51")
                .size(64, 48)
                .frameRate(200)
                .components(Set.of(ComponentKind.values()))
                .flows(Scenario.Flows.PER_COMPONENT)
                .rdmaProvider("software")
                .build());
        factory = Devices.of(
                PeregrineSettings.load()
                        .with(
                                PeregrineSettings.DISCOVERY_ADDRESSES,
                                CAMERA + ":" + camera.address().getPort())
                        .with(PeregrineSettings.DISCOVERY_BROADCAST, "false")
                        .with(OpenParameter.RDMA_PROVIDER.settingsKey(), "software")
                        .with(OpenParameter.RDMA_INTERFACE.settingsKey(), HOST),
                io.peregrine.rdma.RdmaProviders::open);
    }

    @AfterEach
    void stop() {
        if (camera != null) {
            camera.close();
        }
        files.forEach(MemoryFile::close);
    }

    private Device open(String... parameters) {
        DiscoveryInformation found =
                factory.discover(DiscoverFlags.FIND_ALL, LosableCamera.LONG).get(0);
        for (int i = 0; i < parameters.length; i += 2) {
            found = found.setParameter(parameters[i], parameters[i + 1]);
        }
        return factory.open(found);
    }

    private static long pages(long bytes) {
        return (bytes + PAGE - 1) / PAGE * PAGE;
    }

    /** Flow sets one after another, each flow with the rest of its last page and one more page after it. */
    private MemoryFile file(List<FlowInfo> flows) {
        long set =
                flows.stream().mapToLong(flow -> pages(flow.sizeBytes()) + PAGE).sum();
        MemoryFile file = MemoryFile.create(folder.resolve("flows" + files.size()), SETS * set);
        files.add(file);
        ByteBuffer all = file.buffer(0, (int) file.lengthBytes());
        while (all.hasRemaining()) {
            all.put(BETWEEN);
        }
        return file;
    }

    private ExternalFlowSetPool.Builder pool(MemoryFile file, List<FlowInfo> flows) {
        ExternalFlowSetPool.Builder pool = ExternalFlowSetPool.builder().onRelease(any -> releases.incrementAndGet());
        long at = 0;
        for (int set = 0; set < SETS; set++) {
            List<FlowMemory> memory = new ArrayList<>();
            for (FlowInfo flow : flows) {
                memory.add(file.flow(at, flow.sizeBytes()));
                at += pages(flow.sizeBytes()) + PAGE;
            }
            pool.add(memory);
        }
        return pool;
    }

    private ExternalFlowSetPool pool(CompositeStream stream) {
        List<FlowInfo> flows = stream.flowSetInfo();
        return pool(file(flows), flows).build();
    }

    private static void expectNothingBetween(MemoryFile file, List<FlowInfo> flows) {
        long at = 0;
        for (int set = 0; set < SETS; set++) {
            for (FlowInfo flow : flows) {
                int after = (int) (pages(flow.sizeBytes()) + PAGE - flow.sizeBytes());
                ByteBuffer between = file.buffer(at + flow.sizeBytes(), after);
                while (between.hasRemaining()) {
                    assertEquals(BETWEEN, between.get(), "after a flow at " + at);
                }
                at += flow.sizeBytes() + after;
            }
        }
    }

    /** Compares the bytes of the file, at the place that the item has. */
    private static void expectInFile(MemoryFile file, Composite composite) {
        assertTrue(composite.complete(), composite::toString);
        assertEquals(3, composite.items().size());
        for (Item item : composite.items()) {
            long place = item.address().orElseThrow() - file.address();
            ByteBuffer bytes = file.buffer(place, (int) item.sizeBytes());
            assertEquals(
                    0,
                    io.peregrine.virtualcamera.TestPattern.countBadBytes(
                            item.typeId(),
                            item.format().code(),
                            composite.blockId(),
                            item.width(),
                            item.height(),
                            bytes));
        }
    }

    private void receiveInto(Device device) {
        try (CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            List<FlowInfo> flows = stream.flowSetInfo();
            assertEquals(3, flows.size());
            MemoryFile file = file(flows);
            stream.registerExternalFlowSetPool(pool(file, flows).build());
            stream.start();
            for (int i = 0; i < 3 * SETS; i++) {
                try (Composite composite = Frames.next(stream)) {
                    expectInFile(file, composite);
                }
            }
            stream.stop();
            expectNothingBetween(file, flows);
        }
        assertEquals(1, releases.get());
    }

    @ParameterizedTest
    @ValueSource(strings = {"mmsg", "ring", "nio"})
    void framesOverGvspAreInTheFile(String receiver) {
        try (Device device = open("UseRdma", "0", "PacketReceiver", receiver)) {
            try {
                receiveInto(device);
            } catch (DeviceException e) {
                Needs.that(!e.getMessage().contains("no packet socket"), () -> "a packet ring: " + e.getMessage());
                throw e;
            }
            assertEquals(StreamingMode.Protocol.GVSP, device.streamingMode().protocol());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"send", "write"})
    void framesOverRdmaAreInTheFile(String mode) {
        try (Device device = open("UseRdma", "require", "RdmaMode", mode)) {
            receiveInto(device);
            assertEquals(StreamingMode.Protocol.RDMA, device.streamingMode().protocol());
        }
    }

    @Test
    void poolIsGivenBackWhenStreamAndLastCompositeAreClosed() {
        try (Device device = open()) {
            CompositeStream stream = device.stream(CompositeStream.class, 0);
            List<FlowInfo> flows = stream.flowSetInfo();
            MemoryFile file = file(flows);
            ExternalFlowSetPool pool = pool(file, flows).build();
            stream.registerExternalFlowSetPool(pool);
            stream.start();
            Composite held = Frames.next(stream);
            stream.close();
            assertEquals(0, releases.get());
            assertTrue(pool.registered());
            StreamException inUse = assertThrows(StreamException.class, file::close);
            assertTrue(inUse.getMessage().contains("in use by a stream"), inUse::getMessage);
            expectInFile(file, held);
            held.close();
            assertEquals(1, releases.get());
            assertFalse(pool.registered());
            file.close();
        }
        assertEquals(1, releases.get());
    }

    @Test
    void fileCanBeClosedAsSoonAsThePoolIsGivenBack() {
        try (Device device = open();
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            List<FlowInfo> flows = stream.flowSetInfo();
            MemoryFile file = file(flows);
            stream.registerExternalFlowSetPool(
                    pool(file, flows).onRelease(any -> file.close()).build());
            stream.start();
            Frames.next(stream).close();
            stream.stop();
            stream.registerManagedFlowSetPool(3);

            assertThrows(StreamException.class, file::address);
            stream.start();
            Frames.next(stream).close();
        }
    }

    @Test
    void anotherPoolReplacesTheFirst() {
        try (Device device = open();
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.registerExternalFlowSetPool(pool(stream));
            stream.registerExternalFlowSetPool(pool(stream));
            assertEquals(1, releases.get());
            stream.start();
            try (Composite composite = Frames.next(stream)) {
                expectInFile(files.get(1), composite);
            }
            stream.stop();
            stream.deregisterExternalFlowSetPool();
            assertEquals(2, releases.get());
        }
        assertEquals(2, releases.get());
    }

    @Test
    void runningStreamKeepsItsPool() {
        try (Device device = open();
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            ExternalFlowSetPool other = pool(stream);
            stream.registerExternalFlowSetPool(pool(stream));
            stream.start();

            assertThrows(StreamException.class, () -> stream.registerExternalFlowSetPool(other));
            assertThrows(StreamException.class, stream::deregisterExternalFlowSetPool);
            assertEquals(1, releases.get(), "of the other");
            assertFalse(other.registered());
        }
    }

    @Test
    void poolBelongsToOneStream() {
        try (Device device = open();
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            ExternalFlowSetPool pool = pool(stream);
            stream.registerExternalFlowSetPool(pool);

            StreamException taken = assertThrows(StreamException.class, () -> stream.registerExternalFlowSetPool(pool));
            assertTrue(taken.getMessage().startsWith("This pool belongs to a stream already"), taken::getMessage);
        }
    }

    @Test
    void poolThatIsTooSmallNamesWhatIsNeededAndAnotherOneHelps() {
        try (Device device = open();
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            List<FlowInfo> needed = stream.flowSetInfo();
            List<FlowInfo> less = new ArrayList<>(needed);
            less.set(2, new FlowInfo(needed.get(2).sizeBytes() - 1, PAGE));
            stream.registerExternalFlowSetPool(pool(file(needed), less).build());

            DeviceException small = assertThrows(DeviceException.class, stream::start);
            assertTrue(
                    small.getMessage()
                                    .contains("flow 2 of flow set 0 was given "
                                            + (needed.get(2).sizeBytes() - 1))
                            && small.getMessage()
                                    .contains("3 flows with " + needed.get(0).sizeBytes() + ", "),
                    small::getMessage);
            stream.registerExternalFlowSetPool(pool(stream));
            stream.start();
            Frames.next(stream).close();
        }
    }

    @Test
    void smallerFramesUseLessOfTheSameMemory() {
        try (Device device = open();
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.registerExternalFlowSetPool(pool(stream));
            stream.start();
            Composite held = Frames.next(stream);
            stream.stop();
            device.nodes().integer("Width").set(32);

            DeviceException inUse = assertThrows(DeviceException.class, stream::start);
            assertTrue(inUse.getMessage().contains("close all composites first"), inUse::getMessage);
            expectInFile(files.get(0), held);
            held.close();
            stream.start();
            try (Composite composite = Frames.next(stream)) {
                assertEquals(32, composite.items().get(0).width());
                expectInFile(files.get(0), composite);
            }
        }
    }

    @Test
    void compositesThatAreHeldStayAsTheyAreInTheNextRun() {
        try (Device device = open();
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.registerExternalFlowSetPool(pool(stream));
            stream.start();
            Composite held = Frames.next(stream);
            stream.stop();
            stream.start();
            for (int i = 0; i < 2 * SETS; i++) {
                Frames.next(stream).close();
            }
            expectInFile(files.get(0), held);
            held.close();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "0; set UseRdma=require",
                "1; RDMA is not used: Memory of a device (GPU) is written by an adapter",
                "require; Memory of a device (GPU) is written by an adapter"
            })
    void memoryOfADeviceIsRefusedWithoutAnAdapter(String useRdma, String reason) {
        try (Device device = open("UseRdma", useRdma);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            List<FlowInfo> flows = stream.flowSetInfo();
            ExternalFlowSetPool.Builder pool = ExternalFlowSetPool.builder();
            MemoryFile file = file(flows);
            for (int set = 0; set < 2; set++) {
                pool.add(
                        file.flow(
                                set * pages(flows.get(0).sizeBytes()),
                                flows.get(0).sizeBytes()),
                        FlowMemory.dmaBuf(1000, set * (1L << 30), flows.get(1).sizeBytes(), this),
                        FlowMemory.peerDirect(
                                (set + 1) * (1L << 40), flows.get(2).sizeBytes(), this));
            }
            stream.registerExternalFlowSetPool(pool.build());

            DeviceException refused = assertThrows(DeviceException.class, stream::start);
            assertTrue(refused.getMessage().contains(reason), refused::getMessage);
        }
    }
}
