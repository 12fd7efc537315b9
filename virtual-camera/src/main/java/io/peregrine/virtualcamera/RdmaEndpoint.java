package io.peregrine.virtualcamera;

import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaListener;
import io.peregrine.rdma.RdmaProviders;
import io.peregrine.rdma.RdmaSelection;
import io.peregrine.rdma.RdmaTransport;
import java.net.Inet4Address;
import java.util.Optional;

/**
 * The RDMA transport of the camera and the port where it listens, or why there is none.
 *
 * @param open transport and listener, if there are
 * @param state the outcome, as text
 */
record RdmaEndpoint(Optional<Open> open, String state) {
    /** A transport that listens. */
    record Open(RdmaTransport transport, RdmaListener listener) {}

    static RdmaEndpoint of(Scenario scenario) {
        if (scenario.rdmaProvider().equalsIgnoreCase(Scenario.NO_RDMA)) {
            return new RdmaEndpoint(Optional.empty(), "off");
        }
        try {
            RdmaSelection selection =
                    RdmaProviders.open(scenario.rdmaProvider(), (Inet4Address) scenario.bindAddress());
            return listen(selection.transport(), scenario.rdmaPort(), selection.reason());
        } catch (RdmaException e) {
            return new RdmaEndpoint(Optional.empty(), "not available: " + e.getMessage());
        }
    }

    static RdmaEndpoint of(RdmaTransport transport, int port) {
        try {
            return listen(transport, port, "given by the caller");
        } catch (RdmaException e) {
            return new RdmaEndpoint(Optional.empty(), "not available: " + e.getMessage());
        }
    }

    private static RdmaEndpoint listen(RdmaTransport transport, int port, String reason) {
        try {
            RdmaListener listener = transport.listen(port);
            return new RdmaEndpoint(
                    Optional.of(new Open(transport, listener)),
                    "on port " + listener.port() + " by " + transport.provider() + " (" + transport.deviceName() + "), "
                            + reason);
        } catch (RdmaException e) {
            transport.close();
            throw e;
        }
    }

    void close() {
        open.ifPresent(o -> {
            o.listener.close();
            o.transport.close();
        });
    }
}
