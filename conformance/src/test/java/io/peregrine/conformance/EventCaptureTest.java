package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Events between virtual camera and library, as the dissectors of Wireshark understand them. */
@EnabledIfPeers("tshark")
@Timeout(120)
class EventCaptureTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** One test event and three events of each frame, with heads of both forms. */
    private static final int EVENT_COMMANDS = 2 * (1 + 2 * EventSessionMain.FRAMES);

    private static final int EVENT_DATA_COMMANDS = 2 * EventSessionMain.FRAMES;

    private static final String COMMAND = "gvcp.cmd.command";
    private static final String REQUEST_ID = "gvcp.cmd.req_id";
    private static final String EVENT_ID = "gvcp.cmd.event.devicespecificid";

    @TempDir
    private static Path directory;

    private static NetworkNamespace namespace;
    private static Capture capture;
    private static String output;
    private static List<Map<String, String>> packets;

    @BeforeAll
    static void recordASession() {
        namespace = NetworkNamespace.withLoopback();
        try (Capture recording = Capture.start(namespace, "lo", directory.resolve("events.pcapng"))) {
            output = namespace.run(
                    LIMIT,
                    ChildProcess.java(
                            List.of(
                                    "-Dperegrine.discovery.addresses=127.0.0.1",
                                    "-Dperegrine.discovery.broadcast=false"),
                            EventSessionMain.class.getName(),
                            List.of()));
            recording.end("127.0.0.1");
            capture = recording;
        }
        output.lines()
                .filter(line -> line.startsWith("messagePort="))
                .map(line -> line.substring("messagePort=".length()))
                .distinct()
                .forEach(port -> capture.readAs("gvcp", port));
        packets = capture.decode(
                "gvcp.cmd.command == 0x00c0 || gvcp.cmd.command == 0x00c2"
                        + " || gvcp.ack == 0x00c1 || gvcp.ack == 0x00c3",
                COMMAND,
                REQUEST_ID,
                EVENT_ID);
    }

    @AfterAll
    static void removeNamespace() {
        namespace.close();
    }

    @Test
    void everyEventWasHeard() {
        Map<String, Long> heard = output.lines()
                .filter(line -> line.startsWith("event="))
                .collect(Collectors.groupingBy(
                        line -> line.substring("event=".length(), line.indexOf(' ')), Collectors.counting()));
        long frames = 2L * EventSessionMain.FRAMES;
        assertEquals(Map.of("Test", 2L, "FrameStart", frames, "ExposureEnd", frames, "FrameEnd", frames), heard);
        assertTrue(output.contains("lost=0"), output);
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
        // A repetition is no error, only a machine that is busy.
        assertTrue(commands.get("0x00c0") >= EVENT_COMMANDS, commands::toString);
        assertTrue(commands.get("0x00c2") >= EVENT_DATA_COMMANDS, commands::toString);
        assertEquals(
                List.of("0x9000", "0x9001", "0x9002", "0x9003"),
                packets.stream()
                        .filter(packet -> !packet.get(COMMAND).isEmpty())
                        .map(packet -> packet.get(EVENT_ID))
                        .distinct()
                        .sorted()
                        .toList());
    }

    @Test
    void nothingIsMalformed() {
        assertEquals(List.of(), capture.doubtful("gvcp"));
    }
}
