package io.peregrine.distribution;

import java.util.concurrent.TimeUnit;

/**
 * Notices that a consumer is left behind: it lacks packets, has those of more than a quarter of a term after them, and
 * the publisher does not send again what it asks for. A publisher sends nothing again that is older than half a term,
 * so they will not come: to join again loses less than to wait until the media driver gives up. Times are of
 * {@link System#nanoTime()}.
 */
final class LeftBehind {
    /** A gap is asked for each millisecond. */
    static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final int termBytes;
    private boolean lacking;
    private long position;
    private long sinceNanos;

    /**
     * Makes one for an image.
     *
     * @param termBytes length of the publisher's term
     */
    LeftBehind(int termBytes) {
        this.termBytes = termBytes;
    }

    /**
     * Whether it is, when there was nothing to read.
     *
     * @param position end of what came without a gap, in bytes
     * @param highest end of what came at all, in bytes
     */
    boolean at(long position, long highest, long nowNanos) {
        boolean lacks = highest - position > termBytes / 4;
        if (!lacks || !lacking || position != this.position) {
            lacking = lacks;
            this.position = position;
            sinceNanos = nowNanos;
            return false;
        }
        return nowNanos - sinceNanos >= PATIENCE_NANOS;
    }
}
