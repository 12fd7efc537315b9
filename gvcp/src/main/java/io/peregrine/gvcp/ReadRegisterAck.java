package io.peregrine.gvcp;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * READREG_ACK: values of registers.
 *
 * @param ackId id of the request
 * @param values in the order of the request
 */
public record ReadRegisterAck(int ackId, List<Integer> values) implements GvcpAck {

    /** Copies the list. */
    public ReadRegisterAck {
        values = List.copyOf(values);
    }

    /**
     * Reads the packet.
     *
     * @param datagram the datagram from position to limit; not changed
     * @return the packet
     * @throws MalformedPacketException if it is not one
     */
    public static ReadRegisterAck decode(ByteBuffer datagram) {
        AckHeader header = AckHeader.decode(datagram, Gvcp.READ_REGISTER_ACK);
        ByteBuffer payload = header.payload(datagram);
        Wire.requireMultiple(Gvcp.READ_REGISTER_ACK, payload, Integer.BYTES);
        List<Integer> values = new ArrayList<>();
        while (payload.hasRemaining()) {
            values.add(payload.getInt());
        }
        return new ReadRegisterAck(header.ackId(), values);
    }

    @Override
    public byte[] encode() {
        ByteBuffer packet =
                Wire.acknowledge(GvcpStatus.SUCCESS, Gvcp.READ_REGISTER_ACK, values.size() * Integer.BYTES, ackId);
        values.forEach(packet::putInt);
        return Wire.bytes(packet);
    }

    @Override
    public String toString() {
        return "ReadRegisterAck[ackId=" + ackId + ", values="
                + values.stream()
                        .map(v -> String.format(Locale.ROOT, "0x%08X", v))
                        .collect(Collectors.joining(", ")) + "]";
    }
}
