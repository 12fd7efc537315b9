package io.peregrine.gvsp;

import io.peregrine.stream.PayloadType;
import java.nio.ByteBuffer;

/**
 * View of what follows the header in a trailer. Every method takes the packet's big-endian buffer and the index of the
 * first byte after the GVSP header.
 *
 * <pre>
 * all                 2  2  payload type
 * image, multi-zone   4  4  size Y
 * chunk data          4  4  payload length
 * extended chunk      4  4  payload length   8  4  size Y    12  4  chunk layout id
 * multi-part          4 + 16 for each part:  0  2  data type  2  6  part length   8  4  size Y
 * with the bit 0x4000, behind that           0  4  chunk data length   4  4  chunk layout id
 * </pre>
 */
public final class GvspTrailer {
    /** Offset of the payload type, 16 bit. */
    public static final int PAYLOAD_TYPE_OFFSET = 2;
    /** Offset of the height of an image, 32 bit. */
    public static final int SIZE_Y_OFFSET = 4;
    /** Offset of the payload length of chunk data and extended chunk data, 32 bit. */
    public static final int CHUNK_PAYLOAD_LENGTH_OFFSET = 4;
    /** Offset of the height of an image with extended chunk data, 32 bit. */
    public static final int EXTENDED_CHUNK_SIZE_Y_OFFSET = 8;
    /** Offset of the chunk layout id of extended chunk data, 32 bit. */
    public static final int EXTENDED_CHUNK_LAYOUT_ID_OFFSET = 12;
    /** Offset of the first part. */
    public static final int PARTS_OFFSET = 4;
    /** Bytes for each part. */
    public static final int PART_LENGTH_BYTES = 16;
    /** Least number of bytes after the header. */
    public static final int MINIMUM_LENGTH_BYTES = 4;
    /** Bytes that follow when the payload type has the bit 0x4000. */
    public static final int CHUNK_LENGTH_BYTES = 8;

    private GvspTrailer() {}

    /** Whether this many bytes hold a trailer. */
    public static boolean fits(int lengthBytes) {
        return lengthBytes >= MINIMUM_LENGTH_BYTES;
    }

    /** Payload type, see {@link PayloadType}. */
    public static int payloadType(ByteBuffer packet, int offset) {
        return Short.toUnsignedInt(packet.getShort(offset + PAYLOAD_TYPE_OFFSET));
    }

    /**
     * Length of the trailer of a payload type in bytes, without what follows when the type has the bit 0x4000.
     *
     * @param partCount number of parts of a multi-part block
     */
    public static int lengthBytes(int payloadType, int partCount) {
        return switch (PayloadType.base(payloadType)) {
            case PayloadType.IMAGE, PayloadType.MULTI_ZONE, PayloadType.CHUNK -> 8;
            case PayloadType.EXTENDED_CHUNK -> 16;
            case PayloadType.MULTI_PART -> PARTS_OFFSET + partCount * PART_LENGTH_BYTES;
            default -> MINIMUM_LENGTH_BYTES;
        };
    }

    /**
     * Lines that the device sent, for an image; 0 if the trailer does not say, or says 0 as some devices do.
     *
     * @param payloadType type of the block, for which the trailer is laid out
     * @param lengthBytes bytes of the trailer
     */
    public static long sizeY(ByteBuffer packet, int offset, int lengthBytes, int payloadType) {
        return switch (PayloadType.base(payloadType)) {
            case PayloadType.IMAGE, PayloadType.MULTI_ZONE -> unsigned32(packet, offset, lengthBytes, SIZE_Y_OFFSET);
            case PayloadType.EXTENDED_CHUNK -> unsigned32(packet, offset, lengthBytes, EXTENDED_CHUNK_SIZE_Y_OFFSET);
            default -> 0;
        };
    }

    /** Payload length in bytes of chunk data and extended chunk data; 0 if the trailer does not say. */
    public static long chunkPayloadLengthBytes(ByteBuffer packet, int offset, int lengthBytes) {
        return unsigned32(packet, offset, lengthBytes, CHUNK_PAYLOAD_LENGTH_OFFSET);
    }

    /** Chunk layout id of extended chunk data; 0 if the trailer does not say. */
    public static int extendedChunkLayoutId(ByteBuffer packet, int offset, int lengthBytes) {
        return (int) unsigned32(packet, offset, lengthBytes, EXTENDED_CHUNK_LAYOUT_ID_OFFSET);
    }

    /** Length in bytes of the chunk data of a payload type with the bit 0x4000; 0 if the trailer does not say. */
    public static long chunkDataLengthBytes(
            ByteBuffer packet, int offset, int lengthBytes, int payloadType, int partCount) {
        return unsigned32(packet, offset, lengthBytes, lengthBytes(payloadType, partCount));
    }

    /** Chunk layout id of a payload type with the bit 0x4000; 0 if the trailer does not say. */
    public static int chunkLayoutId(ByteBuffer packet, int offset, int lengthBytes, int payloadType, int partCount) {
        return (int) unsigned32(packet, offset, lengthBytes, lengthBytes(payloadType, partCount) + 4);
    }

    /** Whether the trailer describes a part. */
    public static boolean hasPart(int lengthBytes, int part) {
        return lengthBytes >= lengthBytes(PayloadType.MULTI_PART, part + 1);
    }

    /** Data type of a part. Only for a part that it {@link #hasPart}. */
    public static int partDataType(ByteBuffer packet, int offset, int part) {
        return Short.toUnsignedInt(packet.getShort(partAt(offset, part)));
    }

    /** Bytes sent of a part. Only for a part that it {@link #hasPart}. */
    public static long partLengthBytes(ByteBuffer packet, int offset, int part) {
        return PlacedPayload.unsigned48(packet, partAt(offset, part) + 2);
    }

    /** Lines sent of a part that is an image. Only for a part that it {@link #hasPart}. */
    public static long partSizeY(ByteBuffer packet, int offset, int part) {
        return Integer.toUnsignedLong(packet.getInt(partAt(offset, part) + 8));
    }

    private static int partAt(int offset, int part) {
        return offset + PARTS_OFFSET + part * PART_LENGTH_BYTES;
    }

    private static long unsigned32(ByteBuffer packet, int offset, int lengthBytes, int at) {
        return lengthBytes >= at + 4 ? Integer.toUnsignedLong(packet.getInt(offset + at)) : 0;
    }
}
