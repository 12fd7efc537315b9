package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.Await;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OpenTimeoutTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final String CAMERA = "127.59.0.3";

    @Test
    void openingThatTakesTooLongEndsAndGivesControlBack() {
        try (VirtualCamera camera = VirtualCamera.start(
                Scenario.builder().bindAddress(CAMERA).port(0).build())) {
            // A description of some hundred commands takes longer than that.
            DiscoveryInformation info = Found.of(camera).setParameter("OpenTimeout", "1ms");
            DeviceTimeoutException refusal = assertThrows(DeviceTimeoutException.class, () -> DeviceFactory.open(info));
            assertTrue(refusal.getMessage().startsWith("OpenTimeout of 1 ms is over: "), refusal.getMessage());
            Await.until("control given back", LIMIT, () -> camera.controller().isEmpty());
        }
    }

    @Test
    void aTimeoutOfNothingIsRefused() {
        try (VirtualCamera camera = VirtualCamera.start(
                Scenario.builder().bindAddress(CAMERA).port(0).build())) {
            DiscoveryInformation info = Found.of(camera).setParameter("OpenTimeout", "0s");
            assertThrows(DeviceException.class, () -> DeviceFactory.open(info));
        }
    }
}
