package io.peregrine.gvsp;

import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.StreamCounters;
import org.jspecify.annotations.Nullable;

/** Takes packets with which the device says why it does not send what it was asked for. */
final class StatusPackets {
    private final BlockWindow window;
    private final ResendPlanner planner;
    private final StreamCounters counters;

    StatusPackets(BlockWindow window, ResendPlanner planner, StreamCounters counters) {
        this.window = window;
        this.planner = planner;
        this.counters = counters;
    }

    /**
     * Takes one.
     *
     * @param block the block that it names; null if that is not open
     * @param status a status without data
     * @param packetId the packet that it names
     * @param nowNanos time of arrival
     */
    void take(@Nullable OpenBlock block, int status, long packetId, long nowNanos) {
        counters.increment(Counter.PACKETS_WITH_ERROR_STATUS);
        if (GvspStatus.isFinal(status)) {
            counters.increment(Counter.RESENDS_UNAVAILABLE);
        } else if (GvspStatus.isLater(status)) {
            counters.increment(Counter.RESENDS_NOT_YET);
        }
        if (block == null || block.finished()) {
            return;
        }
        planner.refused(block, status, packetId, nowNanos);
        for (int i = 0; status == GvspStatus.PACKET_AND_PREVIOUS_REMOVED && window.get(i) != block; i++) {
            if (!window.get(i).finished()) {
                planner.removed(window.get(i), nowNanos);
            }
        }
    }
}
