package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.samples.StreamComposites;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.FreePort;
import io.peregrine.testing.NetworkNamespace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The streaming sample, unchanged, with cameras of two makers, a recording and a published stream. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class SameSampleTest {
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final int FRAMES = 60;

    @TempDir
    Path folder;

    @Test
    @EnabledIfPeers("arv-fake-gv-camera-0.8")
    void itStreamsImagesFromTheFakeCameraOfAravis() {
        try (NetworkNamespace namespace = NetworkNamespace.withLoopback()) {
            CameraProcess.aravis(namespace, "127.0.0.1", "GV01");
            namespace.run(LIMIT, CameraProcess.command("set", "127.0.0.1", "Width=320", "Height=240"));
            String output = namespace.run(LIMIT, sample("127.0.0.1"));
            List<String> expected = new ArrayList<>();
            for (int id = 65_401; id < 65_401 + FRAMES; id++) {
                expected.add("frame " + id + " | INTENSITY 320x240 Mono8");
            }
            assertEquals(expected, frames(output), output);
        }
    }

    @Test
    void itStreamsThreeComponentsFromTheVirtualCamera() {
        String address = "127.84.0.1";
        try (ChildProcess camera = ChildProcess.start(CameraProcess.virtualCommand(address, "--size", "320x200"))) {
            camera.awaitLine("address of the camera", LIMIT, line -> line.contains(address + ":"));
            String output = ChildProcess.runToEnd(LIMIT, sample(address));
            List<String> expected = new ArrayList<>();
            for (int id = 1; id <= FRAMES; id++) {
                expected.add("frame " + id
                        + " | INTENSITY 320x200 Mono8 | RANGE 320x200 Coord3D_C16 | CONFIDENCE 320x200 Confidence8");
            }
            assertEquals(expected, frames(output), output);
        }
    }

    @Test
    @Tag("peers")
    void itStreamsTheSameFromACameraARecordingAndAPublishedStream() {
        String address = "127.84.0.2";
        String route = "from:127.0.0.1:" + FreePort.next();
        Path recorded = folder.resolve("line.gendc");
        try (ChildProcess camera = ChildProcess.start(
                CameraProcess.virtualCommand(address, "--size", "64x48", "--rate", "100", "--serial", "SAME-1"))) {
            camera.awaitLine("address of the camera", LIMIT, line -> line.contains(address + ":"));
            String fromCamera = ChildProcess.runToEnd(LIMIT, sample(List.of(), address));
            ChildProcess.runToEnd(
                    LIMIT,
                    CameraProcess.command("record", address, recorded.toString(), "--count", Integer.toString(FRAMES)));
            String fromFile = ChildProcess.runToEnd(LIMIT, sample(List.of(), "file:" + recorded));
            try (ChildProcess publisher =
                    ChildProcess.start(CameraProcess.command("publish", address, "--to", route, "--name", "same"))) {
                publisher.awaitLine("publisher", LIMIT, line -> line.contains("publishing same"));
                String fromNetwork = ChildProcess.runToEnd(
                        LIMIT,
                        sample(
                                List.of("-Ddistribution.routes=" + route, "-Ddistribution.discoveryWindow=30s"),
                                "aeron:same"));
                assertEquals(
                        List.of(FRAMES, FRAMES, FRAMES),
                        List.of(inARow(fromCamera, 1), inARow(fromFile, 1), inARow(fromNetwork, firstId(fromNetwork))),
                        fromCamera + fromFile + fromNetwork);
            }
        }
    }

    private static long firstId(String output) {
        return Long.parseLong(frames(output).get(0).split(" ", -1)[1]);
    }

    /** How many whole frames with three components follow each other. */
    private static int inARow(String output, long first) {
        List<String> frames = frames(output);
        int count = 0;
        while (count < frames.size()
                && frames.get(count)
                        .equals("frame " + (first + count)
                                + " | INTENSITY 64x48 Mono8 | RANGE 64x48 Coord3D_C16"
                                + " | CONFIDENCE 64x48 Confidence8")) {
            count++;
        }
        return count;
    }

    private static List<String> sample(String address) {
        return ChildProcess.java(
                List.of("-Dperegrine.discovery.addresses=" + address, "-Dperegrine.discovery.broadcast=false"),
                StreamComposites.class.getName(),
                List.of(Integer.toString(FRAMES)));
    }

    private static List<String> sample(List<String> options, String device) {
        return ChildProcess.java(options, StreamComposites.class.getName(), List.of(Integer.toString(FRAMES), device));
    }

    private static List<String> frames(String output) {
        return output.lines().filter(line -> line.startsWith("frame ")).toList();
    }
}
