package io.peregrine.browser.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.virtualcamera.ComponentKind;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames that are kept before a trigger: as long as was asked for, and in bounded memory. */
@Timeout(60)
class PreTriggerTest {
    private static final int BYTES = 64 * 48;
    private static final Duration SPAN = Duration.ofSeconds(10);

    private static Composite frame;

    @BeforeAll
    static void receive() {
        try (VirtualCamera camera = VirtualCamera.start(Scenario.builder()
                        .bindAddress("127.60.0.7")
                        .port(0)
                        .size(64, 48)
                        .components(Set.of(ComponentKind.INTENSITY))
                        .build());
                Device device = DeviceFactory.create(PeregrineSettings.load())
                        .open("127.60.0.7:" + camera.address().getPort());
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            try (Composite received = stream.iterator().next()) {
                frame = received.copy();
            }
        }
    }

    private static long seconds(long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }

    @Test
    void framesOfTheLastSecondsAreKept() {
        PreTrigger kept = new PreTrigger(SPAN, Long.MAX_VALUE);
        for (int i = 0; i <= 30; i++) {
            kept.add(frame, seconds(i));
        }
        assertEquals(SPAN, kept.span());
    }

    @Test
    void framesAreGivenOldestFirst() {
        PreTrigger kept = new PreTrigger(SPAN, Long.MAX_VALUE);
        kept.add(frame, seconds(1));
        kept.add(frame, seconds(2));
        assertEquals(
                List.of(seconds(1), seconds(2)),
                kept.take().stream().map(PreTrigger.Held::cameNanos).toList());
    }

    @Test
    void framesAreGivenOnce() {
        PreTrigger kept = new PreTrigger(SPAN, Long.MAX_VALUE);
        kept.add(frame, 0);
        kept.take();
        assertEquals(0, kept.count());
    }

    @Test
    void memoryIsBounded() {
        PreTrigger kept = new PreTrigger(SPAN, 3 * BYTES);
        for (int i = 0; i < 5; i++) {
            kept.add(frame, seconds(i));
        }
        assertEquals(3 * BYTES, kept.bytes());
        assertTrue(kept.limited());
    }

    @Test
    void aFrameLargerThanTheMemoryIsNotKept() {
        PreTrigger kept = new PreTrigger(SPAN, BYTES - 1);
        kept.add(frame, 0);
        assertEquals(0, kept.count());
    }

    @Test
    void framesThatAreTooOldAreNoLackOfMemory() {
        PreTrigger kept = new PreTrigger(SPAN, Long.MAX_VALUE);
        kept.add(frame, 0);
        kept.add(frame, seconds(30));
        assertFalse(kept.limited());
    }

    @Test
    void theTimeAroundZeroIsNoException() {
        PreTrigger kept = new PreTrigger(SPAN, Long.MAX_VALUE);
        kept.add(frame, Long.MAX_VALUE);
        kept.add(frame, Long.MAX_VALUE + seconds(1));
        assertEquals(2, kept.count());
    }
}
