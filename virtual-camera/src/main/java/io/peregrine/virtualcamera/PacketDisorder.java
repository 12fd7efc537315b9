package io.peregrine.virtualcamera;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/** Sends packets of a block late, twice, or after their successor, as a fault plan says. Used by one thread. */
final class PacketDisorder {
    private static final int MAX_PACKET_BYTES = 65536;

    private record Late(long dueNanos, ByteBuffer packet, InetSocketAddress destination) {}

    private final PathOutput output;
    private final Counters counters;
    private final ArrayDeque<Late> late = new ArrayDeque<>();
    private final ByteBuffer held = ByteBuffer.allocateDirect(MAX_PACKET_BYTES).limit(0);

    PacketDisorder(PathOutput output, Counters counters) {
        this.output = output;
        this.counters = counters;
    }

    /** Starts a block: none of its packets is held back. */
    void start() {
        held.clear().limit(0);
    }

    /** Sends a packet, or not, or later. */
    void send(FaultPlan plan, long blockId, int packetId, ByteBuffer packet, InetSocketAddress destination) {
        sendLate(System.nanoTime());
        if (plan.loses(blockId, packetId)) {
            counters.packetsLostByFault.increment();
            return;
        }
        if (plan.delays(blockId, packetId)) {
            byte[] copy = new byte[packet.remaining()];
            packet.get(copy);
            late.add(new Late(System.nanoTime() + plan.delay().toNanos(), ByteBuffer.wrap(copy), destination));
            return;
        }
        if (plan.reorders(blockId, packetId) && !held.hasRemaining()) {
            held.clear();
            held.put(packet).flip();
            return;
        }
        boolean twice = plan.duplicates(blockId, packetId);
        output.send(packet, destination);
        if (twice) {
            packet.rewind();
            output.send(packet, destination);
        }
        flush(destination);
    }

    /** Sends the packet that is held back for its successor, if there is one. */
    void flush(InetSocketAddress destination) {
        if (held.hasRemaining()) {
            output.send(held, destination);
            held.limit(held.position());
        }
    }

    /** Sends the delayed packets that are due. */
    void sendLate(long nowNanos) {
        Late first = late.peek();
        while (first != null && first.dueNanos - nowNanos <= 0) {
            late.remove();
            output.send(first.packet, first.destination);
            first = late.peek();
        }
    }

    /** Time until a delayed packet is due, but at most another time. */
    long untilLate(long nowNanos, long atMostNanos) {
        Late first = late.peek();
        return first == null ? atMostNanos : Math.min(atMostNanos, first.dueNanos - nowNanos);
    }

    /** Drops the delayed packets. */
    void clear() {
        late.clear();
    }
}
