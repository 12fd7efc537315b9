package io.peregrine.rocev2;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Bytes of a message that never change, compared by what they are: private data, or additional rejection information.
 */
final class CmBytes {
    private final byte[] bytes;

    private CmBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Bytes padded with zeros to the length that a message has room for.
     *
     * @throws IllegalArgumentException if there are too many
     */
    static CmBytes padded(byte[] bytes, int lengthBytes) {
        if (bytes.length > lengthBytes) {
            throw new IllegalArgumentException(bytes.length + " bytes do not fit: give up to " + lengthBytes);
        }
        return new CmBytes(Arrays.copyOf(bytes, lengthBytes));
    }

    /** Zeros, where an application says nothing. */
    static CmBytes none(int lengthBytes) {
        return new CmBytes(new byte[lengthBytes]);
    }

    /** Takes bytes out of a buffer. */
    static CmBytes read(ByteBuffer from, int offset, int lengthBytes) {
        byte[] bytes = new byte[lengthBytes];
        from.get(offset, bytes);
        return new CmBytes(bytes);
    }

    void write(ByteBuffer to, int offset) {
        to.put(offset, bytes);
    }

    int lengthBytes() {
        return bytes.length;
    }

    byte[] toArray() {
        return bytes.clone();
    }

    /** The bytes from an index on. */
    byte[] from(int index) {
        return Arrays.copyOfRange(bytes, index, bytes.length);
    }

    long getLong(int index) {
        return ByteBuffer.wrap(bytes).getLong(index);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CmBytes that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Hexadecimal, without the zeros at the end. */
    @Override
    public String toString() {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        return "[" + HexFormat.of().formatHex(bytes, 0, end) + "]";
    }
}
