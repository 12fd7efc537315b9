package io.peregrine.stream;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The counters of a stream at one moment. Immutable: what happened since an earlier moment is {@link #minus}.
 *
 * <pre>{@code
 * StreamStatistics before = stream.statistics();
 * ...
 * long complete = stream.statistics().minus(before).get(Counter.FRAMES_COMPLETE);
 * }</pre>
 */
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
        /** Packets from the device's address, but from another port than its stream. */
        PACKETS_FOREIGN_PORT,
        /** Packets that belong to no block for want of a flow set. */
        PACKETS_WITHOUT_FLOW_SET,
        /** Packets that came so long before what tells their place that they could not be kept; asked for again. */
        PACKETS_WITHOUT_PLACE,
        /** Packets with a status that carries no data. */
        PACKETS_WITH_ERROR_STATUS,
        /**
         * Packets that did not come before their block ended. Of blocks of which nothing came, as many as the last
         * whole one had; none of blocks without a flow set, or that were shed. Of a block that the end of the stream
         * cuts off only those before one that came: the device may not have sent the others.
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
        /**
         * Packets, or runs of packets that the kernel had joined, that it dropped because the socket's buffer was full.
         */
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

    /** Of {@link #values}: one for each counter, then one for each cause, in the order of declaration. */
    private static final int LENGTH = COUNTERS.length + IncompleteCause.values().length;

    private static final StreamStatistics ZERO = new StreamStatistics(new long[LENGTH]);

    private final long[] values;

    private StreamStatistics(long[] values) {
        this.values = values;
    }

    /**
     * Statistics with given values.
     *
     * @param counters value of each counter
     * @param causes how many of {@link Counter#FRAMES_INCOMPLETE} each cause accounts for
     */
    public static StreamStatistics of(ToLongFunction<Counter> counters, ToLongFunction<IncompleteCause> causes) {
        long[] values = new long[LENGTH];
        for (Counter counter : COUNTERS) {
            values[counter.ordinal()] = counters.applyAsLong(counter);
        }
        for (IncompleteCause cause : IncompleteCause.values()) {
            values[place(cause)] = causes.applyAsLong(cause);
        }
        return new StreamStatistics(values);
    }

    /** Nothing counted yet. */
    public static StreamStatistics zero() {
        return ZERO;
    }

    /** Value of a counter. */
    public long get(Counter counter) {
        return values[counter.ordinal()];
    }

    /** How many of {@link Counter#FRAMES_INCOMPLETE} were so for this cause. */
    public long get(IncompleteCause cause) {
        return values[place(cause)];
    }

    private static int place(IncompleteCause cause) {
        return COUNTERS.length + cause.ordinal();
    }

    /**
     * Frames of which nothing was delivered. What the device says that it dropped, and ids that were skipped, are
     * mostly the same frames: the larger number counts.
     */
    public long framesLost() {
        return get(Counter.FRAMES_DROPPED_NO_FLOW_SET)
                + get(Counter.FRAMES_DROPPED_UNUSABLE)
                + get(Counter.FRAMES_SHED)
                + Math.max(get(Counter.BLOCK_ID_GAPS), get(Counter.FRAMES_DROPPED_BY_DEVICE));
    }

    /**
     * What was counted since.
     *
     * @param earlier statistics of the same stream, taken before; negative counts say that the stream was started again
     *     since
     */
    public StreamStatistics minus(StreamStatistics earlier) {
        long[] difference = new long[values.length];
        Arrays.setAll(difference, i -> values[i] - earlier.values[i]);
        return new StreamStatistics(difference);
    }

    /** What this and others count together. */
    public StreamStatistics plus(StreamStatistics others) {
        long[] sum = new long[values.length];
        Arrays.setAll(sum, i -> values[i] + others.values[i]);
        return new StreamStatistics(sum);
    }

    /** The same with more of one counter. */
    public StreamStatistics plus(Counter counter, long amount) {
        long[] sum = values.clone();
        sum[counter.ordinal()] += amount;
        return new StreamStatistics(sum);
    }

    /** All values, in the order of declaration; cannot be changed. */
    public Map<Counter, Long> asMap() {
        Map<Counter, Long> result = new EnumMap<>(Counter.class);
        for (Counter counter : COUNTERS) {
            result.put(counter, get(counter));
        }
        return Collections.unmodifiableMap(result);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StreamStatistics same && Arrays.equals(values, same.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return asMap().toString();
    }
}
