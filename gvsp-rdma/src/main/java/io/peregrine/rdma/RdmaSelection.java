package io.peregrine.rdma;

import java.util.Objects;

/**
 * A transport, and why it was chosen.
 *
 * @param transport the transport, open
 * @param reason why this one and no other, for the user to read
 */
public record RdmaSelection(RdmaTransport transport, String reason) {
    /** Checks that no part is null. */
    public RdmaSelection {
        Objects.requireNonNull(transport, "transport");
        Objects.requireNonNull(reason, "reason");
    }
}
