package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.distribution.archive.ArchiveCatalog;
import io.peregrine.distribution.archive.ArchiveCheck;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Archives whose files were damaged: a clear error, and never a wrong frame. */
@Timeout(180)
class DamagedArchiveTest {
    @TempDir
    Path directory;

    private Path archive;
    private ArchiveRig rig;
    private RecordingService recorder;

    @BeforeEach
    void recordThirtyFrames() {
        archive = directory.resolve("archive");
        rig = new ArchiveRig(archive, "ipc");
        recorder = rig.recorder();
        FramePublisher publisher = rig.publisher("line");
        ArchiveRig.send(publisher, 1, 30);
        rig.awaitRecorded(30);
        rig.close(publisher);
    }

    @AfterEach
    void tearDown() {
        rig.close();
    }

    /** The files of the recording of frames, in order of their positions. */
    private List<Path> segments() throws IOException {
        try (Stream<Path> files = Files.list(archive)) {
            // The recording with most files is that of the frames.
            return files.filter(file -> file.getFileName().toString().startsWith(frames() + "-"))
                    .sorted((one, two) -> Long.compare(position(one), position(two)))
                    .toList();
        }
    }

    private long frames() {
        return rig.recordings().get(0).id();
    }

    private static long position(Path file) {
        String name = file.getFileName().toString();
        return Long.parseLong(name.substring(name.indexOf('-') + 1, name.indexOf('.')));
    }

    private ArchiveCheck check() {
        try (ArchiveCatalog catalog = AeronStreams.archive(DistributionSettings.load())) {
            return catalog.check(frames());
        }
    }

    /** Frames in order until the stream ends; returns how many were right. */
    private static long replay(CompositeStream stream) {
        long expected = 1;
        while (true) {
            WaitResult result = stream.waitFor(ArchiveRig.PATIENCE);
            if (!(result instanceof WaitResult.Ok ok)) {
                return expected - 1;
            }
            try (var received = ok.composite();
                    var sent = Containers.frame(expected, ArchiveRig.WIDTH, ArchiveRig.HEIGHT)) {
                if (received.complete()) {
                    assertEquals(Containers.describe(sent), Containers.describe(received));
                    expected++;
                }
            }
        }
    }

    @Test
    void anIntactRecordingIsReportedSo() {
        ArchiveCheck check = check();
        assertTrue(check.intact(), check::toString);
        assertEquals(30, check.framesComplete());
    }

    @Test
    void aByteThatWasChangedIsFoundByItsChecksumAndNeverDelivered() throws Exception {
        try (RandomAccessFile file = new RandomAccessFile(segments().get(5).toFile(), "rw")) {
            file.seek(20_000);
            int was = file.read();
            file.seek(20_000);
            file.write(was ^ 1);
        }
        ArchiveCheck check = check();
        assertFalse(check.intact(), check::toString);
        long whole = replay(rig.started("line@archive"));
        assertTrue(whole > 0 && whole < 30, () -> whole + " frames");
    }

    @Test
    void aSegmentThatWasCutOffEndsReplayWithAnErrorThatNamesTheRecording() throws Exception {
        try (RandomAccessFile file = new RandomAccessFile(segments().get(5).toFile(), "rw")) {
            file.setLength(10_000);
        }
        CompositeStream stream = rig.started("line@archive");
        long whole = replay(stream);
        assertTrue(whole > 0 && whole < 30, () -> whole + " frames");
        assertTrue(
                stream.end().orElseThrow().toString().contains("damaged"),
                () -> stream.end().toString());
        assertFalse(check().intact());
    }

    @Test
    void aSegmentThatWasDeletedIsReported() throws Exception {
        Files.delete(segments().get(5));
        assertFalse(check().intact());
    }

    @Test
    void aCatalogOfSomethingElseIsRefused() throws Exception {
        rig.close(recorder);
        Files.write(archive.resolve("archive.catalog"), new byte[4096]);
        DistributionException refusal = assertThrows(DistributionException.class, () -> rig.recorder());
        assertTrue(refusal.getMessage().contains("cannot be started"), refusal.getMessage());
    }

    @Test
    void aDirectoryThatAnotherArchiveUsesIsRefused() {
        DistributionException refusal = assertThrows(DistributionException.class, () -> rig.recorder());
        assertTrue(refusal.getMessage().contains("Another archive"), refusal.getMessage());
    }

    @Test
    void whatWasRecordedIsThereAfterARestart() {
        rig.close(recorder);
        rig.recorder();
        ArchiveCheck check = check();
        assertTrue(check.intact(), check::toString);
        assertInstanceOf(CompositeStream.class, rig.started("line@archive"));
        assertEquals(30, check.framesComplete());
    }
}
