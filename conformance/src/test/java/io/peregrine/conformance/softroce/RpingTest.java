package io.peregrine.conformance.softroce;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.rdma.ConnectionRejectedException;
import io.peregrine.rdma.RdmaListener;
import io.peregrine.rdma.RdmaPing;
import io.peregrine.rdma.RdmaProviders;
import io.peregrine.rdma.RdmaTransport;
import io.peregrine.testing.Await;
import io.peregrine.testing.ChildProcess;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * rping, the test program of rdma-core, as client and as server, against the software transport over a cable and
 * against the verbs transport. Each round is an RDMA read and an RDMA write of the same bytes, which the client
 * compares.
 */
@InsideSoftRoce
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class RpingTest {
    private static final String KERNEL = "10.40.0.1";
    private static final String SOFTWARE = "10.40.0.2";
    private static final String LEFT = "10.10.0.1";
    private static final String RIGHT = "10.20.0.1";
    private static final int FIRST_PORT = 7480;
    /** From the least that rping takes to the most. */
    private static final List<Integer> SIZES = List.of(23, 4096, RdmaPing.RPING_MAX_BYTES);

    private static final int ROUNDS = 10;
    private static final Duration START_LIMIT = Duration.ofSeconds(40);

    private final List<ChildProcess> children = new ArrayList<>();

    @AfterEach
    void close() {
        children.forEach(ChildProcess::close);
    }

    private ChildProcess start(List<String> command) {
        ChildProcess child = ChildProcess.start(command);
        children.add(child);
        return child;
    }

    private ChildProcess software(String... arguments) {
        List<String> all = new ArrayList<>(List.of("software", SOFTWARE));
        all.addAll(List.of(arguments));
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", "cam"));
        command.addAll(ChildProcess.java(List.of("-Djava.net.preferIPv4Stack=true"), RpingMain.class.getName(), all));
        return start(command);
    }

    /** A client, from a local address; -V compares what comes back, -v prints a line a round. */
    private static void assertRpingSucceeds(String from, String server, String port, int bytes) {
        String said = ChildProcess.run(
                RdmaPeer.LIMIT,
                "rping",
                "-c",
                "-v",
                "-V",
                "-C",
                Integer.toString(ROUNDS),
                "-S",
                Integer.toString(bytes),
                "-a",
                server,
                "-I",
                from,
                "-p",
                port);
        assertEquals(ROUNDS, lines(said, "ping data: rdma-ping-"), said);
    }

    private ChildProcess rpingServer(String address, int port, int bytes) {
        ChildProcess server = start(List.of(
                "stdbuf",
                "-oL",
                "rping",
                "-s",
                "-v",
                "-d",
                "-S",
                Integer.toString(bytes),
                "-a",
                address,
                "-p",
                Integer.toString(port)));
        server.awaitLine("listening server", RdmaPeer.LIMIT, "rdma_listen"::equals);
        return server;
    }

    private static void assertServed(ChildProcess server) {
        String said = server.succeeds(RdmaPeer.LIMIT);
        assertEquals(ROUNDS, lines(said, "server ping data: rdma-ping-"), said);
    }

    private static long lines(String said, String start) {
        return said.lines().filter(line -> line.startsWith(start)).count();
    }

    @Test
    void rpingAsksTheSoftware() {
        ChildProcess child = software("serve", Integer.toString(SIZES.size()));
        String line = child.awaitLine("port", START_LIMIT, text -> text.startsWith("port "));
        for (int bytes : SIZES) {
            assertRpingSucceeds(KERNEL, SOFTWARE, line.substring(5), bytes);
            child.awaitLine("end", RdmaPeer.LIMIT, ("served " + ROUNDS + " rounds of " + bytes)::equals);
        }
    }

    @Test
    void theSoftwareAsksRping() {
        List<String> arguments = new ArrayList<>(List.of("connect", KERNEL, Integer.toString(ROUNDS)));
        List<ChildProcess> servers = new ArrayList<>();
        for (int bytes : SIZES) {
            int port = FIRST_PORT + servers.size();
            arguments.add(port + ":" + bytes);
            servers.add(rpingServer(KERNEL, port, bytes));
        }
        ChildProcess child = software(arguments.toArray(String[]::new));
        for (int bytes : SIZES) {
            child.awaitLine("end", START_LIMIT, ("made " + ROUNDS + " rounds of " + bytes)::equals);
        }

        servers.forEach(RpingTest::assertServed);
    }

    @ParameterizedTest
    @FieldSource("SIZES")
    void rpingAsksTheVerbs(int bytes) {
        try (RdmaTransport transport =
                        RdmaProviders.open("verbs", RdmaPeer.ipv4(RIGHT)).transport();
                RdmaListener listener = transport.listen(0)) {
            CompletableFuture<String> served = RdmaPeer.inBackground(() -> RpingMain.serve(transport, listener));
            assertRpingSucceeds(LEFT, RIGHT, Integer.toString(listener.port()), bytes);

            assertEquals("served " + ROUNDS + " rounds of " + bytes, RdmaPeer.result(served));
        }
    }

    @ParameterizedTest
    @FieldSource("SIZES")
    void theVerbsAskRping(int bytes) {
        ChildProcess server = rpingServer(RIGHT, FIRST_PORT, bytes);
        try (RdmaTransport transport =
                RdmaProviders.open("verbs", RdmaPeer.ipv4(LEFT)).transport()) {
            List<RdmaPing> connected = new ArrayList<>();
            Await.until(
                    "connection with rping",
                    RdmaPeer.LIMIT,
                    () -> connect(transport, bytes).map(connected::add).orElse(false));
            try (RdmaPing ping = connected.get(0)) {
                for (int i = 0; i < ROUNDS; i++) {
                    ping.ping();
                }
            }
        }

        assertServed(server);
    }

    /** Empty while rping does not listen yet. */
    private static Optional<RdmaPing> connect(RdmaTransport transport, int bytes) {
        try {
            InetSocketAddress server = new InetSocketAddress(RIGHT, FIRST_PORT);
            return Optional.of(RdmaPing.connect(transport, server, bytes, RdmaPeer.LIMIT));
        } catch (ConnectionRejectedException e) {
            return Optional.empty();
        }
    }
}
