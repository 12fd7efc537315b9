package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;

/** Cuts blocks of one layout into GVSP packets. */
final class PacketPlan {
    static final int STATUS_SUCCESS = 0x0000;
    static final int STATUS_RESENT = 0x0100;
    static final int STATUS_UNAVAILABLE = 0x800C;
    static final int STATUS_NOT_YET_AVAILABLE = 0x8010;

    private static final int IP_AND_UDP_BYTES = 28;
    private static final int STANDARD_HEADER_BYTES = 8;
    private static final int EXTENDED_HEADER_BYTES = 20;

    private static final int EXTENDED = 0x80;
    private static final int FLAG_RESENT = 0x0001;

    private final BlockLayout layout;
    private final boolean extended;
    private final int packetBytes;

    /**
     * A plan.
     *
     * @param layout what the blocks hold
     * @param packetSizeBytes size of a packet, IP and UDP header included
     * @param extended whether ids are 64 and 32 bits wide
     */
    PacketPlan(BlockLayout layout, int packetSizeBytes, boolean extended) {
        this.layout = layout;
        this.extended = extended;
        packetBytes = packetSizeBytes - IP_AND_UDP_BYTES - (extended ? EXTENDED_HEADER_BYTES : STANDARD_HEADER_BYTES);
    }

    BlockLayout layout() {
        return layout;
    }

    boolean extended() {
        return extended;
    }

    /** Most packets that a block has, leader and trailer included. */
    int packetCount() {
        return cut(Composition.full()).packetCount();
    }

    /** Cuts one block. */
    BlockPackets cut(Stamp stamp) {
        return new BlockPackets(this, layout.wire(stamp), packetBytes, stamp.blockId());
    }

    void header(ByteBuffer out, int status, long blockId, int format, long packetId, boolean resent, int extra) {
        if (extended) {
            out.putShort((short) status);
            out.putShort((short) (resent ? FLAG_RESENT : 0));
            out.putInt((EXTENDED | format) << 24 | extra);
            out.putLong(blockId);
            out.putInt((int) packetId);
        } else {
            out.putShort((short) (resent ? STATUS_RESENT : status));
            out.putShort((short) blockId);
            out.putInt((format << 24) | ((int) packetId & 0xFFFFFF));
        }
    }

    /** Writes a packet without data whose status says why there is none. */
    void writeStatus(ByteBuffer out, int status, long blockId, long packetId) {
        int format = layout.payloadType() == GenDcLayout.PAYLOAD_TYPE ? Wire.GENDC : Wire.GENERIC;
        header(out, status, blockId, format, packetId, false, 0);
    }
}
