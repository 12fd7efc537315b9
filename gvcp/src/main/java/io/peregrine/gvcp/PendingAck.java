package io.peregrine.gvcp;

import java.nio.ByteBuffer;

/**
 * PENDING_ACK: the device is at it and needs more time.
 *
 * @param ackId id of the request
 * @param timeToCompletionMs how much more, in milliseconds
 */
public record PendingAck(int ackId, int timeToCompletionMs) implements GvcpAck {
    private static final int LENGTH_BYTES = 4;
    private static final int TIME_OFFSET = 2;

    /** Checks the range. */
    public PendingAck {
        Wire.requireU16("timeToCompletionMs", timeToCompletionMs);
    }

    /**
     * Reads the packet.
     *
     * @param datagram the datagram from position to limit; not changed
     * @return the packet
     * @throws MalformedPacketException if it is not one
     */
    public static PendingAck decode(ByteBuffer datagram) {
        AckHeader header = AckHeader.decode(datagram, Gvcp.PENDING_ACK);
        ByteBuffer payload = header.payload(datagram);
        Wire.requireLength(Gvcp.PENDING_ACK, payload, LENGTH_BYTES);
        return new PendingAck(header.ackId(), Wire.u16(payload, TIME_OFFSET));
    }

    @Override
    public byte[] encode() {
        return Wire.bytes(Wire.acknowledge(GvcpStatus.SUCCESS, Gvcp.PENDING_ACK, LENGTH_BYTES, ackId)
                .putInt(timeToCompletionMs));
    }
}
