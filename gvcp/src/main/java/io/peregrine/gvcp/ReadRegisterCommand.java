package io.peregrine.gvcp;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * READREG_CMD: reads 32-bit registers.
 *
 * @param requestId id of the request
 * @param addresses one or more, each a multiple of 4, unsigned
 */
public record ReadRegisterCommand(int requestId, List<Integer> addresses) implements GvcpCommand {
    /** Most registers of one command. */
    public static final int MAX_REGISTERS = Gvcp.MAX_PAYLOAD_SIZE_BYTES / Integer.BYTES;

    /** Copies the list. */
    public ReadRegisterCommand {
        addresses = List.copyOf(addresses);
    }

    /**
     * Reads the packet.
     *
     * @param datagram the datagram from position to limit; not changed
     * @return the packet
     * @throws MalformedPacketException if it is not one
     */
    public static ReadRegisterCommand decode(ByteBuffer datagram) {
        CommandHeader header = CommandHeader.decode(datagram, Gvcp.READ_REGISTER);
        ByteBuffer payload = header.payload(datagram);
        Wire.requireMultiple(Gvcp.READ_REGISTER, payload, Integer.BYTES);
        List<Integer> addresses = new ArrayList<>();
        while (payload.hasRemaining()) {
            addresses.add(payload.getInt());
        }
        return new ReadRegisterCommand(header.requestId(), addresses);
    }

    @Override
    public byte[] encode() {
        ByteBuffer packet =
                Wire.command(Gvcp.FLAG_ACKNOWLEDGE, Gvcp.READ_REGISTER, addresses.size() * Integer.BYTES, requestId);
        addresses.forEach(packet::putInt);
        return Wire.bytes(packet);
    }

    @Override
    public String toString() {
        return "ReadRegisterCommand[requestId=" + requestId + ", addresses="
                + addresses.stream().map(BootstrapRegister::describe).collect(Collectors.joining(", ")) + "]";
    }
}
