package io.peregrine.device;

import java.util.Objects;
import java.util.Optional;

/**
 * How the frames of a device travel, and why it is not as asked when that is so.
 *
 * @param protocol what is used
 * @param requested what the user asked for
 * @param reason why the request was not met; empty when it was
 */
public record StreamingMode(Protocol protocol, Protocol requested, Optional<String> reason) {

    /** Stream protocols of GigE Vision. */
    public enum Protocol {
        /** GigE Vision streaming protocol over UDP. */
        GVSP,
        /** RDMA over converged Ethernet (GVRSP). */
        RDMA
    }

    /** Checks that no part is null. */
    public StreamingMode {
        Objects.requireNonNull(protocol, "protocol");
        Objects.requireNonNull(requested, "requested");
        Objects.requireNonNull(reason, "reason");
    }

    /** Whether the request was met. */
    public boolean asRequested() {
        return protocol == requested;
    }

    @Override
    public String toString() {
        return reason.map(why -> protocol + " (" + requested + " was requested: " + why + ")")
                .orElse(protocol.toString());
    }
}
