package io.peregrine.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.gvsp.RawPacketProvider;
import io.peregrine.gvsp.RawPacketProvider.Request;
import io.peregrine.gvsp.RawPacketQueue;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.nativeio.NativeUnavailableException;
import io.peregrine.testing.Await;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Raw packets by the double of libibverbs. */
@Tag("verbs-double")
@Timeout(30)
class RawVerbsTest {
    private static final int PORT = 29_801;
    private static final int HEADERS = 42;
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(20);

    private VerbsDoubleKnobs knobs;

    @BeforeEach
    void compile() {
        knobs = new VerbsDoubleKnobs();
    }

    @AfterEach
    void nothingStaysOpen() {
        if (knobs != null) {
            knobs.close();
            assertEquals(0, knobs.get("open"), "things that were made and not destroyed");
        }
    }

    private static Inet4Address address(String text) {
        try {
            return (Inet4Address) InetAddress.getByName(text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static RawPacketQueue open(int depth, int vector, String... endpoints) {
        List<InetSocketAddress> at = List.of(endpoints).stream()
                .map(endpoint -> new InetSocketAddress(endpoint, PORT))
                .toList();
        return VerbsDoubleKnobs.provider().open(new Request(address("127.21.0.1"), at, depth, vector));
    }

    private static void send(String to, int port, ByteBuffer data) throws IOException {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress("127.21.0.2", 0));
            channel.setOption(
                    StandardSocketOptions.IP_MULTICAST_IF,
                    NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()));
            channel.send(data, new InetSocketAddress(to, port));
        }
    }

    private static int await(RawPacketQueue queue) {
        long end = System.nanoTime() + LONG_NANOS;
        int count = queue.poll();
        while (count == 0 && System.nanoTime() < end) {
            queue.arm();
            count = queue.poll();
            if (count == 0) {
                queue.await(end - System.nanoTime());
                count = queue.poll();
            }
        }
        return count;
    }

