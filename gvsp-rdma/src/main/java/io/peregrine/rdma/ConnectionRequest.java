package io.peregrine.rdma;

import java.net.InetSocketAddress;

/** Somebody wants to connect. Answer once: {@link #prepare} and {@link RdmaConnection#accept}, or {@link #reject}. */
public interface ConnectionRequest {

    /** Who asks. */
    InetSocketAddress remoteAddress();

    /**
     * What the asking application said: up to 56 bytes; it may be longer than what was sent, and is zero padded then.
     */
    byte[] privateData();

    /**
     * Makes the connection, not connected yet: post receives first, then {@link RdmaConnection#accept}.
     *
     * @param settings depths, retries, queues
     */
    RdmaConnection prepare(ConnectionSettings settings);

    /**
     * Refuses.
     *
     * @param privateData what to tell the asking application, up to 148 bytes
     */
    void reject(byte[] privateData);
}
