package io.peregrine.gvsp;

import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.BlockInfo.ImageGeometry;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.PayloadType;
import io.peregrine.stream.engine.FlowSet;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One block from its first packet, or the first sign of it, until its flow set is filled again: its packets, its
 * payload, what leader and trailer say, and the outcome. Used again for later blocks, so that its arrays grow only
 * once.
 */
final class OpenBlock implements Supplier<BlockInfo> {
    private final PacketLedger packets = new PacketLedger();
    private final ResendPlanner.State resend = new ResendPlanner.State();
    private final PayloadPlacement payload;

    private long blockId;
    private long sequence;
    private boolean extended;
    private @Nullable FlowSet flowSet;
    private boolean hadFlowSet;
    private long openedAt;
    private long lastUsefulAt;
    private boolean newerSeen;
    private long newerSeenAt;
    private boolean placeholder;
    private boolean finished;
    private boolean delivered;
    private boolean retired;

    // Leader and trailer.
    private boolean leaderSeen;
    private int payloadType;
    private long leaderTicks;
    private long timestampTicks;
    private ByteBuffer leader = ByteBuffer.allocate(0);
    private int leaderBytes;
    private @Nullable ImageGeometry image;
    /** Of the block before: most often that of the next is the same. */
    private ImageGeometry lastImage = new ImageGeometry(0, 0, 0, 0, 0, 0, 0);

    private long expectedBytes;
    private long descriptorBytes;
    private boolean trailerSeen;
    private int trailerId;
    private ByteBuffer trailer = ByteBuffer.allocate(0);
    private int trailerBytes;
    private boolean allIn;

    private int contentFormat;
    private int highestPayload;

    // The outcome.
    private boolean contradiction;
    private boolean whole;
    private boolean usable;
    private long payloadBytes;
    private @Nullable IncompleteCause incomplete;
    private long missingPackets;

    OpenBlock(PayloadPlacement.Stream stream) {
        payload = new PayloadPlacement(stream, this);
    }

    /** What the user learns: from delivery until the flow set is filled again, as long as nothing of it changes. */
    @Override
    public BlockInfo get() {
        return BlockEnd.info(this);
    }

    // ---- Life

    void open(long id, long position, boolean extendedIds, long nowNanos) {
        blockId = id;
        sequence = position;
        extended = extendedIds;
        flowSet = null;
        hadFlowSet = false;
        openedAt = nowNanos;
        lastUsefulAt = nowNanos;
        newerSeen = false;
        placeholder = false;
        finished = false;
        delivered = false;
        retired = false;
        leaderSeen = false;
        payloadType = 0;
        leaderTicks = 0;
        timestampTicks = 0;
        leaderBytes = 0;
        image = null;
        expectedBytes = 0;
        descriptorBytes = 0;
        trailerSeen = false;
        trailerId = 0;
        trailerBytes = 0;
        allIn = false;
        contentFormat = 0;
        highestPayload = 0;
        contradiction = false;
        whole = false;
        usable = false;
        payloadBytes = 0;
        incomplete = null;
        missingPackets = 0;
        packets.open(nowNanos);
        resend.open(nowNanos);
        payload.clear();
    }

    /** Makes this a block of which no packet arrived, but a packet of a newer one. */
    void becomePlaceholder(long nowNanos) {
        placeholder = true;
        overtaken(nowNanos);
    }

    /** A packet of a block arrived of which none had. */
    void packetCame() {
        placeholder = false;
    }

    /** There is a newer block. */
    void overtaken(long nowNanos) {
        if (!newerSeen) {
            newerSeen = true;
            newerSeenAt = nowNanos;
        }
    }

    /** Gives the block its memory, and the size that packets of generic payload are expected to have. */
    void begin(FlowSet memory, int packetPayloadBytes) {
        memory.beginFilling();
        flowSet = memory;
        hadFlowSet = true;
        payload.begin(memory, packetPayloadBytes);
    }

    /**
     * Ends a block for which there is no memory.
     *
     * @param byLeader whether its first packet was its leader
     * @param ticks time of the leader
     */
    void drop(boolean byLeader, long ticks) {
        leaderSeen = byLeader;
        leaderTicks = ticks;
        finished = true;
    }

    /** Accepts no more packets. */
    void finish() {
        finished = true;
    }

    /** Notes what {@link BlockEnd} found. */
    void judged(boolean isWhole, boolean isUsable, long bytes) {
        whole = isWhole;
        usable = isUsable;
        payloadBytes = bytes;
    }

