package io.peregrine.distribution;

import io.aeron.ChannelUri;
import io.aeron.archive.client.AeronArchive;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * A recording of frames in an archive: those of one publisher, without a break.
 *
 * @param id number in the archive
 * @param name name of the stream
 * @param route route on which it was published
 * @param session session of the publication
 * @param startMillis when it began, since 1970
 * @param startPosition first byte that the archive still has
 * @param stopPosition byte after the last; {@link AeronArchive#NULL_POSITION} while it is recorded
 * @param termBytes length of a term: frames of the log begin at each multiple of it
 * @param segmentBytes length of a file of it
 */
record Take(
        long id,
        String name,
        String route,
        int session,
        long startMillis,
        long startPosition,
        long stopPosition,
        int termBytes,
        int segmentBytes) {
    private static final String MARK = "peregrine";

    /** Whether it is being recorded. */
    boolean active() {
        return stopPosition == AeronArchive.NULL_POSITION;
    }

    /** What names a stream in the channel that is recorded. */
    static String alias(String name, Route route) {
        return MARK + "." + encoded(name) + "." + encoded(route.toString());
    }

    private static String encoded(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * A recording as the archive lists it.
     *
     * @param channel channel as it was given when recording began
     * @return empty when its name is missing or malformed: somebody else's recording
     */
    static Optional<Take> of(
            long id,
            String channel,
            int session,
            long startMillis,
            long startPosition,
            long stopPosition,
            int termBytes,
            int segmentBytes) {
        try {
            String alias = ChannelUri.parse(channel).get("alias", "");
            String[] parts = alias.split("\\.", -1);
            if (parts.length != 3 || !parts[0].equals(MARK)) {
                return Optional.empty();
            }
            return Optional.of(new Take(
                    id,
                    decoded(parts[1]),
                    Route.parse(decoded(parts[2])).toString(),
                    session,
                    startMillis,
                    startPosition,
                    stopPosition,
                    termBytes,
                    segmentBytes));
        } catch (IllegalArgumentException | DistributionException e) {
            return Optional.empty();
        }
    }

    private static String decoded(String text) {
        return new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
    }
}
