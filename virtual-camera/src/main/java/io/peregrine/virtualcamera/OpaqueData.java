package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/** Bytes without meaning after a given start; their number changes from block to block. */
final class OpaqueData implements PartData {
    private final byte[] start;
    private final int maxBytes;
    private final int count;
    private final int seed;

    OpaqueData(String startHex, int maxBytes, int count, int seed) {
        this.start = HexFormat.of().parseHex(startHex);
        this.maxBytes = maxBytes;
        this.count = count;
        this.seed = seed;
    }

    @Override
    public int maxBytes() {
        return maxBytes;
    }

    @Override
    public int bytes(Stamp stamp) {
        return maxBytes - (int) Long.remainderUnsigned(stamp.image() * 37, maxBytes / 4);
    }

    @Override
    public int count(Stamp stamp) {
        return count;
    }

    @Override
    public void fill(Stamp stamp, ByteBuffer target) {
        int bytes = bytes(stamp);
        target.put(start);
        int key = seed * 0x9E3779B1 + (int) stamp.image() * 0x85EBCA77;
        for (int i = start.length; i < bytes; i++) {
            int h = key ^ (i * 0xC2B2AE3D);
            h ^= h >>> 15;
            h *= 0x2C1B3C6D;
            target.put((byte) (h >>> 13));
        }
    }
}
