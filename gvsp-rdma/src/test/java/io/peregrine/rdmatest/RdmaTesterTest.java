package io.peregrine.rdmatest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peregrine.fabric.FakeFabric;
import io.peregrine.nativeio.Libc;
import io.peregrine.rdma.CompletionQueue;
import io.peregrine.rdma.CompletionQueueSettings;
import io.peregrine.rdma.ConnectionRejectedException;
import io.peregrine.rdma.ConnectionSettings;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaListener;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RdmaPing;
import io.peregrine.rdma.RdmaProviders;
import io.peregrine.rdma.RdmaTransport;
import io.peregrine.rdmatest.Greeting.Memory;
import io.peregrine.rdmatest.TestPlan.Direction;
import io.peregrine.rdmatest.TestPlan.Transfer;
import io.peregrine.stream.StreamException;
import io.peregrine.testing.Await;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Client and server of tests with each other, and with those who do not keep to the protocol. */
@Timeout(60)
class RdmaTesterTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Inet4Address CLIENT = FakeFabric.address("127.22.0.1");
    private static final Inet4Address SERVER = FakeFabric.address("127.22.0.2");

    private final BlockingQueue<String> served = new LinkedBlockingQueue<>();
    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeEach
    void needsNativeAccess() {
        assumeTrue(Libc.problem().isEmpty(), Libc::problem);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T closing(T resource) {
        open.add(resource);
        return resource;
    }

    private RdmaTestServer server(Duration timeout) {
        return closing(RdmaTestServer.start("software", SERVER, 0, 0, timeout, served::add));
    }

    private RdmaTester tester(Duration timeout) {
        return closing(RdmaTester.open("software", CLIENT, 0, timeout));
    }

    private RdmaTransport transport(Inet4Address address) {
        return closing(RdmaProviders.open("software", address).transport());
    }

    private String lineOfServer() throws InterruptedException {
        String line = served.poll(LONG.toSeconds(), TimeUnit.SECONDS);
        return line == null ? "nothing" : line.replaceFirst("^\\S+  ", "");
    }

    static Stream<Arguments> transfers() {
        return Stream.of(Transfer.values())
                .flatMap(transfer -> Stream.of(Direction.values())
                        .flatMap(direction ->
                                Stream.of(1, 4096, 1_000_003).map(bytes -> Arguments.of(transfer, direction, bytes))));
    }

    @ParameterizedTest
    @MethodSource("transfers")
    void everyMessageOfATestArrivesRight(Transfer transfer, Direction direction, int bytes) throws Exception {
        TestResult result =
                tester(LONG).run(server(LONG).address(), TestPlan.counting(transfer, direction, bytes, 300));

        assertEquals(List.of(300L, 0L), List.of(result.messages(), result.wrongMessages()));
        assertEquals(
                "300 messages of " + bytes + " bytes, 0 wrong", lineOfServer().replaceFirst("^[^:]*: ", ""));
    }

    @Test
    void aTimedTestMeasuresAfterItsFirstFifth() {
        TestPlan plan = TestPlan.lasting(Transfer.WRITE, Direction.TO_SERVER, 65_536, Duration.ofMillis(500));
        TestResult result = tester(LONG).run(server(LONG).address(), plan);

        assertEquals(0, result.wrongMessages());
        assertTrue(result.measuredMessages() < result.messages(), result::toString);
        assertTrue(result.megabytesPerSecond() > 1, result::toString);
    }

    @Test
    void roundTripsAreMeasured() {
        TestPlan plan = TestPlan.counting(Transfer.PING, Direction.TO_SERVER, 64, 50);
        TestResult.RoundTrips times =
                tester(LONG).run(server(LONG).address(), plan).roundTrips().orElseThrow();

        assertTrue(times.min() > 0 && times.min() <= times.median() && times.median() <= times.max(), times::toString);
    }

    // ---- Wrong bytes

    /** A client that has its own idea of what to send: zeros. */
    private final class Stranger {
        final RdmaTransport transport = transport(CLIENT);
        final CompletionQueue completions = transport.completionQueue(CompletionQueueSettings.of(64));
        final MemoryRegion zeros = transport.register(RdmaMemory.of(ByteBuffer.allocateDirect(4096)));
        final RdmaConnection connection;
        boolean reported;

        Stranger(InetSocketAddress server, byte[] greeting) {
            connection = transport.prepare(server, ConnectionSettings.of(completions, 16, 16));
            connection.postReceive(1, zeros, 2048, 1024);
            connection.connect(greeting, LONG);
        }

        Stranger sends(int messages) {
            for (int i = 0; i < messages; i++) {
                connection.postSend(10 + i, zeros, 0, 100);
            }
            return this;
        }

        void endsTest(int messages) {
            connection.postSendWithImmediate(20, zeros, 0, 0, messages);
            Await.until("report of the server", LONG, () -> {
                completions.poll(completion -> reported |= completion.workId() == 1);
                return reported;
            });
            connection.disconnect();
        }
    }

    private static byte[] greeting(Transfer transfer, int bytes) {
        TestPlan plan = TestPlan.counting(transfer, Direction.TO_SERVER, bytes, 3);
        return new Greeting(plan, Memory.NONE).bytes();
    }

    @Test
    void wrongBytesAreCounted() throws Exception {
        Stranger stranger = new Stranger(server(LONG).address(), greeting(Transfer.SEND, 100));
        stranger.sends(3).endsTest(3);

        assertEquals("send to here: 3 messages of 100 bytes, 3 wrong", lineOfServer());
    }

    @Test
    void messagesThatAreMissingEndTheTest() throws Exception {
        Stranger stranger = new Stranger(server(LONG).address(), greeting(Transfer.SEND, 100));
        stranger.sends(2).connection.postSendWithImmediate(20, stranger.zeros, 0, 0, 3);

        assertTrue(lineOfServer().endsWith(" ends the test after 3 messages, and 2 arrived"));
    }

    @Test
    void moreMessagesThanAgreedEndTheTest() throws Exception {
        new Stranger(server(LONG).address(), greeting(Transfer.SEND, 100)).sends(4);

        assertTrue(lineOfServer().endsWith(" sent more messages than the test has"));
    }

    @Test
    void aMessageWhereAWriteIsExpectedEndsTheTest() throws Exception {
        // A receive for a write has no room.
        new Stranger(server(LONG).address(), greeting(Transfer.WRITE, 100)).sends(1);

        String line = lineOfServer();
        assertTrue(line.startsWith("failed: "), line);
    }

    @Test
    void aClientThatDoesNothingIsLetGo() throws Exception {
        new Stranger(server(Duration.ofMillis(300)).address(), greeting(Transfer.SEND, 100));

        assertTrue(lineOfServer().endsWith(" did not go on within 300 ms"));
    }

    // ---- Refusals

    private String refusal(RdmaTestServer server, byte[] greeting) {
        ConnectionRejectedException refused =
                assertThrows(ConnectionRejectedException.class, () -> new Stranger(server.address(), greeting));
        return Greeting.reason(refused.privateData()).orElse("no reason");
    }

    @Test
    void aTestThatIsTooLargeIsRefused() {
        byte[] greeting = greeting(Transfer.SEND, 100);
        ByteBuffer.wrap(greeting).putInt(8, Integer.MAX_VALUE);

        assertEquals(
                "2147483647 message bytes are not possible in a test: 1 to 16777216 are",
                refusal(server(LONG), greeting));
    }

    @Test
    void aTestOfAnUnknownKindIsRefused() {
        byte[] greeting = greeting(Transfer.SEND, 100);
        greeting[6] = 9;

        assertEquals("asks for a kind of test that is unknown here: 9", refusal(server(LONG), greeting));
    }

    @Test
    void anotherVersionIsRefused() {
        byte[] greeting = greeting(Transfer.SEND, 100);
        greeting[5] = 7;

        assertEquals("speaks version 7 of rdma-test, and this side version 0", refusal(server(LONG), greeting));
    }

    @Test
    void aFifthTestAtATimeIsRefusedAndTheClientSaysWhy() {
        RdmaTestServer server = server(LONG);
        for (int i = 0; i < 4; i++) {
            new Stranger(server.address(), greeting(Transfer.SEND, 100));
        }
        TestPlan plan = TestPlan.counting(Transfer.PING, Direction.TO_SERVER, 64, 1);

        StreamException refused =
                assertThrows(StreamException.class, () -> tester(LONG).run(server.address(), plan));
        assertEquals(server.address() + " refuses the test: 4 tests are running already", refused.getMessage());
    }

    // ---- Servers that are none

    private StreamException failure(InetSocketAddress server, Duration timeout) {
        TestPlan plan = TestPlan.counting(Transfer.SEND, Direction.FROM_SERVER, 64, 10);
        return assertThrows(StreamException.class, () -> tester(timeout).run(server, plan));
    }

    @Test
    void anAbsentServerIsAnError() {
        assertTrue(failure(new InetSocketAddress(SERVER, 7999), Duration.ofMillis(300))
                .getMessage()
                .contains("did not answer the request to connect"));
    }

    @Test
    void aHostWithoutListenerIsAnError() {
        transport(SERVER);
        assertThrows(
                ConnectionRejectedException.class,
                () -> tester(LONG)
                        .run(
                                new InetSocketAddress(SERVER, 7999),
                                TestPlan.counting(Transfer.PING, Direction.TO_SERVER, 64, 10)));
    }

    /** A server that accepts with an answer, and then does nothing. */
    private InetSocketAddress accepting(byte[] answer) {
        RdmaTransport transport = transport(SERVER);
        RdmaListener listener = transport.listen(0);
        CompletableFuture<Void> accepted = CompletableFuture.runAsync(() -> {
            try {
                CompletionQueue completions = transport.completionQueue(CompletionQueueSettings.of(8));
                listener.next(LONG)
                        .orElseThrow()
                        .prepare(ConnectionSettings.of(completions, 4, 4))
                        .accept(answer, LONG);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        // The client may be gone before it is accepted.
        closing(() -> accepted.exceptionally(e -> null).join());
        return new InetSocketAddress(SERVER, listener.port());
    }

    @Test
    void aServerOfSomethingElseIsToldApart() {
        InetSocketAddress server = accepting(new byte[] {1, 2, 3});

        assertEquals(
                server + " accepted the connection, but is no server of rdma-test",
                failure(server, LONG).getMessage());
    }

    @Test
    void aServerThatDoesNotGoOnIsATimeOut() {
        InetSocketAddress server = accepting(greeting(Transfer.SEND, 64));

        assertTrue(failure(server, Duration.ofMillis(300)).getMessage().endsWith(" did not go on within 300 ms"));
    }

    // ---- rping

    @Test
    void theServerServesRpingToo() throws Exception {
        InetSocketAddress server = server(LONG).address();
        try (RdmaPing ping = RdmaPing.connect(transport(CLIENT), server, 4096, LONG)) {
            ping.ping();
            ping.ping();
        }

        assertEquals("rping: 2 rounds of 4096 bytes", lineOfServer());
    }

    @Test
    void theClientPlaysRping() throws Exception {
        TestResult.RoundTrips times = tester(LONG).rping(server(LONG).address(), 64, 5);

        assertTrue(times.min() > 0, times::toString);
        assertEquals("rping: 5 rounds of 64 bytes", lineOfServer());
    }
}
