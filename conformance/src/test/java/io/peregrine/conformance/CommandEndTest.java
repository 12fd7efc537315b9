package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.Device;
import io.peregrine.recording.Recording;
import io.peregrine.testing.Await;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.Needs;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How the command ends as a process: by signals, by readers that go away, on a full disk. What needs no process of its
 * own is in the tests of the command.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CommandEndTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String HOST = "127.82.0.21";
    private static final Pattern NOT_FOR_USERS = Pattern.compile(
            "\\b(java|io|org|com|picocli)(\\.\\w+)*\\.[A-Z]\\w+|\\b[A-Z]\\w*(Exception|Error)\\b|\\tat ");

    @TempDir
    private Path directory;

    private VirtualCamera camera;
    private String address;

    @BeforeEach
    void start() {
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress(HOST)
                .port(0)
                .size(64, 64)
                .frameRate(100)
                .listenForBroadcast(false)
                .build());
        address = HOST + ":" + camera.address().getPort();
    }

    @AfterEach
    void stop() {
        camera.close();
    }

    private List<String> command(String line) {
        return CameraProcess.command(line.replace("CAM", address)
                .replace("DIR", directory.toString())
                .split(" ", -1));
    }

    /** Runs a script of the shell in which "$@" is the command. */
    private ChildProcess shell(String script, String line) {
        List<String> all = new ArrayList<>(List.of("bash", "-c", script, "bash"));
        all.addAll(command(line));
        return ChildProcess.start(all);
    }

    private static void assertPlainWords(ChildProcess child) {
        assertFalse(NOT_FOR_USERS.matcher(child.output()).find(), child::toString);
    }

    // ---- Readers

    @ParameterizedTest
    @CsvSource({
        "info CAM, DeviceVendor               Peregrine",
        "events CAM ExposureEnd --stream, ExposureEnd  block 1  .*",
        "xml CAM, <\\?xml version.*"
    })
    void aCommandEndsQuietlyWhenItsReaderIsGone(String line, String first) {
        try (ChildProcess child = shell("\"$@\" | head -1; echo \"exit ${PIPESTATUS[0]}\"", line)) {
            String output = child.succeeds(LIMIT);
            assertTrue(output.matches(first + "\nexit 141"), output);
        }
        assertTrue(camera.controller().isEmpty());
    }

    @Test
    void aFullDiskBehindTheOutputIsReported() {
        try (ChildProcess child = shell("\"$@\" >/dev/full", "get CAM Width")) {
            assertEquals(1, child.awaitEnd(LIMIT), child::toString);
            assertEquals("peregrine: the output cannot be written: No space left on device", child.output());
        }
    }

    // ---- Signals

    private void awaitWork(ChildProcess child, String sign) {
        if (sign.equals("streaming")) {
            Await.until("sign of streaming", LIMIT, camera::streaming, child::toString);
        } else {
            child.awaitLine(sign, LIMIT, line -> line.startsWith(sign));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "stream CAM --frames 0                            | streaming | frames complete",
                "record CAM DIR/run.pgr                           | streaming | frames recorded",
                "events CAM Test --execute TestEventGenerate      | Test      | 1 events, 0 repeated, 0 dropped",
                "camera --bind 127.82.0.22 --port 0               | ready     | ready 127.82.0.22",
                "replay DIR/run.gendc --loop --list --rate 50     | Composite | frames complete"
            })
    void aCommandThatIsTerminatedEndsInOrder(String line, String sign, String result) throws Exception {
        if (line.startsWith("replay")) {
            record();
        }
        try (ChildProcess child = ChildProcess.start(command(line))) {
            awaitWork(child, sign);
            child.terminate();
            assertEquals(143, child.awaitEnd(LIMIT), child::toString);
            assertTrue(child.output().contains(result), child::toString);
            assertPlainWords(child);
        }
        assertTrue(camera.controller().isEmpty());
        assertFalse(camera.streaming());
    }

    private void record() throws Exception {
        ChildProcess.runToEnd(LIMIT, command("record CAM DIR/frames --directory --count 1"));
        Files.copy(directory.resolve("frames/frame-0000000000.gendc"), directory.resolve("run.gendc"));
    }

    /** A JVM ignores what whoever started it ignores, as background jobs of scripts do. */
    @Test
    void theInterruptKeyEndsACommandInOrder() {
        try (ChildProcess child = shell("exec env --default-signal=INT \"$@\"", "stream CAM --frames 0")) {
            awaitWork(child, "streaming");
            child.interrupt();
            assertEquals(130, child.awaitEnd(LIMIT), child::toString);
            assertTrue(child.output().contains("frames complete"), child::toString);
            assertPlainWords(child);
        }
    }

    @Test
    void eventsThatIsTerminatedLeavesTheCameraAsItWas() {
        try (Device device = Loopback.open(camera)) {
            device.events().enable("FrameStart");
            device.nodes().enumeration("EventSelector").set("FrameEnd");
        }
        try (ChildProcess child =
                ChildProcess.start(command("events CAM Test FrameStart --execute TestEventGenerate"))) {
            awaitWork(child, "Test");
            child.terminate();
            assertEquals(143, child.awaitEnd(LIMIT), child::toString);
        }
        try (Device device = Loopback.open(camera)) {
            assertEquals("FrameEnd", device.nodes().enumeration("EventSelector").value());
            assertEquals("Off", notification(device, "Test"));
            assertEquals("On", notification(device, "FrameStart"));
        }
    }

    private static String notification(Device device, String event) {
        device.nodes().enumeration("EventSelector").set(event);
        return device.nodes().enumeration("EventNotification").value();
    }

    // ---- The rest of the world

    @Test
    void aFullDiskEndsARecordingWhichCanBeReadUntilThen() {
        Needs.that("root".equals(System.getProperty("user.name")), "root, to mount a small file system");
        String script = "mount -t tmpfs -o size=1m none \"$0\" && { \"$@\"; status=$?; cp \"$0\"/run.pgr \"$0\".pgr;"
                + " exit $status; }";
        Path disk = directory.resolve("disk");
        assertTrue(disk.toFile().mkdir());
        List<String> all = new ArrayList<>(List.of("unshare", "-m", "bash", "-c", script, disk.toString()));
        all.addAll(command("record CAM DIR/disk/run.pgr"));
        try (ChildProcess child = ChildProcess.start(all)) {
            assertEquals(1, child.awaitEnd(LIMIT), child::toString);
            assertTrue(
                    child.output().contains("frames: No space left on device. What was written until then can be read"),
                    child::toString);
            assertPlainWords(child);
        }
        try (Recording recording = Recording.open(directory.resolve("disk.pgr"))) {
            assertTrue(recording.frameCount() > 0);
        }
    }

    @Test
    void progressIsShownOnATerminal() {
        Needs.that(Files.isExecutable(Path.of("/usr/bin/script")), "script, which makes a terminal");
        List<String> words = command("record CAM DIR/run.pgr --count 50");
        String line = "'" + String.join("' '", words) + "'";
        try (ChildProcess child = ChildProcess.start(List.of("script", "-qec", line, "/dev/null"))) {
            String output = child.succeeds(LIMIT);
            assertTrue(output.contains("100%") && output.contains("50/50 frames"), output);
            assertTrue(output.contains("frames recorded              50"), output);
        }
    }

    @Test
    void aMisspeltSettingIsOneLineOnTheErrorOutput() {
        try (ChildProcess child =
                shell("PEREGRINE_DISCOVERY_ADRESSES=10.0.0.1 \"$@\" 2>&1 >/dev/null", "get CAM Width")) {
            assertEquals(
                    "peregrine: The environment variable PEREGRINE_DISCOVERY_ADRESSES is no setting and has no effect."
                            + " Did you mean PEREGRINE_DISCOVERY_ADDRESSES?",
                    child.succeeds(LIMIT));
        }
    }
}
