package io.peregrine.distribution;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The first 32 bytes of each fragment, little-endian; the rest of the fragment is what it carries.
 *
 * <pre>
 *  0  version, 1             1 byte
 *  1  flags                  1 byte
 *  2  stream channel         2 bytes
 *  4  length of what follows 4 bytes
 *  8  frame id               8 bytes  number of the frame at its publisher, from 1; dropped frames count, too
 * 16  total                  8 bytes  bytes of the container, or of the description
 * 24  offset                 8 bytes  of this fragment's bytes in it
 * </pre>
 *
 * <p>The fragments of a frame are its description (flag 1), then its container, each in ascending order. Read in place,
 * so that nothing is allocated for a fragment.
 */
final class FragmentHeader {
    static final int SIZE_BYTES = 32;
    static final int VERSION = 1;

    /** The bytes belong to the description of the frame, not to its container. */
    static final int DESCRIPTION = 1;
    /** The publisher was closed: nothing more comes. Carries no bytes. */
    static final int END = 2;

    private static final int KNOWN_FLAGS = DESCRIPTION | END;
    private static final int FLAGS_AT = 1;
    private static final int STREAM_AT = 2;
    private static final int LENGTH_AT = 4;
    private static final int FRAME_AT = 8;
    private static final int TOTAL_AT = 16;
    private static final int OFFSET_AT = 24;

    private FragmentHeader() {}

    /** Writes a header. */
    static void put(
            MutableDirectBuffer to, int at, int flags, int stream, int length, long frameId, long total, long offset) {
        to.putByte(at, (byte) VERSION);
        to.putByte(at + FLAGS_AT, (byte) flags);
        to.putShort(at + STREAM_AT, (short) stream, ByteOrder.LITTLE_ENDIAN);
        to.putInt(at + LENGTH_AT, length, ByteOrder.LITTLE_ENDIAN);
        to.putLong(at + FRAME_AT, frameId, ByteOrder.LITTLE_ENDIAN);
        to.putLong(at + TOTAL_AT, total, ByteOrder.LITTLE_ENDIAN);
        to.putLong(at + OFFSET_AT, offset, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Whether there is a header that does not contradict itself or the length of its fragment: afterwards {@code 0 <=
     * offset <= total} and {@code length <= total - offset} hold.
     *
     * @param from the fragment
     * @param at its first byte
     * @param fragmentBytes its length
     */
    static boolean valid(DirectBuffer from, int at, int fragmentBytes) {
        if (fragmentBytes < SIZE_BYTES
                || from.getByte(at) != VERSION
                || (from.getByte(at + FLAGS_AT) & ~KNOWN_FLAGS) != 0) {
            return false;
        }
        long length = length(from, at);
        long total = total(from, at);
        long offset = offset(from, at);
        return length == fragmentBytes - SIZE_BYTES
                && frameId(from, at) > 0
                && offset >= 0
                && offset <= total
                && length <= total - offset
                && (length == 0) == ((flags(from, at) & END) != 0);
    }

    static int flags(DirectBuffer from, int at) {
        return from.getByte(at + FLAGS_AT) & 0xFF;
    }

    static int stream(DirectBuffer from, int at) {
        return from.getShort(at + STREAM_AT, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    static int length(DirectBuffer from, int at) {
        return from.getInt(at + LENGTH_AT, ByteOrder.LITTLE_ENDIAN);
    }

    static long frameId(DirectBuffer from, int at) {
        return from.getLong(at + FRAME_AT, ByteOrder.LITTLE_ENDIAN);
    }

    static long total(DirectBuffer from, int at) {
        return from.getLong(at + TOTAL_AT, ByteOrder.LITTLE_ENDIAN);
    }

    static long offset(DirectBuffer from, int at) {
        return from.getLong(at + OFFSET_AT, ByteOrder.LITTLE_ENDIAN);
    }
}
