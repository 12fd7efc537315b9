package io.peregrine.gvsp;

import io.peregrine.nativeio.NumberField;
import io.peregrine.stream.PayloadType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * View of the header of a stream packet, without any object: every method takes the packet's buffer and the index of
 * its first byte. The buffer must be big-endian, which is how GVSP travels.
 *
 * <pre>
 * standard, 8 bytes                 extended ids, 20 bytes (GigE Vision 2.0)
 *  0  2  status                      0  2  status
 *  2  2  block id                    2  2  flags
 *  4  1  format, bit 0x80 clear      4  1  format, bit 0x80 set
 *  5  3  packet id                   5  2  reserved
 *                                    7  1  number of parts, in a multi-part leader
 *                                    8  8  block id
 *                                   16  4  packet id
 * </pre>
 */
public final class GvspHeader {
    /** Length of the standard header in bytes. */
    public static final int STANDARD_LENGTH_BYTES = 8;
    /** Length of the header with extended ids in bytes. */
    public static final int EXTENDED_LENGTH_BYTES = 20;
    /** Bytes of the IPv4 and UDP headers, which a device counts in its packet size. */
    public static final int IP_UDP_LENGTH_BYTES = 28;

    /** Offset of the status, 16 bit. */
    public static final int STATUS_OFFSET = 0;
    /** Offset of the block id in the standard header, 16 bit. */
    public static final int BLOCK_ID_OFFSET = 2;
    /** Offset of the flags in the extended header, 16 bit. */
    public static final int FLAGS_OFFSET = 2;
    /** Offset of the format, 8 bit. */
    public static final int FORMAT_OFFSET = 4;
    /** Offset of the packet id in the standard header: the lower 24 of the 32 bits at offset 4. */
    public static final int PACKET_ID_OFFSET = 5;
    /** Offset of the number of parts in the extended header of a multi-part leader, 8 bit. */
    public static final int EXTENDED_PART_COUNT_OFFSET = 7;
    /** Offset of the block id in the extended header, 64 bit. */
    public static final int EXTENDED_BLOCK_ID_OFFSET = 8;
    /** Offset of the packet id in the extended header, 32 bit. */
    public static final int EXTENDED_PACKET_ID_OFFSET = 16;

    /** Bit of the format byte that marks an extended header: {@value}. */
    public static final int EXTENDED_BIT = 0x80;

    /** Where the lowest byte of the block id is, in both headers. */
    static final NumberField BLOCK_NUMBER =
            new NumberField(FORMAT_OFFSET, EXTENDED_BIT, BLOCK_ID_OFFSET + 1, EXTENDED_BLOCK_ID_OFFSET + 7);

    /** Format of a leader: {@value}. */
    public static final int FORMAT_LEADER = 1;
    /** Format of a trailer: {@value}. */
    public static final int FORMAT_TRAILER = 2;
    /** Format of a generic payload packet: {@value}. */
    public static final int FORMAT_PAYLOAD = 3;
    /** Format of a packet with leader, trailer and payload in one: {@value}. */
    public static final int FORMAT_ALL_IN = 4;
    /** Format of an H.264 payload packet: {@value}. */
    public static final int FORMAT_H264 = 5;
    /** Format of a multi-zone payload packet: {@value}. */
    public static final int FORMAT_MULTI_ZONE = 6;
    /** Format of a multi-part payload packet (GigE Vision 2.1): {@value}. */
    public static final int FORMAT_MULTI_PART = 7;
    /** Format of a GenDC payload packet: {@value}. */
    public static final int FORMAT_GENDC = 8;

    /** Flag of the extended header: the packet was sent again: {@value}. */
    public static final int FLAG_RESENT = 0x0001;
    /** Flag of the extended header: the device dropped the block before: {@value}. */
    public static final int FLAG_PREVIOUS_BLOCK_DROPPED = 0x0002;
    /** Flag of the extended header: a resend request named packets that do not exist: {@value}. */
    public static final int FLAG_RESEND_RANGE_ERROR = 0x0004;

    private static final int STANDARD_PACKET_ID_BITS = 24;

    private GvspHeader() {}

    /** Checks that a buffer is as this class reads it, and holds a packet. */
    static void checkBuffer(ByteBuffer packet, int offset, int lengthBytes) {
        if (packet.order() != ByteOrder.BIG_ENDIAN) {
            throw new IllegalArgumentException("A GVSP packet is big-endian, the buffer must be too");
        }
        Objects.checkFromIndexSize(offset, lengthBytes, packet.limit());
    }

