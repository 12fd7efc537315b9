package io.peregrine.gvcp;

import java.nio.ByteBuffer;

/**
 * READMEM_CMD: reads consecutive bytes.
 *
 * @param requestId id of the request
 * @param address first byte, a multiple of 4, unsigned
 * @param count how many bytes, a multiple of 4
 */
public record ReadMemoryCommand(int requestId, int address, int count) implements GvcpCommand {
    /** Most bytes of one command, as the address takes 4 of the payload. */
    public static final int MAX_COUNT = Gvcp.MAX_PAYLOAD_SIZE_BYTES - Integer.BYTES;

    private static final int LENGTH_BYTES = 8;
    private static final int COUNT_OFFSET = 6;

    /** Checks the range. */
    public ReadMemoryCommand {
        Wire.requireU16("count", count);
    }

    /**
     * Reads the packet.
     *
     * @param datagram the datagram from position to limit; not changed
     * @return the packet
     * @throws MalformedPacketException if it is not one
     */
    public static ReadMemoryCommand decode(ByteBuffer datagram) {
        CommandHeader header = CommandHeader.decode(datagram, Gvcp.READ_MEMORY);
        ByteBuffer payload = header.payload(datagram);
        Wire.requireLength(Gvcp.READ_MEMORY, payload, LENGTH_BYTES);
        return new ReadMemoryCommand(header.requestId(), payload.getInt(0), Wire.u16(payload, COUNT_OFFSET));
    }

    @Override
    public byte[] encode() {
        return Wire.bytes(Wire.command(Gvcp.FLAG_ACKNOWLEDGE, Gvcp.READ_MEMORY, LENGTH_BYTES, requestId)
                .putInt(address)
                .putInt(count));
    }

    @Override
    public String toString() {
        return "ReadMemoryCommand[requestId=" + requestId + ", address=" + BootstrapRegister.describe(address)
                + ", count=" + count + "]";
    }
}
