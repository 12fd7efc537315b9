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
        /** Packets of blocks that were dropped for lack of a flow set. */
        PACKETS_WITHOUT_FLOW_SET,
        /** Packets that came too long before the packet that defines their place to be kept; requested again. */
        PACKETS_WITHOUT_PLACE,
        /** Packets with a status that carries no data. */
        PACKETS_WITH_ERROR_STATUS,
        /**
         * Packets that did not arrive before their block ended. A block of which nothing arrived counts with the
         * packets of the last complete one; blocks without a flow set and shed blocks do not count. A block that the
         * end of the stream cuts off counts only packets before one that arrived: the device may not have sent the
         * others.
         */
        PACKETS_MISSING,
        /** Packets of blocks that were shed: for each as many as the last complete one had. */
        PACKETS_SHED,
        /** Missing packets that arrived after they were requested again. */
        PACKETS_RECOVERED,
        /** Packets requested again. */
        RESENDS_REQUESTED,
        /** Packets that arrived in answer to a resend request. */
        RESENDS_RECEIVED,
        /** Packets that the device reported it cannot send again. */
        RESENDS_UNAVAILABLE,
        /** Packets that the device reported it cannot send yet. */
        RESENDS_NOT_YET,
        /** Blocks delivered complete. */
        FRAMES_COMPLETE,
        /** Blocks delivered incomplete. */
        FRAMES_INCOMPLETE,
        /** Blocks dropped because every flow set was in use. */
        FRAMES_DROPPED_NO_FLOW_SET,
        /** Blocks dropped because nothing usable of them arrived. */
        FRAMES_DROPPED_UNUSABLE,
        /**
         * Blocks of which nothing arrived during an overload; most are shed on purpose, so that others are complete.
         */
        FRAMES_SHED,
        /**
         * Blocks delivered that no one took before a newer one (StreamBufferHandlingMode=NewestOnly). They also count
         * as complete or incomplete, and not as lost.
         */
        FRAMES_SKIPPED,
        /** Block ids that never appeared between two that did. */
        BLOCK_ID_GAPS,
        /** Payload bytes stored in flow sets. */
        BYTES_RECEIVED,
        /**
         * Of {@link #BYTES_RECEIVED} over GVSP, those that this program copied to their place: neither the kernel nor
         * an adapter wrote them there.
         */
        BYTES_COPIED,
        /**
         * Packets, or runs of packets that the kernel had joined, that it dropped because the socket's buffer was full.
         */
        KERNEL_DROPS,
        /** Tests of the packet size that arrived. */
        TEST_PACKETS,
        /** Messages that arrived over an RDMA connection, each one flow or one report of the device. */
        MESSAGES_RECEIVED,
        /** Messages over an RDMA connection that break the protocol; each ends its connection. */
        MESSAGES_MALFORMED,
        /** Work requests of an RDMA connection that ended with an error, except those flushed when it ended. */
        COMPLETION_ERRORS,
        /** Connections restored after a loss: over RDMA, or to a device that was found again. */
        RECONNECTS,
        /** Blocks that the device reports it dropped because no flow set was announced. */
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

    /** How many of {@link Counter#FRAMES_INCOMPLETE} have this cause. */
    public long get(IncompleteCause cause) {
        return values[place(cause)];
    }

    private static int place(IncompleteCause cause) {
        return COUNTERS.length + cause.ordinal();
    }

    /**
     * Frames of which nothing was delivered. Those that the device reports as dropped and the skipped block ids are
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
     * @param earlier statistics of the same stream, taken before; negative counts mean that the stream was restarted
     *     since
     */
    public StreamStatistics minus(StreamStatistics earlier) {
        long[] difference = new long[values.length];
        Arrays.setAll(difference, i -> values[i] - earlier.values[i]);
        return new StreamStatistics(difference);
    }

    /** The sum of this and others. */
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
