package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.util.List;

/** The packets of one block. */
final class BlockPackets {
    private static final int LEADER = 1;
    private static final int TRAILER = 2;
    private static final int ALL_IN = 4;

    private static final int DESCRIPTOR_START = 0x20;
    private static final int DESCRIPTOR_END = 0x10;
    private static final int FLOW_FIRST = 0x80;
    private static final int FLOW_LAST = 0x40;
    private static final int END_OF_PART = 0x40;
    private static final int END_OF_ZONE = 0x01;

    private final PacketPlan plan;
    private final Wire wire;
    private final long blockId;
    private final int dataBytes;
    private final int[] runEnd;
    /** Run and number in it of each packet; empty when the runs follow each other. */
    private final int[] runOf;

    private final int[] numberInRun;
    private final int payloadPackets;
    private final boolean single;

    /**
     * Cuts a block.
     *
     * @param plan writes the GVSP headers
     * @param wire how the block is sent
     * @param packetBytes bytes of a packet after the GVSP header
     * @param blockId id of the block
     */
    BlockPackets(PacketPlan plan, Wire wire, int packetBytes, long blockId) {
        this.plan = plan;
        this.wire = wire;
        this.blockId = blockId;
        dataBytes = packetBytes - headBytes(wire.format());
        List<Wire.Run> runs = wire.runs();
        runEnd = new int[runs.size()];
        int packets = 0;
        int total = 0;
        for (int i = 0; i < runEnd.length; i++) {
            packets += packetsOf(runs.get(i));
            total += runs.get(i).bytes();
            runEnd[i] = packets;
        }
        payloadPackets = packets;
        single = wire.allIn() && wire.leader().remaining() + wire.trailer().remaining() + total <= packetBytes;
        runOf = wire.inTurn() ? new int[packets] : new int[0];
        numberInRun = new int[runOf.length];
        if (wire.inTurn()) {
            takeTurns();
        }
    }

    private static int headBytes(int format) {
        return switch (format) {
            case Wire.GENDC -> 16;
            case Wire.MULTI_PART, Wire.MULTI_ZONE, Wire.H_264 -> 8;
            default -> 0;
        };
    }

    private int packetsOf(Wire.Run run) {
        return (run.bytes() + dataBytes - 1) / dataBytes;
    }

    private void takeTurns() {
        int at = 0;
        for (int round = 0; at < payloadPackets; round++) {
            for (int run = 0; run < runEnd.length; run++) {
                if (round < packetsOf(wire.runs().get(run))) {
                    runOf[at] = run;
                    numberInRun[at++] = round;
                }
            }
        }
    }

    PacketPlan plan() {
        return plan;
    }

    long blockId() {
        return blockId;
    }

    /** Id of the last packet; the first is 0. */
    int lastId() {
        return single ? 0 : payloadPackets + 1;
    }

    /** Packets of the block, leader and trailer included. */
    int packetCount() {
        return lastId() + 1;
    }

    /**
     * Writes one packet, from the GVSP header on.
     *
     * @param out where to
     * @param memory the rendered block
     * @param packetId number of the packet
     * @param resent whether it is sent again
     */
    void write(ByteBuffer out, ByteBuffer memory, int packetId, boolean resent) {
        writeHead(out, memory, packetId, resent);
        copy(out, memory, dataOffset(packetId), dataBytes(packetId));
    }

    /**
     * Writes what comes before the data of a packet: all of it when it carries none.
     *
     * @param out where to
     * @param memory the rendered block
     * @param packetId number of the packet
     * @param resent whether it is sent again
     */
    void writeHead(ByteBuffer out, ByteBuffer memory, int packetId, boolean resent) {
        if (single) {
            plan.header(out, PacketPlan.STATUS_SUCCESS, blockId, ALL_IN, 0, resent, wire.extra());
            out.put(wire.leader().duplicate()).put(wire.trailer().duplicate());
            for (Wire.Run run : wire.runs()) {
                copy(out, memory, run.memoryOffset(), run.bytes());
            }
        } else if (packetId == 0) {
            plan.header(out, PacketPlan.STATUS_SUCCESS, blockId, LEADER, 0, resent, wire.extra());
            out.put(wire.leader().duplicate());
        } else if (packetId > payloadPackets) {
            plan.header(out, PacketPlan.STATUS_SUCCESS, blockId, TRAILER, packetId, resent, 0);
            out.put(wire.trailer().duplicate());
        } else {
            plan.header(out, PacketPlan.STATUS_SUCCESS, blockId, wire.format(), packetId, resent, 0);
            writePlace(out, packetId - 1);
        }
    }

