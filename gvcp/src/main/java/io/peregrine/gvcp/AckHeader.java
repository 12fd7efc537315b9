package io.peregrine.gvcp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;

/**
 * The eight bytes in front of every acknowledge.
 *
 * @param statusCode see {@link GvcpStatus}
 * @param acknowledge acknowledge code
 * @param lengthBytes bytes after the header
 * @param ackId the id of the request that is answered
 */
public record AckHeader(int statusCode, int acknowledge, int lengthBytes, int ackId) {

    /** Checks the ranges. */
    public AckHeader {
        Wire.requireU16("statusCode", statusCode);
        Wire.requireU16("acknowledge", acknowledge);
        Wire.requireU16("lengthBytes", lengthBytes);
        Wire.requireU16("ackId", ackId);
    }

    /**
     * Reads a header.
     *
     * @param datagram the datagram from position to limit; not changed
     * @return the header
     * @throws MalformedPacketException if the bytes are too few
     */
    public static AckHeader decode(ByteBuffer datagram) {
        if (datagram.remaining() < Gvcp.HEADER_SIZE_BYTES) {
            throw new MalformedPacketException(
                    "an acknowledge header has 8 bytes, but " + datagram.remaining() + " arrived");
        }
        ByteBuffer bytes = datagram.slice().order(ByteOrder.BIG_ENDIAN);
        return new AckHeader(Wire.u16(bytes, 0), Wire.u16(bytes, 2), Wire.u16(bytes, 4), Wire.u16(bytes, 6));
    }

    /** Reads a header and insists on its acknowledge code. */
    static AckHeader decode(ByteBuffer datagram, int acknowledge) {
        AckHeader header = decode(datagram);
        if (header.acknowledge != acknowledge) {
            throw new MalformedPacketException(
                    Gvcp.name(acknowledge) + " expected, not " + Gvcp.name(header.acknowledge));
        }
        return header;
    }

    /**
     * The status as a value with a name.
     *
     * @return the status
     */
    public GvcpStatus status() {
        return GvcpStatus.of(statusCode);
    }

    ByteBuffer payload(ByteBuffer datagram) {
        return Wire.payload(datagram, lengthBytes, acknowledge);
    }

    ByteBuffer encodeInto(ByteBuffer target) {
        return target.putShort((short) statusCode)
                .putShort((short) acknowledge)
                .putShort((short) lengthBytes)
                .putShort((short) ackId);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s #%d %s, %d bytes", Gvcp.name(acknowledge), ackId, status(), lengthBytes);
    }
}
