package io.peregrine.gvsp;

import org.jspecify.annotations.Nullable;

/**
 * How many packets a block has and how long it takes, before its trailer arrives: from its leader, and from the whole
 * blocks before it.
 */
final class ExpectedSize {
    private final int packetSizeBytes;
    private final int maxPackets;
    private int learnedPayloadBytes;
    private int learnedPackets;
    /** Of the last whole block. */
    private final BlockLayout layout = new BlockLayout();

    private int layoutFormat;
    private final BlockLayout generic = new BlockLayout();

    private final BlockTiming timing = new BlockTiming();

    /**
     * Knows no block yet.
     *
     * @param packetSizeBytes packet size with the IP and UDP headers
     * @param maxPackets most packets that a block may have
     */
    ExpectedSize(int packetSizeBytes, int maxPackets) {
        this.packetSizeBytes = packetSizeBytes;
        this.maxPackets = maxPackets;
    }

    void reset() {
        learnedPayloadBytes = 0;
        learnedPackets = 0;
        layout.reset();
        timing.reset();
    }

    /** A block is whole. */
    void learn(OpenBlock block) {
        learnedPackets = block.trailerId() + 1;
        if (block.payload().fullPackets() > 1) {
            learnedPayloadBytes = block.payload().packetPayloadBytes();
        }
        learnLayout(block);
        timing.learn(block.openedAt(), block.lastUsefulAt());
    }

    /** Of generic payload in whatever order its packets came, of others if they came in their order. */
    private void learnLayout(OpenBlock block) {
        int format = block.allIn() ? GvspHeader.FORMAT_ALL_IN : block.contentFormat();
        int head = BlockLayout.headBytes(format);
        if (format != layoutFormat || head < 0) {
            layout.reset();
        }
        layoutFormat = format;
        BlockLayout seen = format == GvspHeader.FORMAT_PAYLOAD
                ? generic(block)
                : block.payload().layout();
        int headBytes = head + (block.extended() ? GvspHeader.EXTENDED_LENGTH_BYTES : GvspHeader.STANDARD_LENGTH_BYTES);
        if (head >= 0 && seen.end(headBytes, block.trailerId() - 1)) {
            layout.learn(seen);
        }
    }

    private BlockLayout generic(OpenBlock block) {
        PayloadPlacement payload = block.payload();
        generic.clear();
        if (payload.fullPackets() > 1) {
            int shorter = payload.shortPacketId() > 0 ? 1 : 0;
            int full = block.trailerId() - 1 - shorter;
            generic.add(1, full, 0, 0, learnedPayloadBytes);
            if (shorter > 0) {
                generic.add(full + 1, 1, 0, (long) full * learnedPayloadBytes, payload.shortPacketBytes());
            }
        }
        return generic;
    }

    /** Where the packets of the last whole block belonged; without packets if that is unknown. */
    BlockLayout layout() {
        return layout;
    }

    /** Packets of the last whole block, leader and trailer included; 0 before the first. */
    int learnedPackets() {
        return learnedPackets;
    }

    /** Payload bytes that each packet of generic payload but the last should have. */
    int packetPayloadBytes(boolean extended) {
        return learnedPayloadBytes > 0
                ? learnedPayloadBytes
                : packetSizeBytes
                        - GvspHeader.IP_UDP_LENGTH_BYTES
                        - (extended ? GvspHeader.EXTENDED_LENGTH_BYTES : GvspHeader.STANDARD_LENGTH_BYTES);
    }

    /** Packets of a block, leader and trailer included: known from the trailer, else an estimate. */
    int packets(OpenBlock block) {
        if (block.trailerSeen()) {
            return block.trailerId() + 1;
        }
        if (block.placeholder() && learnedPackets > 0) {
            return Math.min(learnedPackets, maxPackets);
        }
        PayloadPlacement payload = block.payload();
        long least = Math.max(block.highestPayload() + 2L, block.packets().scanEnd());
        long estimate = least;
        // Where the place of packets does not follow from their ids, their sizes may differ.
        if (block.payloadFormat() != GvspHeader.FORMAT_PAYLOAD) {
            if (learnedPackets > block.highestPayload()) {
                estimate = learnedPackets;
            } else if (block.expectedBytes() > payload.storedBytes() && payload.largestDataBytes() > 0) {
                estimate = least + (block.expectedBytes() - payload.storedBytes()) / payload.largestDataBytes();
            }
        } else if (block.expectedBytes() > 0) {
            estimate = (block.expectedBytes() - 1) / payload.packetPayloadBytes() + 3;
        } else if (learnedPackets > block.highestPayload()) {
            estimate = learnedPackets;
        }
        return (int) Math.min(Math.max(least, estimate), maxPackets);
    }

    /** Bytes of packets that are still to come of a block; 0 if unknown, or if there is no block. */
    long remainingBytes(@Nullable OpenBlock block) {
        if (block == null) {
            return 0;
        }
        boolean known = block.trailerSeen() || block.expectedBytes() > 0 || learnedPackets > block.highestPayload();
        long packets = Math.max(0, packets(block) - (long) block.packets().count());
        return known ? packets * packetSizeBytes : 0;
    }

    /** Time until a block, or without one the next, may be whole; see {@link PacketSink#nanosToEnd}. */
    long nanosToEnd(@Nullable OpenBlock block, long nowNanos) {
        return block == null ? timing.nanosToNextEnd(nowNanos) : timing.nanosToEnd(block.openedAt(), nowNanos);
    }
}
