package io.peregrine.genapi;

import java.nio.ByteBuffer;

/** Bytes at one place of a port, and whether they are known. Registers at the same place share one. */
final class CacheLine {
    final long address;
    final int length;
    final byte[] bytes;
    /** Over all of {@link #bytes}. */
    final ByteBuffer view;

    boolean valid;
    /** Whether the port gave it up, so that it must be looked up again. */
    boolean gone;

    CacheLine(long address, int length) {
        this.address = address;
        this.length = length;
        bytes = new byte[length];
        view = ByteBuffer.wrap(bytes);
    }

    /** All bytes as one number; up to eight. */
    long whole(boolean bigEndian) {
        long value = 0;
        if (bigEndian) {
            for (int i = 0; i < length; i++) {
                value = value << 8 | (bytes[i] & 0xFF);
            }
        } else {
            for (int i = length - 1; i >= 0; i--) {
                value = value << 8 | (bytes[i] & 0xFF);
            }
        }
        return value;
    }
}
