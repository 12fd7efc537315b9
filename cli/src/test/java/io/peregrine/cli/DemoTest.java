package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.Await;
import io.peregrine.virtualcamera.ComponentKind;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class DemoTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "require"})
    void endsWithEveryFrameCompleteEveryByteRightAndTwoPictures(String useRdma) throws IOException {
        try (VirtualCamera camera = start(50)) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            assertTrue(run(camera, 30, useRdma, new PrintStream(out, true, StandardCharsets.UTF_8)));
            assertTrue(
                    out.toString(StandardCharsets.UTF_8).contains("30 of 30 frames complete, 0 bad bytes, "),
                    () -> out.toString(StandardCharsets.UTF_8));
        }
        assertTrue(Files.size(folder.resolve("intensity.png")) > 0);
        assertTrue(Files.size(folder.resolve("range.png")) > 0);
    }

    @Test
    void theLastLineCountsWhatTheCameraDroppedWhileTheLastFrameWasShown() throws IOException {
        try (VirtualCamera camera = start(200)) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8) {
                @Override
                public PrintStream printf(Locale locale, String format, Object... arguments) {
                    Await.until(
                            "a frame without a flow set",
                            LIMIT,
                            () -> camera.statistics().rdmaBlocksDropped() > 0);
                    return super.printf(locale, format, arguments);
                }
            };
            assertTrue(run(camera, 1, "require", out));
            long dropped = camera.statistics().rdmaBlocksDropped();
            String frames = dropped == 1 ? "1 frame" : dropped + " frames";
            List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
            assertEquals(
                    "1 of 1 frames complete, 0 bad bytes, " + frames + " lost: The device dropped " + frames
                            + " because none of the 10 flow sets was free: close composites earlier, or raise"
                            + " FlowSetCount",
                    lines.get(lines.size() - 1));
        }
    }

    private static VirtualCamera start(double frameRate) {
        return VirtualCamera.start(Scenario.builder()
                .bindAddress("127.61.0.1")
                .port(0)
                .size(128, 96)
                .frameRate(frameRate)
                .rdmaProvider("software")
                .components(Set.of(ComponentKind.values()))
                .build());
    }

    private boolean run(VirtualCamera camera, int frames, String useRdma, PrintStream out) throws IOException {
        System.setProperty(
                "peregrine.discovery.addresses",
                "127.61.0.1:" + camera.address().getPort());
        System.setProperty("peregrine.discovery.broadcast", "false");
        try {
            return Demo.run(frames, folder, useRdma, out);
        } finally {
            System.clearProperty("peregrine.discovery.addresses");
            System.clearProperty("peregrine.discovery.broadcast");
        }
    }
}
