package io.peregrine.device;

import java.time.Duration;
import java.time.Instant;

/**
 * A time of day that is known within bounds.
 *
 * @param instant the middle of what is possible, by the clock of the host
 * @param error how far the truth may be from it, either way
 */
public record BoundedInstant(Instant instant, Duration error) {
    /** The first moment that is possible. */
    public Instant earliest() {
        return instant.minus(error);
    }

    /** The last moment that is possible. */
    public Instant latest() {
        return instant.plus(error);
    }

    @Override
    public String toString() {
        return instant + " +-" + error.toNanos() / 1000 + " us";
    }
}
