package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.peregrine.cli.PeregrineMain;
import io.peregrine.testing.Await;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.FreePort;
import io.peregrine.testing.Needs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An archive whose disk is slower than a camera: first where it may drop frames, then where it must have each. */
@Tag("peers")
@Timeout(240)
class SlowArchiveTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String CAMERA = "127.84.0.6";
    /** The camera sends twice as many. */
    private static final long DISK_BYTES_PER_SECOND = 3_000_000;

    private static final long FRAMES = 60;

    @TempDir
    static Path folder;

    private static final List<ChildProcess> OPEN = new ArrayList<>();
    private static ArchiveConsole console;
    private static ChildProcess consumer;
    private static Outcome mayDrop;
    private static Outcome mustHave;

    /** What was said and recorded. */
    private record Outcome(String publisher, String recorder, List<JsonNode> checked, String replayed) {
        long notReceived() {
            return checked.stream()
                    .mapToLong(one -> one.get("framesNotReceived").asLong())
                    .sum();
        }
    }

    @BeforeAll
    static void recordOnASlowDisk() throws IOException {
        Needs.program("a disk that is slow", "gcc");
        compile();
        try {
            keep(CameraProcess.virtualCommand(CAMERA, "--size", "320x240", "--rate", "20", "--serial", "SLOW"))
                    .awaitLine("address of the camera", LIMIT, line -> line.contains(CAMERA + ":"));
            mayDrop = record("drop", true);
            mustHave = record("wait", false);
        } finally {
            OPEN.forEach(ChildProcess::close);
        }
    }

    private static void compile() throws IOException {
        Path source = folder.resolve("slow-disk.c");
        try (InputStream in = SlowArchiveTest.class.getResourceAsStream("slow-disk.c")) {
            Files.copy(in, source);
        }
        ChildProcess.run(
                LIMIT, "gcc", "-O2", "-shared", "-fPIC", "-o", library().toString(), source.toString(), "-ldl");
    }

    private static Path library() {
        return folder.resolve("slow-disk.so");
    }

    private static Outcome record(String whenSlow, boolean watched) {
        String route = "from:127.0.0.1:" + FreePort.next();
        String at = "127.0.0.1:" + FreePort.next();
        console = new ArchiveConsole(at);
        ChildProcess publisher = keep(CameraProcess.command("publish", CAMERA, "--to", route, "--name", "line"));
        publisher.awaitLine("publisher", LIMIT, line -> line.contains("publishing line"));
        if (watched) {
            // Before the archive: a publisher waits for the only consumer, though it may drop frames.
            consumer = keep(ChildProcess.java(
                    List.of("-Ddistribution.routes=" + route),
                    PublishedFramesMain.class.getName(),
                    List.of("line", Integer.toString(Integer.MAX_VALUE))));
            consumer.awaitLine("frame", LIMIT, line -> line.startsWith("first"));
        }
        ChildProcess archive = archive(whenSlow, route, at);
        archive.awaitLine("archive", LIMIT, line -> line.contains("recording"));
        if (watched) {
            archive.awaitLine("missing frames", LIMIT, line -> line.contains("are not in the archive"));
        }
        archive.awaitLine("slow disk", LIMIT, line -> line.contains("slower than the frames"));
        Await.until("frames", LIMIT, () -> frames() >= FRAMES, () -> console.list() + "\n" + archive);
        publisher.terminate();
        publisher.awaitEnd(LIMIT);
        if (watched) {
            consumer.awaitEnd(LIMIT);
        }
        Await.until(
                "end of the recordings", LIMIT, () -> !console.list().toString().contains("\"recording\":true"));
        List<JsonNode> checked = console.check();
        String replayed = console.replay("line");
        archive.terminate();
        archive.awaitEnd(LIMIT);
        return new Outcome(publisher.output(), archive.output(), checked, replayed);
    }

    /** Of all recordings: each is short where the archive may drop. */
    private static long frames() {
        long frames = 0;
        for (JsonNode one : console.list()) {
            frames += one.path("lastFrame").asLong() - one.path("firstFrame").asLong();
        }
        return frames;
    }

    private static ChildProcess archive(String whenSlow, String route, String at) {
        List<String> command =
                new ArrayList<>(List.of("env", "LD_PRELOAD=" + library(), "SLOW_DISK_BYTES=" + DISK_BYTES_PER_SECOND));
        command.addAll(ChildProcess.java(
                List.of("-Ddistribution.whenSlow=" + whenSlow),
                PeregrineMain.class.getName(),
                List.of(
                        "archive",
                        "record",
                        "--from",
                        route,
                        "--directory",
                        folder.resolve(whenSlow).toString(),
                        "--at",
                        at)));
        return keep(command);
    }

    private static ChildProcess keep(List<String> command) {
        ChildProcess started = ChildProcess.start(command);
        OPEN.add(started);
        return started;
    }

    private static void assertCameraLostNothing(Outcome outcome) {
        assertEquals(0, PublishedFramesReport.count(outcome.publisher, "frames lost"), outcome.publisher);
        assertEquals(0, PublishedFramesReport.count(outcome.publisher, "frames incomplete"), outcome.publisher);
    }

    private static void assertReplayedWithEveryByte(Outcome outcome) {
        assertEquals(0, PublishedFramesReport.count(outcome.replayed, "bad bytes"), outcome.replayed);
        assertEquals(
                ArchiveConsole.whole(outcome.checked),
                PublishedFramesReport.count(outcome.replayed, "whole"),
                outcome.replayed);
    }

    @Test
    void theCameraLosesNothing() {
        assertCameraLostNothing(mayDrop);
        assertCameraLostNothing(mustHave);
    }

    @Test
    void anotherConsumerLosesNothingWhereTheArchiveMayDrop() {
        String result = PublishedFramesReport.result(consumer.output());
        long whole = PublishedFramesReport.count(result, "whole");
        assertTrue(
                result.startsWith(PublishedFramesReport.allOf(Long.toString(whole))),
                () -> consumer.output() + "\n" + mayDrop.publisher);
    }

    @Test
    void whatIsMissingIsCountedByTheRecorderWhereItMayDrop() {
        assertTrue(PublishedFramesReport.count(mayDrop.recorder, "frames missing") > 0, mayDrop.recorder);
    }

    @Test
    void wholeFramesAreDroppedAtThePublisherWhereTheArchiveMustHaveEach() {
        assertTrue(PublishedFramesReport.count(mustHave.publisher, "dropped, consumers slow") > 0, mustHave.publisher);
        assertEquals(1, mustHave.checked.size());
        // The one that was under way when the publisher ended.
        assertTrue(mustHave.checked.get(0).get("framesIncomplete").asLong() <= 1, () -> mustHave.checked.toString());
        assertTrue(mustHave.notReceived() > 0, () -> mustHave.checked.toString());
    }

    @Test
    void whatWasRecordedIsReplayedWithEveryByte() {
        assertReplayedWithEveryByte(mayDrop);
        assertReplayedWithEveryByte(mustHave);
    }
}
