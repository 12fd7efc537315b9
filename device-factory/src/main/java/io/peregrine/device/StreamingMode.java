package io.peregrine.device;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How the frames of a device travel, and why it is not as asked when that is so.
 *
 * @param protocol what is used
 * @param requested what the user asked for
 * @param reason why the request was not met; empty when it was
 * @param rdma by what RDMA is done; empty for GVSP
 */
public record StreamingMode(Protocol protocol, Protocol requested, Optional<String> reason, Optional<Rdma> rdma) {

    /** Ways of frames. */
    public enum Protocol {
        /** GigE Vision streaming protocol over UDP. */
        GVSP,
        /** RDMA over converged Ethernet (GVRSP). */
        RDMA,
        /** None: frames come from a recording. */
        FILE,
        /** Another program receives the frames and publishes them ({@code peregrine publish}). */
        PUBLISHED
    }

    /**
     * What RDMA is done with.
     *
     * @param provider name of the provider, for example {@code verbs} or {@code software}
     * @param device name of the RDMA device
     * @param gid global identifier of the local port
     * @param mode {@code send} or {@code write}
     * @param pathMtuBytes payload bytes a packet as agreed with the device; empty before the first start
     * @param reason why this provider and no other
     */
    public record Rdma(
            String provider, String device, String gid, String mode, OptionalInt pathMtuBytes, String reason) {
        /** Checks that no part is null. */
        public Rdma {
            Objects.requireNonNull(provider, "provider");
            Objects.requireNonNull(device, "device");
            Objects.requireNonNull(gid, "gid");
            Objects.requireNonNull(mode, "mode");
            Objects.requireNonNull(pathMtuBytes, "pathMtuBytes");
            Objects.requireNonNull(reason, "reason");
        }
    }

    /** Checks that no part is null. */
    public StreamingMode {
        Objects.requireNonNull(protocol, "protocol");
        Objects.requireNonNull(requested, "requested");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(rdma, "rdma");
    }

    /**
     * A mode without RDMA.
     *
     * @param protocol what is used
     * @param requested what the user asked for
     * @param reason why the request was not met; empty when it was
     */
    public StreamingMode(Protocol protocol, Protocol requested, Optional<String> reason) {
        this(protocol, requested, reason, Optional.empty());
    }

    /** GVSP, as asked for. */
    static StreamingMode gvsp() {
        return new StreamingMode(Protocol.GVSP, Protocol.GVSP, Optional.empty());
    }

    /** From a recording. */
    static StreamingMode file() {
        return new StreamingMode(Protocol.FILE, Protocol.FILE, Optional.empty());
    }

    /** From another program. */
    static StreamingMode published() {
        return new StreamingMode(Protocol.PUBLISHED, Protocol.PUBLISHED, Optional.empty());
    }

    @Override
    public String toString() {
        String used = protocol
                + rdma.map(by -> " (" + by.provider() + ", " + by.device() + ", " + by.gid() + ", " + by.mode()
                                + (by.pathMtuBytes().isPresent()
                                        ? ", path MTU " + by.pathMtuBytes().getAsInt()
                                        : "")
                                + ")")
                        .orElse("");
        return reason.map(why -> protocol + " (" + requested + " was requested: " + why + ")")
                .orElse(used);
    }
}
