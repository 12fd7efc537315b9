package io.peregrine.rocev2;

import io.peregrine.rdma.RdmaException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The ports of the TCP port space of one address, and who listens on them. Not thread-safe. */
final class CmPorts {
    private static final int FIRST_EPHEMERAL_PORT = 49152;
    private static final int LAST_PORT = 65535;

    private final int localAddress;
    private final RandomGenerator random;
    private final Map<Integer, CmListener> listeners = new HashMap<>();

    CmPorts(int localAddress, RandomGenerator random) {
        this.localAddress = localAddress;
        this.random = random;
    }

    /**
     * Takes requests on a port.
     *
     * @param port port, 0 for any free one
     * @param listener who answers
     * @return the port
     * @throws RdmaException if the port is in use
     */
    int listen(int port, CmListener listener) {
        CmMessage.check("port", port, 16);
        Objects.requireNonNull(listener, "listener");
        int chosen = port;
        if (port == 0) {
            int first = ephemeral();
            chosen = first;
            while (listeners.containsKey(chosen)) {
                chosen = chosen == LAST_PORT ? FIRST_EPHEMERAL_PORT : chosen + 1;
                if (chosen == first) {
                    throw new RdmaException(
                            "Every port of " + CmGid.text(localAddress) + " is listened to: close some");
                }
            }
        }
        if (listeners.putIfAbsent(chosen, listener) != null) {
            throw new RdmaException("RDMA port " + chosen + " of " + CmGid.text(localAddress)
                    + " is listened to already: choose another, or 0 for any");
        }
        return chosen;
    }

    void unlisten(int port) {
        listeners.remove(port);
    }

    void unlistenAll() {
        listeners.clear();
    }

    /** Who answers a request. */
    Optional<CmListener> listener(CmReq req) {
        return req.isTcpPort() ? Optional.ofNullable(listeners.get(req.port())) : Optional.empty();
    }

    /** A port for the asking side. */
    int ephemeral() {
        return FIRST_EPHEMERAL_PORT + random.nextInt(LAST_PORT - FIRST_EPHEMERAL_PORT + 1);
    }
}
