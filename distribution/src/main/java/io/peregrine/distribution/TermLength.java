package io.peregrine.distribution;

import java.util.Optional;

/**
 * Whether a publisher keeps enough of its frames for consumers that may drop some. It does not wait for these, and
 * Aeron drops what comes further ahead of a consumer than half a term, and sends nothing again that is older than about
 * that: within a larger frame, a consumer that is late by a few milliseconds is left behind, and cut off.
 */
final class TermLength {
    /** So that a consumer may be late by two of them. */
    private static final int FRAMES = 4;

    private static final long MAX_BYTES = 1L << 30;

    private TermLength() {}

    /** The value to set; empty when the term is long enough. */
    static Optional<String> needed(Route route, long termBytes, long frameBytes) {
        long wanted = Math.min(MAX_BYTES, frameBytes * FRAMES);
        return route.leavesLateConsumersBehind() && termBytes < wanted
                ? Optional.of(text(Long.highestOneBit(wanted - 1) << 1))
                : Optional.empty();
    }

    private static String text(long bytes) {
        return bytes >= 1 << 20 ? (bytes >> 20) + "m" : (bytes >> 10) + "k";
    }
}
