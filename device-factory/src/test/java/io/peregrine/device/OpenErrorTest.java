package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.gvcp.GvcpChannel;
import io.peregrine.gvcp.GvcpSettings;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A device that an {@link Error} kept from being opened. */
class OpenErrorTest {
    private static final int CONTROL_CHANNEL_PRIVILEGE = 0x0A00;
    private static final String CAMERA = "127.55.10.1";

    private static VirtualCamera camera() {
        return VirtualCamera.start(Scenario.builder()
                .bindAddress(CAMERA)
                .port(0)
                .rdmaProvider("software")
                .build());
    }

    /** Opens it so that the memory is full when the transport is opened, which is after control was taken. */
    private static void fail(VirtualCamera camera) {
        OutOfMemoryError full = new OutOfMemoryError("Java heap space");
        Devices factory = Devices.of(PeregrineSettings.load(), (provider, local) -> {
            throw full;
        });
        DiscoveryInformation info =
                factory.find(CAMERA + ":" + camera.address().getPort()).setParameter("UseRdma", "1");
        assertSame(full, assertThrows(OutOfMemoryError.class, () -> factory.open(info)));
    }

    @Test
    void isNotUnderControlAnyLonger() {
        try (VirtualCamera camera = camera()) {
            fail(camera);
            try (GvcpChannel other = GvcpChannel.open(camera.address(), GvcpSettings.defaults())) {
                assertEquals(0, other.readRegister(CONTROL_CHANNEL_PRIVILEGE));
            }
        }
    }

    @Test
    void leavesNoThread() {
        try (VirtualCamera camera = camera()) {
            fail(camera);
            assertEquals(
                    List.of(),
                    Thread.getAllStackTraces().keySet().stream()
                            .map(Thread::getName)
                            .filter(name -> name.startsWith("gvcp-heartbeat-" + CAMERA))
                            .toList());
        }
    }
}
