package io.peregrine.genapi;

import java.util.ArrayList;
import java.util.List;

/**
 * Says whether what was calculated from nodes would come out the same now, so that values of formulas and access modes
 * are calculated once and not with each read. Any change of anything that nodes know ends all results: coarse, but
 * nothing that a result depends on can be forgotten. Guarded by the lock of the node map.
 */
final class Freshness {
    /** Of a result that does not hold. */
    static final long NEVER = 0;

    /** Something that can change by itself. */
    interface Watched {
        /** Calls {@link #changed} if it has changed. */
        void check();
    }

    private final List<Watched> watched = new ArrayList<>(1);
    private long changes = 1;
    private long passing;

    /** Watches what can change by itself. */
    void watch(Watched one) {
        watched.add(one);
    }

    /** Ends all results: a value, an access mode, or what is known of a register has changed. */
    void changed() {
        changes++;
    }

    /** Notes that a calculation has met what must be asked again each time, or depends on where it began. */
    void passing() {
        passing++;
    }

    /** What a calculation that begins now has to give to {@link #end} when it is over. */
    long begin() {
        return passing;
    }

    /** The state for which the result of a calculation holds that ends now, to be asked with {@link #holds}. */
    long end(long begun, long changesThen) {
        return passing == begun && changes == changesThen ? changes : NEVER;
    }

    long changes() {
        return changes;
    }

    /** Whether a result of a state is what would be calculated now. */
    boolean holds(long state) {
        if (state != changes) {
            return false;
        }
        for (int i = 0; i < watched.size(); i++) {
            watched.get(i).check();
        }
        return state == changes;
    }
}
