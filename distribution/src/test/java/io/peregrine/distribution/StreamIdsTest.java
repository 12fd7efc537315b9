package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Numbers by which Aeron keeps messages of one channel apart; over shared memory, all have the same channel. */
class StreamIdsTest {
    @Test
    void eachKindOfMessageHasAnotherStream() {
        List<Integer> all = List.of(
                Announcement.STREAM_ID,
                Announcement.FRAMES_STREAM_ID,
                ConsumerReport.STREAM_ID,
                FeatureMessage.REQUESTS_STREAM_ID,
                FeatureMessage.ANSWERS_STREAM_ID,
                ArchiveClient.CAMERAS_STREAM_ID,
                ArchiveClient.REPLAY_STREAM_ID);
        Set<Integer> different = new TreeSet<>(all);
        assertEquals(all.size(), different.size(), all::toString);
    }
}
