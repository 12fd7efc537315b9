package io.peregrine.conformance.softroce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.ExternalFlowSetPool;
import io.peregrine.composite.Item;
import io.peregrine.composite.WaitResult;
import io.peregrine.conformance.softroce.RdmaPeer.Link;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.Devices;
import io.peregrine.device.DiscoverFlags;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.nativeio.Libc;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.rdma.Completion.Status;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RemoteAccess;
import io.peregrine.stream.FlowInfo;
import io.peregrine.stream.FlowMemory;
import io.peregrine.stream.MemoryFile;
import io.peregrine.stream.engine.FlowSegment;
import io.peregrine.virtualcamera.ComponentKind;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.TestPattern;
import io.peregrine.virtualcamera.VirtualCamera;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kernel's Soft-RoCE writes into memory of the user's, and nowhere else. */
@InsideSoftRoce
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class VerbsExternalMemoryTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String CAMERA = "10.10.0.1";
    private static final String HOST = "10.20.0.1";
    private static final byte BETWEEN = 0x5A;
    private static final int PAGE = 4096;
    private static final int SETS = 3;

    private List<FlowInfo> used;

    private static long pages(long bytes) {
        return (bytes + PAGE - 1) / PAGE * PAGE;
    }

    @ParameterizedTest
    @ValueSource(strings = {"send", "write"})
    void everyByteOfAFrameIsInTheFile(String mode, @TempDir Path folder) {
        AtomicInteger releases = new AtomicInteger();
        try (VirtualCamera camera = VirtualCamera.start(Scenario.builder()
                .bindAddress(CAMERA)
                .port(0)
                .size(160, 96)
                .frameRate(10)
                .components(Set.of(ComponentKind.values()))
                .flows(Scenario.Flows.PER_COMPONENT)
                .rdmaProvider("verbs")
                .build())) {
            Devices factory = DeviceFactory.create(PeregrineSettings.load()
                    .with(
                            PeregrineSettings.DISCOVERY_ADDRESSES,
                            CAMERA + ":" + camera.address().getPort())
                    .with(PeregrineSettings.DISCOVERY_BROADCAST, "false"));
            DiscoveryInformation found = factory.discover(DiscoverFlags.FIND_ALL, LONG)
                    .get(0)
                    .setParameter("UseRdma", "require")
                    .setParameter("RdmaProvider", "verbs")
                    .setParameter("RdmaInterface", HOST)
                    .setParameter("RdmaMode", mode);
            try (MemoryFile file = receive(factory, found, folder.resolve("flows"), releases)) {
                assertEquals(1, releases.get());
                for (long at = 0; at < file.lengthBytes(); at += file.lengthBytes() / SETS) {
                    expectNothingBetween(file, at, used);
                }
            }
        }
    }

    /** Receives frames into a new file, and closes the stream. */
    private MemoryFile receive(Devices factory, DiscoveryInformation found, Path path, AtomicInteger releases) {
        try (Device device = factory.open(found);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            used = stream.flowSetInfo();
            long set = used.stream()
                    .mapToLong(flow -> pages(flow.sizeBytes()) + PAGE)
                    .sum();
            MemoryFile file = MemoryFile.create(path, SETS * set);
            ByteBuffer all = file.buffer(0, (int) file.lengthBytes());
            while (all.hasRemaining()) {
                all.put(BETWEEN);
            }
            ExternalFlowSetPool.Builder pool =
                    ExternalFlowSetPool.builder().onRelease(any -> releases.incrementAndGet());
            for (long at = 0; at < SETS * set; at += set) {
                pool.add(flows(file, at, used));
            }
            stream.registerExternalFlowSetPool(pool.build());
            stream.start();
            for (int i = 0; i < 3 * SETS; i++) {
                WaitResult result = stream.waitFor(LONG);
                try (Composite composite = assertInstanceOf(WaitResult.Ok.class, result, result::toString)
                        .composite()) {
                    expectInFile(file, composite);
                }
            }
            return file;
        }
    }

    private static List<FlowMemory> flows(MemoryFile file, long from, List<FlowInfo> flows) {
        List<FlowMemory> memory = new ArrayList<>();
        long at = from;
        for (FlowInfo flow : flows) {
            memory.add(file.flow(at, flow.sizeBytes()));
            at += pages(flow.sizeBytes()) + PAGE;
        }
        return memory;
    }

    private static void expectInFile(MemoryFile file, Composite composite) {
        assertTrue(composite.complete(), composite::toString);
        assertEquals(3, composite.items().size());
        for (Item item : composite.items()) {
            ByteBuffer bytes = file.buffer(item.address().orElseThrow() - file.address(), (int) item.sizeBytes());
            assertEquals(
                    0,
                    TestPattern.countBadBytes(
                            item.typeId(),
                            item.format().code(),
                            composite.blockId(),
                            item.width(),
                            item.height(),
                            bytes));
        }
    }

    private static void expectNothingBetween(MemoryFile file, long from, List<FlowInfo> flows) {
        long at = from;
        for (FlowInfo flow : flows) {
            int after = (int) (pages(flow.sizeBytes()) + PAGE - flow.sizeBytes());
            ByteBuffer between = file.buffer(at + flow.sizeBytes(), after);
            while (between.hasRemaining()) {
                assertEquals(BETWEEN, between.get(), "after the flow at " + at);
            }
            at += pages(flow.sizeBytes()) + PAGE;
        }
    }

    /**
     * An adapter locks all pages of registered memory. So that these are not 3 GiB, the same 2 MiB of a file are mapped
     * 1536 times, one after another.
     */
    @Test
    void memoryOfThreeGibibytesIsWrittenAtBothEnds(@TempDir Path folder) {
        long length = 3L << 30;
        int piece = 2 << 20;
        try (MemoryFile file = MemoryFile.create(folder.resolve("piece"), piece)) {
            long address = map(file.path(), piece, length);
            try (RdmaPeer left = RdmaPeer.open("verbs", CAMERA);
                    RdmaPeer right = RdmaPeer.open("verbs", HOST)) {
                MemoryRegion to = right.transport.register(
                        RdmaMemory.of(FlowSegment.of(FlowMemory.at(address, length, this), length)),
                        RemoteAccess.WRITE);
                Link link = left.connectTo(right);
                left.fill(0, 200_000, 7);
                byte[] sent = new byte[200_000];
                left.bytes(0, sent.length).get(sent);
                link.active().postWrite(1, left.region, 0, 100_000, to.remoteAddress(), to.remoteKey());
                assertEquals(Status.SUCCESS, left.next().status());
                link.passive().postReceive(2, to, length - 70_000, 70_000);
                link.active().postSend(3, left.region, 500, 70_000);
                assertEquals(Status.SUCCESS, right.next().status());
                assertEquals(Status.SUCCESS, left.next().status());

                assertArrayEquals(Arrays.copyOf(sent, 100_000), bytes(address, 100_000));
                assertArrayEquals(Arrays.copyOfRange(sent, 500, 70_500), bytes(address + length - 70_000, 70_000));
                link.active().postWrite(4, left.region, 0, 11, to.remoteAddress() + length - 10, to.remoteKey());
                assertEquals(Status.REMOTE_ACCESS_ERROR, left.next().status());
            } finally {
                Libc.munmap(address, length);
            }
        }
    }

    private static long map(Path path, int pieceBytes, long length) {
        byte[] name = (path + "\0").getBytes(StandardCharsets.UTF_8);
        ByteBuffer text = NativeMemory.allocate(name.length).put(0, name);
        int fd = Libc.open(NativeMemory.address(text), 2, 0);
        // Nothing may be done with it yet; private, anonymous.
        long address = Libc.mmap(0, length, 0, 0x22, -1, 0);
        assertTrue(fd >= 0 && address != -1, () -> Libc.text(Libc.errno()));
        for (long at = 0; at < length; at += pieceBytes) {
            // Read and write; shared, at this very address.
            assertEquals(address + at, Libc.mmap(address + at, pieceBytes, 3, 0x11, fd, 0));
        }
        Libc.close(fd);
        return address;
    }

    private static byte[] bytes(long address, int count) {
        byte[] bytes = new byte[count];
        NativeMemory.bytes(address, count).get(bytes);
        return bytes;
    }

    /** Soft-RoCE of this kernel takes no dmabufs, and an address that is no memory is none of a device. */
    @Test
    void memoryOfADeviceIsRefusedWithTheReason() {
        try (RdmaPeer right = RdmaPeer.open("verbs", HOST)) {
            FlowMemory dmaBuf = FlowMemory.dmaBuf(0, 0, PAGE, this);
            FlowMemory peer = FlowMemory.peerDirect(1L << 46, PAGE, this);

            String first = refusal(right, dmaBuf);
            assertTrue(first.startsWith("rxe1 does not register 4096 bytes of a dmabuf: "), first);
            assertTrue(first.contains("mlx5"), first);
            String second = refusal(right, peer);
            assertTrue(second.startsWith("rxe1 does not register 4096 bytes of memory of another device: "), second);
            assertTrue(second.contains("nvidia-peermem"), second);
        }
    }

    private static String refusal(RdmaPeer peer, FlowMemory memory) {
        RdmaMemory of = RdmaMemory.of(FlowSegment.of(memory, PAGE));
        return assertThrows(RdmaException.class, () -> peer.transport.register(of, RemoteAccess.WRITE))
                .getMessage();
    }
}
