package io.peregrine.gvsp;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the code that follows the last packet of a frame shortly before that packet comes. Between frames that are
 * milliseconds apart the caches of the processor lose it, and fetching it again takes longer than running it. As long
 * as it is not compiled, it runs far from the ends of frames, too: where it ran once or twice per frame, the JVM began
 * to compile it just when a frame ended, and the compiler took the processor from the receiver. Without threads and
 * without a clock.
 */
final class Rehearsal {
    private static final System.Logger LOGGER = System.getLogger(Rehearsal.class.getName());

    /** Within that time the code is still there, or another rehearsal would take too much of the processor. */
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** Compiled, they take a quarter of a millisecond together; interpreted, four at the most. */
    private static final int FRAMES_TO_COMPILE = 16;

    private final BooleanSupplier uncompiled;
    private final Runnable consumer;
    private @Nullable Runnable frame;
    private long lastAt;
    private long lastToCompile;

    /**
     * Makes one that begins after its first interval.
     *
     * @param frame puts a frame through that code, in much less time than an interval
     * @param uncompiled whether it is to be compiled
     * @param consumer wakes the thread that waits for the frame that ends soon, before the rehearsal
     */
    Rehearsal(Runnable frame, BooleanSupplier uncompiled, Runnable consumer, long nowNanos) {
        this.frame = frame;
        this.uncompiled = uncompiled;
        this.consumer = consumer;
        lastAt = nowNanos;
        lastToCompile = nowNanos;
    }

    /** A frame may end soon. */
    void beforeEnd(long nowNanos) {
        if (nowNanos - lastAt >= INTERVAL_NANOS) {
            lastAt = nowNanos;
            consumer.run();
            rehearse();
        }
    }

    /** No frame ends soon. */
    void farFromEnd(long nowNanos) {
        if (nowNanos - lastToCompile < INTERVAL_NANOS) {
            return;
        }
        lastToCompile = nowNanos;
        for (int i = 0; i < FRAMES_TO_COMPILE && uncompiled.getAsBoolean(); i++) {
            rehearse();
        }
    }

    /** One that fails is the last one. */
    private void rehearse() {
        Runnable next = frame;
        if (next == null) {
            return;
        }
        try {
            next.run();
        } catch (RuntimeException | Error e) {
            frame = null;
            LOGGER.log(System.Logger.Level.DEBUG, "The end of a frame cannot be rehearsed", e);
        }
    }
}