    /** Leader and trailer, or what arrived, do not agree. */
    void contradicted() {
        contradiction = true;
    }

    /** Size of the GenDC descriptor that can be used. */
    void descriptorBytes(long bytes) {
        descriptorBytes = bytes;
    }

    void incomplete(IncompleteCause cause, long missing) {
        incomplete = cause;
        missingPackets = missing;
    }

    /** Its outcome is known to others; it keeps its place until older blocks have ended. */
    void deliver() {
        delivered = true;
    }

    /** It is no longer one of the open blocks. */
    void retire() {
        retired = true;
    }

    /** Takes the memory of a block that cannot be used. */
    FlowSet takeFlowSet() {
        FlowSet set = flowSet;
        flowSet = null;
        set.abandonFilling();
        return set;
    }

    // ---- Packets

    /**
     * Takes a leader.
     *
     * @param partCount parts of a multi-part leader, 0 for all others
     * @return whether it fits what came before it; else nothing happened
     */
    boolean readLeader(ByteBuffer packet, int body, int bodyBytes, int partCount, long nowNanos) {
        int type = GvspLeader.payloadType(packet, body);
        int base = PayloadType.base(type);
        if (base == PayloadType.MULTI_PART && !payload.readParts(packet, body, partCount)) {
            return false;
        }
        leaderSeen = true;
        payloadType = type;
        leaderTicks = GvspLeader.timestampTicks(packet, body);
        leader = copy(leader, packet, body, bodyBytes);
        leaderBytes = bodyBytes;
        if (base != PayloadType.H264) {
            timestampTicks = leaderTicks;
        }
        switch (base) {
            case PayloadType.IMAGE, PayloadType.EXTENDED_CHUNK -> image(GvspLeader.geometry(packet, body, lastImage));
            case PayloadType.MULTI_ZONE -> image(GvspLeader.multiZoneGeometry(packet, body, lastImage));
            case PayloadType.MULTI_PART -> {
                expectedBytes = payload.parts().totalBytes();
                payload.placeHeld(nowNanos);
            }
            case PayloadType.GENDC -> {
                expectedBytes = Math.max(0, GvspLeader.payloadSizeBytes(packet, body));
                descriptorBytes = GvspLeader.descriptorSizeBytes(packet, body);
            }
            case PayloadType.RAW, PayloadType.FILE -> {
                long size = GvspLeader.payloadSizeBytes(packet, body);
                expectedBytes = size < 0 ? Long.MAX_VALUE : size;
            }
            default -> {
                // Encoders begin to send before they know their size; chunk data tells it in its trailer.
            }
        }
        return true;
    }

    private void image(ImageGeometry geometry) {
        image = geometry;
        lastImage = geometry;
        expectedBytes = GvspLeader.imageSizeBytes(geometry);
    }

    void readTrailer(ByteBuffer packet, int body, int bodyBytes, int packetId) {
        trailerSeen = true;
        trailerId = packetId;
        packets.endsAt(packetId + 1);
        trailer = copy(trailer, packet, body, bodyBytes);
        trailerBytes = bodyBytes;
    }

    private static ByteBuffer copy(ByteBuffer room, ByteBuffer packet, int from, int bytes) {
        ByteBuffer target = bytes <= room.capacity() ? room : ByteBuffer.allocate(Math.max(64, bytes));
        return target.put(0, packet, from, bytes);
    }

    /** Takes a packet that is a whole block. */
    void readAllIn(ByteBuffer packet, int body, int bodyBytes, long nowNanos) {
        int type = GvspLeader.payloadType(packet, body);
        int trailerAt = body + AllInPacket.leaderLengthBytes(packet, body, bodyBytes);
        int data = trailerAt + AllInPacket.trailerLengthBytes(type);
        packets.ensureCapacity(1);
        readLeader(packet, body, trailerAt - body, 0, nowNanos);
        readTrailer(packet, trailerAt, data - trailerAt, 0);
        allIn = true;
        packets.markReceived(0);
        packets.scannedTo(1);
        lastUsefulAt = nowNanos;
        payload.storeAll(packet, data, body + bodyBytes - data, PayloadType.base(type));
    }

    /** A leader or payload packet was taken: the end was estimated from fewer packets, and may be further away. */
    void taken(int format, int packetId, long nowNanos) {
        lastUsefulAt = nowNanos;
        if (format == GvspHeader.FORMAT_LEADER) {
            resend.endMoved();
        } else if (format != GvspHeader.FORMAT_TRAILER) {
            contentFormat = format;
            if (packetId > highestPayload) {
                highestPayload = packetId;
                resend.endMoved();
            }
        }
    }

