package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.peregrine.testing.Await;
import io.peregrine.testing.ChildProcess;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A program that is told to end leaves its camera in order. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class ProgramEndTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    /** So long that the camera cannot have ended the control by itself. */
    private static final Duration HEARTBEAT = Duration.ofMinutes(10);
    /** Opening writes several registers, and takes as long for each. */
    private static final Duration SLOW = Duration.ofMillis(200);

    @Test
    void aStreamingProgramThatIsTerminatedStopsItsCameraAndGivesControlBack() {
        Scenario scenario = Scenario.builder()
                .bindAddress("127.82.0.3")
                .port(0)
                .size(64, 64)
                .frameRate(100)
                .build();
        try (VirtualCamera camera = VirtualCamera.start(scenario)) {
            try (ChildProcess client = ApplicationMain.start(camera, HEARTBEAT)) {
                client.awaitLine("sign of streaming", LIMIT, "streaming"::equals);
                client.terminate();
                client.awaitEnd(LIMIT);
            }
            Await.until("end of the control", LIMIT, () -> camera.controller().isEmpty());
            assertFalse(camera.streaming());
            assertEquals(0, camera.statistics().heartbeatTimeouts());
        }
    }

    @Test
    void aProgramThatIsTerminatedWhileItOpensItsCameraGivesControlBack() {
        Scenario scenario = Scenario.builder().bindAddress("127.82.0.4").port(0).build();
        try (VirtualCamera camera = VirtualCamera.start(scenario)) {
            camera.faults().pendingAcknowledge(SLOW);
            try (ChildProcess client = ApplicationMain.start(camera, HEARTBEAT)) {
                Await.until("control", LIMIT, () -> camera.controller().isPresent(), client::toString);
                client.terminate();
                client.awaitEnd(LIMIT);
            }
            Await.until("end of the control", LIMIT, () -> camera.controller().isEmpty());
            assertEquals(0, camera.statistics().heartbeatTimeouts());
        }
    }
}
