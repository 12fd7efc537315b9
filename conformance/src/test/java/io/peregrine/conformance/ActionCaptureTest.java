package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.samples.SynchronisedStart;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Actions by broadcast from one host to two cameras on another, and what the dissectors of Wireshark make of them. Aravis
 * knows no actions.
 */
@EnabledIfPeers("tshark")
@Timeout(180)
class ActionCaptureTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int END_PORT = 9;
    private static final String FIRST = NetworkNamespace.Cable.CAMERA_ADDRESS;
    private static final String SECOND = "10.77.0.3";
    /** Five of the session, one of the command line, two of the sample. */
    private static final int BROADCASTS = 8;

    @TempDir
    private static Path directory;

    private static NetworkNamespace.Cable cable;
    private static Path capture;
    private static String output;
    private static String commandOutput;
    private static String sampleOutput;

    @BeforeAll
    static void recordASession() {
        cable = NetworkNamespace.Cable.lay();
        cable.camera().run(LIMIT, "ip", "addr", "add", SECOND + "/24", "brd", "+", "dev", "cam0");
        CameraProcess.virtual(cable.camera(), FIRST, "--size", "64x32");
        CameraProcess.virtual(cable.camera(), SECOND, "--size", "64x32");
        capture = directory.resolve("actions.pcapng");
        try (ChildProcess tshark =
                cable.host().start("tshark", "-i", "host0", "-B", "64", "-P", "-l", "-w", capture.toString())) {
            tshark.awaitLine("start of the capture", LIMIT, line -> line.contains("Capture started"));
            output = cable.host().runJava(LIMIT, ActionSessionMain.class, "host0", FIRST, SECOND);
            commandOutput = cable.host()
                    .run(
                            LIMIT,
                            CameraProcess.command(
                                    "action",
                                    "--broadcast",
                                    "host0",
                                    "--device-key",
                                    String.valueOf(ActionSessionMain.DEVICE_KEY),
                                    "--group-key",
                                    String.valueOf(ActionSessionMain.GROUP_KEY)));
            sampleOutput = cable.host().runJava(LIMIT, SynchronisedStart.class, "2", "host0");
            cable.host().run(LIMIT, "bash", "-c", "echo end > /dev/udp/" + FIRST + "/" + END_PORT);
            tshark.awaitLine("end of the session", LIMIT, line -> line.matches(".* " + END_PORT + " Len=\\d+.*"));
            tshark.interrupt();
            tshark.awaitEnd(LIMIT);
        }
    }

    @AfterAll
    static void removeNamespaces() {
        cable.close();
    }

    private static List<String> lines(String start) {
        return output.lines().filter(line -> line.startsWith(start)).toList();
    }

    private static List<String[]> decode(String filter, String... fields) {
        List<String> command = new ArrayList<>(
                List.of("tshark", "-r", capture.toString(), "-Y", filter, "-T", "fields", "-E", "separator=|"));
        for (String field : fields) {
            command.addAll(List.of("-e", field));
        }
        return cable.host()
                .run(LIMIT, command)
                .lines()
                .filter(line -> line.contains("|") && !line.startsWith(" "))
                .map(line -> line.split("\\|", -1))
                .toList();
    }

    @Test
    void aBroadcastReachesBothCameras() {
        assertEquals(List.of("now=" + FIRST + " SUCCESS", "now=" + SECOND + " SUCCESS"), lines("now="), output);
    }

    @Test
    void aBroadcastTriggersAFrameOfEach() {
        assertEquals(List.of("frame now", "frame now"), lines("frame now"), output);
    }

    @Test
    void clocksOnAnotherHostFollowTheirMaster() {
        assertEquals(List.of("clock=SLAVE", "clock=SLAVE"), lines("clock="), output);
    }

    @Test
    void aScheduledActionIsExecutedAtItsTime() {
        assertEquals(
                List.of("planned=" + FIRST + " SUCCESS", "planned=" + SECOND + " SUCCESS"), lines("planned="), output);
        assertEquals(List.of("frame planned", "frame planned"), lines("frame planned"), output);
    }

    @Test
    void aLateActionIsSaidToBe() {
        assertEquals(List.of("late=" + FIRST + " ACTION_LATE", "late=" + SECOND + " ACTION_LATE"), lines("late="));
    }

    @Test
    void onlyThoseWhoAreMeantAnswer() {
        assertEquals(List.of("one=" + SECOND + " SUCCESS"), lines("one="), output);
        assertEquals(List.of(), lines("nobody="), output);
    }

    @Test
    void theSampleTakesFramesTogether() {
        assertEquals(
                2,
                sampleOutput
                        .lines()
                        .filter(line -> line.startsWith("2 frames, the first "))
                        .count(),
                sampleOutput);
        assertTrue(sampleOutput.contains("largest skew "), sampleOutput);
    }

    @Test
    void theCommandLineReachesBothCameras() {
        assertTrue(commandOutput.contains(FIRST + ":3956  SUCCESS"), commandOutput);
        assertTrue(commandOutput.contains(SECOND + ":3956  SUCCESS"), commandOutput);
    }

    @Test
    void wiresharkReadsTheSameFromTheCommands() {
        List<String> commands = decode(
                        "gvcp.cmd.command == 0x0100",
                        "ip.dst",
                        "gvcp.cmd.action.devicekey",
                        "gvcp.cmd.action.groupkey",
                        "gvcp.cmd.action.groupmask",
                        "gvcp.cmd.flag.scheduledactioncommand")
                .stream()
                .map(fields -> String.join(" ", fields))
                .toList();
        assertEquals(BROADCASTS, commands.size(), commands::toString);
        assertTrue(
                commands.get(0).matches("10\\.77\\.0\\.255 0x000a11ce 0x0000005a 0x00000003 (0|False)"),
                commands.get(0));
        assertTrue(
                commands.get(1).matches("10\\.77\\.0\\.255 0x000a11ce 0x0000005a 0x00000003 (1|True)"),
                commands.get(1));
    }

    @Test
    void wiresharkReadsTheTimeOfAScheduledAction() {
        List<String> times =
                decode("gvcp.cmd.command == 0x0100 && gvcp.cmd.action.time", "gvcp.cmd.action.time", "ip.dst").stream()
                        .map(fields -> fields[0])
                        .toList();
        assertEquals(4, times.size(), times::toString);
        assertEquals(1, Long.decode(times.get(1)), times::toString);
    }

    @Test
    void everyAnswerDecodes() {
        List<String> answers = decode("gvcp.ack == 0x0101", "gvcp.cmd.status", "ip.src").stream()
                .map(fields -> fields[0])
                .collect(Collectors.toList());
        // Two each at once, planned, late, by the command line and twice by the sample; one of the one meant alone.
        assertEquals(13, answers.size(), answers::toString);
        assertTrue(answers.stream().filter("0x8016"::equals).count() >= 2, answers::toString);
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
}
