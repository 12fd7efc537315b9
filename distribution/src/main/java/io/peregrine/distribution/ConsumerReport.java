package io.peregrine.distribution;

import java.nio.ByteOrder;
import java.util.Optional;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What a consumer reports to the publisher of its stream, several times a second: 80 bytes, little-endian.
 *
 * <pre>
 *  0  PGCR                   4 bytes
 *  4  version, 1             1 byte
 *  5  type                   1 byte   1 it receives, 2 it leaves
 *  6  flags                  2 bytes  1 it must have each frame, 2 it has no memory for the next one now
 *  8  session                4 bytes  of the stream, as announced
 * 12  lane                   4 bytes  session under which it expects frames of a shared stream
 * 16  port                   2 bytes  UDP port where it expects them
 * 18  capacity               2 bytes  frames that it can hold at a time
 * 20  process                4 bytes  its number on its host
 * 24  done                   8 bytes  frames of the lane that it has used, or dropped
 * 32  position               8 bytes  bytes of the log that it has read
 * 40  whole                  8 bytes  frames received whole
 * 48  incomplete             8 bytes  frames received with bytes missing
 * 56  no flow set            8 bytes  frames it dropped, because it held all its memory
 * 64  missed                 8 bytes  frames that were not sent, or did not arrive
 * 72  joins                  8 bytes  how often it was cut off and joined again
 * </pre>
 */
record ConsumerReport(
        boolean leaving,
        boolean mustHave,
        boolean noMemory,
        int session,
        int lane,
        int port,
        int capacity,
        int process,
        long done,
        long position,
        long whole,
        long incomplete,
        long droppedNoFlowSet,
        long missed,
        long joins) {
    /** Aeron stream of what consumers say. */
    static final int STREAM_ID = 0x5049;

    static final int SIZE_BYTES = 80;

    private static final int MAGIC = 'P' | 'G' << 8 | 'C' << 16 | 'R' << 24;
    private static final int VERSION = 1;
    private static final int REPORT = 1;
    private static final int LEAVE = 2;
    private static final int MUST_HAVE = 1;
    private static final int NO_MEMORY = 2;
    private static final int MAX_CAPACITY = 4096;

    /** Writes it to the beginning of a buffer. */
    void put(UnsafeBuffer to) {
        to.putInt(0, MAGIC, ByteOrder.LITTLE_ENDIAN);
        to.putByte(4, (byte) VERSION);
        to.putByte(5, (byte) (leaving ? LEAVE : REPORT));
        to.putShort(6, (short) ((mustHave ? MUST_HAVE : 0) | (noMemory ? NO_MEMORY : 0)), ByteOrder.LITTLE_ENDIAN);
        to.putInt(8, session, ByteOrder.LITTLE_ENDIAN);
        to.putInt(12, lane, ByteOrder.LITTLE_ENDIAN);
        to.putShort(16, (short) port, ByteOrder.LITTLE_ENDIAN);
        to.putShort(18, (short) capacity, ByteOrder.LITTLE_ENDIAN);
        to.putInt(20, process, ByteOrder.LITTLE_ENDIAN);
        long[] counts = {done, position, whole, incomplete, droppedNoFlowSet, missed, joins};
        for (int i = 0; i < counts.length; i++) {
            to.putLong(24 + 8 * i, counts[i], ByteOrder.LITTLE_ENDIAN);
        }
    }

    /** Reads one, whatever is there; empty when it is none, or contradicts itself. */
    static Optional<ConsumerReport> parse(DirectBuffer from, int at, int length) {
        if (length != SIZE_BYTES
                || from.getInt(at, ByteOrder.LITTLE_ENDIAN) != MAGIC
                || from.getByte(at + 4) != VERSION) {
            return Optional.empty();
        }
        int type = from.getByte(at + 5);
        int flags = from.getShort(at + 6, ByteOrder.LITTLE_ENDIAN);
        int capacity = from.getShort(at + 18, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
        long[] counts = new long[7];
        boolean possible = (type == REPORT || type == LEAVE) && capacity <= MAX_CAPACITY;
        for (int i = 0; i < counts.length; i++) {
            counts[i] = from.getLong(at + 24 + 8 * i, ByteOrder.LITTLE_ENDIAN);
            possible &= counts[i] >= 0;
        }
        if (!possible) {
            return Optional.empty();
        }
        return Optional.of(new ConsumerReport(
                type == LEAVE,
                (flags & MUST_HAVE) != 0,
                (flags & NO_MEMORY) != 0,
                from.getInt(at + 8, ByteOrder.LITTLE_ENDIAN),
                from.getInt(at + 12, ByteOrder.LITTLE_ENDIAN),
                from.getShort(at + 16, ByteOrder.LITTLE_ENDIAN) & 0xFFFF,
                capacity,
                from.getInt(at + 20, ByteOrder.LITTLE_ENDIAN),
                counts[0],
                counts[1],
                counts[2],
                counts[3],
                counts[4],
                counts[5],
                counts[6]));
    }
}
