package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.GroupFrame;
import io.peregrine.composite.StreamGroup;
import io.peregrine.virtualcamera.VirtualCamera;
import io.peregrine.virtualcamera.junit.GevCamera;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Composites of several cameras, taken together. */
@Timeout(60)
class StreamGroupTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    private static Device open(VirtualCamera camera) {
        return DeviceFactory.create(PeregrineSettings.load().with(PeregrineSettings.DISCOVERY_BROADCAST, "false"))
                .open(camera.address().getAddress().getHostAddress() + ":"
                        + camera.address().getPort());
    }

    private static GroupFrame next(StreamGroup group) {
        return assertInstanceOf(StreamGroup.Result.Ok.class, group.waitFor(LONG))
                .frame();
    }

    @Test
    void compositesOfTwoCamerasComeTogetherAndWhatIsMissingIsNamed(
            @GevCamera(width = 64, height = 48, frameRate = 50) VirtualCamera left,
            @GevCamera(
                            width = 64,
                            height = 48,
                            frameRate = 50,
                            faults = "{\"stallEveryBlocks\": 5, \"resendLossPerMille\": 1000}")
                    VirtualCamera right) {
        try (Device leftDevice = open(left);
                Device rightDevice = open(right);
                CompositeStream leftStream = leftDevice.stream(CompositeStream.class, 0);
                CompositeStream rightStream = rightDevice.stream(CompositeStream.class, 0);
                StreamGroup group = StreamGroup.byBlockId(0)
                        .add("left", leftStream)
                        .add("right", rightStream)
                        .patience(LONG)
                        .build()) {
            group.start();
            List<Long> complete = new ArrayList<>();
            while (complete.size() < 20) {
                try (GroupFrame frame = next(group)) {
                    for (Composite composite : frame.composites()) {
                        assertEquals(frame.composites().get(0).blockId(), composite.blockId());
                    }
                    if (frame.complete()) {
                        complete.add(frame.composites().get(0).blockId());
                    }
                }
            }
            assertTrue(complete.stream().noneMatch(id -> id % 5 == 0), complete::toString);
            assertEquals(complete.stream().sorted().distinct().toList(), complete);
            group.stop();
        }
    }

    @Test
    void clocksOfTheirOwnAreMapped(
            @GevCamera(width = 64, height = 48, frameRate = 10) VirtualCamera left,
            @GevCamera(width = 64, height = 48, frameRate = 10) VirtualCamera right) {
        try (Device leftDevice = open(left);
                Device rightDevice = open(right);
                CompositeStream leftStream = leftDevice.stream(CompositeStream.class, 0);
                CompositeStream rightStream = rightDevice.stream(CompositeStream.class, 0)) {
            long leftOffset = offset(leftDevice);
            long rightOffset = offset(rightDevice);
            // Free running cameras may be half a period apart at most.
            try (StreamGroup group = StreamGroup.byTimestamp(Duration.ofMillis(50))
                    .add("left", leftStream, ticks -> ticks + leftOffset)
                    .add("right", rightStream, ticks -> ticks + rightOffset)
                    .patience(LONG)
                    .build()) {
                group.start();
                int complete = 0;
                while (complete < 5) {
                    try (GroupFrame frame = next(group)) {
                        complete += frame.complete() ? 1 : 0;
                        assertTrue(frame.spread() <= 50_000_000, frame::toString);
                    }
                }
                group.stop();
            }
        }
    }

    /** What has to be added to the camera's time in ns to get that of this host, within the time of an exchange. */
    private static long offset(Device device) {
        device.nodes().command("TimestampLatch").execute();
        return System.nanoTime() - device.nodes().integer("TimestampLatchValue").value();
    }
}
