package io.peregrine.gvsp;

import io.peregrine.stream.BlockInfo.ImageGeometry;
import java.nio.ByteBuffer;

/**
 * View of what follows the header in a leader. Every method takes the packet's big-endian buffer and the index of the
 * first byte after the GVSP header.
 *
 * <pre>
 * all         2  2  payload type      4  8  timestamp
 * image      12  4  pixel format     16  4  size X        20  4  size Y     24  4  offset X
 *            28  4  offset Y         32  2  padding X     34  2  padding Y
 * raw, file  12  8  payload size
 * GenDC      12  8  payload size     20  1  flags         24  4  descriptor size
 * </pre>
 */
public final class GvspLeader {
    /** Offset of the payload type, 16 bit. */
    public static final int PAYLOAD_TYPE_OFFSET = 2;
    /** Offset of the timestamp, 64 bit. */
    public static final int TIMESTAMP_OFFSET = 4;
    /** Offset of the pixel format of an image, 32 bit. */
    public static final int PIXEL_FORMAT_OFFSET = 12;
    /** Offset of the width of an image, 32 bit. */
    public static final int SIZE_X_OFFSET = 16;
    /** Offset of the height of an image, 32 bit. */
    public static final int SIZE_Y_OFFSET = 20;
    /** Offset of the horizontal offset of an image, 32 bit. */
    public static final int OFFSET_X_OFFSET = 24;
    /** Offset of the vertical offset of an image, 32 bit. */
    public static final int OFFSET_Y_OFFSET = 28;
    /** Offset of the bytes after each line of an image, 16 bit. */
    public static final int PADDING_X_OFFSET = 32;
    /** Offset of the bytes at the end of an image, 16 bit. */
    public static final int PADDING_Y_OFFSET = 34;
    /** Offset of the payload size of raw data, files, JPEG and GenDC, 64 bit. */
    public static final int PAYLOAD_SIZE_OFFSET = 12;
    /** Offset of the flags of GenDC, 8 bit. */
    public static final int GENDC_FLAGS_OFFSET = 20;
    /** Offset of the descriptor size of GenDC, 32 bit. */
    public static final int DESCRIPTOR_SIZE_OFFSET = 24;

    /** Flag of a GenDC leader: a preliminary descriptor comes first: {@value}. */
    public static final int FLAG_PRELIMINARY_DESCRIPTOR = 0x80;

    private static final int SHORTEST_LENGTH_BYTES = 12;

    private GvspLeader() {}

    /**
     * Least number of bytes after the header that a leader of this payload type has; a negative number for types that
     * are not received (H.264, multi-zone and multi-part).
     */
    public static int minimumLengthBytes(int payloadType) {
        return switch (PayloadType.base(payloadType)) {
            case PayloadType.IMAGE, PayloadType.EXTENDED_CHUNK -> 36;
            case PayloadType.RAW, PayloadType.FILE -> 20;
            case PayloadType.JPEG, PayloadType.JPEG2000 -> 32;
            case PayloadType.GENDC -> 28;
            case PayloadType.H264, PayloadType.MULTI_ZONE, PayloadType.MULTI_PART -> -1;
            default -> SHORTEST_LENGTH_BYTES;
        };
    }

    /** Whether this many bytes hold a whole leader of a payload type that can be received. */
    public static boolean fits(ByteBuffer packet, int offset, int lengthBytes) {
        if (lengthBytes < SHORTEST_LENGTH_BYTES) {
            return false;
        }
        int minimum = minimumLengthBytes(payloadType(packet, offset));
        return minimum > 0 && lengthBytes >= minimum;
    }

    /** Payload type, see {@link PayloadType}. */
    public static int payloadType(ByteBuffer packet, int offset) {
        return Short.toUnsignedInt(packet.getShort(offset + PAYLOAD_TYPE_OFFSET));
    }

    /** Device time in ticks. */
    public static long timestampTicks(ByteBuffer packet, int offset) {
        return packet.getLong(offset + TIMESTAMP_OFFSET);
    }

    /** Payload size in bytes of raw data, files, JPEG and GenDC. */
    public static long payloadSizeBytes(ByteBuffer packet, int offset) {
        return packet.getLong(offset + PAYLOAD_SIZE_OFFSET);
    }

    /** Descriptor size in bytes of GenDC, unsigned. */
    public static long descriptorSizeBytes(ByteBuffer packet, int offset) {
        return Integer.toUnsignedLong(packet.getInt(offset + DESCRIPTOR_SIZE_OFFSET));
    }

    /** Whether a GenDC block begins with a preliminary descriptor. */
    public static boolean preliminaryDescriptor(ByteBuffer packet, int offset) {
        return (packet.get(offset + GENDC_FLAGS_OFFSET) & FLAG_PRELIMINARY_DESCRIPTOR) != 0;
    }

    /** Geometry of an image leader. */
    public static ImageGeometry geometry(ByteBuffer packet, int offset) {
        return new ImageGeometry(
                packet.getInt(offset + PIXEL_FORMAT_OFFSET),
                Integer.toUnsignedLong(packet.getInt(offset + SIZE_X_OFFSET)),
                Integer.toUnsignedLong(packet.getInt(offset + SIZE_Y_OFFSET)),
                Integer.toUnsignedLong(packet.getInt(offset + OFFSET_X_OFFSET)),
                Integer.toUnsignedLong(packet.getInt(offset + OFFSET_Y_OFFSET)),
                Short.toUnsignedInt(packet.getShort(offset + PADDING_X_OFFSET)),
                Short.toUnsignedInt(packet.getShort(offset + PADDING_Y_OFFSET)));
    }

    /**
     * Least number of payload bytes of an image: all pixels at the bits that bits 23 to 16 of the format code tell, and
     * the padding. A device that begins each line on a byte sends a little more for some formats.
     *
     * @return the size in bytes, 0 if the code tells no bits, {@link Long#MAX_VALUE} if it does not fit 64 bits
     */
    public static long imageSizeBytes(ImageGeometry image) {
        int bitsPerPixel = (image.pixelFormat() >>> 16) & 0xFF;
        if (bitsPerPixel == 0) {
            return 0;
        }
        try {
            long bits = Math.multiplyExact(Math.multiplyExact(image.width(), image.height()), (long) bitsPerPixel);
            long padding = Math.addExact(Math.multiplyExact(image.height(), (long) image.paddingX()), image.paddingY());
            return Math.addExact(bits / 8 + (bits % 8 == 0 ? 0 : 1), padding);
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }
}
