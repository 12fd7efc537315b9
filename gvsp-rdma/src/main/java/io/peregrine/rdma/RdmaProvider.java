package io.peregrine.rdma;

import java.net.Inet4Address;

/** Makes transports. Found by {@link java.util.ServiceLoader}. */
public interface RdmaProvider {

    /** Short name, for example {@code verbs}. */
    String name();

    /** The order in which providers are tried: the smallest first. */
    int preference();

    /**
     * Opens a transport on a local interface.
     *
     * @param localAddress address of the interface
     * @return the transport, the caller's to close
     * @throws RdmaUnavailableException if this provider cannot work on this host or this interface, with the reason.
     *     Never a linkage error
     */
    RdmaTransport open(Inet4Address localAddress);
}
