package io.peregrine.gvcp;

import java.nio.ByteBuffer;

/**
 * An acknowledge that carries nothing but its status: of FORCEIP, EVENT, EVENTDATA and ACTION, and of every command
 * that failed.
 *
 * @param ackId id of the request
 * @param acknowledge acknowledge code
 * @param status how it went
 */
public record EmptyAck(int ackId, int acknowledge, GvcpStatus status) implements GvcpAck {

    /**
     * Reads the packet.
     *
     * @param datagram the datagram from position to limit; not changed
     * @return the packet
     * @throws MalformedPacketException if it is not one
     */
    public static EmptyAck decode(ByteBuffer datagram) {
        AckHeader header = AckHeader.decode(datagram);
        header.payload(datagram);
        return new EmptyAck(header.ackId(), header.acknowledge(), header.status());
    }

    @Override
    public byte[] encode() {
        return Wire.bytes(Wire.acknowledge(status, acknowledge, 0, ackId));
    }

    @Override
    public String toString() {
        return "EmptyAck[ackId=" + ackId + ", acknowledge=" + Gvcp.name(acknowledge) + ", status=" + status + "]";
    }
}