    @ParameterizedTest
    @CsvSource({"0", "-1"})
    void packetIsSpreadOverThePiecesOfItsReceive(int vector) throws IOException {
        try (RawPacketQueue queue = open(8, vector, "127.21.0.1")) {
            ByteBuffer memory = NativeMemory.allocate(256);
            long at = NativeMemory.address(memory);
            int key = queue.register(at, 256);
            queue.post(7);
            queue.piece(at, HEADERS + 2, key);
            queue.piece(at + 100, 3, key);
            queue.piece(at + 200, 56, key);
            queue.start();
            send("127.21.0.1", PORT, ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7}));
            assertEquals(1, await(queue));
            assertEquals(7, queue.id(0));
            assertEquals(HEADERS + 7, queue.lengthBytes(0));
            assertEquals(
                    List.of((byte) 1, (byte) 2, (byte) 3, (byte) 5, (byte) 6, (byte) 7),
                    List.of(
                            memory.get(HEADERS),
                            memory.get(HEADERS + 1),
                            memory.get(100),
                            memory.get(102),
                            memory.get(200),
                            memory.get(201)));
        }
    }

    /** As {@code RdmaProviderStatus.probeRawPackets} shows it, and the doctor. */
    @Test
    void probeOpensAQueueAndClosesItOrSaysWhatIsMissing() {
        try (VerbsDoubleKnobs knobs = new VerbsDoubleKnobs()) {
            long open = knobs.get("open");
            assertEquals("", RawPacketProvider.problem(address("127.21.0.1")));
            assertEquals(open, knobs.get("open"));
            knobs.set("flow_steering", 0);
            String missing = RawPacketProvider.problem(address("127.21.0.1"));
            assertTrue(missing.contains("flow steering"), missing);
            assertEquals(open, knobs.get("open"));
            String elsewhere = RawPacketProvider.problem(address("192.0.2.1"));
            assertTrue(elsewhere.startsWith("192.0.2.1 is no address of this host"), elsewhere);
        }
    }

    @ParameterizedTest
    @CsvSource({"127.21.0.1,29801,1", "239.192.21.1,29801,1", "127.21.0.1,29802,0", "127.21.0.3,29801,0"})
    void onlyPacketsOfTheEndpointsCome(String to, int port, int expected) throws IOException {
        try (RawPacketQueue queue = open(8, 0, "127.21.0.1", "239.192.21.1")) {
            ByteBuffer memory = NativeMemory.allocate(512);
            long at = NativeMemory.address(memory);
            int key = queue.register(at, 512);
            for (int i = 0; i < 2; i++) {
                queue.post(i);
                queue.piece(at + i * 256L, 256, key);
            }
            queue.start();
            send(to, port, ByteBuffer.allocate(4).putInt(0, 5));
            // The last one, by which the end of the others is known.
            send("127.21.0.1", PORT, ByteBuffer.allocate(4).putInt(0, 6));
            int packets = await(queue);
            while (memory.getInt((packets - 1) * 256 + HEADERS) != Integer.reverseBytes(6)) {
                packets += await(queue);
            }
            assertEquals(expected + 1, packets);
        }
    }

    @Test
    void packetThatIsLongerThanItsReceiveFails() throws IOException {
        try (RawPacketQueue queue = open(8, 0, "127.21.0.1")) {
            ByteBuffer memory = NativeMemory.allocate(64);
            int key = queue.register(NativeMemory.address(memory), 64);
            queue.post(3);
            queue.piece(NativeMemory.address(memory), 64, key);
            queue.start();
            send("127.21.0.1", PORT, ByteBuffer.allocate(30));
            assertEquals(1, await(queue));
            assertEquals(-1, queue.lengthBytes(0));
        }
    }

    @Test
    void packetsWithoutAReceiveAreDroppedAndCounted() throws IOException {
        try (RawPacketQueue queue = open(8, 0, "127.21.0.1")) {
            queue.start();
            send("127.21.0.1", PORT, ByteBuffer.allocate(30));
            Await.until("a drop", Duration.ofSeconds(10), () -> queue.drops() == 1);
        }
    }

    @Test
    void stoppedQueueGivesBackItsReceivesAndStartsAgain() throws IOException {
        try (RawPacketQueue queue = open(8, 0, "127.21.0.1")) {
            ByteBuffer memory = NativeMemory.allocate(64);
            int key = queue.register(NativeMemory.address(memory), 64);
            queue.post(3);
            queue.piece(NativeMemory.address(memory), 64, key);
            queue.start();
            queue.stop();
            assertEquals(1, queue.poll());
            assertEquals(-1, queue.lengthBytes(0));
            queue.prepare();
            queue.post(4);
            queue.piece(NativeMemory.address(memory), 64, key);
            queue.start();
            send("127.21.0.1", PORT, ByteBuffer.allocate(4));
            assertEquals(1, await(queue));
            assertEquals(4, queue.id(0));
        }
    }

    @ParameterizedTest
    @CsvSource({"0,0", "3,3", "4,0", "6,2", "-1,-1"})
    void completionVectorIsTakenModuloThoseOfTheAdapterAndNegativeHasNone(int wanted, long taken) {
        open(8, wanted, "127.21.0.1").close();
        assertEquals(taken, knobs.get("vector"));
    }

    @ParameterizedTest
    @CsvSource({"max_qp_wr", "max_cqe"})
    void depthIsThatOfTheAdapterAtMost(String limit) {
        knobs.set(limit, 100);
        try (RawPacketQueue queue = open(1000, 0, "127.21.0.1")) {
            assertEquals(100, queue.depth());
        }
    }

    @Test
    void closingTwiceIsClosingOnce() {
        RawPacketQueue queue = open(8, 0, "127.21.0.1");
        queue.close();
        queue.close();
        assertEquals(0, knobs.get("open"));
    }

    @ParameterizedTest
    @CsvSource({
        "flow_steering,0,log_num_mgm_entry_size=-1",
        "extended,0,no flow steering",
        "max_sge,2,3 are needed",
        "bind_error,19,no adapter with verbs is behind 127.21.0.1",
        "qp_error,1,CAP_NET_RAW",
        "qp_error,95,Operation not supported",
        "init_error,22,CAP_NET_RAW",
        "flow_error,12,takes no flow rule for 127.21.0.1:29801"
    })
    void refusalSaysWhatIsMissingAndLeavesNothingOpen(String knob, long value, String expected) {
        knobs.set(knob, value);
        String said = assertThrows(NativeUnavailableException.class, () -> open(8, 0, "127.21.0.1"))
                .getMessage();
        assertTrue(said.contains(expected), said);
    }

    @Test
    void memoryThatCannotBeLockedIsRefusedWithTheLimit() {
        knobs.set("region_error", 12);
        try (RawPacketQueue queue = open(8, 0, "127.21.0.1")) {
            String said = assertThrows(NativeUnavailableException.class, () -> queue.register(4096, 4096))
                    .getMessage();
            assertTrue(said.contains("ulimit -l"), said);
        }
    }
}
