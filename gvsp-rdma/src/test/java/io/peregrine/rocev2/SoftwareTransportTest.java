package io.peregrine.rocev2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.nativeio.GuardedMemory;
import io.peregrine.nativeio.Libc;
import io.peregrine.rdma.Completion;
import io.peregrine.rdma.Completion.Operation;
import io.peregrine.rdma.Completion.Status;
import io.peregrine.rdma.CompletionQueue;
import io.peregrine.rdma.CompletionQueueSettings;
import io.peregrine.rdma.ConnectionRejectedException;
import io.peregrine.rdma.ConnectionRequest;
import io.peregrine.rdma.ConnectionSettings;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.PacketFaults;
import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaListener;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RdmaProviders;
import io.peregrine.rdma.RdmaTransport;
import io.peregrine.rdma.RemoteAccess;
import io.peregrine.rdma.SharedReceiveQueue;
import io.peregrine.stream.FlowMemory;
import io.peregrine.stream.engine.FlowSegment;
import io.peregrine.testing.Needs;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two ends of the software provider on two addresses of the loopback interface. */
@Timeout(60)
class SoftwareTransportTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final byte[] QUESTION = {1, 2, 3};
    private static final byte[] ANSWER = {4, 5};

    private RdmaTransport camera;
    private RdmaTransport host;
    private CompletionQueue cameraQueue;
    private CompletionQueue hostQueue;
    private RdmaListener listener;
    private RdmaConnection cameraSide;
    private RdmaConnection hostSide;
    private final List<String> cameraDone = new ArrayList<>();
    private final List<String> hostDone = new ArrayList<>();

    @BeforeEach
    void open() {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        camera = RdmaProviders.open("software", address(61)).transport();
        host = RdmaProviders.open("software", address(62)).transport();
        cameraQueue = camera.completionQueue(CompletionQueueSettings.of(64));
        hostQueue = host.completionQueue(CompletionQueueSettings.of(64));
        listener = camera.listen(0);
    }

    @AfterEach
    void close() {
        if (camera != null) {
            camera.close();
            host.close();
        }
    }

    private static Inet4Address address(int last) {
        try {
            return (Inet4Address) InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private InetSocketAddress cameraAddress() {
        return new InetSocketAddress(address(61), listener.port());
    }

    private ConnectionRequest nextRequest() {
        try {
            return listener.next(LONG).orElseThrow();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private byte[] connect() {
        return connect(ConnectionSettings.of(hostQueue, 16, 16));
    }

    private byte[] connect(ConnectionSettings hostSettings) {
        hostSide = host.prepare(cameraAddress(), hostSettings);
        CompletableFuture<byte[]> asking = CompletableFuture.supplyAsync(() -> hostSide.connect(QUESTION, LONG));
        ConnectionRequest request = nextRequest();
        cameraSide = request.prepare(ConnectionSettings.of(cameraQueue, 16, 16));
        cameraSide.accept(ANSWER, LONG);
        return asking.join();
    }

    private static MemoryRegion memory(RdmaTransport transport, int size, long seed, RemoteAccess access) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(size);
        if (seed != 0) {
            byte[] bytes = new byte[size];
            new Random(seed).nextBytes(bytes);
            buffer.put(0, bytes);
        }
        return transport.register(RdmaMemory.of(buffer), access);
    }

    private static byte[] bytes(MemoryRegion region, int count) {
        ByteBuffer target = ByteBuffer.allocate(count);
        region.memory().get(0, target, count);
        return target.array();
    }

    private static void await(CompletionQueue queue, List<String> into, int count) {
        long end = System.nanoTime() + LONG.toNanos();
        while (into.size() < count && System.nanoTime() < end) {
            if (queue.poll(done -> into.add(text(done))) == 0) {
                queue.await(end);
            }
        }
    }

    private static String text(Completion done) {
        return done.workId() + " "
                + done.operation() + " "
                + done.status() + " "
                + done.lengthBytes()
                + (done.hasImmediate() ? " " + done.immediate() : "");
    }

    @Test
    void privateDataTravelsBothWays() {
        byte[] answer = connect();

        assertArrayEquals(ANSWER, Arrays.copyOf(answer, 2));
        assertEquals(RdmaConnection.State.CONNECTED, cameraSide.state());
    }

    @Test
    void privateDataThatIsTooLongIsRefusedAndTheConnectionCanStillBeMade() {
        hostSide = host.prepare(cameraAddress(), ConnectionSettings.of(hostQueue, 4, 4));

        assertThrows(RdmaException.class, () -> hostSide.connect(new byte[57], LONG));
        assertEquals(RdmaConnection.State.PREPARED, hostSide.state());
    }

    @Test
    void thePathMtuIsThatOfTheInterface() {
        connect();

        assertEquals(4096, hostSide.pathMtuBytes());
    }

    @Test
    void aMegabyteArrivesAsItWasSent() {
        connect();
        MemoryRegion from = memory(camera, 1 << 20, 1, RemoteAccess.NONE);
        MemoryRegion to = memory(host, 1 << 20, 0, RemoteAccess.NONE);
        hostSide.postReceive(7, to, 0, 1 << 20);
        cameraSide.postSend(8, from, 0, 1 << 20);
        await(hostQueue, hostDone, 1);
        await(cameraQueue, cameraDone, 1);

        assertEquals(List.of("7 RECEIVE SUCCESS 1048576"), hostDone);
        assertEquals(List.of("8 SEND SUCCESS 0"), cameraDone);
        assertArrayEquals(bytes(from, 1 << 20), bytes(to, 1 << 20));
    }

    @Test
    void aWriteWithImmediateFillsTheRegionOfThePeer() {
        connect();
        MemoryRegion from = memory(camera, 100_000, 1, RemoteAccess.NONE);
        MemoryRegion to = memory(host, 100_000, 0, RemoteAccess.WRITE);
        MemoryRegion unused = memory(host, 1, 0, RemoteAccess.NONE);
        hostSide.postReceive(7, unused, 0, 1);
        cameraSide.postWriteWithImmediate(8, from, 0, 100_000, to.remoteAddress(), to.remoteKey(), 99);
        await(hostQueue, hostDone, 1);

        assertEquals(List.of("7 RECEIVE_WRITE SUCCESS 100000 99"), hostDone);
        assertArrayEquals(bytes(from, 100_000), bytes(to, 100_000));
    }

    /** Over real packets, at both ends of 3 GiB of which only what is written takes space. */
    @Test
    void memoryOfThreeGibibytesIsWrittenAtBothEndsAndNowhereElse(@TempDir Path folder) throws Exception {
        long length = (3L << 30) + 77;
        try (GuardedMemory large = GuardedMemory.inSparseFile(folder.resolve("flow"), length)) {
            connect();
            MemoryRegion from = memory(camera, 100_000, 1, RemoteAccess.NONE);
            MemoryRegion to = host.register(RdmaMemory.of(FlowSegment.of(large.flow(), length)), RemoteAccess.WRITE);
            hostSide.postReceive(6, to, length - 70_000, 70_000);
            cameraSide.postWrite(7, from, 0, 100_000, to.remoteAddress(), to.remoteKey());
            cameraSide.postSend(8, from, 500, 70_000);
            await(hostQueue, hostDone, 1);
            await(cameraQueue, cameraDone, 2);
            cameraSide.postWrite(9, from, 900, 50_000, to.remoteAddress() + (2L << 30) - 25_000, to.remoteKey());
            await(cameraQueue, cameraDone, 3);

            assertEquals(List.of("6 RECEIVE SUCCESS 70000"), hostDone);
            byte[] sent = bytes(from, 100_000);
            assertArrayEquals(sent, large.bytes(0, 100_000));
            assertArrayEquals(Arrays.copyOfRange(sent, 500, 70_500), large.bytes(length - 70_000, 70_000));
            assertArrayEquals(Arrays.copyOfRange(sent, 900, 50_900), large.bytes((2L << 30) - 25_000, 50_000));

            cameraSide.postWrite(10, from, 0, 11, to.remoteAddress() + length - 10, to.remoteKey());
            await(cameraQueue, cameraDone, 4);
            assertEquals("10 WRITE REMOTE_ACCESS_ERROR 0", cameraDone.get(3));
            assertArrayEquals(Arrays.copyOfRange(sent, 70_490, 70_500), large.bytes(length - 10, 10));
            large.assertNothingBeyond();
            host.close();
        }
    }

    @Test
    void memoryOfADeviceIsRefused() {
        FlowSegment gpu = FlowSegment.of(FlowMemory.peerDirect(1 << 20, 4096, this), 4096);

        RdmaException refused =
                assertThrows(RdmaException.class, () -> host.register(RdmaMemory.of(gpu), RemoteAccess.WRITE));
        assertTrue(refused.getMessage().contains("set RdmaProvider=verbs"), refused::getMessage);
    }

    @Test
    void aRegionThatWasClosedCannotBeWritten() {
        connect();
        MemoryRegion from = memory(camera, 100, 1, RemoteAccess.NONE);
        MemoryRegion to = memory(host, 100, 0, RemoteAccess.WRITE);
        long address = to.remoteAddress();
        int key = to.remoteKey();
        to.close();
        cameraSide.postWrite(8, from, 0, 100, address, key);
        await(cameraQueue, cameraDone, 1);

        assertEquals(List.of("8 WRITE REMOTE_ACCESS_ERROR 0"), cameraDone);
    }

    @Test
    void aReadBringsTheBytesOfThePeer() {
        connect();
        MemoryRegion from = memory(camera, 3 << 20, 1, RemoteAccess.READ);
        MemoryRegion to = memory(host, 3 << 20, 0, RemoteAccess.NONE);
        hostSide.postRead(8, to, 0, 3 << 20, from.remoteAddress(), from.remoteKey());
        await(hostQueue, hostDone, 1);

        assertEquals(List.of("8 READ SUCCESS 0"), hostDone);
        assertArrayEquals(bytes(from, 3 << 20), bytes(to, 3 << 20));
    }

    @Test
    void theAskedSideReadsToo() {
        connect();
        MemoryRegion from = memory(host, 100_000, 1, RemoteAccess.READ);
        MemoryRegion to = memory(camera, 100_000, 0, RemoteAccess.NONE);
        cameraSide.postRead(8, to, 0, 100_000, from.remoteAddress(), from.remoteKey());
        await(cameraQueue, cameraDone, 1);

        assertEquals(List.of("8 READ SUCCESS 0"), cameraDone);
        assertArrayEquals(bytes(from, 100_000), bytes(to, 100_000));
    }

    @Test
    void memoryThatMayOnlyBeWrittenIsNotRead() {
        connect();
        MemoryRegion from = memory(camera, 100, 1, RemoteAccess.WRITE);
        MemoryRegion to = memory(host, 100, 0, RemoteAccess.NONE);
        hostSide.postRead(8, to, 0, 100, from.remoteAddress(), from.remoteKey());
        await(hostQueue, hostDone, 1);

        assertEquals(List.of("8 READ REMOTE_ACCESS_ERROR 0"), hostDone);
        assertArrayEquals(new byte[100], bytes(to, 100));
    }

    @Test
    void whereNoReadsWereAgreedOnNeitherSideCanPostOne() {
        connect(ConnectionSettings.of(hostQueue, 16, 16).withMaxReads(0));
        MemoryRegion atHost = memory(host, 100, 0, RemoteAccess.READ);
        MemoryRegion atCamera = memory(camera, 100, 0, RemoteAccess.READ);

        for (Runnable read : List.<Runnable>of(
                () -> hostSide.postRead(1, atHost, 0, 100, atCamera.remoteAddress(), atCamera.remoteKey()),
                () -> cameraSide.postRead(1, atCamera, 0, 100, atHost.remoteAddress(), atHost.remoteKey()))) {
            RdmaException why = assertThrows(RdmaException.class, read::run);
            assertTrue(why.getMessage().contains("maxReads"), why::getMessage);
        }
    }

    @Test
    void readsBringTheirBytesWithFaultsInBothDirections() {
        connect(ConnectionSettings.of(hostQueue, 16, 16).withRetries(12, 7, 7));
        camera.injectFaults(new PacketFaults(1, 10, 10, 10, 2, 0));
        host.injectFaults(new PacketFaults(2, 10, 10, 10, 2, 0));
        int size = 300_000;
        MemoryRegion from = memory(camera, size, 1, RemoteAccess.READ);
        MemoryRegion to = memory(host, size * 16, 0, RemoteAccess.NONE);
        for (int i = 0; i < 16; i++) {
            hostSide.postRead(i, to, (long) i * size, size, from.remoteAddress(), from.remoteKey());
        }
        await(hostQueue, hostDone, 16);

        assertEquals(
                16,
                hostDone.stream().filter(line -> line.contains("READ SUCCESS")).count(),
                hostDone::toString);
        byte[] all = bytes(to, size * 16);
        byte[] sent = bytes(from, size);
        for (int i = 0; i < 16; i++) {
            assertArrayEquals(sent, Arrays.copyOfRange(all, i * size, (i + 1) * size));
        }
    }

    @Test
    void aRefusalCarriesWhatTheListenerSays() {
        hostSide = host.prepare(cameraAddress(), ConnectionSettings.of(hostQueue, 4, 4));
        CompletableFuture<byte[]> asking = CompletableFuture.supplyAsync(() -> hostSide.connect(QUESTION, LONG));
        nextRequest().reject(new byte[] {9, 8});
        Throwable why = assertThrows(Exception.class, asking::join).getCause();

        ConnectionRejectedException refusal = (ConnectionRejectedException) why;
        assertEquals("28 9 8", refusal.reason() + " " + refusal.privateData()[0] + " " + refusal.privateData()[1]);
    }

    @Test
    void whereNobodyListensTheConnectionIsRefused() {
        hostSide = host.prepare(new InetSocketAddress(address(61), 1), ConnectionSettings.of(hostQueue, 4, 4));

        ConnectionRejectedException refusal =
                assertThrows(ConnectionRejectedException.class, () -> hostSide.connect(QUESTION, LONG));
        assertEquals(ConnectionRejectedException.REASON_NO_LISTENER, refusal.reason());
    }

    @Test
    void aPeerThatIsNotThereIsATimeOut() {
        hostSide = host.prepare(new InetSocketAddress(address(63), 1), ConnectionSettings.of(hostQueue, 4, 4));

        RdmaException why = assertThrows(RdmaException.class, () -> hostSide.connect(QUESTION, Duration.ofMillis(50)));
        assertTrue(why.getMessage().contains("did not answer"), why::getMessage);
    }

    @Test
    void aPeerThatPostsNoReceiveBreaksTheConnectionWhenTheTimeIsUp() {
        connect(ConnectionSettings.of(hostQueue, 16, 16).withNotReadyLimit(Duration.ofMillis(100)));
        hostSide.postSend(7, memory(host, 10, 0, RemoteAccess.NONE), 0, 10);
        await(hostQueue, hostDone, 1);

        assertEquals(List.of("7 SEND RECEIVER_NOT_READY 0"), hostDone);
        String why = hostSide.failure().orElseThrow().getMessage();
        assertTrue(why.contains("no receive posted"), why);
    }

    @Test
    void whenThePeerDisconnectsReceivesComeBack() {
        connect();
        hostSide.postReceive(7, memory(host, 10, 0, RemoteAccess.NONE), 0, 10);
        cameraSide.disconnect();
        await(hostQueue, hostDone, 1);

        assertEquals(List.of("7 RECEIVE FLUSHED 0"), hostDone);
        assertEquals(RdmaConnection.State.DISCONNECTED, hostSide.state());
    }

    @Test
    void connectionsShareAReceiveQueue() {
        SharedReceiveQueue shared = host.sharedReceiveQueue(4);
        MemoryRegion to = memory(host, 100, 0, RemoteAccess.NONE);
        shared.postReceive(1, to, 0, 10);
        shared.postReceive(2, to, 10, 10);
        connect(ConnectionSettings.of(hostQueue, 4, 4).withSharedReceives(shared));
        RdmaConnection first = cameraSide;
        connect(ConnectionSettings.of(hostQueue, 4, 4).withSharedReceives(shared));
        MemoryRegion from = memory(camera, 10, 1, RemoteAccess.NONE);
        first.postSend(1, from, 0, 10);
        await(hostQueue, hostDone, 1);
        cameraSide.postSend(2, from, 0, 10);
        await(hostQueue, hostDone, 2);

        assertEquals(List.of("1 RECEIVE SUCCESS 10", "2 RECEIVE SUCCESS 10"), hostDone);
    }

    @Test
    void bothEndsMayHaveTheSameAddress() {
        RdmaTransport second = RdmaProviders.open("software", address(61)).transport();
        CompletionQueue queue = second.completionQueue(CompletionQueueSettings.of(16));
        RdmaConnection asking = second.prepare(cameraAddress(), ConnectionSettings.of(queue, 4, 4));
        CompletableFuture<byte[]> answer = CompletableFuture.supplyAsync(() -> asking.connect(QUESTION, LONG));
        cameraSide = nextRequest().prepare(ConnectionSettings.of(cameraQueue, 4, 4));
        MemoryRegion to = memory(second, 5000, 0, RemoteAccess.NONE);
        asking.postReceive(1, to, 0, 5000);
        cameraSide.accept(ANSWER, LONG);
        answer.join();
        cameraSide.postSend(1, memory(camera, 5000, 1, RemoteAccess.NONE), 0, 5000);
        await(queue, hostDone, 1);
        second.close();

        assertEquals(List.of("1 RECEIVE SUCCESS 5000"), hostDone);
    }

    @Test
    void nothingIsLostOrDoubledWithFaultsInBothDirections() {
        connect(ConnectionSettings.of(hostQueue, 16, 16).withRetries(12, 7, 7));
        camera.injectFaults(new PacketFaults(1, 10, 10, 10, 2, 0));
        host.injectFaults(new PacketFaults(2, 10, 10, 10, 2, 50));
        int size = 20_000;
        int messages = 1_000;
        MemoryRegion from = memory(camera, size + messages, 1, RemoteAccess.NONE);
        MemoryRegion to = memory(host, size * 16, 0, RemoteAccess.NONE);
        byte[] all = bytes(from, size + messages);
        for (int i = 0; i < 16; i++) {
            hostSide.postReceive(i, to, (long) i * size, size);
        }
        int[] received = new int[1];
        int[] wrong = new int[1];
        int posted = 0;
        while (received[0] < messages) {
            while (posted < messages && posted - received[0] < 8 && cameraDone.size() > posted - 16) {
                cameraSide.postSendWithImmediate(posted, from, posted, size, posted);
                posted++;
            }
            cameraQueue.poll(done -> cameraDone.add(text(done)));
            hostQueue.poll(done -> {
                byte[] message = new byte[size];
                ByteBuffer target = ByteBuffer.wrap(message);
                to.memory().get(done.workId() * size, target, size);
                boolean right = done.status() == Status.SUCCESS
                        && done.operation() == Operation.RECEIVE
                        && done.immediate() == received[0]
                        && Arrays.equals(message, Arrays.copyOfRange(all, received[0], received[0] + size));
                wrong[0] += right ? 0 : 1;
                received[0]++;
                hostSide.postReceive(done.workId(), to, done.workId() * size, size);
            });
            hostQueue.await(System.nanoTime() + 1_000_000);
        }

        assertEquals(0, wrong[0]);
        assertTrue(camera.packetLosses().get("packetsRetransmitted") > 0);
    }

    @Test
    void packetLossesAreThoseThatThePageOnCountersNames() throws IOException {
        Set<String> documented = Files.readAllLines(Path.of("../docs/counters.md")).stream()
                .map(Pattern.compile("\\| `([a-z][A-Za-z]+)` \\|.*")::matcher)
                .filter(Matcher::matches)
                .map(row -> row.group(1))
                .collect(Collectors.toSet());
        assertEquals(documented, host.packetLosses().keySet());
    }

    @Test
    void noThreadIsLeftAfterClosing() {
        connect();
        camera.close();
        host.close();

        List<String> left = Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.contains("127.0.0.61") || name.contains("127.0.0.62"))
                .collect(Collectors.toList());
        assertEquals(List.of(), left);
    }

    @Test
    void thePortOfAnAddressBelongsToOneProcess() {
        try (var other = io.peregrine.nativeio.MmsgSocket.open(0x7F000040, 4791, 1 << 16)) {
            RdmaException why = assertThrows(RdmaException.class, () -> RdmaProviders.open("software", address(64)));

            assertTrue(why.getMessage().contains("in use by another program"), why::getMessage);
            assertTrue(other.receiveBufferBytes() > 0);
        }
    }
}