    /** Payload packets were taken that continue the block without a gap. */
    void takenInOrder(int format, int first, int count, long nowNanos) {
        packets.markReceived(first, count);
        int end = first + count;
        packets.scannedTo(end);
        lastUsefulAt = nowNanos;
        contentFormat = format;
        highestPayload = end - 1;
        resend.endMoved();
    }

    /** Takes back all payload packets, because they were stored where they do not belong. */
    void takeBackPayload(long nowNanos) {
        packets.takeBackPayload(trailerSeen ? trailerId : 0, nowNanos);
        resend.scheduleScan(nowNanos);
    }

    /** Takes back one packet, because it does not fit what became known later. */
    void takeBack(int packetId, long nowNanos) {
        packets.takeBack(packetId, nowNanos);
        resend.scheduleScan(nowNanos);
    }

    void timestampTicks(long ticks) {
        timestampTicks = ticks;
    }

    // ---- What is known

    PacketLedger packets() {
        return packets;
    }

    ResendPlanner.State resend() {
        return resend;
    }

    PayloadPlacement payload() {
        return payload;
    }

    long blockId() {
        return blockId;
    }

    /** Position on an axis that does not wrap. */
    long sequence() {
        return sequence;
    }

    boolean extended() {
        return extended;
    }

    /** Null before there is one, and after a block that cannot be used was dropped. */
    @Nullable
    FlowSet flowSet() {
        return flowSet;
    }

    boolean hadFlowSet() {
        return hadFlowSet;
    }

    long openedAt() {
        return openedAt;
    }

    long lastUsefulAt() {
        return lastUsefulAt;
    }

    boolean newerSeen() {
        return newerSeen;
    }

    long newerSeenAt() {
        return newerSeenAt;
    }

    /** Whether no packet of it arrived: it is open because block ids around it did. */
    boolean placeholder() {
        return placeholder;
    }

    /** Whether nothing more is accepted. */
    boolean finished() {
        return finished;
    }

    boolean delivered() {
        return delivered;
    }

    /** Whether it has ended, and its memory is not with the user yet. */
    boolean waits() {
        return finished && !delivered && flowSet != null;
    }

    boolean retired() {
        return retired;
    }

    boolean leaderSeen() {
        return leaderSeen;
    }

    int payloadType() {
        return payloadType;
    }

    /** Time in the leader. */
    long leaderTicks() {
        return leaderTicks;
    }

    /** Time of the block: that of the leader, of H.264 that of the last packet. */
    long timestampTicks() {
        return timestampTicks;
    }

    /** The leader as it came, for what is not needed before the end. */
    ByteBuffer leader() {
        return leader;
    }

    int leaderBytes() {
        return leaderBytes;
    }

    @Nullable
    ImageGeometry image() {
        return image;
    }

    /** Fewest bytes that a whole block has, from the leader; 0 if it does not say. */
    long expectedBytes() {
        return expectedBytes;
    }

    long descriptorBytes() {
        return descriptorBytes;
    }

    boolean trailerSeen() {
        return trailerSeen;
    }

    int trailerId() {
        return trailerId;
    }

    /** The trailer as it came: only the leader says for sure how it is laid out. */
    ByteBuffer trailer() {
        return trailer;
    }

    int trailerBytes() {
        return trailerBytes;
    }

    /** Whether the whole block came in one packet. */
    boolean allIn() {
        return allIn;
    }

    /** Format of the payload packets that came, 0 before the first. */
    int contentFormat() {
        return contentFormat;
    }

    /** Format of the payload packets, by those that came or else by the leader. */
    int payloadFormat() {
        return contentFormat != 0 ? contentFormat : GvspHeader.payloadFormat(payloadType);
    }

    /** Highest id of a payload packet that came. */
    int highestPayload() {
        return highestPayload;
    }

    /** Whether leader, trailer and every packet between them arrived. */
    boolean allPackets() {
        return allIn || (leaderSeen && trailerSeen && packets.count() == trailerId + 1);
    }

    boolean contradiction() {
        return contradiction;
    }

    boolean whole() {
        return whole;
    }

    boolean usable() {
        return usable;
    }

    long payloadBytes() {
        return payloadBytes;
    }

    /** Why a usable block is not whole; null when it is. */
    @Nullable
    IncompleteCause incomplete() {
        return incomplete;
    }

    long missingPackets() {
        return missingPackets;
    }
}
