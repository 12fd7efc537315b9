package io.peregrine.stream;

import java.util.Optional;
import java.util.Set;

/** How the bytes of a block reach a flow set. */
public enum RdmaMode {
    /** The device sends each flow as a message, which fills the next posted receive. Needs no permission to write. */
    SEND,
    /** The device writes into announced memory, and reports with a message when a block is done. */
    WRITE;

    /**
     * Chooses among the modes that a device supports.
     *
     * @param offered modes that the device supports
     * @param wanted mode that the user wants; empty leaves the choice, which prefers {@link #SEND}
     * @return the mode; empty if the device does not support it
     */
    public static Optional<RdmaMode> choose(Set<RdmaMode> offered, Optional<RdmaMode> wanted) {
        if (wanted.isPresent()) {
            return wanted.filter(offered::contains);
        }
        return offered.contains(SEND) ? Optional.of(SEND) : offered.stream().findFirst();
    }
}
