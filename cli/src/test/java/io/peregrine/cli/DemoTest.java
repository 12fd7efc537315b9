package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.virtualcamera.ComponentKind;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class DemoTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "require"})
    void endsWithEveryFrameCompleteEveryByteRightAndTwoPictures(String useRdma) throws IOException {
        try (VirtualCamera camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.61.0.1")
                .port(0)
                .size(128, 96)
                .frameRate(50)
                .rdmaProvider("software")
                .components(Set.of(ComponentKind.values()))
                .build())) {
            System.setProperty(
                    "peregrine.discovery.addresses",
                    "127.61.0.1:" + camera.address().getPort());
            System.setProperty("peregrine.discovery.broadcast", "false");
            try {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                assertTrue(Demo.run(30, folder, useRdma, new PrintStream(out, true, StandardCharsets.UTF_8)));
                assertTrue(
                        out.toString(StandardCharsets.UTF_8).contains("30 of 30 frames complete, 0 bad bytes, "),
                        () -> out.toString(StandardCharsets.UTF_8));
            } finally {
                System.clearProperty("peregrine.discovery.addresses");
                System.clearProperty("peregrine.discovery.broadcast");
            }
        }
        assertTrue(Files.size(folder.resolve("intensity.png")) > 0);
        assertTrue(Files.size(folder.resolve("range.png")) > 0);
    }
}
