package io.peregrine.distribution.archive;

import java.time.Instant;
import java.util.Optional;

/**
 * What an archive has of a stream without a break.
 *
 * @param id number of the recording
 * @param name name of the stream
 * @param accessToken opens the stream as a device, from its first frame on
 * @param route route on which it was published
 * @param active whether it is being recorded
 * @param bytes bytes of the log
 * @param firstFrame number of the first whole frame at its publisher
 * @param lastFrame number of the last whole frame
 * @param firstTime when the first was sent
 * @param lastTime when the last was sent
 * @param missingBefore frames between the recording before and this one, of the same publisher, that no recording has
 */
public record ArchivedRecording(
        long id,
        String name,
        String accessToken,
        String route,
        boolean active,
        long bytes,
        Optional<Long> firstFrame,
        Optional<Long> lastFrame,
        Optional<Instant> firstTime,
        Optional<Instant> lastTime,
        long missingBefore) {}
