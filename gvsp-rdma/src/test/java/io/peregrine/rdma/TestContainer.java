package io.peregrine.rdma;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A GenDC container of two flows, made by hand: one component with a part behind the descriptor in flow 0, and a part
 * in flow 1.
 */
final class TestContainer {
    static final int DESCRIPTOR = 56 + 8 + 48 + 16 + 40 + 40;
    static final int COMPONENT_AT = 64;
    static final int PART0_AT = 128;
    static final int PART1_AT = 168;
    static final int FLOW0 = 300;
    static final int FLOW1 = 64;

    private TestContainer() {}

    static byte[][] of(long id) {
        byte[] first = new byte[FLOW0];
        ByteBuffer d = ByteBuffer.wrap(first).order(ByteOrder.LITTLE_ENDIAN);
        d.put(new byte[] {'G', 'N', 'D', 'C', 1, 1, 0, 0});
        d.putShort(8, (short) 0x1000);
        d.putInt(12, 64);
        d.putLong(16, id);
        d.putLong(32, FLOW0 - DESCRIPTOR + FLOW1);
        d.putLong(40, DESCRIPTOR);
        d.putInt(48, DESCRIPTOR);
        d.putInt(52, 1);
        d.putLong(56, COMPONENT_AT);
        d.putShort(COMPONENT_AT, (short) 0x2000);
        d.putInt(COMPONENT_AT + 4, 64);
        d.putLong(COMPONENT_AT + 24, 1000 * id);
        d.putLong(COMPONENT_AT + 32, 1);
        d.putShort(COMPONENT_AT + 46, (short) 2);
        d.putLong(COMPONENT_AT + 48, PART0_AT);
        d.putLong(COMPONENT_AT + 56, PART1_AT);
        part(d, PART0_AT, 0, DESCRIPTOR, FLOW0 - DESCRIPTOR, DESCRIPTOR);
        part(d, PART1_AT, 1, 0, FLOW1, FLOW0);
        byte[] second = new byte[FLOW1];
        java.util.Arrays.fill(first, DESCRIPTOR, FLOW0, (byte) id);
        java.util.Arrays.fill(second, (byte) -id);
        return new byte[][] {first, second};
    }

    private static void part(ByteBuffer d, int at, int flow, long flowOffset, long size, long dataOffset) {
        d.putShort(at, (short) 0x4000);
        d.putInt(at + 4, 40);
        d.putShort(at + 14, (short) flow);
        d.putLong(at + 16, flowOffset);
        d.putLong(at + 24, size);
        d.putLong(at + 32, dataOffset);
    }
}
