package io.peregrine.stream;

import java.util.Optional;
import java.util.Set;

/** How the bytes of a block come into a flow set. */
public enum RdmaMode {
    /** The device sends each flow as a message, which fills the next posted receive. Needs no permission to write. */
    SEND,
    /** The device writes into announced memory, and says with a message when a block is done. */
    WRITE;

    /**
     * Chooses among what a device can do.
     *
     * @param offered what the device can do
     * @param wanted what the user wants; empty leaves the choice, and prefers {@link #SEND}
     * @return the mode; empty if the device cannot do it
     */
    public static Optional<RdmaMode> choose(Set<RdmaMode> offered, Optional<RdmaMode> wanted) {
        if (wanted.isPresent()) {
            return wanted.filter(offered::contains);
        }
        return offered.contains(SEND) ? Optional.of(SEND) : offered.stream().findFirst();
    }
}
