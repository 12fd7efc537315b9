package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.Capture;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Events of a camera on one host to the library on another, as the dissectors of Wireshark understand them. Aravis
 * knows no events.
 */
@EnabledIfPeers({"tshark", "iptables"})
@Timeout(120)
class EventCaptureTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int EVENT_DATA_COMMANDS = 2 * EventSessionMain.FRAMES;

    private static final String COMMAND = "gvcp.cmd.command";
    private static final String REQUEST_ID = "gvcp.cmd.req_id";
    private static final String EVENT_ID = "gvcp.cmd.event.devicespecificid";

    @TempDir
    private static Path directory;

    private static final String CAMERA = NetworkNamespace.Cable.CAMERA_ADDRESS;

    private static NetworkNamespace.Cable cable;
    private static Capture capture;
    private static String output;
    private static Capture lossyCapture;
    private static String lossyOutput;
    private static String commandOutput;
    private static List<Map<String, String>> packets;

    @BeforeAll
    static void recordASession() {
        cable = NetworkNamespace.Cable.lay();
        CameraProcess.virtual(cable.camera(), CAMERA, "--serial", "EVENTS1", "--size", "64x32", "--rate", "50");
        try (Capture recording = Capture.start(cable.host(), "host0", directory.resolve("events.pcapng"))) {
            output = cable.host().runJava(LIMIT, EventSessionMain.class, CAMERA);
            recording.end(CAMERA);
            capture = recording;
        }
        dropAcknowledgements("-A");
        try (Capture recording = Capture.start(cable.host(), "host0", directory.resolve("lossy.pcapng"))) {
            lossyOutput = cable.host().runJava(LIMIT, EventSessionMain.class, CAMERA);
            recording.end(CAMERA);
            lossyCapture = recording;
        }
        dropAcknowledgements("-D");
        commandOutput = cable.host()
                .run(
                        LIMIT,
                        CameraProcess.command(
                                "events",
                                CAMERA,
                                "Test",
                                "FrameEnd",
                                "--stream",
                                "--execute",
                                "TestEventGenerate",
                                "--count",
                                "5"));
        readMessages(capture, output);
        readMessages(lossyCapture, lossyOutput);
        packets = capture.decode(
                "gvcp.cmd.command == 0x00c0 || gvcp.cmd.command == 0x00c2"
                        + " || gvcp.ack == 0x00c1 || gvcp.ack == 0x00c3",
                COMMAND,
                REQUEST_ID,
                EVENT_ID);
    }

    /** One of three: of what the host sends only acknowledgements of messages and searches are so short. */
    private static void dropAcknowledgements(String how) {
        cable.host()
                .run(
                        LIMIT,
                        List.of(("iptables " + how + " OUTPUT -p udp -m length --length 36"
                                        + " -m statistic --mode nth --every 3 --packet 0 -j DROP")
                                .split(" ", -1)));
    }

    private static void readMessages(Capture of, String told) {
        told.lines()
                .filter(line -> line.startsWith("messagePort="))
                .map(line -> line.substring("messagePort=".length()))
                .distinct()
                .forEach(port -> of.readAs("gvcp", port));
    }

    @AfterAll
    static void removeNamespaces() {
        cable.close();
    }

    @Test
    void everyEventWasHeard() {
        assertAllHeardOnce(output);
    }

    @Test
    void repeatedEventsAreHeardOnce() {
        assertAllHeardOnce(lossyOutput);
        assertTrue(
                lossyOutput.lines().anyMatch(line -> line.matches("repeated=[1-9]\\d*")),
                "repetitions: " + lossyOutput);
    }

    @Test
    void severalEventsComeInOnePacket() {
        assertTrue(lossyCapture.decode("gvcp.cmd.command == 0x00c0", EVENT_ID).stream()
                .anyMatch(packet -> packet.get(EVENT_ID).contains(",")));
    }

    private static void assertAllHeardOnce(String told) {
        Map<String, Long> heard = told.lines()
                .filter(line -> line.startsWith("event="))
                .collect(Collectors.groupingBy(
                        line -> line.substring("event=".length(), line.indexOf(' ')), Collectors.counting()));
        long frames = 2L * EventSessionMain.FRAMES;
        assertEquals(Map.of("Test", 2L, "FrameStart", frames, "ExposureEnd", frames, "FrameEnd", frames), heard);
        assertEquals(2, told.lines().filter("dropped=0"::equals).count(), told);
    }

    @Test
    void theCommandLineTellsEventsOfTheOtherHostWithTheirFeatures() {
        assertTrue(commandOutput.contains("Test  block 0 "), commandOutput);
        assertTrue(commandOutput.contains("EventFrameEndFrameID="), commandOutput);
        assertTrue(
                commandOutput.lines().anyMatch(line -> line.matches("\\d+ events, \\d+ repeated, 0 dropped")),
                commandOutput);
    }

    @Test
    void everyCommandIsAnsweredByItsId() {
        Map<String, Integer> open = new TreeMap<>();
        for (Map<String, String> packet : packets) {
            open.merge(packet.get(REQUEST_ID), packet.get(COMMAND).isEmpty() ? -1 : 1, Integer::sum);
        }
        open.values().removeIf(count -> count == 0);
        assertEquals(Map.of(), open);
    }

    @Test
    void commandsWithAndWithoutDataAreTold() {
        Map<String, Long> commands = packets.stream()
                .filter(packet -> !packet.get(COMMAND).isEmpty())
                .collect(Collectors.groupingBy(packet -> packet.get(COMMAND), Collectors.counting()));
        // A repetition is no error, only a machine that is busy; and a busy one sends several events at once.
        assertTrue(commands.get("0x00c0") > 0, commands::toString);
        assertTrue(commands.get("0x00c2") >= EVENT_DATA_COMMANDS, commands::toString);
        assertEquals(
                List.of("0x9000", "0x9001", "0x9002", "0x9003"),
                packets.stream()
                        .filter(packet -> !packet.get(COMMAND).isEmpty())
                        .flatMap(packet -> Stream.of(packet.get(EVENT_ID).split(",", -1)))
                        .distinct()
                        .sorted()
                        .toList());
    }

    @Test
    void nothingIsMalformed() {
        assertEquals(List.of(), capture.doubtful("gvcp"));
        assertEquals(List.of(), lossyCapture.doubtful("gvcp"));
    }
}
