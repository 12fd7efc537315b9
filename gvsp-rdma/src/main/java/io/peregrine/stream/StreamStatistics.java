package io.peregrine.stream;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/** Named counters of a stream. Written by the receiver thread, readable by any. */
public final class StreamStatistics {

    /** What is counted. */
    public enum Counter {
        /** Packets that arrived from the device, of every kind. */
        PACKETS_RECEIVED,
        /** Packets that were there already. */
        PACKETS_DUPLICATE,
        /** Packets of a block that was already delivered or given up. */
        PACKETS_LATE,
        /** Packets that are not GVSP, too short, or contradict themselves or their block. */
        PACKETS_MALFORMED,
        /** Packets from another address than the device's. */
        PACKETS_FOREIGN_SOURCE,
        /** Packets that belong to no block for want of a flow set. */
        PACKETS_WITHOUT_FLOW_SET,
        /** Packets that came so long before what tells their place that they could not be kept; asked for again. */
        PACKETS_WITHOUT_PLACE,
        /** Packets with a status that carries no data. */
        PACKETS_WITH_ERROR_STATUS,
        /**
         * Packets that did not come before their block ended. Of blocks of which nothing came, as many as the last whole
         * one had; none of blocks without a flow set, or that were shed. Of a block that the end of the stream cuts off only
         * those before one that came: the device may not have sent the others.
         */
        PACKETS_MISSING,
        /** Packets of blocks that were shed: of each as many as the last whole one had. */
        PACKETS_SHED,
        /** Missing packets that came after they were asked for. */
        PACKETS_RECOVERED,
        /** Packets asked for again. */
        RESENDS_REQUESTED,
        /** Packets that came as an answer to a resend request. */
        RESENDS_RECEIVED,
        /** Packets that the device said it cannot send again. */
        RESENDS_UNAVAILABLE,
        /** Packets that the device said it cannot send yet. */
        RESENDS_NOT_YET,
        /** Blocks delivered whole. */
        FRAMES_COMPLETE,
        /** Blocks delivered with something missing. */
        FRAMES_INCOMPLETE,
        /** Blocks dropped because every flow set was in use. */
        FRAMES_DROPPED_NO_FLOW_SET,
        /** Blocks dropped because nothing usable of them arrived. */
        FRAMES_DROPPED_UNUSABLE,
        /** Blocks of which nothing came during an overload; most are kept out on purpose, so that others are whole. */
        FRAMES_SHED,
        /** Block ids that never appeared between two that did. */
        BLOCK_ID_GAPS,
        /** Payload bytes stored in flow sets. */
        BYTES_RECEIVED,
        /** Packets, or runs of packets that the kernel had joined, that it dropped because the socket's buffer was full. */
        KERNEL_DROPS,
        /** Tests of the packet size that arrived. */
        TEST_PACKETS,
        /** Messages of an RDMA connection that arrived, each one flow or one report of the device. */
        MESSAGES_RECEIVED,
        /** Messages of an RDMA connection that break the protocol; each ends its connection. */
        MESSAGES_MALFORMED,
        /** Work of an RDMA connection that ended with an error, but for what was flushed when it ended. */
        COMPLETION_ERRORS,
        /** Connections made again after one was lost: of RDMA, or to a device that was found again. */
        RECONNECTS,
        /** Blocks that the device says it dropped because no flow set was announced. */
        FRAMES_DROPPED_BY_DEVICE
    }

    private static final Counter[] COUNTERS = Counter.values();

    private final AtomicLongArray values = new AtomicLongArray(COUNTERS.length);

    /** Creates a set of counters, all zero. */
    public StreamStatistics() {}

    /** Counters of their own that hold what two others together have now. */
    public static StreamStatistics sum(StreamStatistics one, StreamStatistics other) {
        StreamStatistics sum = new StreamStatistics();
        for (Counter counter : COUNTERS) {
            sum.set(counter, one.get(counter) + other.get(counter));
        }
        return sum;
    }

    /** Adds one. Only one thread may write a counter. */
    public void increment(Counter counter) {
        add(counter, 1);
    }

    /** Adds a number. Only one thread may write a counter. */
    public void add(Counter counter, long amount) {
        int i = counter.ordinal();
        values.setOpaque(i, values.getPlain(i) + amount);
    }

    /** Sets a counter that is read from elsewhere, for example from the kernel. */
    public void set(Counter counter, long value) {
        values.setOpaque(counter.ordinal(), value);
    }

    /** Current value. */
    public long get(Counter counter) {
        return values.getOpaque(counter.ordinal());
    }

    /** All values now, in the order of declaration. */
    public Map<Counter, Long> snapshot() {
        Map<Counter, Long> result = new EnumMap<>(Counter.class);
        for (Counter counter : COUNTERS) {
            result.put(counter, get(counter));
        }
        return result;
    }

    @Override
    public String toString() {
        return snapshot().toString();
    }
}
