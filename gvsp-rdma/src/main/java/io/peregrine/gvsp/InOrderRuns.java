package io.peregrine.gvsp;

import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.StreamCounters;
import java.nio.ByteBuffer;
import java.util.OptionalLong;

/**
 * Takes packets that are the next of the newest block, one behind another and full of data: their heads are checked one
 * by one, the rest is done once for all of them. Whatever is different is left to {@link FrameAssembler}. Generic
 * payload and the data of GenDC containers come this way.
 */
final class InOrderRuns {
    private final ResendPlanner planner;
    private final StreamCounters statistics;
    private final int maxPackets;

    /** What is expected; null if nothing is. */
    private OpenBlock block;

    private int packetId;
    private boolean genDc;
    private int flow;
    private long place;
    private int headBytes;
    private int dataBytes;

    InOrderRuns(ResendPlanner planner, StreamCounters statistics, int maxPackets) {
        this.planner = planner;
        this.statistics = statistics;
        this.maxPackets = maxPackets;
    }

    /**
     * Finds out what comes next, if nothing is late or lost. Nothing that arrived before lies there or behind it.
     *
     * @param newest the newest block, null if there is none
     * @return whether packets can be told in advance
     */
    boolean look(OpenBlock newest) {
        block = null;
        if (newest == null
                || newest.finished
                || newest.flowSet == null
                || newest.trailerSeen
                || newest.noticedEnd < 1
                || newest.noticedEnd >= maxPackets) {
            return false;
        }
        headBytes = newest.extended ? GvspHeader.EXTENDED_LENGTH_BYTES : GvspHeader.STANDARD_LENGTH_BYTES;
        genDc = newest.contentFormat == GvspHeader.FORMAT_GENDC;
        if (genDc) {
            headBytes += GenDcPayload.HEAD_LENGTH_BYTES;
            flow = newest.nextFlow;
            place = newest.nextPlace;
            dataBytes = newest.nextDataBytes;
            if (dataBytes == 0 || place < newest.flowSet.receivedEnd(flow)) {
                return false;
            }
        } else {
            flow = 0;
            place = (newest.noticedEnd - 1L) * newest.packetPayloadBytes;
            dataBytes = newest.packetPayloadBytes;
            if (!newest.leaderSeen
                    || newest.shortPacketId != 0
                    || GvspHeader.payloadFormat(newest.payloadType) != GvspHeader.FORMAT_PAYLOAD) {
                return false;
            }
        }
        if (dataBytes > newest.flowSet.flowSizeBytes(flow) - place) {
            return false;
        }
        packetId = newest.noticedEnd;
        block = newest;
        return true;
    }

    /**
     * Tells where the data of the next packets belongs, after a {@link #look}; false where native access is not
     * possible.
     */
    boolean tell(ExpectedPackets next) {
        FlowSet set = block.flowSet;
        OptionalLong address = set.nativeAddress(flow);
        if (address.isEmpty()) {
            return false;
        }
        next.set(
                set.flow(flow),
                address.getAsLong(),
                (int) place,
                (int) (set.flowSizeBytes(flow) - place),
                headBytes,
                dataBytes);
        return true;
    }

    /**
     * Whether a packet is the next one, with less data than was expected.
     *
     * @param head big-endian buffer with the head of the packet, whose length was not checked
     * @param offset index of its first byte
     * @param lengthBytes bytes of the whole packet
     */
    boolean fitsShort(ByteBuffer head, int offset, int lengthBytes) {
        return block != null
                && block.noticedEnd == packetId
                && lengthBytes > headBytes
                && lengthBytes < headBytes + dataBytes
                && lengthBytes - headBytes <= block.flowSet.flowSizeBytes(flow) - place
                // Before a full packet nobody knows whether the short one or the expectation is wrong.
                && (genDc || block.fullPackets > 0)
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
        if (block == null || block.noticedEnd != packetId || packetBytes != headBytes + dataBytes) {
            return 0;
        }
        FlowSet set = block.flowSet;
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
            ByteBuffer target = set.flow(flow);
            int from = offset + headBytes;
            int to = (int) place;
            for (int i = 0; i < taken; i++) {
                target.put(to, packets, from, dataBytes);
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
        if (!GvspHeader.isPlain(packets, at, block.extended, format, block.blockId, id)) {
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
        long bytes = (long) count * dataBytes;
        statistics.add(Counter.PACKETS_RECEIVED, count);
        statistics.add(Counter.BYTES_RECEIVED, bytes);
        block.ensureCapacity(first + count);
        planner.received(block, count, first, nowNanos);
        block.markReceived(first, count);
        packetId = first + count;
        block.noticedEnd = packetId;
        block.lastUsefulAt = nowNanos;
        block.contentFormat = genDc ? GvspHeader.FORMAT_GENDC : GvspHeader.FORMAT_PAYLOAD;
        block.highestPayload = packetId - 1;
        block.tailNoticed = false;
        block.flowSet.markReceived(flow, place, bytes);
        block.storedBytes += bytes;
        place += bytes;
        block.storedEnd = Math.max(block.storedEnd, place);
        if (genDc) {
            block.nextPlace = place;
            block.largestDataBytes = Math.max(block.largestDataBytes, dataBytes);
        } else {
            block.fullPackets += count;
        }
    }
}
