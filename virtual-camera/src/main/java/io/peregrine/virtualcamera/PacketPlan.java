package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.util.List;

/** Cuts blocks of one layout into GVSP packets and writes those. */
final class PacketPlan {
    static final int STATUS_SUCCESS = 0x0000;
    static final int STATUS_RESENT = 0x0100;
    static final int STATUS_UNAVAILABLE = 0x800C;

    private static final int IP_AND_UDP_BYTES = 28;
    private static final int STANDARD_HEADER_BYTES = 8;
    private static final int EXTENDED_HEADER_BYTES = 20;
    private static final int GENDC_HEADER_BYTES = 16;

    private static final int FORMAT_LEADER = 1;
    private static final int FORMAT_TRAILER = 2;
    private static final int FORMAT_GENERIC = 3;
    private static final int FORMAT_GENDC = 8;
    private static final int EXTENDED = 0x80;
    private static final int FLAG_RESENT = 0x0001;

    private static final int FINAL_DESCRIPTOR = 0x40;
    private static final int DESCRIPTOR_START = 0x20;
    private static final int DESCRIPTOR_END = 0x10;
    private static final int FLOW_FIRST = 0x80;
    private static final int FLOW_LAST = 0x40;

    private final BlockLayout layout;
    private final boolean extended;
    private final int dataBytes;
    private final int[] segmentEnd;
    private final boolean[] firstOfFlow;
    private final boolean[] lastOfFlow;
    private final int payloadPackets;

    PacketPlan(BlockLayout layout, int packetSizeBytes, boolean extended) {
        this.layout = layout;
        this.extended = extended;
        this.dataBytes = packetSizeBytes
                - IP_AND_UDP_BYTES
                - (extended ? EXTENDED_HEADER_BYTES : STANDARD_HEADER_BYTES)
                - (layout.genDc() ? GENDC_HEADER_BYTES : 0);
        List<BlockLayout.Segment> segments = layout.segments();
        segmentEnd = new int[segments.size()];
        firstOfFlow = new boolean[segments.size()];
        lastOfFlow = new boolean[segments.size()];
        int packets = 0;
        for (int i = 0; i < segmentEnd.length; i++) {
            packets += (segments.get(i).bytes() + dataBytes - 1) / dataBytes;
            segmentEnd[i] = packets;
            int flowId = segments.get(i).flowId();
            firstOfFlow[i] = i == 0 || segments.get(i - 1).flowId() != flowId;
            lastOfFlow[i] = i == segmentEnd.length - 1 || segments.get(i + 1).flowId() != flowId;
        }
        payloadPackets = packets;
    }

    BlockLayout layout() {
        return layout;
    }

    boolean extended() {
        return extended;
    }

    /** Id of the trailer; the leader is packet 0. */
    int trailerId() {
        return payloadPackets + 1;
    }

    /** Packets of a block, leader and trailer included. */
    int packetCount() {
        return payloadPackets + 2;
    }

    /** Writes a packet from the position of the buffer on. */
    void write(ByteBuffer out, ByteBuffer block, long blockId, long timestamp, int packetId, boolean resent) {
        if (packetId == 0) {
            header(out, STATUS_SUCCESS, blockId, FORMAT_LEADER, packetId, resent);
            leader(out, timestamp);
        } else if (packetId == trailerId()) {
            header(out, STATUS_SUCCESS, blockId, FORMAT_TRAILER, packetId, resent);
            trailer(out);
        } else {
            payload(out, block, blockId, packetId, resent);
        }
    }

    /** Writes a packet that only carries an error status. */
    void writeStatus(ByteBuffer out, int status, long blockId, long packetId) {
        header(out, status, blockId, layout.genDc() ? FORMAT_GENDC : FORMAT_GENERIC, packetId, false);
    }

    private void header(ByteBuffer out, int status, long blockId, int format, long packetId, boolean resent) {
        if (extended) {
            out.putShort((short) status);
            out.putShort((short) (resent ? FLAG_RESENT : 0));
            out.putInt((EXTENDED | format) << 24);
            out.putLong(blockId);
            out.putInt((int) packetId);
        } else {
            out.putShort((short) (resent ? STATUS_RESENT : status));
            out.putShort((short) blockId);
            out.putInt((format << 24) | ((int) packetId & 0xFFFFFF));
        }
    }

    private void leader(ByteBuffer out, long timestamp) {
        out.putShort((short) 0);
        out.putShort((short) layout.payloadType());
        out.putLong(timestamp);
        if (layout.genDc()) {
            out.putLong(layout.blockBytes());
            out.putInt(0);
            out.putInt(layout.segments().get(0).bytes());
        } else {
            BlockLayout.Component image = layout.components().get(0);
            out.putInt(image.format());
            out.putInt(image.width());
            out.putInt(image.height());
            out.putInt(image.offsetX());
            out.putInt(image.offsetY());
            out.putInt(0);
        }
    }

    private void trailer(ByteBuffer out) {
        out.putShort((short) 0);
        out.putShort((short) layout.payloadType());
        if (!layout.genDc()) {
            out.putInt(layout.components().get(0).height());
        }
    }

    private void payload(ByteBuffer out, ByteBuffer block, long blockId, int packetId, boolean resent) {
        int index = packetId - 1;
        int segmentIndex = 0;
        while (index >= segmentEnd[segmentIndex]) {
            segmentIndex++;
        }
        int segmentStart = segmentIndex == 0 ? 0 : segmentEnd[segmentIndex - 1];
        BlockLayout.Segment segment = layout.segments().get(segmentIndex);
        boolean first = index == segmentStart;
        boolean last = index == segmentEnd[segmentIndex] - 1;
        int offset = (index - segmentStart) * dataBytes;
        int bytes = Math.min(dataBytes, segment.bytes() - offset);
        if (layout.genDc()) {
            header(out, STATUS_SUCCESS, blockId, FORMAT_GENDC, packetId, resent);
            int dataFlags = 0;
            if (segment.descriptor()) {
                dataFlags = FINAL_DESCRIPTOR | (first ? DESCRIPTOR_START : 0) | (last ? DESCRIPTOR_END : 0);
            }
            int flowFlags = (first && firstOfFlow[segmentIndex] ? FLOW_FIRST : 0)
                    | (last && lastOfFlow[segmentIndex] ? FLOW_LAST : 0);
            out.putInt(bytes);
            out.putLong(segment.flowOffset() + offset);
            out.putInt((dataFlags << 24) | (flowFlags << 16) | segment.flowId());
        } else {
            header(out, STATUS_SUCCESS, blockId, FORMAT_GENERIC, packetId, resent);
        }
        int from = segment.blockOffset() + offset;
        out.put(out.position(), block, from, bytes);
        out.position(out.position() + bytes);
    }
}
