package io.peregrine.genapi;

import java.util.function.Supplier;

/** Reads the limits of a number, which in one real camera depend on each other in a circle (R33). */
final class LimitReading {
    private final NodeContext context;
    private boolean reading;

    LimitReading(NodeContext context) {
        this.context = context;
    }

    /** What is read, or another value where this is asked for while it is being read. */
    <T> T read(T inCircle, Supplier<T> limit) {
        if (reading) {
            context.freshness.passing();
            return inCircle;
        }
        reading = true;
        try {
            context.operations.work();
            return limit.get();
        } finally {
            reading = false;
        }
    }
}
