package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.Device;
import io.peregrine.testing.Await;
import io.peregrine.testing.ChildProcess;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ten lines of README.md, compiled and run: whatever goes wrong, the program says so and fails. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ReadmeProgramTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Pattern UNCAUGHT =
            Pattern.compile("Exception in thread \"main\" io\\.peregrine\\.device\\.(Device\\w*Exception): (.*)");
    private static final String ABSENT = "127.83.0.9:13958";

    @TempDir
    private Path directory;

    private ReadmeProgram program() {
        return ReadmeProgram.compile(directory, ReadmeProgram.lines());
    }

    private static VirtualCamera camera(String address) {
        return VirtualCamera.start(Scenario.builder()
                .bindAddress(address)
                .port(0)
                .size(64, 64)
                .frameRate(50)
                .build());
    }

    private static void awaitFrame(ChildProcess program) {
        program.awaitLine("item of a frame", LIMIT, line -> line.contains("Item["));
    }

    /** The one sentence that a program ends with that fails. */
    private static String complaint(ChildProcess program, String exception) {
        assertNotEquals(0, program.awaitEnd(LIMIT), program::toString);
        List<Matcher> uncaught = program.output()
                .lines()
                .map(UNCAUGHT::matcher)
                .filter(Matcher::matches)
                .toList();
        assertEquals(1, uncaught.size(), program::toString);
        assertEquals(exception, uncaught.get(0).group(1));
        String sentence = uncaught.get(0).group(2);
        assertTrue(Character.isUpperCase(sentence.charAt(0)) || Character.isDigit(sentence.charAt(0)), sentence);
        assertFalse(sentence.contains("io.peregrine") || sentence.contains(". "), sentence);
        return sentence;
    }

    @Test
    void printsItemsUntilItIsTerminated() {
        try (VirtualCamera camera = camera("127.83.0.1");
                ChildProcess program = program().start(Loopback.name(camera))) {
            awaitFrame(program);
            program.terminate();
            program.awaitEnd(LIMIT);
            Await.until("end of the control", LIMIT, () -> camera.controller().isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "software"})
    void failsWhenItsCameraIsKilled(String rdma) {
        try (ChildProcess camera = ChildProcess.start(CameraProcess.virtualCommand(
                "127.83.0.2", "--port", "0", "--rate", "50", "--size", "64x64", "--rdma=" + rdma))) {
            Matcher name = Pattern.compile("127\\.83\\.0\\.2:\\d+")
                    .matcher(camera.awaitLine("address of the camera", LIMIT, line -> line.contains("127.83.0.2:")));
            assertTrue(name.find());
            try (ChildProcess program = program().start(name.group())) {
                awaitFrame(program);
                camera.kill();
                String sentence = complaint(program, "DeviceLostException");
                assertTrue(
                        sentence.startsWith("The stream failed: " + name.group() + " was lost: no answer"), sentence);
                assertTrue(sentence.contains("open it again"), sentence);
            }
        }
    }

    @Test
    void failsWithoutACamera() {
        try (ChildProcess program = program().start(ABSENT)) {
            String sentence = complaint(program, "DeviceNotFoundException");
            assertTrue(
                    sentence.startsWith("No camera answered within 2000 ms when asked directly at " + ABSENT),
                    sentence);
            assertTrue(sentence.contains("firewall") && sentence.contains("./peregrine doctor"), sentence);
        }
    }

    @Test
    void failsWhenAnotherProgramHasTheCamera() {
        try (VirtualCamera camera = camera("127.83.0.3");
                Device holder = Loopback.open(camera);
                ChildProcess program = program().start(Loopback.name(camera))) {
            String sentence = complaint(program, "DeviceAccessDeniedException");
            assertTrue(
                    sentence.contains(" is controlled by another program on this host, "
                            + holder.control()
                                    .primaryApplication()
                                    .orElseThrow()
                                    .toString()
                                    .substring(1) + ": end that program"),
                    sentence);
        }
    }

    @Test
    void failsWhenTheStartIsForgotten() {
        String start = "    stream.start();\n";
        String lines = ReadmeProgram.lines();
        assertTrue(lines.contains(start), lines);
        try (VirtualCamera camera = camera("127.83.0.4");
                ChildProcess program = ReadmeProgram.compile(directory, lines.replace(start, ""))
                        .start(Loopback.name(camera))) {
            assertEquals(
                    "The stream was never started: call start() before taking composites from it",
                    complaint(program, "DeviceException"));
            assertTrue(camera.controller().isEmpty());
        }
    }

    @Test
    void failsWhenItIsInterruptedAndLeavesTheCameraInOrder() {
        try (VirtualCamera camera = camera("127.83.0.5");
                ChildProcess program =
                        program().start(Loopback.name(camera), Optional.of(InterruptedAtFirstLineMain.class))) {
            String sentence = complaint(program, "DeviceException");
            assertTrue(sentence.startsWith("The thread was interrupted while it waited for a composite: "), sentence);
            assertTrue(camera.controller().isEmpty());
            assertFalse(camera.streaming());
        }
    }
}
