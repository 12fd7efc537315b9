package io.peregrine.rdmatest;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The bytes of messages: those of a message begin at one of 255 places of the same pseudo-random sequence, so that
 * messages differ from those before them, and none has to be written before it is sent. Both sides make the same.
 */
final class Pattern {
    private static final int PLACES = 255;
    private static final int PLACE_BYTES = 8;

    private Pattern() {}

    /** The sequence, for messages of a size, in memory outside the heap. */
    static ByteBuffer of(int messageBytes) {
        int bytes = (messageBytes + PLACES * PLACE_BYTES) & -PLACE_BYTES;
        ByteBuffer pattern = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
        long state = 0;
        for (int at = 0; at < bytes; at += PLACE_BYTES) {
            // SplitMix64
            state += 0x9E3779B97F4A7C15L;
            long mixed = (state ^ state >>> 30) * 0xBF58476D1CE4E5B9L;
            mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
            pattern.putLong(at, mixed ^ mixed >>> 31);
        }
        return pattern;
    }

    /** Where a message begins. */
    static int place(long message) {
        return (int) (message % PLACES) * PLACE_BYTES;
    }

    /** Whether memory has the bytes of a message. Moves position and limit of both buffers. */
    static boolean matches(ByteBuffer pattern, long message, ByteBuffer memory, int at, int bytes) {
        int place = place(message);
        pattern.limit(place + bytes).position(place);
        memory.limit(at + bytes).position(at);
        return pattern.mismatch(memory) < 0;
    }
}
