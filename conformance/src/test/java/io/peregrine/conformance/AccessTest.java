package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.Device;
import io.peregrine.device.DeviceAccessDeniedException;
import io.peregrine.gvcp.AccessDeniedException;
import io.peregrine.gvcp.GvcpStatus;
import io.peregrine.virtualcamera.VirtualCamera;
import io.peregrine.virtualcamera.junit.GevCamera;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who may do what while somebody else controls a camera. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class AccessTest {
    @GevCamera(serial = "ACCESS1")
    private VirtualCamera camera;

    @Test
    void aSecondControllerIsRefused() {
        try (Device first = Loopback.open(camera)) {
            DeviceAccessDeniedException denied = assertThrows(
                    DeviceAccessDeniedException.class,
                    () -> Loopback.open(camera).close());
            AccessDeniedException refusal = assertInstanceOf(AccessDeniedException.class, denied.getCause());
            assertEquals(GvcpStatus.ACCESS_DENIED, refusal.status());
            assertTrue(refusal.register().contains("0x0A00"), refusal.register());
            assertTrue(first.connection().connected());
        }
    }

    @Test
    void aMonitorReadsButDoesNotSet() {
        try (Device first = Loopback.open(camera);
                Device monitor = Loopback.open(camera, "AccessMode", "ReadOnly")) {
            first.nodes().integer("Width").set(320);
            assertEquals(320, monitor.nodes().integer("Width").value());
            assertEquals("ACCESS1", monitor.nodes().string("DeviceSerialNumber").value());
            assertThrows(
                    DeviceAccessDeniedException.class,
                    () -> monitor.nodes().integer("Width").set(160));
            assertEquals(320, first.nodes().integer("Width").value());
        }
    }

    @Test
    void nobodyOpensBesideAnExclusiveController() {
        try (Device first = Loopback.open(camera, "AccessMode", "Exclusive")) {
            assertThrows(
                    DeviceAccessDeniedException.class,
                    () -> Loopback.open(camera).close());
            assertTrue(first.connection().connected());
        }
    }

    @Test
    void theNextControllerGetsInWhenTheFirstHasClosed() {
        Loopback.open(camera).close();
        try (Device next = Loopback.open(camera)) {
            next.nodes().integer("Width").set(200);
            assertEquals(200, next.nodes().integer("Width").value());
        }
    }
}
