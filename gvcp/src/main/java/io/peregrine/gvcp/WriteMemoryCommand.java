package io.peregrine.gvcp;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * WRITEMEM_CMD: writes consecutive bytes.
 *
 * @param requestId id of the request
 * @param address first byte, a multiple of 4, unsigned
 * @param data the bytes
 */
@SuppressWarnings("ArrayRecordComponent") // copied on the way in and out
public record WriteMemoryCommand(int requestId, int address, byte[] data) implements GvcpCommand {

    /** Copies the bytes. */
    public WriteMemoryCommand {
        data = data.clone();
    }

    /**
     * Reads the packet.
     *
     * @param datagram the datagram from position to limit; not changed
     * @return the packet
     * @throws MalformedPacketException if it is not one
     */
    public static WriteMemoryCommand decode(ByteBuffer datagram) {
        CommandHeader header = CommandHeader.decode(datagram, Gvcp.WRITE_MEMORY);
        ByteBuffer payload = header.payload(datagram);
        Wire.requireLength(Gvcp.WRITE_MEMORY, payload, Integer.BYTES);
        int address = payload.getInt();
        byte[] data = new byte[payload.remaining()];
        payload.get(data);
        return new WriteMemoryCommand(header.requestId(), address, data);
    }

    @Override
    public byte[] data() {
        return data.clone();
    }

    @Override
    public byte[] encode() {
        return Wire.bytes(Wire.command(Gvcp.FLAG_ACKNOWLEDGE, Gvcp.WRITE_MEMORY, Integer.BYTES + data.length, requestId)
                .putInt(address)
                .put(data));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WriteMemoryCommand that
                && that.requestId == requestId
                && that.address == address
                && Arrays.equals(that.data, data);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * requestId + address) + Arrays.hashCode(data);
    }

    @Override
    public String toString() {
        return "WriteMemoryCommand[requestId=" + requestId + ", address=" + BootstrapRegister.describe(address)
                + ", data=" + Wire.hex(data) + "]";
    }
}
