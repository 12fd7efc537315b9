package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What a host says when it connects, and the answers to it: the private data of the connection manager in the interim
 * mapping. Little-endian, unlike the registers.
 */
record RdmaGreeting(boolean known, int channel, int mode, int flowCount, long receiveDepth, long nonce) {
    static final int VERSION = 0;
    static final int MAGIC_REGISTER = 0x47565230;
    static final int MODE_GVSP = 0;
    static final int MODE_SEND = 1;
    static final int MODE_WRITE = 2;

    /** The bytes 'G', 'V', 'R', '0' in this order, read as a little-endian word. */
    private static final int MAGIC = 0x30525647;

    private static final int REQUEST_BYTES = 32;
    private static final RdmaGreeting UNKNOWN = new RdmaGreeting(false, 0, 0, 0, 0, 0);

    static RdmaGreeting parse(byte[] privateData) {
        if (privateData.length < REQUEST_BYTES) {
            return UNKNOWN;
        }
        ByteBuffer data = ByteBuffer.wrap(privateData).order(ByteOrder.LITTLE_ENDIAN);
        return new RdmaGreeting(
                data.getInt(0) == MAGIC && data.getShort(4) == VERSION,
                Short.toUnsignedInt(data.getShort(6)),
                Short.toUnsignedInt(data.getShort(8)),
                Short.toUnsignedInt(data.getShort(10)),
                Integer.toUnsignedLong(data.getInt(12)),
                data.getLong(16));
    }

    static byte[] welcome(long containerBytes) {
        return ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .putShort((short) VERSION)
                .putShort((short) Gvcp.SUCCESS)
                .putLong(containerBytes)
                .array();
    }

    static byte[] refusal(int status) {
        return ByteBuffer.allocate(6)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .putShort((short) status)
                .array();
    }
}
