package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OpenTimeoutTest {
    private static final String CAMERA = "127.59.0.3";

    private static DiscoveryInformation found(VirtualCamera camera) {
        return DeviceFactory.create(PeregrineSettings.load()
                        .with(
                                PeregrineSettings.DISCOVERY_ADDRESSES,
                                CAMERA + ":" + camera.address().getPort())
                        .with(PeregrineSettings.DISCOVERY_BROADCAST, "false"))
                .discoverDevices(DiscoverFlags.FIND_ALL, Duration.ofSeconds(10))
                .get(0);
    }

    @Test
    void openingThatTakesTooLongEndsAndGivesControlBack() {
        try (VirtualCamera camera = VirtualCamera.start(
                Scenario.builder().bindAddress(CAMERA).port(0).build())) {
            // A description of some hundred commands takes longer than that.
            DiscoveryInformation info = found(camera).setParameter("OpenTimeout", "1ms");
            DeviceTimeoutException refusal = assertThrows(DeviceTimeoutException.class, () -> DeviceFactory.open(info));
            assertTrue(refusal.getMessage().startsWith("OpenTimeout of 1 ms is over: "), refusal.getMessage());
            assertEquals(Optional.empty(), camera.controller());
        }
    }

    @Test
    void aTimeoutOfNothingIsRefused() {
        try (VirtualCamera camera = VirtualCamera.start(
                Scenario.builder().bindAddress(CAMERA).port(0).build())) {
            DiscoveryInformation info = found(camera).setParameter("OpenTimeout", "0s");
            assertThrows(DeviceException.class, () -> DeviceFactory.open(info));
        }
    }
}
