package io.peregrine.gendc;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Little-endian numbers at absolute places of any buffer, whatever its own byte order: a view needs no duplicate. */
final class LittleEndian {
    private LittleEndian() {}

    static int u8(ByteBuffer bytes, int at) {
        return Byte.toUnsignedInt(bytes.get(at));
    }

    static int u16(ByteBuffer bytes, int at) {
        short value = bytes.getShort(at);
        return Short.toUnsignedInt(bytes.order() == ByteOrder.LITTLE_ENDIAN ? value : Short.reverseBytes(value));
    }

    static int i32(ByteBuffer bytes, int at) {
        int value = bytes.getInt(at);
        return bytes.order() == ByteOrder.LITTLE_ENDIAN ? value : Integer.reverseBytes(value);
    }

    static long u32(ByteBuffer bytes, int at) {
        return Integer.toUnsignedLong(i32(bytes, at));
    }

    static long i64(ByteBuffer bytes, int at) {
        long value = bytes.getLong(at);
        return bytes.order() == ByteOrder.LITTLE_ENDIAN ? value : Long.reverseBytes(value);
    }
}
