package io.peregrine.gvcp;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * WRITEREG_CMD: writes 32-bit registers.
 *
 * @param requestId id of the request
 * @param writes one or more
 */
public record WriteRegisterCommand(int requestId, List<RegisterValue> writes) implements GvcpCommand {
    private static final int ENTRY_SIZE_BYTES = 8;

    /** Copies the list. */
    public WriteRegisterCommand {
        writes = List.copyOf(writes);
    }

    /**
     * Reads the packet.
     *
     * @param datagram the datagram from position to limit; not changed
     * @return the packet
     * @throws MalformedPacketException if it is not one
     */
    public static WriteRegisterCommand decode(ByteBuffer datagram) {
        CommandHeader header = CommandHeader.decode(datagram, Gvcp.WRITE_REGISTER);
        ByteBuffer payload = header.payload(datagram);
        Wire.requireMultiple(Gvcp.WRITE_REGISTER, payload, ENTRY_SIZE_BYTES);
        List<RegisterValue> writes = new ArrayList<>();
        while (payload.hasRemaining()) {
            int address = payload.getInt();
            writes.add(new RegisterValue(address, payload.getInt()));
        }
        return new WriteRegisterCommand(header.requestId(), writes);
    }

    @Override
    public byte[] encode() {
        ByteBuffer packet =
                Wire.command(Gvcp.FLAG_ACKNOWLEDGE, Gvcp.WRITE_REGISTER, writes.size() * ENTRY_SIZE_BYTES, requestId);
        writes.forEach(w -> packet.putInt(w.address()).putInt(w.value()));
        return Wire.bytes(packet);
    }
}
