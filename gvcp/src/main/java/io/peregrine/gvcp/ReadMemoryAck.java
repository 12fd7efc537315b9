package io.peregrine.gvcp;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * READMEM_ACK: consecutive bytes.
 *
 * @param ackId id of the request
 * @param address first byte, a multiple of 4, unsigned
 * @param data the bytes
 */
@SuppressWarnings("ArrayRecordComponent") // copied on the way in and out
public record ReadMemoryAck(int ackId, int address, byte[] data) implements GvcpAck {

    /** Copies the bytes. */
    public ReadMemoryAck {
        data = data.clone();
    }

    /**
     * Reads the packet.
     *
     * @param datagram the datagram from position to limit; not changed
     * @return the packet
     * @throws MalformedPacketException if it is not one
     */
    public static ReadMemoryAck decode(ByteBuffer datagram) {
        AckHeader header = AckHeader.decode(datagram, Gvcp.READ_MEMORY_ACK);
        ByteBuffer payload = header.payload(datagram);
        Wire.requireLength(Gvcp.READ_MEMORY_ACK, payload, Integer.BYTES);
        int address = payload.getInt();
        byte[] data = new byte[payload.remaining()];
        payload.get(data);
        return new ReadMemoryAck(header.ackId(), address, data);
    }

    @Override
    public byte[] data() {
        return data.clone();
    }

    @Override
    public byte[] encode() {
        return Wire.bytes(Wire.acknowledge(GvcpStatus.SUCCESS, Gvcp.READ_MEMORY_ACK, Integer.BYTES + data.length, ackId)
                .putInt(address)
                .put(data));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ReadMemoryAck that
                && that.ackId == ackId
                && that.address == address
                && Arrays.equals(that.data, data);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * ackId + address) + Arrays.hashCode(data);
    }

    @Override
    public String toString() {
        return "ReadMemoryAck[ackId=" + ackId + ", address=" + BootstrapRegister.describe(address) + ", data="
                + Wire.hex(data) + "]";
    }
}
