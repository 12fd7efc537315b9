package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.distribution.archive.ArchiveCatalog;
import io.peregrine.distribution.archive.ArchiveCheck;
import io.peregrine.distribution.archive.ArchivedRecording;
import io.peregrine.testing.Await;
import io.peregrine.testing.SmallDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An archive on a disk that holds a part of what is published. */
@Timeout(180)
class FullDiskTest {
    private static final long DISK_BYTES = 3 << 20;
    private static final long FRAMES = 150;

    @TempDir
    Path directory;

    /** What is left of the disk when the files of the archive are on it. */
    private long room() {
        try (Stream<Path> files = Files.list(directory)) {
            long used = files.filter(file -> file.toString().endsWith(".rec"))
                    .mapToLong(file -> file.toFile().length())
                    .sum();
            return DISK_BYTES - used;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theOldestFramesGoAndTheNewestStayWithoutAGap() {
        try (ArchiveRig rig = new ArchiveRig(directory, "ipc")) {
            rig.set(ArchiveSettings.FREE, "1m");
            rig.set(ArchiveSettings.FULL, "overwrite");
            RecordingService recorder = rig.recorder(Optional.of(this::room));
            // 30 kB each: more than twice of what fits.
            ArchiveRig.send(rig.publisher("line"), 1, FRAMES);
            rig.awaitRecorded(FRAMES);
            Await.until("room", ArchiveRig.PATIENCE, () -> room() >= 1 << 20);
            long first = rig.recordings().get(0).firstFrame().orElseThrow();
            assertTrue(first > 1, () -> "first frame " + first);
            ArchiveRig.expect(rig.started("line@archive"), first, FRAMES);
            assertEquals(
                    "0 frames missing, 0 pauses",
                    recorder.statistics().framesMissing() + " frames missing, "
                            + recorder.statistics().pauses() + " pauses");
        }
    }

    /** As the JVM reports it when a file that is mapped finds no room. */
    @Test
    void aFaultOfMappedMemoryDoesNotEndTheRecorder() {
        try (ArchiveRig rig = new ArchiveRig(directory, "ipc")) {
            AtomicBoolean faulty = new AtomicBoolean();
            RecordingService recorder = rig.recorder(Optional.of(() -> {
                if (faulty.getAndSet(false)) {
                    throw new InternalError("a fault occurred");
                }
                return 1L << 30;
            }));
            FramePublisher publisher = rig.publisher("line");
            ArchiveRig.send(publisher, 1, 5);
            rig.awaitRecorded(5);
            faulty.set(true);
            Await.until(
                    "report",
                    ArchiveRig.PATIENCE,
                    () -> recorder.diagnosis().toString().contains("a fault occurred"));
            AtomicLong id = new AtomicLong(5);
            Await.until("second recording", ArchiveRig.PATIENCE, () -> {
                try (Composite frame = Containers.frame(id.incrementAndGet(), ArchiveRig.WIDTH, ArchiveRig.HEIGHT)) {
                    publisher.publish(frame);
                }
                return recorder.statistics().interruptions() == 1;
            });
            ArchiveRig.expect(rig.started("line@archive"), 1, 5);
        }
    }

    @Test
    void aDiskThatIsFullToTheLastBytePausesRecordingAndWhatWasRecordedStays() {
        try (SmallDisk disk = SmallDisk.mount(directory, "8m");
                ArchiveRig rig = new ArchiveRig(disk.path().resolve("archive"), "ipc")) {
            // As if other programs took the room between two looks at it.
            RecordingService recorder = rig.recorder(Optional.of(() -> 1L << 30));
            FramePublisher publisher = rig.publisher("line");
            Await.until("consumer", ArchiveRig.PATIENCE, publisher::connected);
            AtomicLong id = new AtomicLong();
            Await.until("pause", ArchiveRig.PATIENCE, () -> {
                try (Composite frame = Containers.frame(id.incrementAndGet(), ArchiveRig.WIDTH, ArchiveRig.HEIGHT)) {
                    publisher.publish(frame);
                }
                return recorder.statistics().pauses() > 0;
            });
            assertTrue(
                    recorder.diagnosis().toString().contains("The disk of the archive is full: recording pauses"),
                    () -> recorder.diagnosis().toString());
            ArchivedRecording recording = rig.recordings().get(0);
            long last = recording.lastFrame().orElseThrow();
            assertTrue(last > 50, () -> "last frame " + last);
            try (ArchiveCatalog catalog = AeronStreams.archive(DistributionSettings.load())) {
                ArchiveCheck found = catalog.check(recording.id());
                assertTrue(found.intact(), found::toString);
                // On a busy host the publisher drops frames, too.
                long frames = last - recording.firstFrame().orElseThrow() + 1;
                assertEquals(frames, found.framesComplete() + found.framesNotReceived(), found::toString);
                assertTrue(found.framesNotReceived() <= publisher.statistics().framesDropped(), found::toString);
            }
        }
    }

    @Test
    void aDiskWithoutRoomForANewArchiveIsRefusedWithWhatToDo() {
        try (SmallDisk disk = SmallDisk.mount(directory, "1m");
                ArchiveRig rig = new ArchiveRig(disk.path().resolve("archive"), "ipc")) {
            DistributionException refusal = assertThrows(DistributionException.class, rig::recorder);
            assertTrue(refusal.getMessage().contains("Make room"), refusal.getMessage());
        }
    }

    @Test
    void aMarkThatFoundNoRoomDoesNotKeepAnArchiveFromStarting() throws IOException {
        try (ArchiveRig rig = new ArchiveRig(directory, "ipc")) {
            Files.write(directory.resolve("archive-mark.dat"), new byte[(1 << 20) + 8192]);
            assertEquals(0, rig.recorder().statistics().streams());
        }
    }
}