    /** Whether a packet of this length holds its whole header. */
    public static boolean fits(ByteBuffer packet, int offset, int lengthBytes) {
        return lengthBytes >= STANDARD_LENGTH_BYTES && lengthBytes >= lengthBytes(packet, offset);
    }

    /** Whether the header has 64-bit block ids and 32-bit packet ids. */
    public static boolean extended(ByteBuffer packet, int offset) {
        return (packet.get(offset + FORMAT_OFFSET) & EXTENDED_BIT) != 0;
    }

    /** Length of the header in bytes. */
    public static int lengthBytes(ByteBuffer packet, int offset) {
        return extended(packet, offset) ? EXTENDED_LENGTH_BYTES : STANDARD_LENGTH_BYTES;
    }

    /** Status, see {@link GvspStatus}. */
    public static int status(ByteBuffer packet, int offset) {
        return Short.toUnsignedInt(packet.getShort(offset + STATUS_OFFSET));
    }

    /** Flags of an extended header; 0 for a standard one. */
    public static int flags(ByteBuffer packet, int offset) {
        return extended(packet, offset) ? Short.toUnsignedInt(packet.getShort(offset + FLAGS_OFFSET)) : 0;
    }

    /** Format of the packet, without the bit for extended ids. */
    public static int format(ByteBuffer packet, int offset) {
        return packet.get(offset + FORMAT_OFFSET) & 0x7F;
    }

    /** Block id; 0 is a test packet. */
    public static long blockId(ByteBuffer packet, int offset) {
        return extended(packet, offset)
                ? packet.getLong(offset + EXTENDED_BLOCK_ID_OFFSET)
                : Short.toUnsignedLong(packet.getShort(offset + BLOCK_ID_OFFSET));
    }

    /** Packet id within the block, from 0. */
    public static long packetId(ByteBuffer packet, int offset) {
        return extended(packet, offset)
                ? Integer.toUnsignedLong(packet.getInt(offset + EXTENDED_PACKET_ID_OFFSET))
                : packet.getInt(offset + PACKET_ID_OFFSET - 1) & 0xFFFFFFL;
    }

    /**
     * Number of parts that a multi-part leader announces. A standard header has no room for it: there the leader is as
     * long as its parts want it.
     *
     * @param bodyBytes bytes after the header
     */
    public static int partCount(ByteBuffer packet, int offset, int bodyBytes) {
        return extended(packet, offset)
                ? Byte.toUnsignedInt(packet.get(offset + EXTENDED_PART_COUNT_OFFSET))
                : Math.max(0, (bodyBytes - GvspLeader.PARTS_OFFSET) / GvspLeader.PART_LENGTH_BYTES);
    }

    /**
     * Whether a packet is a certain one, with status success and without any flag.
     *
     * @param extended whether its ids are to be extended ones
     */
    static boolean isPlain(ByteBuffer packet, int offset, boolean extended, int format, long blockId, int packetId) {
        return extended
                ? packet.getInt(offset) == 0
                        && packet.get(offset + FORMAT_OFFSET) == (byte) (EXTENDED_BIT | format)
                        && packet.getLong(offset + EXTENDED_BLOCK_ID_OFFSET) == blockId
                        && packet.getInt(offset + EXTENDED_PACKET_ID_OFFSET) == packetId
                : packetId >>> STANDARD_PACKET_ID_BITS == 0
                        && packet.getInt(offset) == (int) blockId
                        && packet.getInt(offset + FORMAT_OFFSET) == (format << STANDARD_PACKET_ID_BITS | packetId);
    }

    /** Whether the packet says of itself that it was sent again on request. */
    public static boolean resent(ByteBuffer packet, int offset) {
        return status(packet, offset) == GvspStatus.PACKET_RESEND || (flags(packet, offset) & FLAG_RESENT) != 0;
    }

    /** Format of the payload packets of a block with this payload type. */
    static int payloadFormat(int payloadType) {
        return switch (PayloadType.base(payloadType)) {
            case PayloadType.H264 -> FORMAT_H264;
            case PayloadType.MULTI_ZONE -> FORMAT_MULTI_ZONE;
            case PayloadType.MULTI_PART -> FORMAT_MULTI_PART;
            case PayloadType.GENDC -> FORMAT_GENDC;
            default -> FORMAT_PAYLOAD;
        };
    }
}
