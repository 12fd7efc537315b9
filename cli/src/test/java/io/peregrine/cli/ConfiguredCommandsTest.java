package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands on a device of the file that the camera browser writes. */
@Timeout(60)
class ConfiguredCommandsTest {
    private static final String FILE = "peregrine.devices";

    @TempDir
    Path folder;

    private VirtualCamera camera;
    private Path file;

    @BeforeEach
    void start() {
        camera = VirtualCamera.start(Scenario.builder()
                .bindAddress("127.40.7.1")
                .port(0)
                .serial("CLI-7")
                .size(64, 48)
                .build());
        file = folder.resolve("devices.json");
        System.setProperty(FILE, file.toString());
    }

    @AfterEach
    void stop() {
        System.clearProperty(FILE);
        camera.close();
    }

    private void configure(String parameters) throws IOException {
        Files.writeString(file, """
                {"devices": [{"name": "left", "serial": "CLI-7", "address": "127.40.7.1:%s", "parameters": {%s}}]}
                """.formatted(camera.address().getPort(), parameters));
    }

    @Test
    void aCommandTakesTheNameOfAConfiguredDevice() throws IOException {
        configure("");
        assertEquals("64\n", Cli.run("get", "left", "Width").out());
    }

    @Test
    void itsParametersAreUsed() throws IOException {
        configure("\"AccessMode\": \"ReadOnly\"");
        Cli result = Cli.run("set", "left", "Width", "32");
        assertTrue(result.exitCode() != 0, result.out());
    }

    @Test
    void aBrokenFileIsNamed() throws IOException {
        Files.writeString(file, "{");
        assertTrue(Cli.run("get", "left", "Width").err().contains(file.toString()));
    }
}
