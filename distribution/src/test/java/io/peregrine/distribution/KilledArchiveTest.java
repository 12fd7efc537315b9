package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.distribution.archive.ArchiveCatalog;
import io.peregrine.distribution.archive.ArchiveCheck;
import io.peregrine.distribution.archive.ArchivedRecording;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.testing.Await;
import io.peregrine.testing.ChildProcess;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An archive in a process of its own that is killed while frames come in, and started again as a service would. */
@Timeout(240)
class KilledArchiveTest {
    private static final int PAGE_BYTES = 4096;

    @TempDir
    Path directory;

    /** Publishes a frame each 5 ms on another thread; the k-th has number k, whether it is dropped or not. */
    private static final class Load implements AutoCloseable {
        private final AtomicBoolean ending = new AtomicBoolean();
        /** The newest that was not dropped at once. */
        private final AtomicLong sent = new AtomicLong();

        private final Thread thread;

        Load(FramePublisher publisher) {
            thread = new Thread(() -> {
                for (long id = 1; !ending.get(); id++) {
                    try (Composite frame = Containers.frame(id, ArchiveRig.WIDTH, ArchiveRig.HEIGHT)) {
                        if (publisher.publish(frame)) {
                            sent.set(id);
                        }
                    }
                    LockSupport.parkNanos(5_000_000);
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
    void whatWasWrittenIsWholeAndWhatWasNotIsCountedInFrames() {
        try (ArchiveRig rig = new ArchiveRig(directory.resolve("archive"), "udp")) {
            FramePublisher publisher = rig.publisher("line");
            ChildProcess first = rig.archiveProcess(Map.of());
            Load load = rig.keep(new Load(publisher));
            rig.awaitRecorded(100);
            first.kill();
            first.close();
            long killed = System.nanoTime();
            ChildProcess second = rig.archiveProcess(Map.of());
            Await.until(
                    "second recording",
                    ArchiveRig.PATIENCE,
                    () -> rig.recordings().size() == 2
                            && rig.recordings().get(1).firstFrame().isPresent());
            double seconds = (System.nanoTime() - killed) / 1e9;
            String counted =
                    second.awaitLine("missing frames", ArchiveRig.PATIENCE, line -> line.startsWith("missing"));
            long newest = rig.recordings().get(1).lastFrame().orElse(0L);
            rig.awaitRecorded(newest + 50);
            rig.close(load);
            rig.awaitRecorded(load.sent.get());

            List<ArchivedRecording> recordings = rig.recordings();
            long last = recordings.get(0).lastFrame().orElseThrow();
            long next = recordings.get(1).firstFrame().orElseThrow();
            assertTrue(last >= 100, () -> "last whole frame " + last);
            assertEquals("missing " + (next - last - 1), counted);
            assertEquals(next - last - 1, recordings.get(1).missingBefore());
            try (ArchiveCatalog catalog = AeronStreams.archive(DistributionSettings.load())) {
                for (long id : catalog.ids()) {
                    ArchiveCheck check = catalog.check(id);
                    assertTrue(check.intact(), check::toString);
                }
            }
            CompositeStream stream = rig.started("line@archive:to=now");
            long previous = 0;
            long whole = 0;
            for (Composite received : stream) {
                try (received;
                        Composite sent = Containers.frame(received.id(), ArchiveRig.WIDTH, ArchiveRig.HEIGHT)) {
                    if (received.complete()) {
                        assertEquals(Containers.describe(sent), Containers.describe(received));
                        assertTrue(received.id() > previous, "frame " + received.id() + " after " + previous);
                        previous = received.id();
                        whole++;
                    }
                }
            }
            assertEquals(load.sent.get(), previous);
            assertEquals(whole, stream.statistics().get(Counter.FRAMES_COMPLETE));
            if (Boolean.getBoolean("peregrine.figures")) {
                System.out.println("back after " + seconds + " s, " + counted + ", of " + previous + ", "
                        + publisher.statistics());
            }
        }
    }

    /** As a full disk leaves it when the archive ends before it can note where it is. */
    @Test
    void aFragmentThatWasNotWrittenWholeIsCutOffAndTheRestIsThere() throws IOException {
        Path archive = directory.resolve("archive");
        try (ArchiveRig rig = new ArchiveRig(archive, "udp")) {
            FramePublisher publisher = rig.publisher("line");
            ChildProcess first = rig.archiveProcess(Map.of());
            Load load = rig.keep(new Load(publisher));
            rig.awaitRecorded(20);
            first.kill();
            first.close();
            rig.close(load);
            Path last = segment(archive);
            try (RandomAccessFile file = new RandomAccessFile(last.toFile(), "rw")) {
                long bytes = file.length();
                file.setLength(3 * PAGE_BYTES);
                file.setLength(bytes);
            }
            rig.archiveProcess(Map.of());
            assertTrue(
                    rig.recordings().get(0).lastFrame().orElseThrow() >= 10,
                    () -> rig.recordings().toString());
        }
    }

    /** The last file of frames that is filled; an emptier one after it is removed. */
    private static Path segment(Path archive) throws IOException {
        try (Stream<Path> files = Files.list(archive)) {
            List<Path> all = files.filter(file -> file.toString().endsWith(".rec"))
                    .sorted(Comparator.comparingLong(KilledArchiveTest::position))
                    .toList();
            Files.delete(all.get(all.size() - 1));
            return all.get(all.size() - 2);
        }
    }

    private static long position(Path file) {
        String name = file.getFileName().toString();
        return Long.parseLong(name.substring(name.indexOf('-') + 1, name.indexOf('.')));
    }
}
