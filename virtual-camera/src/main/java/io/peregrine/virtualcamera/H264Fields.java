package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;

/** The parameters that the camera states for H.264 (names of RFC 6184). All are different, to show mix-ups. */
final class H264Fields {
    /** packetization-mode. */
    static final int PACKETIZATION_MODE = 1;
    /** profile_idc. */
    static final int PROFILE_IDC = 100;
    /** constraint_set0_flag and constraint_set2_flag. */
    static final int CONSTRAINT_SETS = 0b0101;
    /** level_idc. */
    static final int LEVEL_IDC = 40;
    /** sprop-interleaving-depth. */
    static final int INTERLEAVING_DEPTH = 0x0203;
    /** sprop-max-don-diff. */
    static final int MAX_DON_DIFF = 0x0405;
    /** sprop-deint-buf-req. */
    static final int DEINTERLEAVING_BUFFER_BYTES = 0x060708;
    /** sprop-init-buf-time. */
    static final int INITIAL_BUFFER_TIME = 0x090A0B;

    private H264Fields() {}

    /** Bytes 56 to 71 of the part header of GenDC, little-endian. */
    static void putGenDc(ByteBuffer out) {
        out.put((byte) 0)
                .put((byte) PROFILE_IDC)
                .put((byte) (CONSTRAINT_SETS | PACKETIZATION_MODE << 4))
                .put((byte) LEVEL_IDC)
                .putShort((short) INTERLEAVING_DEPTH)
                .putShort((short) MAX_DON_DIFF)
                .putInt(DEINTERLEAVING_BUFFER_BYTES)
                .putInt(INITIAL_BUFFER_TIME);
    }

    /** Bytes 12 to 31 of the leader of GVSP, big-endian. The packet size is that of the stream channel: 0 here. */
    static void putLeader(ByteBuffer out) {
        int flags = 0;
        for (int set = 0; set < 4; set++) {
            flags |= (CONSTRAINT_SETS >> set & 1) != 0 ? 0x80 >> set : 0;
        }
        out.put((byte) 0)
                .put((byte) PACKETIZATION_MODE)
                .putShort((short) 0)
                .put((byte) 0)
                .put((byte) PROFILE_IDC)
                .put((byte) flags)
                .put((byte) LEVEL_IDC)
                .putShort((short) INTERLEAVING_DEPTH)
                .putShort((short) MAX_DON_DIFF)
                .putInt(DEINTERLEAVING_BUFFER_BYTES)
                .putInt(INITIAL_BUFFER_TIME);
    }
}
