package io.peregrine.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.Needs;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Both processes of the sample, and a camera. */
@Timeout(120)
class SharedMemoryFramesTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int FRAMES = 50;

    @TempDir
    Path folder;

    private VirtualCamera camera;

    @BeforeEach
    void start() {
        Needs.that(System.getProperty("os.name").equals("Linux"), "Linux, for memory files");
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.60.1.1")
                .port(0)
                .size(320, 240)
                .frameRate(100)
                .build());
    }

    @AfterEach
    void stop() {
        if (camera != null) {
            camera.close();
        }
    }

    private ChildProcess sample(String... arguments) {
        return ChildProcess.start(ChildProcess.java(
                List.of(
                        "-Dperegrine.discovery.addresses=127.60.1.1:"
                                + camera.address().getPort(),
                        "-Dperegrine.discovery.broadcast=false"),
                SharedMemoryFrames.class.getName(),
                List.of(arguments)));
    }

    private static List<String> lines(ChildProcess process, String begin) {
        return process.output()
                .lines()
                .filter(line -> line.startsWith(begin))
                .map(line -> line.substring(begin.length()))
                .toList();
    }

    @Test
    void theOtherProcessReadsEveryByteOfEveryFrame() {
        Path file = folder.resolve("frames");
        try (ChildProcess acquire = sample("acquire", file.toString(), Integer.toString(FRAMES));
                ChildProcess read = sample("read", file.toString())) {
            read.succeeds(LIMIT);
            acquire.succeeds(LIMIT);

            List<String> published = lines(acquire, "published ");
            assertEquals(FRAMES, published.size(), acquire::toString);
            assertTrue(published.get(0).contains(", " + 320 * 240 + " bytes, CRC-32 "), acquire::toString);
            assertEquals(published, lines(read, "read "));
            // More frames than flow sets, so that memory was given back; and none looks like the one before.
            assertEquals(FRAMES, published.stream().distinct().count());
            assertFalse(Files.exists(file));
        }
    }

    @Test
    void acquisitionEndsWhenTheReaderDies() {
        Path file = folder.resolve("frames");
        try (ChildProcess acquire = sample("acquire", file.toString(), "1000000");
                ChildProcess read = sample("read", file.toString())) {
            read.awaitLine("frame", LIMIT, line -> line.startsWith("read "));
            read.kill();

            acquire.succeeds(LIMIT);
            assertFalse(Files.exists(file));
        }
    }
}
