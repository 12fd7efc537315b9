package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.GroupFrame;
import io.peregrine.composite.StreamGroup;
import io.peregrine.virtualcamera.VirtualCamera;
import io.peregrine.virtualcamera.junit.GevCamera;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All stream channels of one device. */
@Timeout(60)
class SeveralStreamsTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    @GevCamera(width = 64, height = 48, frameRate = 50, scenario = "{\"streamChannels\": 3}")
    private VirtualCamera camera;

    private Device device;

    @BeforeEach
    void open() {
        device = DeviceFactory.create(PeregrineSettings.load().with(PeregrineSettings.DISCOVERY_BROADCAST, "false"))
                .open(camera.address().getAddress().getHostAddress() + ":"
                        + camera.address().getPort());
    }

    @AfterEach
    void close() {
        device.close();
    }

    private static Composite next(CompositeStream stream) {
        return stream.waitFor(LONG).toOptional().orElseThrow();
    }

    @Test
    void aDeviceHasAStreamForEachChannel() {
        assertEquals(3, device.streamCount());
        assertEquals(3, device.nodes().integer("DeviceStreamChannelCount").value());
        assertThrows(DeviceException.class, () -> device.stream(CompositeStream.class, 3));
    }

    @Test
    void everyStreamDeliversWholeFrames() {
        try (CompositeStream first = device.stream(CompositeStream.class, 0);
                CompositeStream last = device.stream(CompositeStream.class, 2);
                StreamGroup group = StreamGroup.byBlockId(0)
                        .add("first", first)
                        .add("last", last)
                        .patience(LONG)
                        .build()) {
            group.start();
            int whole = 0;
            while (whole < 20) {
                try (GroupFrame frame = assertInstanceOf(StreamGroup.Result.Ok.class, group.waitFor(LONG))
                        .frame()) {
                    whole += frame.complete() ? 1 : 0;
                }
            }
            group.stop();
        }
    }

    @Test
    void theAcquisitionEndsWithTheLastStream() throws Exception {
        try (CompositeStream first = device.stream(CompositeStream.class, 0);
                CompositeStream second = device.stream(CompositeStream.class, 1)) {
            first.engineStart();
            second.engineStart();
            first.deviceStart();
            second.deviceStart();
            next(first).close();
            first.stop();
            long id;
            try (Composite composite = next(second)) {
                id = composite.blockId();
            }
            for (int i = 0; i < 12; i++) {
                try (Composite composite = next(second)) {
                    assertTrue(composite.blockId() > id);
                    id = composite.blockId();
                }
            }
            assertTrue(camera.streaming());
            second.stop();
            assertTrue(camera.awaitStreaming(false, LONG));
        }
    }

    @Test
    void aStreamJoinsAnAcquisitionThatRuns() {
        try (CompositeStream first = device.stream(CompositeStream.class, 0);
                CompositeStream second = device.stream(CompositeStream.class, 1)) {
            first.start();
            next(first).close();
            second.start();
            next(second).close();
            next(first).close();
            second.stop();
            next(first).close();
            first.stop();
            assertFalse(first.running());
        }
    }
}
