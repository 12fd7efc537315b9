package io.peregrine.device;

import io.peregrine.genapi.AccessMode;
import io.peregrine.genapi.EnumerationNode;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import java.util.Optional;

/**
 * RDMA of a manufacturer from before GigE Vision 3.0, as the GenICam XML of LUCID's cameras offers it. What goes over
 * the connection is not public.
 *
 * @param current protocol that the camera uses now: {@code UDP}, {@code TCP} or {@code RDMA}; empty when unknown
 */
record VendorRdma(Optional<String> current) {
    /** The feature by which it is chosen; only read here. */
    static final String FEATURE = "TransportStreamProtocol";

    private static final String RDMA = "RDMA";
    private static final String UDP = "UDP";

    /** The manufacturer's RDMA of a device; empty where it offers none. */
    static Optional<VendorRdma> of(NodeMap nodes) {
        Optional<Node> feature = nodes.find(FEATURE);
        if (!(feature.orElse(null) instanceof EnumerationNode protocol) || !offersRdma(protocol)) {
            return Optional.empty();
        }
        return Optional.of(new VendorRdma(current(protocol)));
    }

    private static boolean offersRdma(EnumerationNode protocol) {
        return protocol.entries().stream()
                .anyMatch(entry -> entry.symbol().equals(RDMA) && entry.accessMode() != AccessMode.NI);
    }

    private static Optional<String> current(EnumerationNode protocol) {
        try {
            return protocol.readable() ? Optional.of(protocol.value()) : Optional.empty();
        } catch (GenApiException e) {
            // Nothing depends on it but a hint.
            return Optional.empty();
        }
    }

    /** Why no stream is opened over it. */
    String reason() {
        String hint = current.filter(now -> !now.equals(UDP))
                .map(now -> "; " + FEATURE + " is " + now + " now: set it to UDP, or no frames arrive")
                .orElse("");
        return "the device offers the RDMA of its manufacturer from before GigE Vision 3.0 (" + FEATURE
                + "), which is not public: frames use GVSP" + hint;
    }
}
