package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.samples.SynchronisedStart;
import io.peregrine.testing.Capture;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Actions from one host to cameras on another, their clocks, and what the dissectors of Wireshark make of it. Aravis
 * knows no actions; of the clocks it has the features.
 */
@EnabledIfPeers({"arv-tool-0.8", "tshark"})
@Timeout(180)
class ActionCaptureTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String FIRST = NetworkNamespace.Cable.CAMERA_ADDRESS;
    private static final String SECOND = "10.77.0.3";
    private static final List<String> CAMERAS = List.of(FIRST, SECOND, "10.77.0.4", "10.77.0.5");
    /** Five of the session, one of the command line, two of the sample. */
    private static final int BROADCASTS = 8;

    @TempDir
    private static Path directory;

    private static NetworkNamespace.Cable cable;
    private static Capture capture;
    private static String output;
    private static String commandOutput;
    private static String ptpOutput;
    private static String aravisOutput;
    private static String sampleOutput;

    @BeforeAll
    static void recordASession() {
        cable = NetworkNamespace.Cable.lay();
        for (String address : CAMERAS.subList(1, CAMERAS.size())) {
            cable.camera().run(LIMIT, "ip", "addr", "add", address + "/24", "brd", "+", "dev", "cam0");
        }
        CAMERAS.forEach(address -> CameraProcess.virtual(cable.camera(), address, "--size", "64x32"));
        try (Capture recording = Capture.start(cable.host(), "host0", directory.resolve("actions.pcapng"))) {
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
            ptpOutput =
                    cable.host().run(LIMIT, CameraProcess.command("ptp", FIRST, "--enable", "--wait", "30", "--json"));
            aravisOutput = cable.host()
                    .run(
                            LIMIT,
                            "arv-tool-0.8",
                            "-a",
                            FIRST,
                            "control",
                            "PtpEnable",
                            "PtpDataSetLatch",
                            "PtpStatus",
                            "TimestampLatch",
                            "TimestampLatchValue");
            sampleOutput = cable.host().runJava(LIMIT, SynchronisedStart.class, "2", "host0");
            recording.end(FIRST);
            capture = recording;
        }
    }

    @AfterAll
    static void removeNamespaces() {
        cable.close();
    }

    private static List<String> lines(String start) {
        return output.lines().filter(line -> line.startsWith(start)).toList();
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
    void whoeverIsNamedActsToo() {
        assertEquals(List.of("unicast=" + FIRST + " SUCCESS", "unicast=" + SECOND + " SUCCESS"), lines("unicast="));
        assertEquals(List.of("frame unicast", "frame unicast"), lines("frame unicast"), output);
    }

    @Test
    void whatALatchIsByTheClockOfTheHostLiesWithinItsBounds() {
        assertEquals(List.of("latch within its bounds", "latch within its bounds"), lines("latch"), output);
    }

    @Test
    void aClockStartsAnewWhenItIsReset() {
        assertEquals(List.of("reset to the start", "reset to the start"), lines("reset"), output);
    }

    @Test
    void theCommandLineTellsTheStateOfTheClock() {
        assertTrue(ptpOutput.contains("SLAVE"), ptpOutput);
        assertTrue(ptpOutput.contains("offsetNanos"), ptpOutput);
    }

    @Test
    void aravisReadsTheClockByItsFeatures() {
        assertTrue(aravisOutput.contains("PtpEnable = true"), aravisOutput);
        assertTrue(aravisOutput.contains("PtpStatus = Slave"), aravisOutput);
        // Seconds since 1970, ten digits until 2286, and nanoseconds.
        assertTrue(
                aravisOutput.lines().anyMatch(line -> line.matches("TimestampLatchValue = \\d{19}( .*)?")),
                aravisOutput);
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
                        .filter(line -> line.startsWith("4 frames, the first "))
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
        String[] fields = {
            "ip.dst",
            "gvcp.cmd.action.devicekey",
            "gvcp.cmd.action.groupkey",
            "gvcp.cmd.action.groupmask",
            "gvcp.cmd.flag.scheduledactioncommand"
        };
        List<String> commands = capture.decode("gvcp.cmd.command == 0x0100 && ip.dst == 10.77.0.255", fields).stream()
                .map(packet -> Stream.of(fields).map(packet::get).collect(Collectors.joining(" ")))
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
                capture.decode("gvcp.cmd.command == 0x0100 && gvcp.cmd.action.time", "gvcp.cmd.action.time").stream()
                        .map(packet -> packet.get("gvcp.cmd.action.time"))
                        .toList();
        assertEquals(4, times.size(), times::toString);
        assertEquals(1, Long.decode(times.get(1)), times::toString);
    }

    @Test
    void everyAnswerDecodes() {
        List<String> answers = capture.decode("gvcp.ack == 0x0101", "gvcp.cmd.status").stream()
                .map(packet -> packet.get("gvcp.cmd.status"))
                .toList();
        // Two each at once, one by one, planned, late and by the command line, four twice by the sample; one alone.
        assertEquals(19, answers.size(), answers::toString);
        assertTrue(answers.stream().filter("0x8016"::equals).count() >= 2, answers::toString);
    }

    @Test
    void nothingIsMalformed() {
        assertEquals(List.of(), capture.doubtful("gvcp"));
    }
}
