package io.peregrine.gvcp;

import java.nio.ByteBuffer;

/** A packet that answers a command. Immutable; made by its constructor or read from a datagram. */
public sealed interface GvcpAck
        permits DiscoveryAck, ReadRegisterAck, WriteRegisterAck, ReadMemoryAck, WriteMemoryAck, PendingAck, EmptyAck {

    /**
     * The id of the request that is answered.
     *
     * @return 0..65535
     */
    int ackId();

    /**
     * The bytes of the packet.
     *
     * @return header and payload
     */
    byte[] encode();

    /**
     * Reads any acknowledge. An answer with a failure status has no payload worth reading and is an {@link EmptyAck}.
     *
     * @param datagram the datagram from position to limit; not changed
     * @return the acknowledge
     * @throws MalformedPacketException if it is not a well-formed acknowledge
     */
    static GvcpAck decode(ByteBuffer datagram) {
        AckHeader header = AckHeader.decode(datagram);
        if (!header.status().success()) {
            return EmptyAck.decode(datagram);
        }
        return switch (header.acknowledge()) {
            case Gvcp.DISCOVERY_ACK -> DiscoveryAck.decode(datagram);
            case Gvcp.READ_REGISTER_ACK -> ReadRegisterAck.decode(datagram);
            case Gvcp.WRITE_REGISTER_ACK -> WriteRegisterAck.decode(datagram);
            case Gvcp.READ_MEMORY_ACK -> ReadMemoryAck.decode(datagram);
            case Gvcp.WRITE_MEMORY_ACK -> WriteMemoryAck.decode(datagram);
            case Gvcp.PENDING_ACK -> PendingAck.decode(datagram);
            default -> EmptyAck.decode(datagram);
        };
    }
}
