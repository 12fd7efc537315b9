package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An archive on a disk that holds a part of what is published, and overwrites the oldest. */
@Timeout(180)
class OverwritingArchiveTest {
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
}
