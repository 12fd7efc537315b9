package io.peregrine.gvsp;

import io.peregrine.stream.BlockInfo.H264Parameters;
import io.peregrine.stream.BlockInfo.ImageGeometry;
import io.peregrine.stream.PayloadType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * View of what follows the header in a leader. Every method takes the packet's big-endian buffer and the index of the
 * first byte after the GVSP header.
 *
 * <pre>
 * all           2  2  payload type
 * all but H.264 4  8  timestamp
 * image and extended chunk
 *              12  4  pixel format     16  4  size X        20  4  size Y     24  4  offset X
 *              28  4  offset Y         32  2  padding X     34  2  padding Y
 * multi-zone   12  4  zone directions  16 .. as in an image from its pixel format on
 * raw, file    12  8  payload size     20 .. name of the file, ends with a 0
 * JPEG, 2000   12  8  payload size     20  8  ticks a second of the timestamp     28  4  data format
 * H.264         4  8  payload size     13  1  packetization mode  14  2  packet size  17  1  profile
 *              18  1  constraint sets  19  1  level  20  2  interleaving depth  22  2  max DON difference
 *              24  4  deinterleaving buffer  28  4  initial buffering time
 * multi-part   12 .. 48 for each part:
 *               0  2  data type         2  6  part length    8  4  pixel or data format
 *              14  1  source id        15  1  more zones    16  4  zone directions
 *              20  2  data purpose id  22  2  region id     24 .. type specific
 *              image, plane, confidence: 24 .. as in an image from its size X on
 *              JPEG, 2000: 24  1  flags   28  8  ticks a second   36  4  data format
 * GenDC        12  8  payload size     20  1  flags         24  4  descriptor size
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
    /** Offset of the pixel format of a multi-zone image, 32 bit. */
    public static final int MULTI_ZONE_PIXEL_FORMAT_OFFSET = 16;
    /** Offset of the name of a file. */
    public static final int FILE_NAME_OFFSET = 20;
    /** Offset of the payload size of raw data, files, JPEG and GenDC, 64 bit. */
    public static final int PAYLOAD_SIZE_OFFSET = 12;
    /** Offset of the ticks a second of JPEG and JPEG 2000, 64 bit. */
    public static final int TICK_FREQUENCY_OFFSET = 20;
    /** Offset of the data format of JPEG and JPEG 2000, 32 bit. */
    public static final int DATA_FORMAT_OFFSET = 28;
    /** Offset of the payload size of H.264, 64 bit. */
    public static final int H264_PAYLOAD_SIZE_OFFSET = 4;
    /** Bytes before the data in a payload packet of H.264: its timestamp. */
    public static final int H264_PAYLOAD_HEAD_LENGTH_BYTES = 8;
    /** Offset of the first part. */
    public static final int PARTS_OFFSET = 12;
    /** Bytes for each part. */
    public static final int PART_LENGTH_BYTES = 48;
    /** Where the parts of a block begin in flow 0: at multiples of this. */
    public static final int PART_ALIGNMENT_BYTES = 8;
    /** Most parts of a block. */
    public static final int MAX_PARTS = 255;
    /** Offset of the flags of GenDC, 8 bit. */
    public static final int GENDC_FLAGS_OFFSET = 20;
    /** Offset of the descriptor size of GenDC, 32 bit. */
    public static final int DESCRIPTOR_SIZE_OFFSET = 24;

    /** Flag of a GenDC leader: a preliminary descriptor comes first: {@value}. */
    public static final int FLAG_PRELIMINARY_DESCRIPTOR = 0x80;

    private static final ImageGeometry NO_GEOMETRY = new ImageGeometry(0, 0, 0, 0, 0, 0, 0);

    private static final int SHORTEST_LENGTH_BYTES = 12;

    private GvspLeader() {}

    /**
     * Least number of bytes after the header that a leader of this payload type has; multi-part has at least one part.
     */
    public static int minimumLengthBytes(int payloadType) {
        return switch (PayloadType.base(payloadType)) {
            case PayloadType.IMAGE, PayloadType.EXTENDED_CHUNK -> 36;
            case PayloadType.RAW, PayloadType.FILE -> 20;
            case PayloadType.JPEG, PayloadType.JPEG2000, PayloadType.H264 -> 32;
            case PayloadType.MULTI_ZONE -> 40;
            case PayloadType.MULTI_PART -> lengthBytes(1);
            case PayloadType.GENDC -> 28;
            default -> SHORTEST_LENGTH_BYTES;
        };
    }

    /** Length in bytes of a multi-part leader with a number of parts. */
    public static int lengthBytes(int partCount) {
        return PARTS_OFFSET + partCount * PART_LENGTH_BYTES;
    }

    /**
     * Whether this many bytes hold a whole leader of a payload type, of which none is 0. Of a multi-part one only the
     * first part is looked at: compare with {@link #lengthBytes(int)}.
     */
    public static boolean fits(ByteBuffer packet, int offset, int lengthBytes) {
        if (lengthBytes < SHORTEST_LENGTH_BYTES) {
            return false;
        }
        int type = payloadType(packet, offset);
        return PayloadType.base(type) != 0 && lengthBytes >= minimumLengthBytes(type);
    }

    /** Payload type, see {@link PayloadType}. */
    public static int payloadType(ByteBuffer packet, int offset) {
        return Short.toUnsignedInt(packet.getShort(offset + PAYLOAD_TYPE_OFFSET));
    }

    /** Device time in ticks; 0 for H.264, whose payload packets have it. */
    public static long timestampTicks(ByteBuffer packet, int offset) {
        return PayloadType.base(payloadType(packet, offset)) == PayloadType.H264
                ? 0
                : packet.getLong(offset + TIMESTAMP_OFFSET);
    }

    /** Payload size in bytes of raw data, files, JPEG and GenDC. */
    public static long payloadSizeBytes(ByteBuffer packet, int offset) {
        return packet.getLong(offset + PAYLOAD_SIZE_OFFSET);
    }

    /**
     * Name of a file, empty if the leader has none. Devices write ASCII or UTF-8.
     *
     * @param bodyBytes bytes of the leader
     */
    public static Optional<String> fileName(ByteBuffer packet, int offset, int bodyBytes) {
        int end = FILE_NAME_OFFSET;
        while (end < bodyBytes && packet.get(offset + end) != 0) {
            end++;
        }
        if (end == FILE_NAME_OFFSET) {
            return Optional.empty();
        }
        byte[] name = new byte[end - FILE_NAME_OFFSET];
        packet.get(offset + FILE_NAME_OFFSET, name);
        return Optional.of(new String(name, StandardCharsets.UTF_8));
    }

    /** Ticks a second of the timestamp of JPEG and JPEG 2000. */
    public static long tickFrequency(ByteBuffer packet, int offset) {
        return packet.getLong(offset + TICK_FREQUENCY_OFFSET);
    }

    /** Data format of JPEG and JPEG 2000. */
    public static int dataFormat(ByteBuffer packet, int offset) {
        return packet.getInt(offset + DATA_FORMAT_OFFSET);
    }

    /** Payload size in bytes of H.264. */
    public static long h264PayloadSizeBytes(ByteBuffer packet, int offset) {
        return packet.getLong(offset + H264_PAYLOAD_SIZE_OFFSET);
    }

    /** Parameters of H.264. */
    public static H264Parameters h264Parameters(ByteBuffer packet, int offset) {
        int sets = Byte.toUnsignedInt(packet.get(offset + 18));
        // The flag of set 0 is the most significant bit.
        int constraintSets = Integer.reverse(sets) >>> 24 & 0x0F;
        return new H264Parameters(
                Byte.toUnsignedInt(packet.get(offset + 13)),
                Byte.toUnsignedInt(packet.get(offset + 17)),
                constraintSets,
                Byte.toUnsignedInt(packet.get(offset + 19)),
                Short.toUnsignedInt(packet.getShort(offset + 20)),
                Short.toUnsignedLong(packet.getShort(offset + 22)),
                Integer.toUnsignedLong(packet.getInt(offset + 24)),
                Integer.toUnsignedLong(packet.getInt(offset + 28)));
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
        return geometry(packet, offset, NO_GEOMETRY);
    }

    /** Geometry of an image leader: the last one itself, if it is the same. */
    static ImageGeometry geometry(ByteBuffer packet, int offset, ImageGeometry last) {
        return geometry(packet, offset + SIZE_X_OFFSET, packet.getInt(offset + PIXEL_FORMAT_OFFSET), last);
    }

    /** Geometry of a multi-zone leader. */
    public static ImageGeometry multiZoneGeometry(ByteBuffer packet, int offset) {
        return multiZoneGeometry(packet, offset, NO_GEOMETRY);
    }

    /** Geometry of a multi-zone leader: the last one itself, if it is the same. */
    static ImageGeometry multiZoneGeometry(ByteBuffer packet, int offset, ImageGeometry last) {
        int format = packet.getInt(offset + MULTI_ZONE_PIXEL_FORMAT_OFFSET);
        return geometry(packet, offset + MULTI_ZONE_PIXEL_FORMAT_OFFSET + 4, format, last);
    }

    private static ImageGeometry geometry(ByteBuffer packet, int at, int format, ImageGeometry last) {
        long width = Integer.toUnsignedLong(packet.getInt(at));
        long height = Integer.toUnsignedLong(packet.getInt(at + 4));
        long offsetX = Integer.toUnsignedLong(packet.getInt(at + 8));
        long offsetY = Integer.toUnsignedLong(packet.getInt(at + 12));
        int paddingX = Short.toUnsignedInt(packet.getShort(at + 16));
        int paddingY = Short.toUnsignedInt(packet.getShort(at + 18));
        boolean same = last.pixelFormat() == format
                && last.width() == width
                && last.height() == height
                && last.offsetX() == offsetX
                && last.offsetY() == offsetY
                && last.paddingX() == paddingX
                && last.paddingY() == paddingY;
        return same ? last : new ImageGeometry(format, width, height, offsetX, offsetY, paddingX, paddingY);
    }

    // ---- Parts; only for a leader that is as long as lengthBytes(part + 1)

    /** Data type of a part. */
    public static int partDataType(ByteBuffer packet, int offset, int part) {
        return Short.toUnsignedInt(packet.getShort(partAt(offset, part)));
    }

    /** Bytes of a part: 0 to 2^48 - 1. */
    public static long partLengthBytes(ByteBuffer packet, int offset, int part) {
        return PlacedPayload.unsigned48(packet, partAt(offset, part) + 2);
    }

    /** Pixel format of a part, or data format of a compressed one. */
    public static int partFormat(ByteBuffer packet, int offset, int part) {
        return packet.getInt(partAt(offset, part) + 8);
    }

    /** Sensor of a part. */
    public static int partSourceId(ByteBuffer packet, int offset, int part) {
        return Byte.toUnsignedInt(packet.get(partAt(offset, part) + 14));
    }

    /** Number that parts for the same purpose share. */
    public static int partPurposeId(ByteBuffer packet, int offset, int part) {
        return Short.toUnsignedInt(packet.getShort(partAt(offset, part) + 20));
    }

    /** Region of a part. */
    public static int partRegionId(ByteBuffer packet, int offset, int part) {
        return Short.toUnsignedInt(packet.getShort(partAt(offset, part) + 22));
    }

    /** Geometry of a part that is an image, a plane or confidence. */
    public static ImageGeometry partGeometry(ByteBuffer packet, int offset, int part) {
        return geometry(packet, partAt(offset, part) + 24, partFormat(packet, offset, part), NO_GEOMETRY);
    }

    /** Flags of a part that is JPEG or JPEG 2000. */
    public static int partCompressionFlags(ByteBuffer packet, int offset, int part) {
        return Byte.toUnsignedInt(packet.get(partAt(offset, part) + 24));
    }

    /** Data format among the type specific fields of a part that is JPEG or JPEG 2000. */
    public static int partCompressionFormat(ByteBuffer packet, int offset, int part) {
        return packet.getInt(partAt(offset, part) + 36);
    }

    private static int partAt(int offset, int part) {
        return offset + PARTS_OFFSET + part * PART_LENGTH_BYTES;
    }

    /**
     * Least number of payload bytes of an image: all pixels at the bits that bits 23 to 16 of the format code tell, and
     * the padding. A device that begins each line on a byte sends a little more for some formats.
     *
     * @return the size in bytes, 0 if the code gives no bits, {@link Long#MAX_VALUE} if it does not fit 64 bits
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
