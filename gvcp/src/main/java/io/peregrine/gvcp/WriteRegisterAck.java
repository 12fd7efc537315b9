package io.peregrine.gvcp;

import java.nio.ByteBuffer;

/**
 * WRITEREG_ACK: how much was written.
 *
 * @param ackId id of the request
 * @param index registers written
 */
public record WriteRegisterAck(int ackId, int index) implements GvcpAck {
    private static final int LENGTH_BYTES = 4;
    private static final int INDEX_OFFSET = 2;

    /** Checks the range. */
    public WriteRegisterAck {
        Wire.requireU16("index", index);
    }

    /**
     * Reads the packet.
     *
     * @param datagram the datagram from position to limit; not changed
     * @return the packet
     * @throws MalformedPacketException if it is not one
     */
    public static WriteRegisterAck decode(ByteBuffer datagram) {
        AckHeader header = AckHeader.decode(datagram, Gvcp.WRITE_REGISTER_ACK);
        ByteBuffer payload = header.payload(datagram);
        Wire.requireLength(Gvcp.WRITE_REGISTER_ACK, payload, LENGTH_BYTES);
        return new WriteRegisterAck(header.ackId(), Wire.u16(payload, INDEX_OFFSET));
    }

    @Override
    public byte[] encode() {
        return Wire.bytes(Wire.acknowledge(GvcpStatus.SUCCESS, Gvcp.WRITE_REGISTER_ACK, LENGTH_BYTES, ackId)
                .putInt(index));
    }
}
