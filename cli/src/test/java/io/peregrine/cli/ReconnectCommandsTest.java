package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.recording.Recording;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A camera that is lost while a command receives its frames. The first one is too slow to end the command alone. */
@ExpectedWarning("Connection to .*: LOST")
@Timeout(120)
class ReconnectCommandsTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private static VirtualCamera camera(String address, int port, double framesPerSecond) {
        return VirtualCamera.start(Scenario.builder()
                .bindAddress(address)
                .port(port)
                .serial("BACK-" + address)
                .size(64, 48)
                .frameRate(framesPerSecond)
                .build());
    }

    private static void endOnceStreaming(VirtualCamera camera) throws InterruptedException {
        assertTrue(camera.awaitStreaming(true, LONG));
        camera.close();
    }

    /** Runs a command, and has its camera restart once it streams. */
    private static Cli runWithRestart(VirtualCamera first, String host, int port, String... arguments)
            throws Exception {
        CompletableFuture<Cli> command = CompletableFuture.supplyAsync(() -> Cli.run(arguments));
        endOnceStreaming(first);
        try (VirtualCamera second = camera(host, port, 100)) {
            Cli result = command.get(LONG.toSeconds(), TimeUnit.SECONDS);
            assertTrue(second.controller().isEmpty(), "the command gives control back");
            return result;
        }
    }

    @Test
    void streamGoesOnWhenTheCameraHasRestartedAndTellsSo() throws Exception {
        String host = "127.43.0.1";
        try (VirtualCamera camera = camera(host, 0, 1)) {
            int port = camera.address().getPort();
            Cli result = runWithRestart(
                    camera,
                    host,
                    port,
                    "stream",
                    host + ":" + port,
                    "--frames",
                    "100",
                    "--reconnect",
                    "--param",
                    "HeartbeatTimeout=1500ms",
                    "--json");
            assertTrue(result.json().get("framesComplete").asInt() >= 99, result.out() + result.err());
            assertEquals(1, result.json().get("counters").get("RECONNECTS").asInt(), result.out());
            assertTrue(result.err().contains("the camera is lost: "), result.err());
            assertTrue(result.err().contains("the camera is back at " + host + " after "), result.err());
        }
    }

    @Test
    void recordGoesOnWhenTheCameraHasRestarted(@TempDir Path folder) throws Exception {
        String host = "127.43.0.2";
        Path target = folder.resolve("both.rec");
        try (VirtualCamera camera = camera(host, 0, 1)) {
            int port = camera.address().getPort();
            Cli result = runWithRestart(
                    camera,
                    host,
                    port,
                    "record",
                    host + ":" + port,
                    target.toString(),
                    "--count",
                    "100",
                    "--reconnect",
                    "--param",
                    "HeartbeatTimeout=1500ms",
                    "--json");
            int recorded = result.json().get("framesRecorded").asInt();
            assertTrue(recorded >= 99, result.out() + result.err());
            try (Recording recording = Recording.open(target)) {
                assertEquals(recorded, recording.frameCount());
            }
        }
    }

    @Test
    void streamGivesUpACameraThatDoesNotComeBackInTime() throws Exception {
        String host = "127.43.0.3";
        try (VirtualCamera camera = camera(host, 0, 1)) {
            String address = host + ":" + camera.address().getPort();
            CompletableFuture<Cli> command = CompletableFuture.supplyAsync(() -> Cli.run(
                    "stream",
                    address,
                    "--frames",
                    "0",
                    "--reconnect-timeout",
                    "1s",
                    "--param",
                    "HeartbeatTimeout=1500ms",
                    "--json"));
            endOnceStreaming(camera);
            Cli result = command.get(LONG.toSeconds(), TimeUnit.SECONDS);
            assertTrue(
                    result.json().get("error").asText().contains("not connected again within 1000 ms"), result.out());
            assertTrue(result.err().contains("it is not back yet: "), result.err());
        }
    }

    @Test
    void eventsComeAgainAfterTheCameraHasRestarted() throws Exception {
        String host = "127.43.0.4";
        try (VirtualCamera camera = camera(host, 0, 1)) {
            int port = camera.address().getPort();
            Cli result = runWithRestart(
                    camera,
                    host,
                    port,
                    "events",
                    host + ":" + port,
                    "ExposureEnd",
                    "--stream",
                    "--count",
                    "100",
                    "--event-timeout",
                    "30",
                    "--reconnect");
            assertEquals(0, result.exitCode(), result.out() + result.err());
            assertTrue(result.err().contains("the camera is back"), result.err());
        }
    }
}
