package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.peregrine.cli.PeregrineMain;
import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.testing.Await;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.FreePort;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An archive that is killed while frames of a camera come in, and comes back by itself. */
@Tag("peers")
@Timeout(240)
class SupervisedArchiveTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String CAMERA = "127.84.0.3";
    private static final long FRAMES = 60;

    @TempDir
    static Path folder;

    private static String at;
    private static ArchiveConsole console;
    private static String said;
    private static JsonNode recordings;
    private static List<JsonNode> checked;
    private static String replayed;

    @BeforeAll
    static void killTheArchive() {
        String route = "from:127.0.0.1:" + FreePort.next();
        at = "127.0.0.1:" + FreePort.next();
        console = new ArchiveConsole(at);
        List<ChildProcess> open = new ArrayList<>();
        try {
            ChildProcess camera = keep(
                    open,
                    CameraProcess.virtualCommand(CAMERA, "--size", "320x240", "--rate", "100", "--serial", "ARCHIVED"));
            camera.awaitLine("address of the camera", LIMIT, line -> line.contains(CAMERA + ":"));
            ChildProcess archive = keep(
                    open,
                    ChildProcess.java(
                            List.of("-Ddistribution.whenSlow=wait"),
                            PeregrineMain.class.getName(),
                            List.of(
                                    "archive",
                                    "record",
                                    "--supervised",
                                    "--from",
                                    route,
                                    "--directory",
                                    folder.resolve("archive").toString(),
                                    "--at",
                                    at)));
            archive.awaitLine("archive", LIMIT, line -> line.contains("recording"));
            ChildProcess publisher =
                    keep(open, CameraProcess.command("publish", CAMERA, "--to", route, "--name", "line"));
            publisher.awaitLine("publisher", LIMIT, line -> line.contains("publishing line"));
            awaitFrames(0);
            ProcessHandle.of(archive.pid()).orElseThrow().children().forEach(ProcessHandle::destroyForcibly);
            Instant killed = Instant.now();
            Await.until(
                    "return of the archive",
                    LIMIT,
                    () -> archive.output()
                                    .lines()
                                    .filter(line -> line.endsWith("recording"))
                                    .count()
                            == 2);
            if (Boolean.getBoolean("peregrine.figures")) {
                System.out.println(
                        Duration.between(killed, Instant.now()).toMillis() + " ms after it was killed it is back");
            }
            awaitFrames(1);
            archive.awaitLine("missing frames", LIMIT, line -> line.contains("are not in the archive"));
            publisher.terminate();
            publisher.awaitEnd(LIMIT);
            Await.until(
                    "end of the recording",
                    LIMIT,
                    () -> !console.list().get(1).get("recording").asBoolean());
            recordings = console.list();
            checked = console.check();
            replayed = console.replay("line");
            // Its status says that frames are missing.
            keep(
                            open,
                            CameraProcess.command(
                                    "archive", "export", "line", exported().toString(), "--at", at))
                    .awaitEnd(LIMIT);
            archive.terminate();
            archive.awaitEnd(LIMIT);
            said = archive.output();
        } finally {
            open.forEach(ChildProcess::close);
        }
    }

    private static ChildProcess keep(List<ChildProcess> open, List<String> command) {
        ChildProcess started = ChildProcess.start(command);
        open.add(started);
        return started;
    }

    private static void awaitFrames(int recording) {
        Await.until("frames of recording " + recording, LIMIT, () -> {
            JsonNode one = console.list().path(recording);
            return one.path("lastFrame").asLong() - one.path("firstFrame").asLong() >= FRAMES;
        });
    }

    private static Path exported() {
        return folder.resolve("line.gendc");
    }

    private static long missing() {
        return recordings.get(1).get("firstFrame").asLong()
                - recordings.get(0).get("lastFrame").asLong()
                - 1;
    }

    @Test
    void itIsStartedAgainAndSaysSo() {
        assertTrue(said.contains("the archive ended with status 137"), said);
        assertTrue(said.lines().anyMatch(line -> line.matches("restarts +1")), said);
    }

    @Test
    void whatItHadNotWrittenIsReportedInFrames() {
        assertTrue(missing() > 0, recordings::toString);
        assertTrue(said.contains(missing() + " frames of 'line' are not in the archive"), said);
        assertEquals(missing(), recordings.get(1).get("framesMissingBefore").asLong());
    }

    @Test
    void bothRecordingsAreIntact() {
        for (JsonNode one : checked) {
            assertTrue(one.get("framesComplete").asLong() >= FRAMES && !one.has("problem"), checked::toString);
        }
    }

    @Test
    void bothAreReplayedWithEveryByte() {
        assertEquals(0, PublishedFramesReport.count(replayed, "bad bytes"), replayed);
        assertEquals(ArchiveConsole.whole(checked), PublishedFramesReport.count(replayed, "whole"), replayed);
    }

    @Test
    void anExportedFileHasEveryByteOfBoth() {
        long frames = 0;
        long bad = 0;
        try (Device device = DeviceFactory.open("file:" + exported());
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            for (Composite composite : stream) {
                try (composite) {
                    frames++;
                    bad += PatternCheck.badBytes(composite);
                }
            }
        }
        assertEquals(ArchiveConsole.whole(checked) + " frames, 0 bad bytes", frames + " frames, " + bad + " bad bytes");
    }
}
