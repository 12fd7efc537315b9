package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The command {@code rdma-test} between two hosts, by RDMA in software. */
@EnabledIfPeers("bash")
@Timeout(120)
class RdmaTestCommandTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String SERVER = NetworkNamespace.Cable.CAMERA_ADDRESS;
    private static final String CLIENT = NetworkNamespace.Cable.HOST_ADDRESS;

    private static NetworkNamespace.Cable cable;
    private static ChildProcess server;

    @BeforeAll
    static void start() {
        cable = NetworkNamespace.Cable.lay();
        server = cable.camera().start(command("--server"));
        server.awaitLine("address of the server", LIMIT, line -> line.startsWith("ready " + SERVER + ":7174"));
    }

    @AfterAll
    static void stop() {
        cable.close();
    }

    private static List<String> command(String... arguments) {
        List<String> all = new ArrayList<>(List.of("rdma-test", "--provider", "software"));
        all.addAll(List.of(arguments));
        return CameraProcess.command(all.toArray(String[]::new));
    }

    private static String fails(int exitCode, String... arguments) {
        try (ChildProcess client = cable.host().start(command(arguments))) {
            assertEquals(exitCode, client.awaitEnd(LIMIT), client::toString);
            return client.output();
        }
    }

    @Test
    void everyTestPassesInBothDirections() throws JsonProcessingException {
        String output = cable.host().run(LIMIT, command(SERVER, "--seconds", "0.5", "--json"));
        JsonNode result = new ObjectMapper().readTree(output);

        assertEquals(CLIENT, result.get("local").asText(), output);
        List<String> tests = new ArrayList<>();
        result.get("tests").forEach(test -> {
            tests.add(test.get("test").asText() + " " + test.path("direction").asText() + " "
                    + test.get("wrongMessages").asText());
            assertEquals(4096, test.get("pathMtuBytes").asInt(), output);
            boolean measured = test.path("megabytesPerSecond").asDouble() > 1
                    || test.path("roundTripNanoseconds").path("median").asLong() > 0;
            assertTrue(measured, output);
        });
        assertEquals(
                List.of("ping  0", "send toServer 0", "send fromServer 0", "write toServer 0", "write fromServer 0"),
                tests);
    }

    @Test
    void theServerSaysWhatItServed() {
        cable.host().run(LIMIT, command(SERVER, "--tests", "send", "--count", "17", "--bytes", "777"));

        server.awaitLine(
                "line about the test", LIMIT, line -> line.endsWith("send to here: 17 messages of 777 bytes, 0 wrong"));
    }

    @Test
    void roundsOfRpingAreMade() {
        String output = cable.host().run(LIMIT, command(SERVER, "--rping", "--count", "10", "--bytes", "4096"));

        assertTrue(output.contains("rping  4096 bytes, 10 rounds, round trip us: min "), output);
    }

    @Test
    void aHostWithoutServerIsAnErrorInTime() {
        String output = fails(4, "10.77.0.99", "--timeout", "1");

        assertTrue(output.contains("did not answer the request to connect"), output);
        assertTrue(output.contains("Does 'peregrine rdma-test --server' run there"), output);
    }

    @Test
    void anotherPortIsRefusedByTheHost() {
        String output = fails(4, SERVER, "--port", "7999");

        assertFalse(output.contains("Exception"), output);
        assertTrue(output.contains("Does 'peregrine rdma-test --server' run there"), output);
    }

    @Test
    void anInterfaceThatIsNotThereIsAWrongCommandLine() {
        String output = fails(2, SERVER, "--interface", "eth99");

        assertTrue(output.contains("No interface that is up has the name or address eth99"), output);
    }

    @Test
    void aProviderThatDoesNotWorkIsNamed() {
        try (ChildProcess client =
                cable.host().start(CameraProcess.command("rdma-test", SERVER, "--provider", "verbs"))) {
            assertEquals(1, client.awaitEnd(LIMIT), client::toString);
            assertTrue(client.output().contains("RDMA is not available: no verbs: "), client::toString);
        }
    }
}
