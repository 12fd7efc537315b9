package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Host and camera at a switch, which may pass less than both can. */
@EnabledIfPeers("ip")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PathProbeTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String CAMERA = NetworkNamespace.Switch.address(1);

    private NetworkNamespace.Switch network;

    @BeforeEach
    void start() {
        network = NetworkNamespace.Switch.connecting(2);
    }

    @AfterEach
    void stop() {
        network.close();
    }

    /** What the doctor finds about the path. */
    private JsonNode path() throws JsonProcessingException {
        String output = network.host(2)
                .run(
                        LIMIT,
                        CameraProcess.command("doctor", CAMERA, "--network", "--probe", "--seconds", "0", "--json"));
        for (JsonNode finding : new ObjectMapper().readTree(output).get("findings")) {
            if (finding.get("check").asText().equals("path")) {
                return finding;
            }
        }
        throw new AssertionError(output);
    }

    @Test
    void jumboFramesPassASwitchThatTakesThem() throws JsonProcessingException {
        try (ChildProcess camera = CameraProcess.virtual(network.host(1), CAMERA)) {
            JsonNode path = path();
            assertEquals("PASS", path.get("verdict").asText(), () -> path + camera.output());
            assertEquals(
                    "packets of 9000 bytes arrive, the MTU here is 9000",
                    path.get("evidence").asText());
        }
    }

    @Test
    void whatASwitchDropsWithoutAWordIsFound() throws JsonProcessingException {
        network.portMtu(1, 1500);
        try (ChildProcess camera = CameraProcess.virtual(network.host(1), CAMERA)) {
            JsonNode path = path();
            assertEquals("WARN", path.get("verdict").asText(), () -> path + camera.output());
            // The kernel leaves room for a VLAN tag of four bytes, and lets packets use it.
            assertTrue(
                    path.get("evidence").asText().matches("packets of more than 150[04] bytes get lost.*"),
                    path::toString);
        }
    }

    @Test
    @EnabledIfPeers("arv-fake-gv-camera-0.8")
    void aCameraThatSendsNoTestPacketsIsNoFailure() throws JsonProcessingException {
        try (ChildProcess camera = CameraProcess.aravis(network.host(1), CAMERA, "GV42")) {
            JsonNode path = path();
            assertEquals("WARN", path.get("verdict").asText(), () -> path + camera.output());
            assertTrue(path.get("evidence").asText().endsWith("; a few cameras send none"), path::toString);
        }
    }
}
