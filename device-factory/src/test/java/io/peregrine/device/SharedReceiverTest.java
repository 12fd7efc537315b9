package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.virtualcamera.VirtualCamera;
import io.peregrine.virtualcamera.junit.GevCamera;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams of several cameras on one receiver thread. */
@Timeout(60)
class SharedReceiverTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final int FRAMES = 20;

    @GevCamera(serial = "PG-L", width = 320, height = 200, frameRate = 50)
    private VirtualCamera left;

    @GevCamera(serial = "PG-R", width = 200, height = 320, frameRate = 70)
    private VirtualCamera right;

    private static Device open(VirtualCamera camera) {
        Devices factory =
                DeviceFactory.create(PeregrineSettings.load().with(PeregrineSettings.DISCOVERY_BROADCAST, "false"));
        String address = camera.address().getAddress().getHostAddress() + ":"
                + camera.address().getPort();
        return factory.open(factory.await(address, LONG).setParameter("ReceiverThread", "both"));
    }

    private static long receivers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("peregrine-streams-both"))
                .count();
    }

    @Test
    void camerasThatShareAThreadLoseNothing() {
        try (Device one = open(left);
                Device other = open(right);
                CompositeStream first = one.stream(CompositeStream.class, 0);
                CompositeStream second = other.stream(CompositeStream.class, 0)) {
            first.start();
            second.start();
            for (int i = 0; i < FRAMES; i++) {
                for (CompositeStream stream : new CompositeStream[] {first, second}) {
                    try (Composite composite = stream.waitFor(LONG).toOptional().orElseThrow()) {
                        assertTrue(
                                composite.complete(), () -> stream.statistics().toString());
                    }
                }
            }
            assertEquals(1, receivers());
        }
    }
}
