package io.peregrine.rdma;

import io.peregrine.stream.RdmaMode;
import java.net.InetSocketAddress;
import java.util.Objects;

/**
 * What host and device agreed on by registers before they connect.
 *
 * @param streamChannel number of the stream channel, from 0
 * @param mode how the bytes come
 * @param nonce proof that who connects also holds the control channel; all 64 bits are random
 * @param endpoint where the device listens
 */
public record GvrspSession(int streamChannel, RdmaMode mode, long nonce, InetSocketAddress endpoint) {
    /** Checks that no part is null and the channel fits 16 bits. */
    public GvrspSession {
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(endpoint, "endpoint");
        if (streamChannel < 0 || streamChannel > 0xFFFF) {
            throw new RdmaException("There is no stream channel " + streamChannel);
        }
    }

    /** The same with another nonce. */
    public GvrspSession withNonce(long value) {
        return new GvrspSession(streamChannel, mode, value, endpoint);
    }

    /** Without the nonce, which is secret. */
    @Override
    public String toString() {
        return "GvrspSession[channel " + streamChannel + ", " + mode + ", " + endpoint + "]";
    }
}
