package io.peregrine.verbs;

import io.peregrine.nativeio.LibRdmaCm;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.rdma.ConnectionRequest;
import io.peregrine.rdma.ConnectionSettings;
import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** A request that has an identifier of the connection manager, until it is answered. */
final class VerbsConnectionRequest implements ConnectionRequest, CmEvent.Handler, AutoCloseable {
    private static final int MAX_REJECT_DATA_BYTES = 148;

    private final VerbsTransport transport;
    private final long id;
    private final InetSocketAddress remote;
    private final byte[] privateData;
    private boolean answered;
    private boolean gone;

    VerbsConnectionRequest(VerbsTransport transport, long id, byte[] privateData) {
        this.transport = transport;
        this.id = id;
        this.privateData = privateData;
        this.remote =
                SocketAddresses.read(NativeMemory.buffer(id, VerbsLayout.CM_ID_BYTES_READ), VerbsLayout.CM_ID_DST_ADDR);
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return remote;
    }

    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    /** Whatever comes before the answer means that the asking side gave up. */
    @Override
    public synchronized void onEvent(CmEvent event) {
        gone = true;
    }

    @Override
    public synchronized RdmaConnection prepare(ConnectionSettings settings) {
        if (gone) {
            close();
            throw new RdmaException(remote + " gave up connecting");
        }
        answer();
        return VerbsConnection.incoming(transport, id, remote, settings);
    }

    @Override
    public synchronized void reject(byte[] answerData) {
        if (answerData.length > MAX_REJECT_DATA_BYTES) {
            throw new RdmaException(
                    "A refusal carries at most " + MAX_REJECT_DATA_BYTES + " bytes, not " + answerData.length);
        }
        answer();
        ByteBuffer memory = NativeMemory.allocate(MAX_REJECT_DATA_BYTES).put(0, answerData);
        // Fails only if the asking side is gone.
        LibRdmaCm.rdma_reject(id, NativeMemory.address(memory), answerData.length);
        transport.events().forget(id);
        LibRdmaCm.rdma_destroy_id(id);
    }

    private void answer() {
        if (answered) {
            throw new RdmaException("The connection request is answered already, or its listener is closed");
        }
        answered = true;
        transport.forget(this);
    }

    /** Refuses, unless it is answered. */
    @Override
    public synchronized void close() {
        if (!answered) {
            reject(new byte[0]);
        }
    }
}
