package io.peregrine.virtualcamera;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Slows down guessing of keys: after a few wrong ones from an address, keys from there are ignored for a time that
 * doubles with each further wrong one. Addresses beyond those that it remembers count as one, so that made up senders
 * gain nothing. Used by the holder of the device's monitor.
 */
final class KeyGuard {
    private static final int FREE_TRIES = 3;
    private static final int MAX_ADDRESSES = 64;
    private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long MAX_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** Wrong keys of one address. */
    private static final class Tries {
        private int wrong;
        private long pauseNanos;
        private long pausedAt;
    }

    private final LongSupplier nanoTime;
    private final Map<Optional<InetAddress>, Tries> tries = new HashMap<>();

    KeyGuard(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Whether a key from an address is to be looked at now. */
    boolean admits(InetAddress source) {
        Tries known = tries.get(place(source));
        return known == null || known.pauseNanos == 0 || nanoTime.getAsLong() - known.pausedAt >= known.pauseNanos;
    }

    /** Notes that a key was wrong. */
    void wrong(InetAddress source) {
        Tries known = tries.computeIfAbsent(place(source), address -> new Tries());
        known.wrong++;
        if (known.wrong >= FREE_TRIES) {
            known.pauseNanos =
                    known.pauseNanos == 0 ? FIRST_PAUSE_NANOS : Math.min(2 * known.pauseNanos, MAX_PAUSE_NANOS);
            known.pausedAt = nanoTime.getAsLong();
        }
    }

    private Optional<InetAddress> place(InetAddress source) {
        Optional<InetAddress> own = Optional.of(source);
        return tries.containsKey(own) || tries.size() < MAX_ADDRESSES ? own : Optional.empty();
    }

    /** Forgets everything: there is another key, or no application has control. */
    void forget() {
        tries.clear();
    }
}
