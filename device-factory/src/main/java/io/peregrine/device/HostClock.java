package io.peregrine.device;

import java.time.Duration;
import java.time.Instant;

/** The clocks of the host. */
interface HostClock {
    HostClock SYSTEM = new HostClock() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public Instant instant() {
            return Instant.now();
        }
    };

    /** A clock that never jumps, in ns from some origin. */
    long nanos();

    /** The time of day. */
    Instant instant();

    /**
     * The time of day at a time of {@link #nanos}, with what is not known of it because two clocks cannot be read at
     * once.
     */
    default DeviceClock.BoundedInstant instantAt(long nanos, long errorNanos) {
        final int tries = 8;
        final long goodNanos = 2_000;
        // Some systems give the time of day in microseconds.
        final long resolutionNanos = 1_000;
        long best = Long.MAX_VALUE;
        Instant instant = Instant.EPOCH;
        for (int i = 0; i < tries && best > goodNanos; i++) {
            long before = nanos();
            Instant now = instant();
            long gap = nanos() - before;
            if (gap < best) {
                best = gap;
                instant = now.plusNanos(nanos - (before + gap / 2));
            }
        }
        return new DeviceClock.BoundedInstant(
                instant, Duration.ofNanos(Math.addExact(errorNanos, best / 2 + resolutionNanos)));
    }
}
