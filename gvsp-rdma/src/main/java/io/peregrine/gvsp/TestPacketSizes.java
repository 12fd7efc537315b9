package io.peregrine.gvsp;

import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.StreamCounters;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;

/** The sizes of the test packets that arrived, until someone asks for them. Any thread. */
final class TestPacketSizes implements PacketSink {
    private static final int MAX_PACKET_BYTES = 65535;

    private final StreamCounters counters;
    private final BitSet sizes = new BitSet();

    TestPacketSizes(StreamCounters counters) {
        this.counters = counters;
    }

    /** Takes packets while no stream runs: all but test packets are of no use. */
    @Override
    public void onPacket(ByteBuffer packet, int offset, int lengthBytes, long nowNanos) {
        counters.increment(Counter.PACKETS_RECEIVED);
        if (GvspHeader.fits(packet, offset, lengthBytes) && GvspHeader.blockId(packet, offset) == 0) {
            counters.increment(Counter.TEST_PACKETS);
            arrived(lengthBytes + GvspHeader.IP_UDP_LENGTH_BYTES);
        }
    }

    synchronized void arrived(int packetSizeBytes) {
        if (packetSizeBytes <= MAX_PACKET_BYTES) {
            sizes.set(packetSizeBytes);
        }
        notifyAll();
    }

    /** Whether a test packet of this size arrived since the last call for the size. */
    synchronized boolean take(int packetSizeBytes) {
        boolean arrived = sizes.get(packetSizeBytes);
        sizes.clear(packetSizeBytes);
        return arrived;
    }

    /** Waits until a test packet of this size has arrived; may return earlier. */
    synchronized void await(int packetSizeBytes, long timeoutNanos) throws InterruptedException {
        if (!sizes.get(packetSizeBytes)) {
            TimeUnit.NANOSECONDS.timedWait(this, timeoutNanos);
        }
    }
}
