package io.peregrine.composite;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Puts frames of several sources together whose keys (times, block ids) differ by no more than a tolerance. No threads
 * and no clock: time is passed in. The keys of a source are expected to grow; where they do not, frames still come out,
 * at the latest when their time is over.
 *
 * @param <T> what a frame is
 */
final class FrameMatcher<T> {
    /** Frames that belong together, by source; null where there is none. */
    static final class Match<T> {
        private final @Nullable Object[] frames;
        private final long openedNanos;
        private long least;
        private long most;
        private int present;

        private Match(int sources, long key, long nowNanos) {
            frames = new Object[sources];
            openedNanos = nowNanos;
            least = key;
            most = key;
        }

        @SuppressWarnings("unchecked") // Only put() fills the array.
        Optional<T> frame(int source) {
            return Optional.ofNullable((T) frames[source]);
        }

        boolean has(int source) {
            return frames[source] != null;
        }

        boolean complete() {
            return present == frames.length;
        }

        /** Distance of the keys. */
        long spread() {
            return most - least;
        }

        private void put(int source, long key, T frame) {
            frames[source] = frame;
            present++;
            least = Math.min(least, key);
            most = Math.max(most, key);
        }
    }

    private final int sources;
    private final long tolerance;
    private final long patienceNanos;
    private final int maxHeld;
    /** In the order in which their first frames came. */
    private final List<Match<T>> open = new ArrayList<>();

    private final Deque<Match<T>> ready = new ArrayDeque<>();
    private final int[] held;
    private final long[] newest;
    private final boolean[] seen;
    private final boolean[] ended;

    /**
     * Makes a matcher.
     *
     * @param sources number of sources
     * @param tolerance largest distance of two keys that belong together
     * @param patienceNanos how long a frame waits for its partners
     * @param maxHeld how many frames of a source wait at the same time
     */
    FrameMatcher(int sources, long tolerance, long patienceNanos, int maxHeld) {
        this.sources = sources;
        this.tolerance = tolerance;
        this.patienceNanos = patienceNanos;
        this.maxHeld = maxHeld;
        held = new int[sources];
        newest = new long[sources];
        seen = new boolean[sources];
        ended = new boolean[sources];
    }

    /** Takes a frame. */
    void accept(int source, long key, T frame, long nowNanos) {
        seen[source] = true;
        newest[source] = key;
        Match<T> match = nearest(source, key);
        if (match == null) {
            match = new Match<>(sources, key, nowNanos);
            open.add(match);
        }
        match.put(source, key, frame);
        held[source]++;
        release(nowNanos);
        while (held[source] > maxHeld) {
            release(oldestWith(source));
        }
    }

    /** Takes a frame that nothing can be matched with. */
    void acceptAlone(int source, T frame, long nowNanos) {
        Match<T> match = new Match<>(sources, 0, nowNanos);
        match.put(source, 0, frame);
        ready.add(match);
    }

    /** Waits no longer for a source. */
    void end(int source, long nowNanos) {
        ended[source] = true;
        release(nowNanos);
    }

    boolean ended(int source) {
        return ended[source];
    }

    /** Releases what has waited long enough. */
    void onTime(long nowNanos) {
        release(nowNanos);
    }

    /** How long until {@link #onTime} has something to do, if nothing comes; {@link Long#MAX_VALUE} indefinitely. */
    long nanosUntilNext(long nowNanos) {
        return open.isEmpty() ? Long.MAX_VALUE : Math.max(0, patienceNanos - (nowNanos - open.get(0).openedNanos));
    }

    /** A source that the oldest open match waits for; -1 when there is none. */
    int missingSource() {
        if (!open.isEmpty()) {
            Match<T> oldest = open.get(0);
            for (int source = 0; source < sources; source++) {
                if (!oldest.has(source) && !ended[source]) {
                    return source;
                }
            }
        }
        return -1;
    }

    /** What is ready, the oldest first. */
    Optional<Match<T>> next() {
        return Optional.ofNullable(ready.poll());
    }

    /** Gives up waiting: everything becomes ready. */
    void flush() {
        while (!open.isEmpty()) {
            release(open.get(0));
        }
    }

    /** Gives up waiting, and forgets who ended and what was seen: keys may start again. */
    void restart() {
        flush();
        Arrays.fill(ended, false);
        Arrays.fill(seen, false);
    }

    private @Nullable Match<T> nearest(int source, long key) {
        Match<T> nearest = null;
        long distance = Long.MAX_VALUE;
        for (Match<T> match : open) {
            if (!match.has(source) && within(Math.min(match.least, key), Math.max(match.most, key))) {
                long own = Math.max(Math.abs(key - match.least), Math.abs(match.most - key));
                if (own < distance) {
                    distance = own;
                    nearest = match;
                }
            }
        }
        return nearest;
    }

    /** Whether two keys belong together; their distance may need more than 63 bits. */
    private boolean within(long least, long most) {
        long distance = most - least;
        return distance >= 0 && distance <= tolerance;
    }

    private void release(long nowNanos) {
        for (Iterator<Match<T>> matches = open.iterator(); matches.hasNext(); ) {
            Match<T> match = matches.next();
            if (match.complete() || nowNanos - match.openedNanos >= patienceNanos || abandoned(match)) {
                matches.remove();
                makeReady(match);
            }
        }
    }

    /** Whether every source that is missing has gone past. */
    private boolean abandoned(Match<T> match) {
        for (int source = 0; source < sources; source++) {
            boolean gonePast = ended[source]
                    || (seen[source] && newest[source] > match.least && !within(match.least, newest[source]));
            if (!match.has(source) && !gonePast) {
                return false;
            }
        }
        return true;
    }

    private void release(Match<T> match) {
        open.remove(match);
        makeReady(match);
    }

    private void makeReady(Match<T> match) {
        for (int source = 0; source < sources; source++) {
            if (match.has(source)) {
                held[source]--;
            }
        }
        ready.add(match);
    }

    private Match<T> oldestWith(int source) {
        for (Match<T> match : open) {
            if (match.has(source)) {
                return match;
            }
        }
        throw new IllegalStateException("a frame is counted that is nowhere");
    }
}
