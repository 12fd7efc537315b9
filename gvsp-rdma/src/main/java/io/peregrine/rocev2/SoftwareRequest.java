package io.peregrine.rocev2;

import io.peregrine.rdma.ConnectionRequest;
import io.peregrine.rdma.ConnectionSettings;
import io.peregrine.rdma.RdmaConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A request that a listener took. */
final class SoftwareRequest implements ConnectionRequest {
    private static final int MAX_REFUSAL_DATA_BYTES = 148;

    private final SoftwareTransport transport;
    private final CmId id;
    private final CmRequest request;

    SoftwareRequest(SoftwareTransport transport, CmId id, CmRequest request) {
        this.transport = transport;
        this.id = id;
        this.request = request;
    }

    CmId id() {
        return id;
    }

    CmPeer peer() {
        return request.peer();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        byte[] address =
                ByteBuffer.allocate(4).putInt(request.peer().remoteAddress()).array();
        try {
            return new InetSocketAddress(InetAddress.getByAddress(address), request.sourcePort());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("Four bytes are an address", e);
        }
    }

    @Override
    public byte[] privateData() {
        return request.privateData();
    }

    @Override
    public RdmaConnection prepare(ConnectionSettings settings) {
        return transport.create(remoteAddress(), settings, Optional.of(this));
    }

    @Override
    public void reject(byte[] privateData) {
        SoftwareConnection.checkPrivateData(privateData, MAX_REFUSAL_DATA_BYTES);
        RocePort port = transport.port();
        port.lock().lock();
        try {
            port.endpoint().connections().reject(id, privateData, System.nanoTime());
        } finally {
            port.lock().unlock();
        }
        port.wakeUp();
    }
}
