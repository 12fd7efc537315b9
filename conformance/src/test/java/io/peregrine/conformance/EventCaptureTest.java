package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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
    /** A packet to this port marks the end of the session. */
    private static final int END_PORT = 9;

    /** One test event and three events of each frame, with heads of both forms. */
    private static final int EVENT_COMMANDS = 2 * (1 + 2 * EventSessionMain.FRAMES);

    private static final int EVENT_DATA_COMMANDS = 2 * EventSessionMain.FRAMES;

    @TempDir
    private static Path directory;

    private static NetworkNamespace namespace;
    private static Path capture;
    private static String output;
    private static List<String[]> packets;

    @BeforeAll
    static void recordASession() {
        namespace = NetworkNamespace.withLoopback();
        capture = directory.resolve("events.pcapng");
        try (ChildProcess tshark =
                namespace.start("tshark", "-i", "lo", "-B", "64", "-P", "-l", "-w", capture.toString())) {
            tshark.awaitLine("start of the capture", LIMIT, line -> line.contains("Capture started"));
            output = namespace.run(
                    LIMIT,
                    ChildProcess.java(
                            List.of(
                                    "-Dperegrine.discovery.addresses=127.0.0.1",
                                    "-Dperegrine.discovery.broadcast=false"),
                            EventSessionMain.class.getName(),
                            List.of()));
            namespace.run(LIMIT, "bash", "-c", "echo end > /dev/udp/127.0.0.1/" + END_PORT);
            tshark.awaitLine("end of the session", LIMIT, line -> line.matches(".* " + END_PORT + " Len=\\d+.*"));
            tshark.interrupt();
            tshark.awaitEnd(LIMIT);
        }
        packets = decode(
                "gvcp.cmd.command == 0x00c0 || gvcp.cmd.command == 0x00c2"
                        + " || gvcp.ack == 0x00c1 || gvcp.ack == 0x00c3",
                "gvcp.cmd.command",
                "gvcp.cmd.req_id",
                "gvcp.cmd.event.devicespecificid");
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
        for (String[] packet : packets) {
            open.merge(packet[1], packet[0].isEmpty() ? -1 : 1, Integer::sum);
        }
        open.values().removeIf(count -> count == 0);
        assertEquals(Map.of(), open);
    }

    @Test
    void commandsWithAndWithoutDataAreTold() {
        Map<String, Long> commands = packets.stream()
                .filter(packet -> !packet[0].isEmpty())
                .collect(Collectors.groupingBy(packet -> packet[0], Collectors.counting()));
        // A repetition is no error, only a machine that is busy.
        assertTrue(commands.get("0x00c0") >= EVENT_COMMANDS, commands::toString);
        assertTrue(commands.get("0x00c2") >= EVENT_DATA_COMMANDS, commands::toString);
        assertEquals(
                List.of("0x9000", "0x9001", "0x9002", "0x9003"),
                packets.stream()
                        .filter(packet -> !packet[0].isEmpty())
                        .map(packet -> packet[2])
                        .distinct()
                        .sorted()
                        .toList());
    }

    @Test
    void nothingIsMalformed() {
        assertEquals(
                List.of(),
                decode(
                                "gvcp && (_ws.malformed || _ws.expert.severity >= 0x600000)",
                                "frame.number",
                                "_ws.expert.message")
                        .stream()
                        .map(List::of)
                        .toList());
    }

    private static List<String[]> decode(String filter, String... fields) {
        List<String> command =
                new ArrayList<>(List.of("tshark", "-r", capture.toString(), "-Y", filter, "-T", "fields"));
        output.lines()
                .filter(line -> line.startsWith("messagePort="))
                .map(line -> line.substring("messagePort=".length()))
                .distinct()
                .forEach(port -> command.addAll(List.of("-d", "udp.port==" + port + ",gvcp")));
        command.addAll(List.of("-E", "separator=|"));
        for (String field : fields) {
            command.addAll(List.of("-e", field));
        }
        return namespace
                .run(LIMIT, command)
                .lines()
                .filter(line -> line.contains("|") && !line.startsWith(" "))
                .map(line -> line.split("\\|", -1))
                .toList();
    }
}
