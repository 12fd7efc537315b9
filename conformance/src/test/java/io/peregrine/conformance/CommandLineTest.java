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
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The command of the project with Aravis' fake camera. */
@EnabledIfPeers("arv-fake-gv-camera-0.8")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CommandLineTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String ADDRESS = "127.0.0.1";

    private NetworkNamespace namespace;

    @BeforeEach
    void startCamera() {
        namespace = NetworkNamespace.withLoopback();
        CameraProcess.aravis(namespace, ADDRESS, "GV42");
    }

    @AfterEach
    void removeNamespace() {
        namespace.close();
    }

    @Test
    void listFindsTheCameraByAddressAndByInterface() throws JsonProcessingException {
        for (List<String> where : List.of(List.of("--address", ADDRESS), List.of("--interface", "lo"))) {
            JsonNode found = json(CameraProcess.command("list", "--json", where.get(0), where.get(1)));
            assertEquals(1, found.size(), found::toString);
            assertTrue(found.toString().contains("\"GV42\""), found::toString);
        }
    }

    @Test
    void setChangesWhatGetReads() throws JsonProcessingException {
        run(CameraProcess.command("set", ADDRESS, "Width=320", "PixelFormat=Mono16", "AcquisitionFrameRate=40"));
        JsonNode values =
                json(CameraProcess.command("get", "--json", ADDRESS, "Width", "PixelFormat", "AcquisitionFrameRate"));
        assertEquals("320", values.get("Width").asText());
        assertEquals("Mono16", values.get("PixelFormat").asText());
        assertEquals(40, values.get("AcquisitionFrameRate").asDouble());
    }

    @Test
    void streamEndsWithItsCounters() throws JsonProcessingException {
        JsonNode result = json(CameraProcess.command(
                "stream",
                "--json",
                "--verify",
                ADDRESS,
                "--frames",
                "50",
                "--set",
                "Width=320",
                "--set",
                "Height=240"));
        assertEquals(50, result.get("framesComplete").asInt(), result::toString);
        assertEquals(0, result.get("framesIncomplete").asInt(), result::toString);
        assertEquals(0, result.get("badBytes").asLong(), result::toString);
        assertEquals(50 * 320 * 240, result.get("payloadBytes").asInt(), result::toString);
    }

    @Test
    void aWrongFeatureFailsWithItsName() {
        try (ChildProcess command = namespace.start(CameraProcess.command("set", ADDRESS, "Width=1000000"))) {
            assertEquals(1, command.awaitEnd(LIMIT), command::output);
            assertTrue(command.output().contains("Width"), command::output);
        }
    }

    private String run(List<String> command) {
        return namespace.run(LIMIT, command);
    }

    private JsonNode json(List<String> command) throws JsonProcessingException {
        // What it says on the error output comes first.
        return new ObjectMapper().readTree(run(command).replaceAll("(?m)^peregrine: .*\\R", ""));
    }
}
