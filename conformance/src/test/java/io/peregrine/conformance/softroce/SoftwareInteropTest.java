package io.peregrine.conformance.softroce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.conformance.softroce.RdmaPeer.Ended;
import io.peregrine.rdma.Completion.Operation;
import io.peregrine.rdma.Completion.Status;
import io.peregrine.rdma.ConnectionRejectedException;
import io.peregrine.rdma.ConnectionRequest;
import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaConnection.State;
import io.peregrine.rdma.RdmaListener;
import io.peregrine.testing.ChildProcess;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The software transport, in a network namespace of its own, against the kernel's Soft-RoCE at the other end of a
 * cable: seen through the verbs transport, and through programs of rdma-core.
 */
@InsideSoftRoce
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class SoftwareInteropTest {
    private static final String KERNEL = "10.40.0.1";
    private static final String SOFTWARE = "10.40.0.2";
    private static final Duration START_LIMIT = Duration.ofSeconds(40);
    private static final int MEBIBYTE = 1 << 20;

    private final List<ChildProcess> children = new ArrayList<>();
    private RdmaPeer kernel;

    @BeforeEach
    void open() {
        kernel = RdmaPeer.open("verbs", KERNEL);
    }

    @AfterEach
    void close() {
        children.forEach(ChildProcess::close);
        kernel.close();
    }

    private ChildProcess software(String... arguments) {
        List<String> all = new ArrayList<>(List.of("software", SOFTWARE));
        all.addAll(List.of(arguments));
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", "cam"));
        command.addAll(
                ChildProcess.java(List.of("-Djava.net.preferIPv4Stack=true"), EchoPeerMain.class.getName(), all));
        return start(command);
    }

    private ChildProcess start(List<String> command) {
        ChildProcess child = ChildProcess.start(command);
        children.add(child);
        return child;
    }

    private static int port(ChildProcess child) {
        String line = child.awaitLine("port", START_LIMIT, text -> text.startsWith("port "));
        return Integer.parseInt(line.substring(5));
    }

    /** A connection, and where the other side's memory is. */
    private record Meeting(RdmaConnection connection, long address, int key) {}

    /** The verbs transport asks, the software answers. */
    private Meeting kernelConnects() {
        ChildProcess child = software("listen");
        RdmaConnection connection =
                kernel.transport.prepare(new InetSocketAddress(SOFTWARE, port(child)), kernel.settings());
        connection.postReceive(100, kernel.region, 0, 16);
        byte[] answer = connection.connect("hello".getBytes(StandardCharsets.US_ASCII), RdmaPeer.LIMIT);
        assertEquals("welcome", EchoPeerMain.text(answer));
        child.awaitLine("private data", RdmaPeer.LIMIT, "asked hello"::equals);
        return meet(connection);
    }

    /** The software asks, the verbs transport answers. */
    private Meeting softwareConnects() {
        try (RdmaListener listener = kernel.transport.listen(0)) {
            ChildProcess child = software("connect", KERNEL, Integer.toString(listener.port()));
            ConnectionRequest request = await(listener);
            assertEquals("hello", EchoPeerMain.text(request.privateData()));
            RdmaConnection connection = request.prepare(kernel.settings());
            connection.postReceive(100, kernel.region, 0, 16);
            connection.accept("welcome".getBytes(StandardCharsets.US_ASCII), RdmaPeer.LIMIT);
            child.awaitLine("private data", RdmaPeer.LIMIT, "answered welcome"::equals);
            return meet(connection);
        }
    }

    private static ConnectionRequest await(RdmaListener listener) {
        try {
            return listener.next(START_LIMIT).orElseThrow();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Meeting meet(RdmaConnection connection) {
        Ended introduction = kernel.next();
        assertEquals(List.of(Status.SUCCESS, 16L), List.of(introduction.status(), introduction.lengthBytes()));
        ByteBuffer place = kernel.memory.duplicate().order(ByteOrder.BIG_ENDIAN);
        return new Meeting(connection, place.getLong(0), place.getInt(8));
    }

    private void assertEcho(RdmaConnection connection, int length) {
        kernel.fill(0, length, length);
        connection.postReceive(1, kernel.region, MEBIBYTE, length);
        connection.postSend(2, kernel.region, 0, length);
        List<Ended> both = kernel.next(2);

        assertTrue(both.stream().allMatch(ended -> ended.status() == Status.SUCCESS), both::toString);
        assertEquals(kernel.bytes(0, length), kernel.bytes(MEBIBYTE, length));
    }

    @Test
    void messagesComeBackWhenTheKernelConnects() {
        RdmaConnection connection = kernelConnects().connection();

        for (int length : new int[] {0, 1, 4095, 4096, 4097, 8192, 123_457, MEBIBYTE}) {
            assertEcho(connection, length);
        }
    }

    @Test
    void messagesComeBackWhenTheSoftwareConnects() {
        RdmaConnection connection = softwareConnects().connection();

        for (int length : new int[] {0, 1, 4095, 4096, 4097, 8192, 123_457, MEBIBYTE}) {
            assertEcho(connection, length);
        }
    }

    @Test
    void theKernelWritesIntoTheSoftwaresMemory() {
        Meeting meeting = kernelConnects();
        kernel.fill(0, MEBIBYTE - 3, 9);
        meeting.connection().postWrite(1, kernel.region, 0, MEBIBYTE - 3, meeting.address(), meeting.key());
        assertEquals(Status.SUCCESS, kernel.next().status());
        byte[] sent = new byte[MEBIBYTE - 3];
        kernel.memory.get(0, sent);

        order(meeting, EchoPeerMain.SEND_BACK, MEBIBYTE - 3);

        assertArrayEquals(sent, received(MEBIBYTE - 3));
    }

    @Test
    void theSoftwareWritesIntoTheKernelsMemory() {
        Meeting meeting = softwareConnects();
        kernel.fill(0, 100_001, 5);
        meeting.connection().postWrite(1, kernel.region, 0, 100_001, meeting.address(), meeting.key());
        assertEquals(Status.SUCCESS, kernel.next().status());
        byte[] sent = new byte[100_001];
        kernel.memory.get(0, sent);

        Ended answer = order(meeting, EchoPeerMain.WRITE_BACK, 100_001);

        assertEquals(Operation.RECEIVE_WRITE, answer.operation());
        assertEquals(100_001, answer.lengthBytes());
        assertArrayEquals(sent, received(100_001));
    }

    /** Has the other side bring its memory to the second half of ours; gives the completion of that. */
    private Ended order(Meeting meeting, int what, int length) {
        return order(meeting, what, length, MEBIBYTE);
    }

    /** Gives an order that names a place in our memory; the answer is received into the second half. */
    private Ended order(Meeting meeting, int what, int length, int offset) {
        kernel.memory
                .duplicate()
                .order(ByteOrder.BIG_ENDIAN)
                .putLong(0, kernel.region.remoteAddress() + offset)
                .putInt(8, kernel.region.remoteKey())
                .putInt(12, length);
        meeting.connection().postReceive(3, kernel.region, MEBIBYTE, MEBIBYTE);
        meeting.connection().postSendWithImmediate(4, kernel.region, 0, 16, what);
        List<Ended> both = kernel.next(2);
        Ended answer =
                both.stream().filter(ended -> ended.workId() == 3).findFirst().orElseThrow();
        assertEquals(Status.SUCCESS, answer.status(), both::toString);
        assertEquals(Optional.of(length), answer.immediate());
        return answer;
    }

    private byte[] received(int length) {
        byte[] bytes = new byte[length];
        kernel.memory.get(MEBIBYTE, bytes);
        return bytes;
    }

    @Test
    void theKernelReadsTheSoftwaresMemory() {
        Meeting meeting = kernelConnects();
        kernel.fill(0, MEBIBYTE - 3, 9);
        meeting.connection().postWrite(1, kernel.region, 0, MEBIBYTE - 3, meeting.address(), meeting.key());
        meeting.connection().postRead(2, kernel.region, MEBIBYTE, MEBIBYTE - 3, meeting.address(), meeting.key());
        List<Ended> both = kernel.next(2);

        assertTrue(both.stream().allMatch(ended -> ended.status() == Status.SUCCESS), both::toString);
        assertEquals(kernel.bytes(0, MEBIBYTE - 3), kernel.bytes(MEBIBYTE, MEBIBYTE - 3));
    }

    @Test
    void theSoftwareReadsTheKernelsMemory() {
        Meeting meeting = softwareConnects();
        int length = MEBIBYTE - 100;
        kernel.fill(100, length, 5);

        order(meeting, EchoPeerMain.READ_AND_SEND, length, 100);

        assertEquals(kernel.bytes(100, length), kernel.bytes(MEBIBYTE, length));
    }

    @Test
    void aReadWithAWrongKeyIsRefusedByTheSoftware() {
        Meeting meeting = kernelConnects();
        meeting.connection().postRead(1, kernel.region, 0, 1000, meeting.address(), meeting.key() ^ 0x5A5A00);

        assertEquals(Status.REMOTE_ACCESS_ERROR, kernel.next().status());
    }

    @Test
    void aWrongKeyIsRefusedByTheSoftware() {
        Meeting meeting = kernelConnects();
        meeting.connection().postWrite(1, kernel.region, 0, 1000, meeting.address(), meeting.key() ^ 0x5A5A00);

        assertEquals(Status.REMOTE_ACCESS_ERROR, kernel.next().status());
    }

    @Test
    void theSoftwareRefusesWithPrivateData() {
        ChildProcess child = software("listen");
        RdmaConnection connection =
                kernel.transport.prepare(new InetSocketAddress(SOFTWARE, port(child)), kernel.settings());

        ConnectionRejectedException refusal = assertThrows(
                ConnectionRejectedException.class,
                () -> connection.connect("refuse me".getBytes(StandardCharsets.US_ASCII), RdmaPeer.LIMIT));

        assertEquals(ConnectionRejectedException.REASON_BY_CONSUMER, refusal.reason());
        assertEquals("refused", EchoPeerMain.text(refusal.privateData()));
    }

    @Test
    void theSoftwareIsRefusedWithPrivateData() {
        try (RdmaListener listener = kernel.transport.listen(0)) {
            ChildProcess child = software("connect", KERNEL, Integer.toString(listener.port()));
            await(listener).reject("go away".getBytes(StandardCharsets.US_ASCII));

            assertEquals(
                    "rejected " + ConnectionRejectedException.REASON_BY_CONSUMER + " go away",
                    child.awaitLine("refusal", RdmaPeer.LIMIT, line -> line.startsWith("rejected")));
        }
    }

    @Test
    void theKernelRejectsForWantOfAListener() {
        ChildProcess child = software("connect", KERNEL, "7999");

        String line = child.awaitLine("refusal", START_LIMIT, text -> text.startsWith("rejected"));
        assertTrue(Arrays.asList("8", "28").contains(line.split(" ", -1)[1]), line);
    }

    @Test
    void theSoftwareRejectsForWantOfAListener() {
        ChildProcess child = software("listen");
        int other = port(child) == 7999 ? 7998 : 7999;
        RdmaConnection connection = kernel.transport.prepare(new InetSocketAddress(SOFTWARE, other), kernel.settings());

        ConnectionRejectedException refusal =
                assertThrows(ConnectionRejectedException.class, () -> connection.connect(new byte[0], RdmaPeer.LIMIT));
        assertEquals(ConnectionRejectedException.REASON_NO_LISTENER, refusal.reason());
    }

    @Test
    void theKernelsDisconnectReachesTheSoftware() {
        RdmaConnection connection = kernelConnects().connection();
        connection.disconnect();

        assertEquals(
                "ended DISCONNECTED ",
                children.get(0).awaitLine("end", RdmaPeer.LIMIT, line -> line.startsWith("ended")));
    }

    @Test
    void theSoftwaresDisconnectReachesTheKernel() {
        RdmaConnection connection = softwareConnects().connection();
        connection.postReceive(1, kernel.region, 0, 10);
        connection.postSendWithImmediate(2, kernel.region, 0, 16, EchoPeerMain.DISCONNECT);

        assertEquals(List.of(2L, 1L), kernel.next(2).stream().map(Ended::workId).toList());
        kernel.awaitState(connection, State.DISCONNECTED);
    }

    @Test
    void theSoftwaresSuddenEndIsNoticedBySending() {
        ChildProcess child = software("listen");
        RdmaConnection connection = kernel.transport.prepare(
                new InetSocketAddress(SOFTWARE, port(child)), kernel.settings().withRetries(14, 3, 3));
        connection.postReceive(1, kernel.region, 0, 16);
        connection.connect(new byte[0], RdmaPeer.LIMIT);
        assertEquals(Status.SUCCESS, kernel.next().status());
        child.kill();
        child.awaitEnd(RdmaPeer.LIMIT);

        connection.postSend(2, kernel.region, 0, 100);

        assertEquals(Status.RETRIES_EXCEEDED, kernel.next().status());
        assertEquals(State.FAILED, connection.state());
    }

    @Test
    void theSoftwareTalksWithRdmaServer() {
        ChildProcess server = start(List.of("stdbuf", "-oL", "rdma_server", "-p", "7471"));
        server.awaitLine("start", RdmaPeer.LIMIT, line -> line.startsWith("rdma_server: start"));
        ChildProcess child = software("connect", KERNEL, "7471", "plain");

        child.awaitLine("answer", START_LIMIT, "received 16"::equals);
        String said = server.succeeds(RdmaPeer.LIMIT);
        assertTrue(said.contains("rdma_server: end 0"), said);
    }

    @Test
    void rdmaClientTalksWithTheSoftware() {
        ChildProcess child = software("listen", "plain");
        String said =
                ChildProcess.run(RdmaPeer.LIMIT, "rdma_client", "-s", SOFTWARE, "-p", Integer.toString(port(child)));

        assertTrue(said.contains("rdma_client: end 0"), said);
        child.awaitLine("message", RdmaPeer.LIMIT, "received 16"::equals);
    }
}
