package io.peregrine.gvsp;

import io.peregrine.stream.PayloadType;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.Coverage;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.StreamCounters;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where the payload of one block belongs, and what of it is stored:
 *
 * <ul>
 *   <li>Image, raw, file, JPEG, JPEG 2000 and chunk data: flow 0, by packet id, as all packets but the last have one
 *       size.
 *   <li>H.264: flow 0, one packet after another, as they may be of any size.
 *   <li>Multi-zone: flow 0, where each packet says.
 *   <li>Multi-part: flow 0, where each packet says within its part or within the block ({@link PartOffsets}). Parts lie
 *       one after another with the lengths of the leader, each at a multiple of
 *       {@link GvspLeader#PART_ALIGNMENT_BYTES}.
 *   <li>GenDC: the flow and the place that each packet says. The preliminary descriptor waits elsewhere, so that no
 *       resend of it can overwrite the final one, and serves only if that did not arrive.
 * </ul>
 *
 * <p>A packet whose place is not known yet waits as far as there is room.
 */
final class PayloadPlacement {
    /** What the blocks of a stream share. */
    static final class Stream {
        private final StreamCounters counters;
        private final PartOffsets partOffsets = new PartOffsets();
        /** Where the data of the packet is, if it is not after its headers. */
        private @Nullable SeparateData separate;
        /** What else writes into flow sets; null if nothing does. */
        private @Nullable DirectPlacement adapter;

        Stream(StreamCounters counters) {
            this.counters = counters;
        }

        /** Writes only where an adapter does not. */
        void adapter(DirectPlacement other) {
            adapter = other;
        }

        /** Whether nothing else writes into flow sets. */
        boolean alone() {
            return adapter == null;
        }

        /** The data of the next packets is elsewhere; null: after their headers. */
        void separate(@Nullable SeparateData data) {
            separate = data;
        }

        /** Puts the data of the packet after its headers, if it is elsewhere. */
        private void join() {
            if (separate != null) {
                separate.join();
            }
        }

        private boolean liesIn(FlowSet set, int flow, long destination, int size) {
            return separate != null && separate.liesIn(set, flow, destination, size);
        }

        private void write(FlowSet set, int flow, long destination, ByteBuffer packet, int data, int size) {
            counters.add(Counter.BYTES_COPIED, size);
            if (adapter == null || !adapter.defer(set, flow, destination, packet, data, size)) {
                set.segment(flow).put(destination, packet, data, size);
            }
        }
    }

    /** Most bytes of a preliminary descriptor that are kept: room for more than ten thousand parts. */
    private static final int MAX_DESCRIPTOR_BYTES = 1 << 20;

    /** The size of packets can be wrong a few times only: by the settings, and by a short last packet. */
    private static final int MAX_RESTARTS = 4;

    private final Stream stream;
    private final OpenBlock block;
    private final PartTable parts = new PartTable();
    private final HeldPackets held = new HeldPackets();
    private @Nullable FlowSet set;
    /** Where the packets belonged that came in their order. */
    private final BlockLayout layout = new BlockLayout();

    private int lastId;
    private int lastFlow;
    private long lastOffset;
    private int lastBytes;
    private long storedBytes;
    private long storedEnd;
    private boolean excess;
    private int largestDataBytes;
    private boolean withoutPlace;

    // Generic payload: all packets but the last have the same size.
    private int packetPayloadBytes;
    private int restarts;
    private int fullPackets;
    private int shortPacketId;
    private int shortPacketBytes;

    // H.264: the packet whose place is known, and that place.
    private int sequentialId;
    private long sequentialEnd;

    // GenDC.
    private long finalDescriptorEnd;
    private long preliminaryEnd;
    private final Coverage preliminaryCoverage = new Coverage();
    private ByteBuffer preliminary = ByteBuffer.allocate(0);
    // Where the data of the next packet goes if it continues the last one; 0 bytes: unknown.
    private int nextFlow;
    private long nextPlace;
    private int nextDataBytes;

    PayloadPlacement(Stream stream, OpenBlock block) {
        this.stream = stream;
        this.block = block;
    }

    /** Forgets everything, for a block that begins. */
    void clear() {
        set = null;
        layout.clear();
        lastId = 0;
        storedBytes = 0;
        storedEnd = 0;
        excess = false;
        largestDataBytes = 0;
        withoutPlace = false;
        packetPayloadBytes = 0;
        restarts = 0;
        fullPackets = 0;
        shortPacketId = 0;
        shortPacketBytes = 0;
        sequentialId = 1;
        sequentialEnd = 0;
        finalDescriptorEnd = 0;
        preliminaryEnd = 0;
        nextDataBytes = 0;
        preliminaryCoverage.clear();
        parts.clear();
        held.clear();
    }

    /** Gives the block its memory, and the size that packets of generic payload are expected to have. */
    void begin(FlowSet memory, int expectedPayloadBytes) {
        set = memory;
        packetPayloadBytes = expectedPayloadBytes;
    }

    // ---- Packets

    /**
     * Stores the payload of a packet, or keeps it until its place is known.
     *
     * @return whether it fits what is known of the block; else nothing happened
     */
    boolean store(ByteBuffer packet, int body, int bodyBytes, int format, int packetId, long nowNanos) {
        return switch (format) {
            case GvspHeader.FORMAT_PAYLOAD -> storeGeneric(packet, body, bodyBytes, packetId, nowNanos);
            case GvspHeader.FORMAT_H264 -> storeH264(packet, body, bodyBytes, packetId);
            case GvspHeader.FORMAT_MULTI_ZONE -> storeZone(packet, body, bodyBytes, packetId);
            case GvspHeader.FORMAT_MULTI_PART -> storeMultiPart(packet, body, bodyBytes, packetId);
            default -> storeGenDc(packet, body, packetId);
        };
    }

    /** Stores the payload of a packet that is a whole block. */
    void storeAll(ByteBuffer packet, int data, int dataBytes, int base) {
        switch (base) {
            case PayloadType.H264 -> {
                block.timestampTicks(packet.getLong(data));
                int head = GvspLeader.H264_PAYLOAD_HEAD_LENGTH_BYTES;
                copy(0, 0, packet, data + head, dataBytes - head);
            }
            case PayloadType.MULTI_ZONE -> storeZone(packet, data, dataBytes, 0);
            default -> copy(0, 0, packet, data, dataBytes);
        }
    }

    /** Whether the last packet has no place yet and found no room to wait; asks once. */
    boolean takeWithoutPlace() {
        if (withoutPlace) {
            withoutPlace = false;
            return true;
        }
        return false;
    }

    /**
     * All packets of a generic payload but the last are of the same size, so that a packet's id gives its place. The
     * size is that of the blocks before, or follows from the packet size in the settings, until the packets say
     * otherwise.
     */
    private boolean storeGeneric(ByteBuffer packet, int body, int bodyBytes, int packetId, long nowNanos) {
        int full = packetPayloadBytes;
        if (bodyBytes != full && restarts > MAX_RESTARTS && fullPackets <= 1) {
            return false;
        }
        if (bodyBytes > full) {
            // At most the one packet that set the size may have been the short last one.
            if (fullPackets > 1) {
                return false;
            }
            restart(bodyBytes, nowNanos);
        } else if (bodyBytes < full) {
            if (shortPacketId == 0) {
                boolean last = packetId != 1
                        && (block.expectedBytes() == 0
                                || (packetId - 1L) * full + bodyBytes >= block.expectedBytes()
                                || fullPackets > 0);
                if (!last && fullPackets == 0) {
                    restart(bodyBytes, nowNanos);
                } else if (block.highestPayload() > packetId) {
                    return false;
                }
            } else if (fullPackets == 0) {
                // Two short packets: neither has the size that was assumed.
                restart(Math.max(bodyBytes, shortPacketBytes), nowNanos);
            } else {
                return false;
            }
        } else if (shortPacketId != 0 && packetId > shortPacketId) {
            return false;
        }
        if (bodyBytes < packetPayloadBytes) {
            shortPacketId = packetId;
            shortPacketBytes = bodyBytes;
        } else {
            fullPackets++;
        }
        note(packetId, 0, (packetId - 1L) * packetPayloadBytes, bodyBytes);
        copy(0, (packetId - 1L) * packetPayloadBytes, packet, body, bodyBytes);
        return true;
    }

    /** Notes where the data of a packet belongs. */
    private void note(int packetId, int flow, long place, int bytes) {
        layout.add(packetId, 1, flow, place, bytes);
        noteLast(packetId, flow, place, bytes);
    }

    private void noteLast(int packetId, int flow, long place, int bytes) {
        lastId = packetId;
        lastFlow = flow;
        lastOffset = place;
        lastBytes = bytes;
    }

    /** Packets have another size: what came was stored where it does not belong. */
    private void restart(int payloadBytes, long nowNanos) {
        if (fullPackets > 0 || shortPacketId != 0) {
            block.takeBackPayload(nowNanos);
            restarts++;
            storedEnd = 0;
            storedBytes = 0;
            excess = false;
            fullPackets = 0;
            shortPacketId = 0;
            set.forgetReceived();
            layout.spoil();
        }
        packetPayloadBytes = payloadBytes;
    }

    /**
     * Packets of H.264 may be of any size, so that each one's place is after the one before it. What comes before its
     * turn waits as far as there is room.
     */
    private boolean storeH264(ByteBuffer packet, int body, int bodyBytes, int packetId) {
        largestDataBytes = Math.max(largestDataBytes, bodyBytes - GvspLeader.H264_PAYLOAD_HEAD_LENGTH_BYTES);
        if (packetId != sequentialId) {
            stream.join();
            withoutPlace = !held.add(packetId, packet, body, bodyBytes);
            return true;
        }
        append(packet, body, bodyBytes);
        for (int entry = held.find(sequentialId); entry >= 0; entry = held.find(sequentialId)) {
            append(held.bytes(), held.body(entry), held.bodyBytes(entry));
        }
        return true;
    }

    private void append(ByteBuffer packet, int body, int bodyBytes) {
        int head = GvspLeader.H264_PAYLOAD_HEAD_LENGTH_BYTES;
        block.timestampTicks(packet.getLong(body));
        copy(0, sequentialEnd, packet, body + head, bodyBytes - head);
        sequentialEnd += bodyBytes - head;
        sequentialId++;
    }

    private boolean storeZone(ByteBuffer packet, int body, int bodyBytes, int packetId) {
        largestDataBytes = Math.max(largestDataBytes, bodyBytes - PlacedPayload.HEAD_LENGTH_BYTES);
        copyPlaced(packetId, PlacedPayload.destinationOffset(packet, body), packet, body, bodyBytes);
        return true;
    }

    /**
     * Only the leader says where a part lies. Of what comes before it, the first part is at the start anyway, and as
     * much of the others as there is room for waits; the rest is asked for again.
     */
    private boolean storeMultiPart(ByteBuffer packet, int body, int bodyBytes, int packetId) {
        largestDataBytes = Math.max(largestDataBytes, bodyBytes - PlacedPayload.HEAD_LENGTH_BYTES);
        if (block.leaderSeen()) {
            return storePart(packet, body, bodyBytes, packetId);
        }
        if (PlacedPayload.partId(packet, body) == 0) {
            copyPlaced(packetId, PlacedPayload.destinationOffset(packet, body), packet, body, bodyBytes);
        } else {
            stream.join();
            withoutPlace = !held.add(packetId, packet, body, bodyBytes);
        }
        return true;
    }

    private boolean storePart(ByteBuffer packet, int body, int bodyBytes, int packetId) {
        int part = PlacedPayload.partId(packet, body);
        int size = bodyBytes - PlacedPayload.HEAD_LENGTH_BYTES;
        long destination = stream.partOffsets.inPart(parts, part, PlacedPayload.destinationOffset(packet, body), size);
        if (destination == PartOffsets.OUTSIDE) {
            return false;
        }
        copyPlaced(packetId, parts.offsetBytes(part) + destination, packet, body, bodyBytes);
        parts.addStored(part, size);
        return true;
    }

    /**
     * Takes the parts from a multi-part leader.
     *
     * @return whether what came before it fits
     */
    boolean readParts(ByteBuffer leader, int body, int partCount) {
        if (storedEnd > GvspLeader.partLengthBytes(leader, body, 0)) {
            // What came for the first part contradicts it.
            return false;
        }
        parts.read(leader, body, partCount);
        parts.addStored(0, storedBytes);
        return true;
    }

    /** The leader came: packets that waited for it find their place. */
    void placeHeld(long nowNanos) {
        for (int entry = 0; entry < held.end(); entry = held.next(entry)) {
            if (!storePart(held.bytes(), held.body(entry), held.bodyBytes(entry), held.packetId(entry))) {
                stream.counters.increment(Counter.PACKETS_MALFORMED);
                block.takeBack(held.packetId(entry), nowNanos);
            }
        }
        held.clear();
    }

    private boolean storeGenDc(ByteBuffer packet, int body, int packetId) {
        int size = GenDcPayload.dataSizeBytes(packet, body);
        long destination = GenDcPayload.destinationOffset(packet, body);
        int flow = GenDcPayload.flowId(packet, body);
        int kind = GenDcPayload.descriptorKind(packet, body);
        int data = body + GenDcPayload.HEAD_LENGTH_BYTES;
        largestDataBytes = Math.max(largestDataBytes, size);
        if (kind != GenDcPayload.KIND_DATA && flow != 0) {
            return false;
        }
        if (kind == GenDcPayload.KIND_PRELIMINARY) {
            note(packetId, BlockLayout.NO_FLOW, 0, size);
            stream.join();
            keepPreliminary(packet, data, size, destination, GenDcPayload.descriptorEnd(packet, body));
            return true;
        }
        if (kind == GenDcPayload.KIND_FINAL && GenDcPayload.descriptorEnd(packet, body)) {
            finalDescriptorEnd = destination + size;
        }
        note(packetId, flow, destination, size);
        copy(flow, destination, packet, data, size);
        nextFlow = flow;
        nextPlace = destination + size;
        nextDataBytes = kind == GenDcPayload.KIND_DATA && flow < set.flowCount() ? size : 0;
        return true;
    }

    private void keepPreliminary(ByteBuffer packet, int data, int size, long destination, boolean last) {
        long room = Math.min(set.flowSizeBytes(0), MAX_DESCRIPTOR_BYTES);
        if (destination > room || size > room - destination) {
            excess = true;
            return;
        }
        int end = (int) destination + size;
        if (end > preliminary.capacity()) {
            ByteBuffer larger =
                    ByteBuffer.allocate(Math.max(end, Math.min(2 * preliminary.capacity(), MAX_DESCRIPTOR_BYTES)));
            larger.put(0, preliminary, 0, preliminary.capacity());
            preliminary = larger;
        }
        preliminary.put((int) destination, packet, data, size);
        preliminaryCoverage.add(destination, end);
        if (last) {
            preliminaryEnd = end;
        }
    }

    private void copyPlaced(int packetId, long place, ByteBuffer packet, int body, int bodyBytes) {
        int head = PlacedPayload.HEAD_LENGTH_BYTES;
        note(packetId, 0, place, bodyBytes - head);
        copy(0, place, packet, body + head, bodyBytes - head);
    }

    private void copy(int flow, long destination, ByteBuffer packet, int data, int size) {
        if (flow >= set.flowCount()) {
            excess = true;
            return;
        }
        long limit = set.flowSizeBytes(flow);
        int fits = (int) Math.min(size, Math.max(0, limit - destination));
        if (fits < size) {
            excess = true;
        }
        if (fits > 0) {
            if (!stream.liesIn(set, flow, destination, fits)) {
                stream.join();
                stream.write(set, flow, destination, packet, data, fits);
            }
            set.markReceived(flow, destination, fits);
            storedBytes += fits;
            storedEnd = Math.max(storedEnd, destination + fits);
            stream.counters.add(Counter.BYTES_RECEIVED, fits);
        }
    }

    // ---- Runs of packets

    /** Notes full packets of generic payload that were stored one after another in flow 0. */
    void storedRun(int firstId, long place, int packets) {
        fullPackets += packets;
        noteRun(firstId, packets, 0, place, packetPayloadBytes);
    }

    /** Notes data of GenDC packets of one size that was stored one after another. */
    void storedGenDcRun(int firstId, int flow, long place, int packets, int dataBytes) {
        nextPlace = place + (long) packets * dataBytes;
        largestDataBytes = Math.max(largestDataBytes, dataBytes);
        noteRun(firstId, packets, flow, place, dataBytes);
    }

    private void noteRun(int firstId, int packets, int flow, long place, int dataBytes) {
        long bytes = (long) packets * dataBytes;
        layout.add(firstId, packets, flow, place, dataBytes);
        noteLast(firstId + packets - 1, flow, place + bytes - dataBytes, dataBytes);
        set.markReceived(flow, place, bytes);
        storedBytes += bytes;
        storedEnd = Math.max(storedEnd, place + bytes);
        stream.counters.add(Counter.BYTES_RECEIVED, bytes);
    }

    // ---- What is known

    /** Where the packets belonged that came in their order. */
    BlockLayout layout() {
        return layout;
    }

    /** Whether the last packet belonged where a layout says; so too before the first. */
    boolean follows(BlockLayout other) {
        return lastId == 0 || other.has(lastId, lastFlow, lastOffset, lastBytes);
    }

    /** Number of different bytes stored. */
    long storedBytes() {
        return storedBytes;
    }

    /** End of the last byte stored in flow 0, or in the flow that reaches farthest. */
    long storedEnd() {
        return storedEnd;
    }

    /** Whether the block was larger than the flow set. */
    boolean excess() {
        return excess;
    }

    /** Most bytes of data that a packet had, where packets differ. */
    int largestDataBytes() {
        return largestDataBytes;
    }

    /** Bytes of each packet of generic payload but the last, as far as it is known. */
    int packetPayloadBytes() {
        return packetPayloadBytes;
    }

    /** Packets of generic payload that had this size. */
    int fullPackets() {
        return fullPackets;
    }

    /** Id of the packet of generic payload that had less; 0 if none had. */
    int shortPacketId() {
        return shortPacketId;
    }

    int shortPacketBytes() {
        return shortPacketBytes;
    }

    /** Flow of the GenDC packet that came last. */
    int nextFlow() {
        return nextFlow;
    }

    /** Where the data of the next GenDC packet goes if it continues the last one. */
    long nextPlace() {
        return nextPlace;
    }

    /** Bytes of data of that packet; 0 if unknown. */
    int nextDataBytes() {
        return nextDataBytes;
    }

    PartTable parts() {
        return parts;
    }

    /** End of the final GenDC descriptor; 0 before its last packet. */
    long finalDescriptorEnd() {
        return finalDescriptorEnd;
    }

    /**
     * Puts the preliminary GenDC descriptor in the place of a final one that did not arrive.
     *
     * @param descriptorBytes its size if its end did not arrive
     * @return its size, 0 if there is none
     */
    long usePreliminary(long descriptorBytes) {
        long size = preliminaryEnd > 0 ? preliminaryEnd : descriptorBytes;
        if (size <= 0 || size > preliminary.capacity() || !preliminaryCoverage.covers(0, size)) {
            return 0;
        }
        stream.write(set, 0, 0, preliminary, 0, (int) size);
        set.markReceived(0, 0, size);
        return size;
    }
}
