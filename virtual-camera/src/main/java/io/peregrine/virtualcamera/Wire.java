package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * How one block is sent by GVSP.
 *
 * @param format packet format of its data
 * @param extra byte 7 of the leader's header with extended ids: number of parts, or of additional zones
 * @param leader leader after the GVSP header
 * @param trailer trailer after the GVSP header
 * @param timestamp time of the block
 * @param runs its data
 * @param inTurn whether the runs take turns, packet by packet
 * @param allIn whether it is sent in one packet if it fits
 */
record Wire(
        int format,
        int extra,
        ByteBuffer leader,
        ByteBuffer trailer,
        long timestamp,
        List<Run> runs,
        boolean inTurn,
        boolean allIn) {
    static final int GENERIC = 3;
    static final int H_264 = 5;
    static final int MULTI_ZONE = 6;
    static final int MULTI_PART = 7;
    static final int GENDC = 8;

    /** What a run is of the descriptor of GenDC. */
    static final int NO_DESCRIPTOR = 0;

    static final int FINAL_DESCRIPTOR = 0x40;
    /** In a packet in which data follows it. */
    static final int FINAL_DESCRIPTOR_AND_DATA = 0x80;

    static final int PRELIMINARY_DESCRIPTOR = 0xC0;

    /**
     * Bytes that are cut into separate packets.
     *
     * @param id flow, part, or zone
     * @param offset where they belong: in the flow, or in the block
     * @param memoryOffset where they lie in the memory of the block
     * @param bytes their number
     * @param descriptorBytes how many of them, from the first on, are of the descriptor of GenDC
     * @param descriptor which descriptor that is
     * @param backwards whether the packets go from the end to the start
     */
    record Run(
            int id, long offset, int memoryOffset, int bytes, int descriptorBytes, int descriptor, boolean backwards) {}

    Wire {
        runs = runs.stream().filter(run -> run.bytes > 0).toList();
    }
}
