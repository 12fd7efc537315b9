package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.recording.Camera;
import io.peregrine.testing.Await;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records as many bytes as the system property {@code peregrine.archive.bytes} says, 16 MB by default, and replays from
 * the middle into live frames.
 */
@Timeout(900)
class LargeArchiveTest {
    private static final long BYTES = Long.getLong("peregrine.archive.bytes", 16_000_000);
    private static final int WIDTH = 1024;
    private static final int HEIGHT = BYTES < 1_000_000_000 ? 256 : 2048;
    private static final long RECORDED = BYTES / ((long) WIDTH * HEIGHT);
    /** Frames that are under way: fewer than the publisher queues, so that it drops none. */
    private static final int UNDER_WAY = 2;

    @TempDir
    Path directory;

    /** Then the consumer reads what is published now. */
    private static final int NEARLY_LIVE = 3;

    private static final int LIVE_FRAMES = 20;
    /** Between frames once there are enough, so that the consumer comes up with them. */
    private static final long PACE_NANOS = 20_000_000;

    /** Publishes frames from 1 on as fast as the archive takes them, then slowly, until it is closed. */
    private static final class Load implements AutoCloseable {
        private final AtomicBoolean ending = new AtomicBoolean();
        private final Thread thread;

        Load(FramePublisher publisher) {
            thread = new Thread(() -> {
                for (long id = 1; !ending.get(); id++) {
                    try (Composite frame = Containers.frame(id, WIDTH, HEIGHT)) {
                        publisher.publish(frame);
                    }
                    while (!ending.get() && id - publisher.statistics().framesPublished() >= UNDER_WAY) {
                        LockSupport.parkNanos(20_000);
                    }
                    if (id > RECORDED) {
                        LockSupport.parkNanos(PACE_NANOS);
                    }
                }
            });
            thread.start();
        }

        @Override
        public void close() {
            ending.set(true);
            Await.until("end of the load", ArchiveRig.PATIENCE, () -> !thread.isAlive());
        }
    }

    @Test
    void replayFromTheMiddleGoesOnWithLiveFramesByteForByte() {
        try (ArchiveRig rig = new ArchiveRig(directory.resolve("archive"), "ipc")) {
            rig.set(DistributionSettings.TERM, "4m");
            rig.set(ArchiveSettings.SEGMENT, BYTES < 1_000_000_000 ? "4m" : "64m");
            rig.recorder();
            FramePublisher publisher = rig.keep(FramePublisher.start(PublisherSettings.of("large", "ipc")
                    .withFrameBytes(WIDTH * HEIGHT + 4096)
                    .withCamera(new Camera(Map.of(), "", Optional.empty(), Optional.empty()))));
            Await.until("archive", ArchiveRig.PATIENCE, publisher::connected);
            long begin = System.nanoTime();
            rig.keep(new Load(publisher));
            Await.until(
                    "recorded frames",
                    ArchiveRig.PATIENCE.multipliedBy(10),
                    () -> publisher.statistics().framesPublished() >= RECORDED);
            double recordingSeconds = (System.nanoTime() - begin) / 1e9;
            begin = System.nanoTime();
            CompositeStream stream = rig.started("large@archive:frame=" + RECORDED / 2);
            long wrong = 0;
            int live = 0;
            long id = RECORDED / 2;
            for (; live < LIVE_FRAMES; id++) {
                try (Composite received = ArchiveRig.next(stream);
                        Composite sent = Containers.frame(id, WIDTH, HEIGHT)) {
                    assertEquals(id, received.id());
                    wrong += received.complete()
                                    && received.parts()
                                            .get(0)
                                            .data()
                                            .equals(sent.parts().get(0).data())
                            ? 0
                            : 1;
                }
                live += publisher.statistics().framesPublished() - id <= NEARLY_LIVE ? 1 : 0;
            }
            assertEquals(0, wrong, "frames with wrong bytes");
            assertEquals(0, stream.statistics().framesLost());
            if (Boolean.getBoolean("peregrine.figures")) {
                double seconds = (System.nanoTime() - begin) / 1e9;
                System.out.println(RECORDED + " frames, " + BYTES + " bytes recorded in " + recordingSeconds + " s; "
                        + (id - RECORDED / 2) + " frames replayed in " + seconds + " s, then live");
            }
        }
    }
}
