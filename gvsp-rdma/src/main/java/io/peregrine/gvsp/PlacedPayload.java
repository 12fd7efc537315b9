package io.peregrine.gvsp;

import java.nio.ByteBuffer;

/**
 * View of what follows the header in a payload packet that says where its data belongs: multi-zone (format 6) and
 * multi-part (format 7, GigE Vision 2.1). Every method takes the packet's big-endian buffer and the index of the first
 * byte after the GVSP header.
 *
 * <pre>
 *  0  1  part id, multi-part only
 *  1  1  zone information: 0x40 end of part (multi-part only), 0x3E zone id, 0x01 end of zone
 *  2  6  offset within the part or the block ({@link PartOffsets}), or within the image
 *  8  .. data
 * </pre>
 */
public final class PlacedPayload {
    /** Length of the head in bytes. */
    public static final int HEAD_LENGTH_BYTES = 8;
    /** Offset of the part id, 8 bit. */
    public static final int PART_ID_OFFSET = 0;
    /** Offset of the zone information, 8 bit. */
    public static final int ZONE_OFFSET = 1;
    /** Offset of the offset of the data, 48 bit. */
    public static final int DESTINATION_OFFSET = 2;

    private static final int FLAG_END_OF_PART = 0x40;
    private static final int ZONE_ID_MASK = 0x3E;
    private static final int FLAG_END_OF_ZONE = 0x01;

    private PlacedPayload() {}

    /** Whether this many bytes hold the head. */
    public static boolean fits(int lengthBytes) {
        return lengthBytes >= HEAD_LENGTH_BYTES;
    }

    /** Part that the data belongs to, from 0 in the order of the leader. */
    public static int partId(ByteBuffer packet, int offset) {
        return Byte.toUnsignedInt(packet.get(offset + PART_ID_OFFSET));
    }

    /** Where the data belongs, in bytes: 0 to 2^48 - 1. */
    public static long destinationOffset(ByteBuffer packet, int offset) {
        return unsigned48(packet, offset + DESTINATION_OFFSET);
    }

    /** Whether the data ends its part. */
    public static boolean endOfPart(ByteBuffer packet, int offset) {
        return (packet.get(offset + ZONE_OFFSET) & FLAG_END_OF_PART) != 0;
    }

    /** Zone that the data belongs to. */
    public static int zoneId(ByteBuffer packet, int offset) {
        return (packet.get(offset + ZONE_OFFSET) & ZONE_ID_MASK) >>> 1;
    }

    /** Whether the data ends its zone. */
    public static boolean endOfZone(ByteBuffer packet, int offset) {
        return (packet.get(offset + ZONE_OFFSET) & FLAG_END_OF_ZONE) != 0;
    }

    static long unsigned48(ByteBuffer packet, int index) {
        return Short.toUnsignedLong(packet.getShort(index)) << 32 | Integer.toUnsignedLong(packet.getInt(index + 2));
    }
}
