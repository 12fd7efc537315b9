package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.samples.LightingController;
import io.peregrine.testing.Capture;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A device declared in code, with events and frames, on another host, as the dissectors of Wireshark understand it. */
@EnabledIfPeers("tshark")
@Timeout(120)
class OwnDeviceCaptureTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String ADDRESS = NetworkNamespace.Cable.CAMERA_ADDRESS;

    @TempDir
    private static Path directory;

    private static NetworkNamespace.Cable cable;
    private static Capture capture;
    private static String output;

    @BeforeAll
    static void recordASession() {
        cable = NetworkNamespace.Cable.lay();
        ChildProcess controller = cable.camera().startJava(LightingController.class, ADDRESS);
        controller.awaitLine("address of the device", LIMIT, line -> line.contains(ADDRESS + ":"));
        try (Capture recording = Capture.start(cable.host(), "host0", directory.resolve("own.pcapng"))) {
            output = cable.host().runJava(LIMIT, OwnDeviceSessionMain.class, ADDRESS);
            recording.end(ADDRESS);
            capture = recording;
        }
        output.lines()
                .filter(line -> line.startsWith("streamPort="))
                .forEach(line -> capture.readAs("gvsp", line.substring("streamPort=".length())));
        messagePorts().forEach(port -> capture.readAs("gvcp", port));
    }

    /** Where the application wanted to hear events. */
    private static Set<String> messagePorts() {
        return capture.decode("gvcp.cmd.command == 0x0082", "gvcp.bootstrap.mcp.hostport").stream()
                .map(packet -> packet.get("gvcp.bootstrap.mcp.hostport"))
                .filter(port -> !port.isEmpty() && !port.equals("0"))
                .collect(Collectors.toSet());
    }

    @AfterAll
    static void removeNamespaces() {
        cable.close();
    }

    @Test
    void everyFlashWasHeardWithItsNumber() {
        assertEquals(
                List.of("event=LightFlash 1", "event=LightFlash 2", "event=LightFlash 3"),
                output.lines().filter(line -> line.startsWith("event=")).toList(),
                output);
    }

    @Test
    void everyByteOfTheFramesArrived() {
        assertTrue(output.contains("whole=" + OwnDeviceSessionMain.FRAMES), output);
        assertTrue(output.contains("bad=0"), output);
    }

    @Test
    void eventsAreCommandsWithData() {
        List<Map<String, String>> events =
                capture.decode("gvcp.cmd.command == 0x00c2", "gvcp.cmd.event.devicespecificid");
        // A repetition is no error, only a machine that is busy.
        assertTrue(events.size() >= 3, events::toString);
        assertEquals(Set.of(Map.of("gvcp.cmd.event.devicespecificid", "0x9000")), Set.copyOf(events));
    }

    @Test
    void leadersTellTheFormat() {
        Set<Map<String, String>> leaders = Set.copyOf(
                capture.decode("gvsp.format == 1", "gvsp.payloadtype", "gvsp.pixel", "gvsp.sizex", "gvsp.sizey"));
        assertEquals(
                Set.of(Map.of(
                        "gvsp.payloadtype", "0x0001",
                        "gvsp.pixel", "0x01080001",
                        "gvsp.sizex", "64",
                        "gvsp.sizey", "48")),
                leaders);
    }

    @Test
    void nothingIsMalformed() {
        List<Map<String, String>> packets = capture.decode("gvcp || gvsp");
        assertTrue(packets.size() > 100, () -> packets.size() + " packets");
        assertEquals(List.of(), capture.doubtful("(gvcp || gvsp)"));
    }
}
