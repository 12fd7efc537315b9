package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.genapi.EnumerationNode;
import io.peregrine.virtualcamera.Content;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.ScenarioBuilder;
import io.peregrine.virtualcamera.VirtualCamera;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the virtual camera says of itself is so. */
@Timeout(60)
class VirtualCameraFeaturesTest {
    private static final String CAMERA = "127.59.0.4";

    private static ScenarioBuilder scenario() {
        return Scenario.builder().bindAddress(CAMERA).port(0).serial("PG-59-4");
    }

    @ParameterizedTest
    @EnumSource(Content.class)
    void everyPixelFormatThatIsAvailableCanBeSet(Content content) {
        try (VirtualCamera camera =
                        VirtualCamera.start(scenario().content(content).build());
                Device device = DeviceFactory.open(Found.of(camera))) {
            EnumerationNode format = device.nodes().enumeration("PixelFormat");
            List<String> available = format.symbols();
            assertTrue(available.contains(format.value()), available::toString);
            for (String symbol : available) {
                format.set(symbol);
                assertEquals(symbol, format.value());
            }
        }
    }

    @Test
    void aCameraIsWhoTheScenarioSays() {
        try (VirtualCamera camera = VirtualCamera.start(scenario()
                .vendor("Basler")
                .model("acA2440-20gm")
                .macAddress("00:30:53:12:34:56")
                .build())) {
            DiscoveryInformation info = Found.of(camera);
            try (Device device = DeviceFactory.open(info)) {
                assertAll(
                        () -> assertEquals("00:30:53:12:34:56", info.macAddress()),
                        () -> assertEquals(
                                "Basler",
                                device.nodes().string("DeviceVendorName").value()),
                        () -> assertEquals(
                                "acA2440-20gm",
                                device.nodes().string("DeviceModelName").value()),
                        () -> assertEquals(
                                "PG-59-4", device.nodes().string("DeviceID").value()));
            }
        }
    }

    @Test
    void theLevelOfALineIsTold() {
        try (VirtualCamera camera = VirtualCamera.start(scenario().build());
                Device device = DeviceFactory.open(Found.of(camera))) {
            camera.setLine(1, true);
            assertEquals(2, device.nodes().integer("LineStatusAll").value());
            device.nodes().enumeration("LineSelector").set("Line1");
            assertTrue(device.nodes().bool("LineStatus").value());
        }
    }
}
