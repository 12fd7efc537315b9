package io.peregrine.gvsp;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Where the data of each packet of a block belongs: leader, payload packets, trailer. Payload packets of one size whose
 * data lies one after another are a run, as are packets whose data has no such place. Filled again and again by
 * {@link PacketSink#layout}.
 */
public final class BlockLayout {
    /** Of packets whose data belongs to no flow. */
    static final int NO_FLOW = -1;

    /** Blocks with more are not described. */
    private static final int MAX_RUNS = 1024;

    private int headBytes;
    private int packets;
    private int version;

    private int runs;
    private int[] firstIds = new int[4];
    private int[] flows = new int[4];
    private long[] offsets = new long[4];
    private int[] dataBytes = new int[4];
    /** Id of the packet after the last one that was added; 0 if one was missing. */
    private int nextId;

    /** No layout. */
    public BlockLayout() {}

    // ---- Filling

    /** Forgets everything; packets are added from 1 on. */
    void clear() {
        headBytes = 0;
        packets = 0;
        runs = 0;
        nextId = 1;
    }

    /**
     * Adds packets.
     *
     * @param packetId id of the first one
     * @param count how many
     * @param flow flow that their data belongs to, or {@link #NO_FLOW}
     * @param offset where the data of the first one belongs
     * @param bytes bytes of data of each
     */
    void add(int packetId, int count, int flow, long offset, int bytes) {
        if (packetId != nextId || (runs == MAX_RUNS && !continues(flow, offset, bytes))) {
            nextId = 0;
            return;
        }
        if (!continues(flow, offset, bytes)) {
            if (runs == firstIds.length) {
                firstIds = Arrays.copyOf(firstIds, 2 * runs);
                flows = Arrays.copyOf(flows, 2 * runs);
                offsets = Arrays.copyOf(offsets, 2 * runs);
                dataBytes = Arrays.copyOf(dataBytes, 2 * runs);
            }
            firstIds[runs] = packetId;
            flows[runs] = flow;
            offsets[runs] = offset;
            dataBytes[runs] = bytes;
            runs++;
        }
        nextId += count;
    }

    private boolean continues(int flow, long offset, int bytes) {
        int last = runs - 1;
        return last >= 0
                && flows[last] == flow
                && (flow == NO_FLOW || (dataBytes[last] == bytes && offset == offset(last, nextId)));
    }

    /** The block cannot be described. */
    void spoil() {
        nextId = 0;
    }

    /**
     * Ends a block.
     *
     * @param headLengthBytes bytes of each packet before its data
     * @param payloadPackets number of its payload packets
     * @return whether all of them were added, in order
     */
    boolean end(int headLengthBytes, int payloadPackets) {
        headBytes = headLengthBytes;
        packets = payloadPackets;
        return payloadPackets > 0 && nextId == payloadPackets + 1;
    }

    /** Forgets what was learned. */
    void reset() {
        clear();
        version++;
    }

    /** Forgets what was followed. */
    void unknown() {
        clear();
        version = -1;
    }

    /** Takes over the layout of a block that has ended, if it is different. */
    void learn(BlockLayout other) {
        if (headBytes != other.headBytes
                || packets != other.packets
                || runs != other.runs
                || !Arrays.equals(firstIds, 0, runs, other.firstIds, 0, runs)
                || !Arrays.equals(flows, 0, runs, other.flows, 0, runs)
                || !Arrays.equals(offsets, 0, runs, other.offsets, 0, runs)
                || !Arrays.equals(dataBytes, 0, runs, other.dataBytes, 0, runs)) {
            copy(other);
            version++;
        }
    }

    /** Takes over another one; returns whether it was different. */
    boolean follow(BlockLayout other) {
        if (version == other.version) {
            return false;
        }
        copy(other);
        version = other.version;
        return true;
    }

    private void copy(BlockLayout other) {
        headBytes = other.headBytes;
        packets = other.packets;
        runs = other.runs;
        if (firstIds.length < runs) {
            firstIds = new int[other.firstIds.length];
            flows = new int[firstIds.length];
            offsets = new long[firstIds.length];
            dataBytes = new int[firstIds.length];
        }
        System.arraycopy(other.firstIds, 0, firstIds, 0, runs);
        System.arraycopy(other.flows, 0, flows, 0, runs);
        System.arraycopy(other.offsets, 0, offsets, 0, runs);
        System.arraycopy(other.dataBytes, 0, dataBytes, 0, runs);
    }

    // ---- Asking

    /**
     * Bytes that the headers of a payload packet have before its data; -1 if its data has no place that follows from
     * them.
     *
     * @param packet big-endian buffer
     * @param offset index of the first byte of the GVSP header
     */
    static int headBytes(ByteBuffer packet, int offset) {
        int more = headBytes(GvspHeader.format(packet, offset));
        return more < 0 ? more : GvspHeader.lengthBytes(packet, offset) + more;
    }

    /** Bytes after the GVSP header that packets of a format have before their data; -1 if they have no such place. */
    static int headBytes(int format) {
        return switch (format) {
            case GvspHeader.FORMAT_PAYLOAD -> 0;
            case GvspHeader.FORMAT_GENDC -> GenDcPayload.HEAD_LENGTH_BYTES;
            case GvspHeader.FORMAT_MULTI_PART, GvspHeader.FORMAT_MULTI_ZONE -> PlacedPayload.HEAD_LENGTH_BYTES;
            default -> -1;
        };
    }

    /** Bytes of each packet's headers of GVSP, before its data. */
    int headBytes() {
        return headBytes;
    }

    /** Number of payload packets; 0 if there is no layout. */
    int packets() {
        return packets;
    }

    /** The run of a payload packet. */
    int run(int packetId) {
        int at = Arrays.binarySearch(firstIds, 0, runs, packetId);
        return at >= 0 ? at : -at - 2;
    }

    /** Id of the first packet after a run. */
    int end(int run) {
        return run + 1 < runs ? firstIds[run + 1] : packets + 1;
    }

    /** Flow of the packets of a run, or {@link #NO_FLOW}. */
    int flow(int run) {
        return flows[run];
    }

    /** Where the data of a packet of a run belongs. */
    long offset(int run, int packetId) {
        return offsets[run] + (packetId - (long) firstIds[run]) * dataBytes[run];
    }

    /** Bytes of data of each packet of a run. */
    int dataBytes(int run) {
        return dataBytes[run];
    }

    /** Whether the data of a packet belongs there. */
    boolean has(int packetId, int flow, long offset, int bytes) {
        if (packetId < 1 || packetId > packets) {
            return false;
        }
        int run = run(packetId);
        return flows[run] == flow && (flow == NO_FLOW || (dataBytes[run] == bytes && offset(run, packetId) == offset));
    }
}
