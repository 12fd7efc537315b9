package io.peregrine.distribution;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was announced of cameras, by session, within a limit for all together. Where there is no room, the largest go:
 * announcements that are invented to fill memory displace none that are smaller.
 */
final class Descriptions<T> {
    static final long MAX_BYTES = 64 << 20;

    private final Map<Integer, Kept<T>> kept = new LinkedHashMap<>();
    private long bytes;

    private record Kept<T>(T description, int bytes) {}

    /** Keeps one in place of what is known of its session, if there is room. */
    void put(int session, T description, int length) {
        remove(session);
        kept.put(session, new Kept<>(description, length));
        bytes += length;
        while (bytes > MAX_BYTES) {
            remove(largest());
        }
    }

    private int largest() {
        int session = 0;
        int length = -1;
        for (Map.Entry<Integer, Kept<T>> one : kept.entrySet()) {
            // Of several, the newest: what is known stays.
            if (one.getValue().bytes() >= length) {
                session = one.getKey();
                length = one.getValue().bytes();
            }
        }
        return session;
    }

    void remove(int session) {
        Kept<T> gone = kept.remove(session);
        if (gone != null) {
            bytes -= gone.bytes();
        }
    }

    Optional<T> of(int session) {
        return Optional.ofNullable(kept.get(session)).map(Kept::description);
    }

    /** Length of all. */
    long bytes() {
        return bytes;
    }
}
