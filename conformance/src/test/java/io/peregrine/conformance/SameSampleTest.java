package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.samples.StreamComposites;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The streaming sample, unchanged, with cameras of two makers. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SameSampleTest {
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final int FRAMES = 60;

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

    private static List<String> sample(String address) {
        return ChildProcess.java(
                List.of("-Dperegrine.discovery.addresses=" + address, "-Dperegrine.discovery.broadcast=false"),
                StreamComposites.class.getName(),
                List.of(Integer.toString(FRAMES)));
    }

    private static List<String> frames(String output) {
        return output.lines().filter(line -> line.startsWith("frame ")).toList();
    }
}