    /** Where the data of a packet lies in the memory of the block. */
    int dataOffset(int packetId) {
        if (!carriesData(packetId)) {
            return 0;
        }
        int run = runAt(packetId - 1);
        return wire.runs().get(run).memoryOffset() + offsetInRun(run, packetId - 1);
    }

    /** Length of the data of a packet; 0 when it has none after its header. */
    int dataBytes(int packetId) {
        if (!carriesData(packetId)) {
            return 0;
        }
        int run = runAt(packetId - 1);
        return Math.min(dataBytes, wire.runs().get(run).bytes() - offsetInRun(run, packetId - 1));
    }

    private boolean carriesData(int packetId) {
        return !single && packetId > 0 && packetId <= payloadPackets;
    }

    private int runAt(int index) {
        if (runOf.length > 0) {
            return runOf[index];
        }
        int run = 0;
        while (index >= runEnd[run]) {
            run++;
        }
        return run;
    }

    private int numberInRun(int run, int index) {
        return runOf.length > 0 ? numberInRun[index] : index - (run == 0 ? 0 : runEnd[run - 1]);
    }

    private int offsetInRun(int run, int index) {
        Wire.Run of = wire.runs().get(run);
        int number = numberInRun(run, index);
        return (of.backwards() ? packetsOf(of) - 1 - number : number) * dataBytes;
    }

    private void writePlace(ByteBuffer out, int index) {
        int run = runAt(index);
        Wire.Run of = wire.runs().get(run);
        int number = numberInRun(run, index);
        boolean first = number == 0;
        boolean last = number == packetsOf(of) - 1;
        int offset = offsetInRun(run, index);
        switch (wire.format()) {
            case Wire.GENDC -> {
                int bytes = Math.min(dataBytes, of.bytes() - offset);
                int dataFlags = descriptorFlags(of, offset, bytes);
                int flowFlags =
                        (first && firstOfFlow(run) ? FLOW_FIRST : 0) | (last && lastOfFlow(run) ? FLOW_LAST : 0);
                out.putInt(bytes).putLong(of.offset() + offset);
                out.putInt((dataFlags << 24) | (flowFlags << 16) | of.id());
            }
            case Wire.MULTI_PART -> {
                out.put((byte) of.id()).put((byte) (last ? END_OF_PART | END_OF_ZONE : 0));
                address(out, of.offset() + offset);
            }
            case Wire.MULTI_ZONE -> {
                out.put((byte) 0).put((byte) (of.id() << 1 | (last ? END_OF_ZONE : 0)));
                address(out, of.offset() + offset);
            }
            case Wire.H_264 -> out.putLong(wire.timestamp());
            default -> {}
        }
    }

    private static int descriptorFlags(Wire.Run run, int offset, int bytes) {
        int left = run.descriptorBytes() - offset;
        if (left <= 0) {
            return 0;
        }
        int kind = left < bytes ? Wire.FINAL_DESCRIPTOR_AND_DATA : run.descriptor();
        return kind | (offset == 0 ? DESCRIPTOR_START : 0) | (left <= bytes ? DESCRIPTOR_END : 0);
    }

    private static void address(ByteBuffer out, long offset) {
        out.putShort((short) (offset >>> 32)).putInt((int) offset);
    }

    private static void copy(ByteBuffer out, ByteBuffer memory, int from, int bytes) {
        out.put(out.position(), memory, from, bytes);
        out.position(out.position() + bytes);
    }

    private boolean firstOfFlow(int run) {
        for (int i = 0; i < run; i++) {
            if (wire.runs().get(i).id() == wire.runs().get(run).id()) {
                return false;
            }
        }
        return true;
    }

    private boolean lastOfFlow(int run) {
        for (int i = run + 1; i < runEnd.length; i++) {
            if (wire.runs().get(i).id() == wire.runs().get(run).id()) {
                return false;
            }
        }
        return true;
    }
}
