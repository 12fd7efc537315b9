package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;

/** The same bytes in every block. */
final class FixedData implements PartData {
    private final byte[] bytes;

    FixedData(byte[] bytes) {
        this.bytes = bytes;
    }

    @Override
    public int maxBytes() {
        return bytes.length;
    }

    @Override
    public int count(Stamp stamp) {
        return bytes.length;
    }

    @Override
    public void fill(Stamp stamp, ByteBuffer target) {
        target.put(bytes);
    }
}
