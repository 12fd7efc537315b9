package io.peregrine.gvsp;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs the code that follows the last packet of a frame shortly before that packet comes. Between frames that are
 * milliseconds apart the caches of the processor lose it, and fetching it again takes longer than running it. Without
 * threads and without a clock.
 */
final class Rehearsal {
    private static final System.Logger LOGGER = System.getLogger(Rehearsal.class.getName());

    /** Within that time the code is still there, or another rehearsal would take too much of the processor. */
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private @Nullable Runnable frame;
    private long lastAt;

    /**
     * Makes one that begins after its first interval.
     *
     * @param frame puts a frame through that code, in much less time than an interval
     */
    Rehearsal(Runnable frame, long nowNanos) {
        this.frame = frame;
        lastAt = nowNanos;
    }

    /** A frame may end soon. A rehearsal that fails is the last one. */
    void beforeEnd(long nowNanos) {
        Runnable next = frame;
        if (next == null || nowNanos - lastAt < INTERVAL_NANOS) {
            return;
        }
        lastAt = nowNanos;
        try {
            next.run();
        } catch (RuntimeException | Error e) {
            frame = null;
            LOGGER.log(System.Logger.Level.DEBUG, "The end of a frame cannot be rehearsed", e);
        }
    }
}
