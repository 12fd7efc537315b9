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
import java.io.OutputStream;
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

/**
 * An archive on a disk that is full again and again while frames of a camera come in: first by its recordings, which
 * leave the reserve; then to the last byte, by another program.
 */
@Tag("peers")
@Timeout(240)
class FullArchiveTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String CAMERA = "127.84.0.5";
    private static final int DISK_MEGABYTES = 300;
    private static final int OTHERS_MEGABYTES = 284;
    private static final int RESERVE_MEGABYTES = 8;
    private static final long FRAMES = 30;

    @TempDir
    static Path folder;

    private static final List<ChildProcess> OPEN = new ArrayList<>();
    private static ChildProcess disk;
    private static String route;
    private static String at;
    private static ChildProcess first;
    private static ChildProcess refused;
    private static int refusedStatus;
    private static ChildProcess second;
    private static ChildProcess publisher;
    private static ChildProcess consumer;
    private static JsonNode recordings;
    private static List<JsonNode> checked;
    private static String replayed;

    @BeforeAll
    static void fillTheDisk() throws IOException {
        Needs.that("root".equals(System.getProperty("user.name")), "root, to mount a small file system");
        route = "from:127.0.0.1:" + FreePort.next();
        at = "127.0.0.1:" + FreePort.next();
        ArchiveConsole console = new ArchiveConsole(at);
        try {
            mount();
            fillUpTo(OTHERS_MEGABYTES);
            keep(CameraProcess.virtualCommand(CAMERA, "--size", "320x240", "--rate", "25", "--serial", "FULL"))
                    .awaitLine("address of the camera", LIMIT, line -> line.contains(CAMERA + ":"));
            publisher = keep(CameraProcess.command("publish", CAMERA, "--to", route, "--name", "line"));
            publisher.awaitLine("publisher", LIMIT, line -> line.contains("publishing line"));
            consumer = keep(ChildProcess.java(
                    List.of("-Ddistribution.routes=" + route),
                    PublishedFramesMain.class.getName(),
                    List.of("line", Integer.toString(Integer.MAX_VALUE))));
            consumer.awaitLine("first frame", LIMIT, line -> line.startsWith("first "));

            first = archive("archive", at);
            first.awaitLine("pause at the reserve", LIMIT, line -> line.contains("recording pauses"));
            Files.delete(others());
            Await.until("second recording", LIMIT, () -> frames(console.list().path(1)) >= FRAMES);
            fill();
            Await.until(
                    "second pause",
                    LIMIT,
                    () -> first.output()
                                    .lines()
                                    .filter(line -> line.contains("recording pauses"))
                                    .count()
                            == 2);
            first.terminate();
            first.awaitEnd(LIMIT);
            refused = archive("other", "127.0.0.1:" + FreePort.next());
            refusedStatus = refused.awaitEnd(LIMIT);

            Files.delete(others());
            second = archive("archive", at);
            Await.until("third recording", LIMIT, () -> frames(console.list().path(2)) >= FRAMES, second::toString);
            publisher.terminate();
            publisher.awaitEnd(LIMIT);
            consumer.awaitEnd(LIMIT);
            Await.until(
                    "end of the recording",
                    LIMIT,
                    () -> !console.list().get(2).get("recording").asBoolean());
            recordings = console.list();
            checked = console.check();
            replayed = console.replay("line");
            second.terminate();
            second.awaitEnd(LIMIT);
        } finally {
            OPEN.forEach(ChildProcess::close);
        }
    }

    /** A process that has the disk, which goes with it. */
    private static void mount() throws IOException {
        Path there = Files.createDirectory(folder.resolve("disk"));
        disk = keep(List.of(
                "unshare",
                "-m",
                "bash",
                "-c",
                "mount -t tmpfs -o size=" + DISK_MEGABYTES + "m none \"$0\" && echo mounted && exec sleep 300",
                there.toString()));
        disk.awaitLine("small file system", LIMIT, line -> line.equals("mounted"));
    }

    /** A file of another program on the disk, as it is seen from here. */
    private static Path others() {
        return Path.of("/proc/" + disk.pid() + "/root" + folder.resolve("disk/others"));
    }

    private static void fillUpTo(int megabytes) throws IOException {
        try (OutputStream out = Files.newOutputStream(others())) {
            for (int i = 0; i < megabytes; i++) {
                out.write(new byte[1 << 20]);
            }
        }
    }

    private static void fill() {
        try {
            fillUpTo(DISK_MEGABYTES);
        } catch (IOException e) {
            // Until there is no room.
            assertTrue(String.valueOf(e.getMessage()).contains("No space left"), e::toString);
        }
    }

    private static ChildProcess archive(String directory, String address) {
        List<String> command = new ArrayList<>(List.of("nsenter", "--target", Long.toString(disk.pid()), "--mount"));
        command.addAll(ChildProcess.java(
                List.of("-Ddistribution.archive.segment=1m", "-Ddistribution.archive.free=" + RESERVE_MEGABYTES + "m"),
                PeregrineMain.class.getName(),
                List.of(
                        "archive",
                        "record",
                        "--from",
                        route,
                        "--directory",
                        folder.resolve("disk").resolve(directory).toString(),
                        "--at",
                        address)));
        return keep(command);
    }

    private static ChildProcess keep(List<String> command) {
        ChildProcess started = ChildProcess.start(command);
        OPEN.add(started);
        return started;
    }

    private static long frames(JsonNode recording) {
        return recording.path("lastFrame").asLong()
                - recording.path("firstFrame").asLong();
    }

    @Test
    void theCameraLosesNothing() {
        assertEquals(0, PublishedFramesReport.count(publisher.output(), "frames lost"), publisher.output());
        assertEquals(0, PublishedFramesReport.count(publisher.output(), "frames incomplete"), publisher.output());
    }

    @Test
    void thePublisherDropsNothing() {
        assertEquals(0, PublishedFramesReport.count(publisher.output(), "dropped, consumers slow"), publisher.output());
    }

    @Test
    void anotherConsumerLosesNothing() {
        String result = PublishedFramesReport.result(consumer.output());
        long whole = PublishedFramesReport.count(result, "whole");
        assertTrue(result.startsWith(PublishedFramesReport.allOf(Long.toString(whole))), consumer.output());
    }

    @Test
    void theRecorderSaysAndCountsThatItPauses() {
        assertEquals(2, PublishedFramesReport.count(first.output(), "pauses"), first.output());
    }

    @Test
    void aNewArchiveOnTheFullDiskIsRefusedWithWhatToDo() {
        assertEquals(1, refusedStatus, refused::toString);
        assertTrue(
                refused.output().contains("its disk is full")
                        && refused.output().contains("Make room"),
                refused::toString);
    }

    @Test
    void itGoesOnInTheSameDirectoryOnceThereIsRoom() {
        assertEquals(0, PublishedFramesReport.count(second.output(), "pauses"), second.output());
    }

    @Test
    void framesThatWereNotRecordedAreCounted() {
        long between = recordings.get(1).get("firstFrame").asLong()
                - recordings.get(0).get("lastFrame").asLong()
                - 1;
        assertTrue(between > 0, recordings::toString);
        assertEquals(between, PublishedFramesReport.count(first.output(), "frames missing"), first.output());
    }

    @Test
    void whatWasRecordedIsIntact() {
        assertEquals(3, checked.size());
        for (JsonNode one : checked) {
            assertTrue(one.get("framesComplete").asLong() > 0 && !one.has("problem"), checked::toString);
        }
    }

    @Test
    void allOfItIsReplayedWithEveryByte() {
        assertEquals(0, PublishedFramesReport.count(replayed, "bad bytes"), replayed);
        assertEquals(ArchiveConsole.whole(checked), PublishedFramesReport.count(replayed, "whole"), replayed);
    }
}
