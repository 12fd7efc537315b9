package io.peregrine.distribution.driver;

import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;

import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.peregrine.nativeio.DatagramRuns;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;

/**
 * Where runs of datagrams may be cut, and what of them belongs together: each datagram begins with a frame of Aeron.
 * Nothing that is read is believed.
 */
public final class FrameRuns {
    /** Most bytes of a datagram for Aeron. */
    private static final int MAX_BYTES = 65504;
    /** Smaller frames are messages that Aeron puts together to one packet. */
    private static final int LEAST_CUT_BYTES = 1024;

    private FrameRuns() {}

    /**
     * Most bytes of a run.
     *
     * @param datagramBytes length of its datagrams
     * @param termBytes length of the log's terms: a driver takes no more than an eighth at once
     */
    public static int most(int datagramBytes, int termBytes) {
        int bytes = Math.min(MAX_BYTES, termBytes / 8);
        return Math.max(1, Math.min(DatagramRuns.MAX_DATAGRAMS, bytes / datagramBytes)) * datagramBytes;
    }

    /**
     * Bytes after which frames are to be cut, so that each datagram begins with a frame. The last one may be shorter,
     * and hold several frames.
     *
     * @param frames whole ones
     * @return 0 if they are not to be cut
     */
    static int datagramBytes(ByteBuffer frames) {
        int begin = frames.position();
        int end = frames.limit();
        int bytes = end - begin < HEADER_LENGTH ? 0 : length(frames, begin);
        if (bytes < LEAST_CUT_BYTES || bytes >= end - begin) {
            return 0;
        }
        int at = begin + bytes;
        while (end - at > bytes) {
            if (length(frames, at) != bytes) {
                return 0;
            }
            at += bytes;
        }
        return bytes;
    }

    /** Bytes of a frame in the log. */
    private static int length(ByteBuffer frames, int at) {
        int length = frames.getInt(at);
        length = frames.order() == ByteOrder.LITTLE_ENDIAN ? length : Integer.reverseBytes(length);
        return BitUtil.align(length, FrameDescriptor.FRAME_ALIGNMENT);
    }

    /**
     * End of the frames that belong together, from one on: what follows them in the log. Other messages end at their
     * end, what is none at the end of all.
     *
     * @param from bytes that were received
     * @param begin the first byte of a frame
     * @param end the end of all bytes
     */
    static int end(DirectBuffer from, int begin, int end) {
        int at = begin + wireBytes(from, begin, end);
        if (end - begin < HEADER_LENGTH || !data(from, begin) || frameLength(from, begin) == 0) {
            return at;
        }
        int frame = begin;
        while (at < end
                && !padding(from, frame)
                && end - at >= HEADER_LENGTH
                && data(from, at)
                && frameLength(from, at) > 0
                && field(from, at, DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET)
                        == field(from, begin, DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET) + (at - begin)
                && same(from, begin, at, DataHeaderFlyweight.TERM_ID_FIELD_OFFSET)
                && same(from, begin, at, DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET)
                && same(from, begin, at, DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET)) {
            frame = at;
            at += wireBytes(from, at, end);
        }
        return at;
    }

    /** Bytes of a message in a datagram, up to the end of all at the most. */
    private static int wireBytes(DirectBuffer from, int at, int end) {
        int left = end - at;
        if (left < HeaderFlyweight.MIN_HEADER_LENGTH) {
            return left;
        }
        long length = frameLength(from, at);
        if (data(from, at)) {
            // Of padding, and to show that a sender is there, only the header is sent.
            length = length == 0 || padding(from, at)
                    ? HEADER_LENGTH
                    : BitUtil.align(length, FrameDescriptor.FRAME_ALIGNMENT);
        }
        return length <= 0 || length > left ? left : (int) length;
    }

    private static int frameLength(DirectBuffer from, int at) {
        return field(from, at, HeaderFlyweight.FRAME_LENGTH_FIELD_OFFSET);
    }

    private static boolean data(DirectBuffer from, int at) {
        int type = type(from, at);
        return type == HeaderFlyweight.HDR_TYPE_DATA || type == HeaderFlyweight.HDR_TYPE_PAD;
    }

    private static boolean padding(DirectBuffer from, int at) {
        return type(from, at) == HeaderFlyweight.HDR_TYPE_PAD;
    }

    private static int type(DirectBuffer from, int at) {
        return from.getShort(at + HeaderFlyweight.TYPE_FIELD_OFFSET, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    private static boolean same(DirectBuffer from, int one, int other, int field) {
        return field(from, one, field) == field(from, other, field);
    }

    private static int field(DirectBuffer from, int at, int field) {
        return from.getInt(at + field, ByteOrder.LITTLE_ENDIAN);
    }
}
