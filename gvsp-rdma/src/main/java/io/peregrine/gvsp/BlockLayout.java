package io.peregrine.gvsp;

/**
 * How the packets of a block of generic payload are: leader, payload packets of one size of which the last may be
 * shorter, trailer. Filled again and again by {@link PacketSink#layout}.
 */
public final class BlockLayout {
    private int headBytes;
    private int dataBytes;
    private int packets;
    private int lastBytes;

    /** No layout. */
    public BlockLayout() {}

    /**
     * Sets the layout.
     *
     * @param headLengthBytes bytes of each packet's GVSP header
     * @param dataLengthBytes bytes of data of each payload packet but the last
     * @param payloadPackets number of payload packets; 0 if the blocks have no such layout
     * @param lastLengthBytes bytes of data of the last one
     */
    void set(int headLengthBytes, int dataLengthBytes, int payloadPackets, int lastLengthBytes) {
        headBytes = headLengthBytes;
        dataBytes = dataLengthBytes;
        packets = payloadPackets;
        lastBytes = lastLengthBytes;
    }

    /** Takes over another one; returns whether it was different. */
    boolean follow(BlockLayout other) {
        boolean same = headBytes == other.headBytes
                && dataBytes == other.dataBytes
                && packets == other.packets
                && lastBytes == other.lastBytes;
        set(other.headBytes, other.dataBytes, other.packets, other.lastBytes);
        return !same;
    }

    int headBytes() {
        return headBytes;
    }

    int dataBytes() {
        return dataBytes;
    }

    int packets() {
        return packets;
    }

    /** Bytes of data of a payload packet, from 1. */
    int dataBytes(int packetId) {
        return packetId == packets ? lastBytes : dataBytes;
    }
}
