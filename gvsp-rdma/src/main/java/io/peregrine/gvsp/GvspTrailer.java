package io.peregrine.gvsp;

import java.nio.ByteBuffer;

/**
 * View of what follows the header in a trailer. Every method takes the packet's big-endian buffer and the index of the
 * first byte after the GVSP header.
 *
 * <pre>
 * all         2  2  payload type
 * image       4  4  size Y
 * </pre>
 */
public final class GvspTrailer {
    /** Offset of the payload type, 16 bit. */
    public static final int PAYLOAD_TYPE_OFFSET = 2;
    /** Offset of the height of an image, 32 bit. */
    public static final int SIZE_Y_OFFSET = 4;
    /** Least number of bytes after the header. */
    public static final int MINIMUM_LENGTH_BYTES = 4;

    private GvspTrailer() {}

    /** Whether this many bytes hold a trailer. */
    public static boolean fits(int lengthBytes) {
        return lengthBytes >= MINIMUM_LENGTH_BYTES;
    }

    /** Payload type, see {@link PayloadType}. */
    public static int payloadType(ByteBuffer packet, int offset) {
        return Short.toUnsignedInt(packet.getShort(offset + PAYLOAD_TYPE_OFFSET));
    }

    /** Lines that the device sent, for an image; 0 if the trailer does not say, or says 0 as some devices do. */
    public static long sizeY(ByteBuffer packet, int offset, int lengthBytes) {
        return lengthBytes >= SIZE_Y_OFFSET + 4 ? Integer.toUnsignedLong(packet.getInt(offset + SIZE_Y_OFFSET)) : 0;
    }
}
