package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.NodeMap;
import java.util.List;

/** Reads and sets the features of Aravis' fake camera; fails when one is not as it must be. */
final class AravisFeaturesMain {
    private AravisFeaturesMain() {}

    public static void main(String[] arguments) {
        try (Device device = DeviceFactory.open(arguments[0])) {
            NodeMap nodes = device.nodes();
            assertEquals(List.of(), nodes.problems());
            assertEquals("Aravis", nodes.string("DeviceVendorName").value());
            assertEquals(arguments[1], nodes.string("DeviceID").value());
            assertEquals(2048, nodes.integer("SensorWidth").value());
            assertEquals(512, nodes.integer("Width").value());
            assertEquals(512 * 512, nodes.integer("PayloadSize").value());

            nodes.integer("Width").set(640);
            nodes.integer("Height").set(100);
            assertEquals(640, nodes.integer("Width").value());
            assertEquals(64_000, nodes.integer("PayloadSize").value(), "a formula over width, height and format");
            nodes.enumeration("PixelFormat").set("Mono16");
            assertEquals("Mono16", nodes.enumeration("PixelFormat").value());
            assertEquals(128_000, nodes.integer("PayloadSize").value());
            assertTrue(nodes.enumeration("PixelFormat").symbols().contains("BayerRG8"));

            nodes.floating("AcquisitionFrameRate").set(50);
            assertEquals(50, nodes.floating("AcquisitionFrameRate").value(), 1e-6);
            assertEquals(20_000, nodes.integer("AcquisitionFramePeriodRegister").value(), "microseconds");
            nodes.floating("ExposureTimeAbs").set(5000);
            assertEquals(5000, nodes.floating("ExposureTimeAbs").value());

            assertEquals(0x12345678, nodes.integer("TestRegister").value());
            nodes.integer("TestRegister").set(0x7654);
            assertEquals(0x7654, nodes.integer("TestRegister").value());
            assertThrows(
                    GenApiException.class, () -> nodes.integer("SensorWidth").set(1));
            assertThrows(GenApiException.class, () -> nodes.integer("Width").set(1_000_000));
            assertEquals(640, nodes.integer("Width").value());
        }
        System.out.println("all features as expected");
    }
}
