package io.peregrine.testing;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** {@link SyntheticContainer#TWO_FLOWS} as it travels: each flow by itself. */
public final class TwoFlows {
    private static final int FLOW_0_BYTES = 384;
    private static final int FLOW_1_BYTES = 128;

    private TwoFlows() {}

    /** The descriptor, a gap, and the data of component 0. */
    public static byte[] flow0() {
        return Arrays.copyOf(SyntheticContainer.TWO_FLOWS.bytes(), FLOW_0_BYTES);
    }

    /** The data of component 1. */
    public static byte[] flow1() {
        return Arrays.copyOfRange(SyntheticContainer.TWO_FLOWS.bytes(), FLOW_0_BYTES, FLOW_0_BYTES + FLOW_1_BYTES);
    }

    /** The table of both flows (table 3-1 of GenDC 1.1). */
    public static byte[] table() {
        ByteBuffer table = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
        table.putShort(0, (short) 0x7000).putInt(4, 32).put(8, (byte) 1).putInt(12, 2);
        return table.putLong(16, FLOW_0_BYTES).putLong(24, FLOW_1_BYTES).array();
    }
}
