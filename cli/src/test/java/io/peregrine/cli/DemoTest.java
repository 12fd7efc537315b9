package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.virtualcamera.ComponentKind;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DemoTest {
    @TempDir
    Path folder;

    @Test
    void endsWithEveryFrameCompleteEveryByteRightAndTwoPictures() throws IOException {
        try (VirtualCamera camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.61.0.1")
                .port(0)
                .size(128, 96)
                .frameRate(100)
                .components(Set.of(ComponentKind.values()))
                .build())) {
            System.setProperty(
                    "peregrine.discovery.addresses",
                    "127.61.0.1:" + camera.address().getPort());
            System.setProperty("peregrine.discovery.broadcast", "false");
            try {
                assertTrue(Demo.run(30, folder));
            } finally {
                System.clearProperty("peregrine.discovery.addresses");
                System.clearProperty("peregrine.discovery.broadcast");
            }
        }
        assertTrue(Files.size(folder.resolve("intensity.png")) > 0);
        assertTrue(Files.size(folder.resolve("range.png")) > 0);
    }
}
