package io.peregrine.gvsp;

import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.StreamCounters;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Distinguishes packets of a device's stream from those of others, by address and port that they come from, and counts
 * the others. The port is the one that the device reports, or else that of the first packet of a block. A port that was
 * learned so gives way to another when nothing has come from it for a while, because a device may begin to send again.
 * For one thread at a time, but for {@link #expect}.
 */
final class PacketSource {
    /** How long a port that was learned is kept without a packet from it. */
    static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int NONE = -1;
    private static final int PORT_MASK = 0xFFFF;
    private static final int NEXT_ORDER = PORT_MASK + 1;

    private final StreamCounters statistics;

    /** Port that is to be expected, below a number that is new each time. */
    private volatile int order;

    private int followed;
    private int port = NONE;
    private boolean told;
    private long heardAt;

    PacketSource(StreamCounters statistics) {
        this.statistics = statistics;
    }

    /**
     * Forgets which port the stream came from. Any thread.
     *
     * @param sourcePort port that it comes from now; 0 for that of the next packet of a block
     */
    synchronized void expect(int sourcePort) {
        order = (order & ~PORT_MASK) + NEXT_ORDER | (sourcePort & PORT_MASK);
    }

    /**
     * Whether packets are those of the stream. Others are counted.
     *
     * @param fromDevice whether they come from the device's address
     * @param fromPort the port that they come from
     * @param packets how many arrived together
     * @param first big-endian buffer with the first of them
     * @param offset index of its first byte
     * @param lengthBytes bytes of it, or of its head
     * @param nowNanos time of arrival
     */
    boolean isStream(
            boolean fromDevice,
            int fromPort,
            int packets,
            ByteBuffer first,
            int offset,
            int lengthBytes,
            long nowNanos) {
        if (order != followed) {
            follow();
        }
        if (fromDevice && fromPort == port) {
            heardAt = nowNanos;
            return true;
        }
        if (!fromDevice) {
            statistics.add(Counter.PACKETS_FOREIGN_SOURCE, packets);
            return false;
        }
        boolean open = port == NONE || (!told && nowNanos - heardAt >= KEPT_NANOS);
        if (open && GvspHeader.fits(first, offset, lengthBytes) && GvspHeader.blockId(first, offset) != 0) {
            port = fromPort;
            heardAt = nowNanos;
            return true;
        }
        if (port == NONE) {
            return true;
        }
        statistics.add(Counter.PACKETS_FOREIGN_PORT, packets);
        return false;
    }

    private void follow() {
        followed = order;
        int expected = followed & PORT_MASK;
        told = expected != 0;
        port = told ? expected : NONE;
    }
}
