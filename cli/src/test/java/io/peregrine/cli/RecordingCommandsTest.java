package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Recording a virtual camera and replaying it, from the command line. */
@ExpectedWarning("bytes at its end are skipped")
@Timeout(60)
class RecordingCommandsTest {
    @TempDir
    private Path directory;

    private Path file;
    private Cli recorded;

    @BeforeEach
    void record() {
        file = directory.resolve("run.pgr");
        recorded = record(file, "--frames", "5", "--json");
        assertEquals(0, recorded.exitCode(), recorded.out() + recorded.err());
    }

    private static Cli record(Path target, String... options) {
        return record(false, target, options);
    }

    private static Cli record(boolean terminal, Path target, String... options) {
        try (VirtualCamera camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.42.0.1")
                .serial("CLI-REC")
                .size(32, 8)
                .frameRate(200)
                .build())) {
            String address = camera.address().getAddress().getHostAddress() + ":"
                    + camera.address().getPort();
            String[] arguments = Arrays.copyOf(new String[] {"record", address, target.toString()}, 3 + options.length);
            System.arraycopy(options, 0, arguments, 3, options.length);
            return terminal ? Cli.runAtTerminal(arguments) : Cli.run(arguments);
        }
    }

    @Test
    void recordTellsWhatItRecorded() {
        assertEquals(5, recorded.json().get("framesRecorded").asLong());
        assertEquals(0, recorded.json().get("framesDroppedQueueFull").asLong());
    }

    @Test
    void recordPrintsATable() {
        Cli result = record(directory.resolve("other.pgr"), "--count", "2");
        assertEquals(0, result.exitCode(), result.out() + result.err());
        assertTrue(result.out().matches("(?s)frames recorded +2\\R.*"), result.out());
    }

    @Test
    void recordEndsAfterItsTime() {
        Cli result = record(directory.resolve("other.pgr"), "--seconds", "0.2", "--json");
        assertEquals(0, result.exitCode(), result.out() + result.err());
        assertTrue(result.json().get("framesRecorded").asLong() > 0, result.out());
    }

    @Test
    void recordMakesADirectoryOnRequest() throws IOException {
        Path run = directory.resolve("run");
        assertEquals(0, record(run, "--directory", "--count", "3").exitCode());
        assertTrue(Files.exists(run.resolve("frame-0000000002.gendc")));
        assertTrue(Files.readString(run.resolve("camera.xml")).contains("RegisterDescription"));
        assertEquals(
                3,
                Cli.run("replay", run.toString(), "--json", "--rate", "max")
                        .json()
                        .get("framesComplete")
                        .asLong());
    }

    @Test
    void recordDoesNotOverwrite() throws IOException {
        byte[] before = Files.readAllBytes(file);
        Cli again = record(file, "--count", "1");
        assertEquals(1, again.exitCode());
        assertTrue(again.err().contains("run.pgr"), again.err());
        assertEquals(before.length, Files.size(file));
    }

    @Test
    void recordedFilesArePlainContainers() {
        Path run = directory.resolve("run");
        record(run, "--directory", "--count", "1");
        Cli shown = Cli.run("gendc", run.resolve("frame-0000000000.gendc").toString());
        assertEquals(0, shown.exitCode(), shown.out() + shown.err());
        assertTrue(shown.out().contains("32x8"), shown.out());
    }

    @Test
    void replayCountsTheFrames() {
        Cli result = Cli.run("replay", file.toString(), "--rate", "max");
        assertEquals(0, result.exitCode(), result.out() + result.err());
        assertTrue(result.out().matches("(?s).*camera +\\S+.*CLI-REC\\R.*"), result.out());
        assertTrue(result.out().matches("(?s).*frames complete +5\\R.*"), result.out());
    }

    @Test
    void replayLoopsUntilItHasEnough() {
        JsonNode result = Cli.run("replay", file.toString(), "--rate", "1000", "--loop", "--frames", "12", "--json")
                .json();
        assertEquals(12, result.get("framesComplete").asLong());
        assertEquals(5, result.get("framesRecorded").asLong());
    }

    @Test
    void replayListsFrames() {
        Cli result = Cli.run("replay", file.toString(), "--rate", "max", "--list");
        assertEquals(
                5,
                result.out()
                        .lines()
                        .filter(line -> line.startsWith("Composite["))
                        .count(),
                result.out());
    }

    @Test
    void replayTellsOfATornTail() throws IOException {
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 1));
        Cli result = Cli.run("replay", file.toString(), "--rate", "max", "--json");
        assertEquals(1, result.exitCode());
        assertEquals(5, result.json().get("framesComplete").asLong());
        assertTrue(result.json().get("bytesCutOff").asLong() > 0, result.out());
    }

    @Test
    void replayOfNothingIsNotFound() {
        assertEquals(3, Cli.run("replay", directory.resolve("gone").toString()).exitCode());
    }

    @Test
    void replayRefusesAWrongRate() {
        assertEquals(2, Cli.run("replay", file.toString(), "--rate", "quick").exitCode());
    }

    @Test
    void recordTellsWhatNoCountMeansAsStreamDoes() {
        String wanted = "How many frames to receive, incomplete ones included; ";
        for (String command : List.of("record", "stream")) {
            String help = Cli.run(command, "--help").out().replaceAll("\\s+", " ");
            assertTrue(help.contains(wanted) && help.matches(".*\\b0 (\\(the default\\) )?until ended.*"), help);
        }
    }

    @Test
    void recordShowsProgressOnATerminal() {
        Cli result = record(true, directory.resolve("other.pgr"), "--count", "4");
        assertEquals(0, result.exitCode(), result.err());
        assertTrue(result.err().contains("\rrecord") && result.err().contains("4/4 frames"), result.err());
    }

    @Test
    void replayShowsProgressOnATerminal() {
        Cli result = Cli.runAtTerminal("replay", file.toString(), "--rate", "max");
        assertTrue(result.err().contains("\rreplay") && result.err().contains("5/5 frames"), result.err());
    }

    @Test
    void noProgressIsShownWithoutATerminal() {
        assertEquals("", recorded.err());
        assertEquals("", Cli.run("replay", file.toString(), "--rate", "max").err());
    }

    @Test
    void replayOfAnotherFileSaysThatItIsNoRecording() throws IOException {
        Path other = Files.writeString(directory.resolve("other.txt"), "text");
        Cli result = Cli.run("replay", other.toString());
        assertEquals(1, result.exitCode());
        assertTrue(result.err().contains("other.txt is no recording"), result.err());
    }
}
