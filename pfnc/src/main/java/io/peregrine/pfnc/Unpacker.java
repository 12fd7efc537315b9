package io.peregrine.pfnc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Takes values out of the bytes of a line (PFNC 2.4, chapter 6). The array of a line is longer than its bytes by
 * {@link #SLACK_BYTES}, so that whole words can be read; what follows the bytes never reaches a value.
 */
final class Unpacker {
    static final int SLACK_BYTES = 8;

    static final VarHandle SHORTS = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle FLOATS = MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle DOUBLES = MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);

    private Unpacker() {}

    static void bytes(byte[] line, boolean signed, int[] values, int count) {
        if (signed) {
            for (int i = 0; i < count; i++) {
                values[i] = line[i];
            }
        } else {
            for (int i = 0; i < count; i++) {
                values[i] = line[i] & 0xFF;
            }
        }
    }

    /** Three bytes of four. */
    static void threeOfFourBytes(byte[] line, int[] values, int count) {
        int at = 0;
        for (int i = 0; i + 2 < count; i += 3, at += 4) {
            values[i] = line[at] & 0xFF;
            values[i + 1] = line[at + 1] & 0xFF;
            values[i + 2] = line[at + 2] & 0xFF;
        }
    }

    static void shorts(byte[] line, boolean signed, int[] values, int count) {
        if (signed) {
            for (int i = 0; i < count; i++) {
                values[i] = (short) SHORTS.get(line, 2 * i);
            }
        } else {
            for (int i = 0; i < count; i++) {
                values[i] = (short) SHORTS.get(line, 2 * i) & 0xFFFF;
            }
        }
    }

    static void ints(byte[] line, int[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = (int) INTS.get(line, 4 * i);
        }
    }

    /**
     * A bit stream, least significant bit first.
     *
     * @param firstBit where the first value begins, 0 to 7
     * @param bits of a value, 1 to 16
     */
    static void stream(byte[] line, int firstBit, int bits, int[] values, int count) {
        int mask = (1 << bits) - 1;
        int at = 0;
        int i = 0;
        // Eight values fill whole bytes, so that no bit index gets larger than an int.
        for (; i + 8 <= count; i += 8, at += bits) {
            int bit = firstBit;
            for (int j = 0; j < 8; j++, bit += bits) {
                values[i + j] = (int) INTS.get(line, at + (bit >> 3)) >>> (bit & 7) & mask;
            }
        }
        for (int bit = firstBit; i < count; i++, bit += bits) {
            values[i] = (int) INTS.get(line, at + (bit >> 3)) >>> (bit & 7) & mask;
        }
    }

    /** Three values of ten bits in four bytes. */
    static void p32(byte[] line, int[] values, int count) {
        int at = 0;
        for (int i = 0; i + 2 < count; i += 3, at += 4) {
            int word = (int) INTS.get(line, at);
            values[i] = word & 0x3FF;
            values[i + 1] = word >>> 10 & 0x3FF;
            values[i + 2] = word >>> 20 & 0x3FF;
        }
    }

    static void fiveSixFive(byte[] line, int[] values, int count) {
        int at = 0;
        for (int i = 0; i + 2 < count; i += 3, at += 2) {
            int word = (short) SHORTS.get(line, at);
            values[i] = word & 0x1F;
            values[i + 1] = word >>> 5 & 0x3F;
            values[i + 2] = word >>> 11 & 0x1F;
        }
    }

    /**
     * Two values of ten bits in three bytes, the low bits of both in the middle one.
     *
     * @param firstInPair 0, or 1 when the line begins with the second value of a pair
     */
    static void packed10(byte[] line, int firstInPair, int[] values, int count) {
        for (int i = 0; i < count; i++) {
            int place = i + firstInPair;
            int group = (place >> 1) * 3;
            int middle = line[group + 1];
            values[i] = (place & 1) == 0
                    ? (line[group] & 0xFF) << 2 | (middle & 3)
                    : (line[group + 2] & 0xFF) << 2 | (middle >> 4 & 3);
        }
    }

    /**
     * Two values of twelve bits in three bytes, the low bits of both in the middle one.
     *
     * @param firstInPair 0, or 1 when the line begins with the second value of a pair
     */
    static void packed12(byte[] line, int firstInPair, int[] values, int count) {
        for (int i = 0; i < count; i++) {
            int place = i + firstInPair;
            int group = (place >> 1) * 3;
            int middle = line[group + 1];
            values[i] = (place & 1) == 0
                    ? (line[group] & 0xFF) << 4 | (middle & 0xF)
                    : (line[group + 2] & 0xFF) << 4 | (middle >> 4 & 0xF);
        }
    }

    static void shorts(byte[] line, short[] target, int at, int count) {
        for (int i = 0; i < count; i++) {
            target[at + i] = (short) SHORTS.get(line, 2 * i);
        }
    }

    /** A bit stream of 10 bits that begins on a byte. */
    static void stream10(byte[] line, short[] target, int at, int count) {
        int fours = count / 4;
        for (int i = 0; i < fours; i++) {
            long word = (long) LONGS.get(line, 5 * i);
            target[at + 4 * i] = (short) (word & 0x3FF);
            target[at + 4 * i + 1] = (short) (word >>> 10 & 0x3FF);
            target[at + 4 * i + 2] = (short) (word >>> 20 & 0x3FF);
            target[at + 4 * i + 3] = (short) (word >>> 30 & 0x3FF);
        }
        long word = fours * 4 < count ? (long) LONGS.get(line, 5 * fours) : 0;
        for (int i = 4 * fours; i < count; i++, word >>>= 10) {
            target[at + i] = (short) (word & 0x3FF);
        }
    }

    /** A bit stream of 12 bits that begins on a byte. */
    static void stream12(byte[] line, short[] target, int at, int count) {
        int fours = count / 4;
        for (int i = 0; i < fours; i++) {
            long word = (long) LONGS.get(line, 6 * i);
            target[at + 4 * i] = (short) (word & 0xFFF);
            target[at + 4 * i + 1] = (short) (word >>> 12 & 0xFFF);
            target[at + 4 * i + 2] = (short) (word >>> 24 & 0xFFF);
            target[at + 4 * i + 3] = (short) (word >>> 36 & 0xFFF);
        }
        long word = fours * 4 < count ? (long) LONGS.get(line, 6 * fours) : 0;
        for (int i = 4 * fours; i < count; i++, word >>>= 12) {
            target[at + i] = (short) (word & 0xFFF);
        }
    }

    /** Pairs of ten bits that begin with the first of a pair. */
    static void packed10(byte[] line, short[] target, int at, int count) {
        int pairs = count / 2;
        for (int i = 0; i < pairs; i++) {
            int word = (int) INTS.get(line, 3 * i);
            target[at + 2 * i] = (short) ((word << 2 & 0x3FC) | (word >>> 8 & 3));
            target[at + 2 * i + 1] = (short) ((word >>> 14 & 0x3FC) | (word >>> 12 & 3));
        }
        if (2 * pairs < count) {
            int word = (int) INTS.get(line, 3 * pairs);
            target[at + 2 * pairs] = (short) ((word << 2 & 0x3FC) | (word >>> 8 & 3));
        }
    }

    /** Pairs of twelve bits that begin with the first of a pair. */
    static void packed12(byte[] line, short[] target, int at, int count) {
        int pairs = count / 2;
        for (int i = 0; i < pairs; i++) {
            int word = (int) INTS.get(line, 3 * i);
            target[at + 2 * i] = (short) ((word << 4 & 0xFF0) | (word >>> 8 & 0xF));
            target[at + 2 * i + 1] = (short) (word >>> 12 & 0xFFF);
        }
        if (2 * pairs < count) {
            int word = (int) INTS.get(line, 3 * pairs);
            target[at + 2 * pairs] = (short) ((word << 4 & 0xFF0) | (word >>> 8 & 0xF));
        }
    }

    static void floats(byte[] line, float[] target, int at, int count) {
        for (int i = 0; i < count; i++) {
            target[at + i] = (float) FLOATS.get(line, 4 * i);
        }
    }
}
