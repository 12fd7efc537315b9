package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.aeron.archive.client.AeronArchive;
import io.peregrine.distribution.Retention.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What is deleted; a file has 100 kB, rounded to 131072 bytes, and a byte is written each nanosecond. */
class RetentionTest {
    private static final int FILE = 1 << 17;

    private static Held held(long id, long start, long end, boolean active) {
        return new Held(
                new Take(id, "line", "ipc", 1, id, start, active ? AeronArchive.NULL_POSITION : end, 1 << 16, FILE),
                end);
    }

    private static List<String> plan(String keep, String keepFor, long lacking, long now, Held... held) {
        return deleted(0, keep, keepFor, lacking, now, held);
    }

    /** A frame was sent when its position was reached, in nanoseconds. */
    private static final class PositionsAsTimes implements Retention.Times {
        private int askedForEnds;

        @Override
        public OptionalLong sentAt(Take take, long position) {
            return OptionalLong.of(position);
        }

        @Override
        public OptionalLong lastSent(Take take) {
            askedForEnds++;
            return OptionalLong.of(take.stopPosition());
        }
    }

    /**
     * What is deleted.
     *
     * @param replayed recording of which the archive deletes nothing
     */
    private static List<String> deleted(
            long replayed, String keep, String keepFor, long lacking, long now, Held... held) {
        DistributionSettings settings =
                DistributionSettings.load().with(ArchiveSettings.KEEP, keep).with(ArchiveSettings.KEEP_FOR, keepFor);
        Retention.Times times = new PositionsAsTimes();
        List<String> deleted = new ArrayList<>();
        new Retention(ArchiveSettings.of(settings)).apply(List.of(held), lacking, now, times, one -> {
            boolean accepted = one.take().id() != replayed;
            if (accepted) {
                deleted.add(one.take().id() + " "
                        + (one.start().isPresent() ? "from " + one.start().getAsLong() / FILE : "all") + " "
                        + one.segments());
            }
            return accepted;
        });
        return deleted;
    }

    @Test
    void withoutLimitsNothingIsDeleted() {
        assertEquals(List.of(), plan("", "", 0, Long.MAX_VALUE / 2, held(1, 0, 50L * FILE, false)));
    }

    @Test
    void theOldestFilesGoFirst() {
        assertEquals(
                List.of("1 all 3", "2 from 2 2"),
                plan(Long.toString(5L * FILE), "", 0, 0, held(1, 0, 3L * FILE, false), held(2, 0, 7L * FILE, true)));
    }

    @Test
    void theFileThatIsWrittenStays() {
        assertEquals(List.of("1 from 3 3"), plan("1", "", 0, 0, held(1, 0, 3L * FILE + 5, true)));
    }

    @Test
    void aRecordingThatBeganWithinAFileLosesThatFileFirst() {
        assertEquals(List.of("1 from 1 1"), plan("", "", 10, 0, held(1, 100, 3L * FILE, true)));
    }

    @Test
    void filesAreDeletedByTheAgeOfTheirLastFrame() {
        long now = Duration.ofSeconds(1).toNanos() + 2L * FILE + 1;
        assertEquals(List.of("1 from 2 2"), plan("", "1s", 0, now, held(1, 0, 5L * FILE, true)));
    }

    @Test
    void aRecordingOfWhichTheLastFrameIsTooOldIsDeletedAsAWhole() {
        long now = Duration.ofSeconds(1).toNanos() + 9L * FILE;
        assertEquals(List.of("1 all 5"), plan("", "1s", 0, now, held(1, 0, 5L * FILE, false)));
    }

    @Test
    void theNextRecordingGoesInsteadOfOneThatIsReplayed() {
        assertEquals(
                List.of("2 all 3"),
                deleted(1, "", "", 3L * FILE, 0, held(1, 0, 3L * FILE, false), held(2, 0, 3L * FILE, false)));
    }

    @Test
    void theArchiveIsAskedOnceForTheEndOfARecordingThatHasEnded() {
        PositionsAsTimes times = new PositionsAsTimes();
        Retention retention =
                new Retention(ArchiveSettings.of(DistributionSettings.load().with(ArchiveSettings.KEEP_FOR, "1h")));
        for (int look = 0; look < 3; look++) {
            retention.apply(List.of(held(1, 0, FILE / 2, false)), 0, FILE, times, one -> true);
        }
        assertEquals(1, times.askedForEnds);
    }
}
