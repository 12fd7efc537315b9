package io.peregrine.gvsp;

import java.nio.ByteBuffer;

/**
 * View of what follows the header in a GenDC payload packet (format 8, GigE Vision 2.2). Every method takes the
 * packet's big-endian buffer and the index of the first byte after the GVSP header.
 *
 * <pre>
 *  0  4  data size
 *  4  8  destination offset within the flow
 * 12  1  data flags: 0xC0 descriptor kind, 0x20 start of descriptor, 0x10 end of descriptor
 * 13  1  flow flags: 0x80 first packet of the flow, 0x40 last packet of the flow
 * 14  2  flow id
 * 16  .. data
 * </pre>
 */
public final class GenDcPayload {
    /** Length of the head in bytes. */
    public static final int HEAD_LENGTH_BYTES = 16;
    /** Offset of the data size, 32 bit. */
    public static final int DATA_SIZE_OFFSET = 0;
    /** Offset of the destination offset, 64 bit. */
    public static final int DESTINATION_OFFSET = 4;
    /** Offset of the data flags, 8 bit. */
    public static final int DATA_FLAGS_OFFSET = 12;
    /** Offset of the flow flags, 8 bit. */
    public static final int FLOW_FLAGS_OFFSET = 13;
    /** Offset of the flow id, 16 bit. */
    public static final int FLOW_ID_OFFSET = 14;

    /** Descriptor kind: no descriptor. */
    public static final int KIND_DATA = 0;
    /** Descriptor kind: the final descriptor. */
    public static final int KIND_FINAL = 1;
    /** Descriptor kind: the final descriptor, and other data behind it. */
    public static final int KIND_FINAL_AND_DATA = 2;
    /** Descriptor kind: the preliminary descriptor. */
    public static final int KIND_PRELIMINARY = 3;

    private static final int FLAG_DESCRIPTOR_END = 0x10;

    private GenDcPayload() {}

    /** Whether this many bytes hold the header and the data that it announces. */
    public static boolean fits(ByteBuffer packet, int offset, int lengthBytes) {
        return lengthBytes >= HEAD_LENGTH_BYTES
                && Integer.toUnsignedLong(packet.getInt(offset + DATA_SIZE_OFFSET)) <= lengthBytes - HEAD_LENGTH_BYTES
                && destinationOffset(packet, offset) >= 0;
    }

    /** Bytes of data in this packet. Only for a packet that {@link #fits}. */
    public static int dataSizeBytes(ByteBuffer packet, int offset) {
        return packet.getInt(offset + DATA_SIZE_OFFSET);
    }

    /** Where the data belongs within its flow, in bytes. */
    public static long destinationOffset(ByteBuffer packet, int offset) {
        return packet.getLong(offset + DESTINATION_OFFSET);
    }

    /** Which kind of descriptor the data is, if it is one. */
    public static int descriptorKind(ByteBuffer packet, int offset) {
        return (packet.get(offset + DATA_FLAGS_OFFSET) & 0xC0) >>> 6;
    }

    /** Whether the data ends a descriptor. */
    public static boolean descriptorEnd(ByteBuffer packet, int offset) {
        return (packet.get(offset + DATA_FLAGS_OFFSET) & FLAG_DESCRIPTOR_END) != 0;
    }

    /** Flow id. */
    public static int flowId(ByteBuffer packet, int offset) {
        return Short.toUnsignedInt(packet.getShort(offset + FLOW_ID_OFFSET));
    }
}
