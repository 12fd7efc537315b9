package io.peregrine.gvsp;

import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSegment;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.StreamCounters;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Takes packets that are the next of the newest block, one after another and full of data: their headers are checked
 * one by one, the rest is done once for all of them. Whatever is different is left to {@link FrameAssembler}. Generic
 * payload and the data of GenDC containers come this way.
 */
final class InOrderRuns {
    private final ResendPlanner planner;
    private final StreamCounters counters;
    private final int maxPackets;

    /** What is expected; null if nothing is. */
    private @Nullable OpenBlock block;

    private int packetId;
    private boolean genDc;
    private int flow;
    private long place;
    private int headBytes;
    private int dataBytes;

    InOrderRuns(ResendPlanner planner, StreamCounters counters, int maxPackets) {
        this.planner = planner;
        this.counters = counters;
        this.maxPackets = maxPackets;
    }

    /**
     * Finds out what comes next, if nothing is late or lost. Nothing that arrived before is there or after it.
     *
     * @param newest the newest block, null if there is none
     * @return whether packets can be predicted
     */
    boolean look(@Nullable OpenBlock newest) {
        return look(newest, false);
    }

    /**
     * The same.
     *
     * @param shortLast whether the last packet counts that has less data than the others, if nothing else is left
     */
    boolean look(@Nullable OpenBlock newest, boolean shortLast) {
        block = null;
        if (newest == null || newest.finished() || newest.flowSet() == null || newest.trailerSeen()) {
            return false;
        }
        int next = newest.packets().scanEnd();
        if (next < 1 || next >= maxPackets) {
            return false;
        }
        PayloadPlacement payload = newest.payload();
        headBytes = newest.extended() ? GvspHeader.EXTENDED_LENGTH_BYTES : GvspHeader.STANDARD_LENGTH_BYTES;
        genDc = newest.contentFormat() == GvspHeader.FORMAT_GENDC;
        if (genDc) {
            headBytes += GenDcPayload.HEAD_LENGTH_BYTES;
            flow = payload.nextFlow();
            place = payload.nextPlace();
            dataBytes = payload.nextDataBytes();
            if (dataBytes == 0 || place < newest.flowSet().receivedEnd(flow)) {
                return false;
            }
        } else {
            flow = 0;
            dataBytes = payload.packetPayloadBytes();
            place = (next - 1L) * dataBytes;
            if (!newest.leaderSeen()
                    || payload.shortPacketId() != 0
                    || GvspHeader.payloadFormat(newest.payloadType()) != GvspHeader.FORMAT_PAYLOAD) {
                return false;
            }
        }
        long room = newest.flowSet().flowSizeBytes(flow) - place;
        if (dataBytes > room && !(shortLast && room > 0)) {
            return false;
        }
        packetId = next;
        block = newest;
        return true;
    }

    /**
     * Returns where the data of the next packets belongs, after a {@link #look}; false where native access is not
     * possible.
     */
    boolean tell(ExpectedPackets next) {
        FlowSet set = block.flowSet();
        OptionalLong address = set.nativeAddress(flow);
        if (address.isEmpty()) {
            return false;
        }
        next.set(set, flow, address.getAsLong(), place, headBytes, dataBytes);
        return true;
    }

    /**
     * Whether a packet is the next one, with less data than was expected.
     *
     * @param head big-endian buffer with the header of the packet, whose length was not checked
     * @param offset index of its first byte
     * @param lengthBytes bytes of the whole packet
     */
    boolean fitsShort(ByteBuffer head, int offset, int lengthBytes) {
        return block != null
                && block.packets().scanEnd() == packetId
                && lengthBytes > headBytes
                && lengthBytes < headBytes + dataBytes
                && lengthBytes - headBytes <= block.flowSet().flowSizeBytes(flow) - place
                // Before a full packet nothing shows whether the short one or the expectation is wrong.
                && (genDc || block.payload().fullPackets() > 0)
                && next(head, offset, packetId, place, lengthBytes - headBytes);
    }

    /**
     * Takes as many packets as are the next ones.
     *
     * @param packets big-endian buffer with the packets, or only with their heads if the data is in its place
     * @param offset index of the first byte of the first packet
     * @param strideBytes from the begin of one packet to that of the next
     * @param count number of packets, all of the full length
     * @param packetBytes that length
     * @param inPlace whether the data is in its place
     * @param nowNanos time of arrival
     * @return number of packets from the front that were taken
     */
    int take(
            ByteBuffer packets,
            int offset,
            int strideBytes,
            int count,
            int packetBytes,
            boolean inPlace,
            long nowNanos) {
        if (block == null || block.packets().scanEnd() != packetId || packetBytes != headBytes + dataBytes) {
            return 0;
        }
        FlowSet set = block.flowSet();
        long room = (set.flowSizeBytes(flow) - place) / dataBytes;
        int most = (int) Math.min(Math.min(count, room), maxPackets - packetId);
        int taken = 0;
        int at = offset;
        while (taken < most && next(packets, at, packetId + taken, place + (long) taken * dataBytes, dataBytes)) {
            taken++;
            at += strideBytes;
        }
        if (taken == 0) {
            return 0;
        }
        if (!inPlace) {
            FlowSegment target = set.segment(flow);
            int from = offset + headBytes;
            long to = place;
            for (int i = 0; i < taken; i++) {
                target.put(to, packets, from, dataBytes);
                counters.add(Counter.BYTES_COPIED, dataBytes);
                from += strideBytes;
                to += dataBytes;
            }
        }
        note(taken, nowNanos);
        return taken;
    }

    /** Whether a head is that of a packet which arrives for the first time and has nothing but data for a place. */
    private boolean next(ByteBuffer packets, int at, int id, long destination, int size) {
        int format = genDc ? GvspHeader.FORMAT_GENDC : GvspHeader.FORMAT_PAYLOAD;
        if (!GvspHeader.isPlain(packets, at, block.extended(), format, block.blockId(), id)) {
            return false;
        }
        if (!genDc) {
            return true;
        }
        int body = at + headBytes - GenDcPayload.HEAD_LENGTH_BYTES;
        return GenDcPayload.dataSizeBytes(packets, body) == size
                && GenDcPayload.destinationOffset(packets, body) == destination
                && GenDcPayload.descriptorKind(packets, body) == GenDcPayload.KIND_DATA
                && GenDcPayload.flowId(packets, body) == flow;
    }

    private void note(int count, long nowNanos) {
        int first = packetId;
        counters.add(Counter.PACKETS_RECEIVED, count);
        block.packets().ensureCapacity(first + count);
        planner.received(block, count, first, nowNanos);
        if (genDc) {
            block.takenInOrder(GvspHeader.FORMAT_GENDC, first, count, nowNanos);
            block.payload().storedGenDcRun(first, flow, place, count, dataBytes);
        } else {
            block.takenInOrder(GvspHeader.FORMAT_PAYLOAD, first, count, nowNanos);
            block.payload().storedRun(first, place, count);
        }
        packetId = first + count;
        place += (long) count * dataBytes;
    }
}
