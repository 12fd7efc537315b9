package io.peregrine.virtualcamera;

import java.time.Instant;

/** The clocks of the host: what a camera has for an oscillator, and for the master of its PTP domain. */
interface HostTime {
    HostTime SYSTEM = new HostTime() {
        private static final int TRIES = 8;
        private static final long GOOD_NANOS = 2_000;

        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public long masterNanosAt(long nanos) {
            long best = Long.MAX_VALUE;
            long master = 0;
            // A thread that loses its processor between the readings of two clocks would believe them to be apart.
            for (int i = 0; i < TRIES && best > GOOD_NANOS; i++) {
                long before = System.nanoTime();
                Instant now = Instant.now();
                long gap = System.nanoTime() - before;
                if (gap < best) {
                    best = gap;
                    master = now.getEpochSecond() * 1_000_000_000L + now.getNano() - (before + gap / 2 - nanos);
                }
            }
            return master;
        }
    };

    /** A clock that never jumps, in ns from some origin. */
    long nanos();

    /** The time of the master, in ns since 1970, when {@link #nanos} gave a value not long ago. */
    long masterNanosAt(long nanos);
}
