package io.peregrine.gvcp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;

/**
 * The eight bytes in front of every command.
 *
 * @param flags see the {@code FLAG_} constants of {@link Gvcp}
 * @param command command code
 * @param lengthBytes bytes after the header
 * @param requestId never 0 on the wire
 */
public record CommandHeader(int flags, int command, int lengthBytes, int requestId) {

    /** Checks the ranges. */
    public CommandHeader {
        if (flags < 0 || flags > 0xFF) {
            throw new IllegalArgumentException("flags must be in 0..255, not " + flags);
        }
        Wire.requireU16("command", command);
        Wire.requireU16("lengthBytes", lengthBytes);
        Wire.requireU16("requestId", requestId);
    }

    /**
     * Reads a header.
     *
     * @param datagram the datagram from position to limit; not changed
     * @return the header
     * @throws MalformedPacketException if the bytes are too few or not those of a command
     */
    public static CommandHeader decode(ByteBuffer datagram) {
        if (datagram.remaining() < Gvcp.HEADER_SIZE_BYTES) {
            throw new MalformedPacketException(
                    "a command header has 8 bytes, but " + datagram.remaining() + " arrived");
        }
        ByteBuffer bytes = datagram.slice().order(ByteOrder.BIG_ENDIAN);
        if (bytes.get(0) != Gvcp.KEY) {
            throw new MalformedPacketException(
                    String.format(Locale.ROOT, "a command starts with 0x42, not 0x%02X", bytes.get(0) & 0xFF));
        }
        return new CommandHeader(bytes.get(1) & 0xFF, Wire.u16(bytes, 2), Wire.u16(bytes, 4), Wire.u16(bytes, 6));
    }

    /** Reads a header and insists on its command code. */
    static CommandHeader decode(ByteBuffer datagram, int command) {
        CommandHeader header = decode(datagram);
        if (header.command != command) {
            throw new MalformedPacketException(Gvcp.name(command) + " expected, not " + Gvcp.name(header.command));
        }
        return header;
    }

    /**
     * Whether a flag is set.
     *
     * @param flag one of the {@code FLAG_} constants of {@link Gvcp}
     * @return true if it is
     */
    public boolean has(int flag) {
        return (flags & flag) != 0;
    }

    ByteBuffer payload(ByteBuffer datagram) {
        return Wire.payload(datagram, lengthBytes, command);
    }

    ByteBuffer encodeInto(ByteBuffer target) {
        return target.put((byte) Gvcp.KEY)
                .put((byte) flags)
                .putShort((short) command)
                .putShort((short) lengthBytes)
                .putShort((short) requestId);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "%s #%d flags 0x%02X, %d bytes", Gvcp.name(command), requestId, flags, lengthBytes);
    }
}
