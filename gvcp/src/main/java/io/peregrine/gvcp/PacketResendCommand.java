package io.peregrine.gvcp;

import java.nio.ByteBuffer;

/**
 * PACKETRESEND_CMD: asks for stream packets again.
 *
 * @param requestId id of the request
 * @param extended 64-bit block id and 32-bit packet ids, as the stream has them; else 16 and 24 bits
 * @param streamChannel index of the stream channel
 * @param blockId which block; unsigned
 * @param firstPacketId first packet asked for
 * @param lastPacketId last packet asked for, inclusive
 */
public record PacketResendCommand(
        int requestId, boolean extended, int streamChannel, long blockId, long firstPacketId, long lastPacketId)
        implements GvcpCommand {
    /** Payload bytes of the standard form. */
    static final int STANDARD_LENGTH_BYTES = 12;
    /** Payload bytes of the extended form. */
    static final int EXTENDED_LENGTH_BYTES = 20;

    private static final long MAX_STANDARD_PACKET_ID = 0xFF_FFFFL;

    /** Checks the ranges. */
    public PacketResendCommand {
        Wire.requireU16("streamChannel", streamChannel);
        long limit = extended ? 0xFFFF_FFFFL : MAX_STANDARD_PACKET_ID;
        if (firstPacketId < 0 || firstPacketId > limit || lastPacketId < 0 || lastPacketId > limit) {
            throw new IllegalArgumentException(
                    "packet ids must be in 0.." + limit + ", not " + firstPacketId + " and " + lastPacketId);
        }
        if (!extended && (blockId < 0 || blockId > 0xFFFF)) {
            throw new IllegalArgumentException("a standard block id must be in 0..65535, not " + blockId);
        }
    }

    /**
     * Reads the packet.
     *
     * @param datagram the datagram from position to limit; not changed
     * @return the packet
     * @throws MalformedPacketException if it is not one
     */
    public static PacketResendCommand decode(ByteBuffer datagram) {
        CommandHeader header = CommandHeader.decode(datagram, Gvcp.PACKET_RESEND);
        ByteBuffer payload = header.payload(datagram);
        boolean extended = header.has(Gvcp.FLAG_EXTENDED_ID);
        Wire.requireLength(Gvcp.PACKET_RESEND, payload, extended ? EXTENDED_LENGTH_BYTES : STANDARD_LENGTH_BYTES);
        int channel = Wire.u16(payload, 0);
        return extended
                ? new PacketResendCommand(
                        header.requestId(),
                        true,
                        channel,
                        payload.getLong(12),
                        Wire.u32(payload, 4),
                        Wire.u32(payload, 8))
                : new PacketResendCommand(
                        header.requestId(),
                        false,
                        channel,
                        Wire.u16(payload, 2),
                        Wire.u24(payload, 5),
                        Wire.u24(payload, 9));
    }

    @Override
    public byte[] encode() {
        ByteBuffer packet = ByteBuffer.allocate(
                Gvcp.HEADER_SIZE_BYTES + (extended ? EXTENDED_LENGTH_BYTES : STANDARD_LENGTH_BYTES));
        encode(packet, requestId, extended, streamChannel, blockId, firstPacketId, lastPacketId);
        return Wire.bytes(packet);
    }

    /** Writes the packet at the start of a buffer and sets its limit; the way that allocates nothing. */
    static void encode(
            ByteBuffer target, int requestId, boolean extended, int channel, long blockId, long first, long last) {
        int lengthBytes = extended ? EXTENDED_LENGTH_BYTES : STANDARD_LENGTH_BYTES;
        target.clear().limit(Gvcp.HEADER_SIZE_BYTES + lengthBytes);
        target.put(0, (byte) Gvcp.KEY);
        target.put(1, (byte) (extended ? Gvcp.FLAG_EXTENDED_ID : 0));
        target.putShort(2, (short) Gvcp.PACKET_RESEND);
        target.putShort(4, (short) lengthBytes);
        target.putShort(6, (short) requestId);
        target.putShort(8, (short) channel);
        if (extended) {
            target.putShort(10, (short) 0);
            target.putInt(12, (int) first);
            target.putInt(16, (int) last);
            target.putLong(20, blockId);
        } else {
            target.putShort(10, (short) blockId);
            target.putInt(12, (int) (first & MAX_STANDARD_PACKET_ID));
            target.putInt(16, (int) (last & MAX_STANDARD_PACKET_ID));
        }
    }
}
