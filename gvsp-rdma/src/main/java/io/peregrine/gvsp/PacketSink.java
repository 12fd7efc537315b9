package io.peregrine.gvsp;

import io.peregrine.stream.engine.FlowSet;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Where a {@link PacketReceiver} puts what arrives. */
@FunctionalInterface
public interface PacketSink {
    /** The block under way may end at any time, as far as is known. */
    long END_UNKNOWN = Long.MAX_VALUE;
    /** No block is under way. */
    long NO_BLOCK = -1;

    /**
     * Takes one packet. The buffer belongs to the receiver and is only valid during the call.
     *
     * @param packet big-endian buffer that holds the packet
     * @param offset index of the first byte of the GVSP header
     * @param lengthBytes bytes from there to the end of the packet
     * @param nowNanos time of arrival, in the time of {@link System#nanoTime()}
     */
    void onPacket(ByteBuffer packet, int offset, int lengthBytes, long nowNanos);

    /**
     * Takes packets that arrived together and lie one after another.
     *
     * @param packets big-endian buffer that holds them
     * @param offset index of the first byte of the first GVSP header
     * @param lengthBytes bytes of all of them
     * @param segmentBytes bytes of each but the last, which may have less
     * @param nowNanos time of arrival, in the time of {@link System#nanoTime()}
     */
    default void onRun(ByteBuffer packets, int offset, int lengthBytes, int segmentBytes, long nowNanos) {
        int at = offset;
        int left = lengthBytes;
        do {
            int length = Math.min(segmentBytes, left);
            onPacket(packets, at, length, nowNanos);
            at += length;
            left -= length;
        } while (left > 0);
    }

    /** Bytes of packets that are still to come of the block under way; 0 when none is, or when it is unknown. */
    default long remainingBytes() {
        return 0;
    }

    /**
     * Time until the block under way may be whole at the earliest, by those before it; between blocks that come one
     * after another at even intervals, that until the next one may.
     *
     * @param nowNanos current time, in the time of {@link System#nanoTime()}
     * @return nanoseconds; 0 when that time has passed, {@link #END_UNKNOWN} when nothing is known, {@link #NO_BLOCK}
     *     when no block is under way, and it is not known when the next one comes
     */
    default long nanosToEnd(long nowNanos) {
        return END_UNKNOWN;
    }

    /**
     * The block under way may end soon, and its receiver has nothing to hand over until then: what is to be ready when
     * the last packet comes can be made ready now. May be called several times for a block.
     *
     * @param nowNanos current time, in the time of {@link System#nanoTime()}
     */
    default void beforeEnd(long nowNanos) {}

    /**
     * The block under way does not end soon, and its receiver has handed over what there is. May be called many times
     * for a block.
     *
     * @param nowNanos current time, in the time of {@link System#nanoTime()}
     */
    default void farFromEnd(long nowNanos) {}

    /** Whether a receiver is to return soon, even if more has arrived. */
    default boolean enough() {
        return false;
    }

    /**
     * Returns where the data of the next packets belongs, so that a receiver can let the system put it there.
     *
     * @param next takes the answer; left alone when there is none
     * @return whether packets are expected
     */
    default boolean expect(ExpectedPackets next) {
        return false;
    }

    /**
     * Takes packets that arrived together and whose data lies where {@link #expect} told. As many are taken from the
     * front as belong there: for those behind them nothing happens, and they must be handed over whole.
     *
     * @param heads big-endian buffer that holds the header of each packet
     * @param offset index of the first byte of the first one
     * @param strideBytes from one head to the next
     * @param count number of packets
     * @param lengthBytes bytes of all packets, with their data
     * @param segmentBytes bytes of each but the last, which may have less
     * @param nowNanos time of arrival, in the time of {@link System#nanoTime()}
     * @return how many were taken
     */
    default int onRunInPlace(
            ByteBuffer heads,
            int offset,
            int strideBytes,
            int count,
            int lengthBytes,
            int segmentBytes,
            long nowNanos) {
        return 0;
    }

    /**
     * Takes one packet whose data lies elsewhere than after its headers.
     *
     * @param packet as for {@link #onPacket(ByteBuffer, int, int, long)}; where the data belongs in it, there may be
     *     anything
     * @param data where the data lies
     */
    default void onPacket(ByteBuffer packet, int offset, int lengthBytes, SeparateData data, long nowNanos) {
        data.join();
        onPacket(packet, offset, lengthBytes, nowNanos);
    }

    /**
     * Returns which packet comes next, if nothing is lost and the block under way is like the last one.
     *
     * @param next takes the answer; left alone when there is none
     * @return whether it is known
     */
    default boolean next(NextPacket next) {
        return false;
    }

    /**
     * Returns how the packets of the next blocks are, if they are like the last one.
     *
     * @param next takes the answer; left alone when there is none
     * @return whether blocks are expected
     */
    default boolean layout(BlockLayout next) {
        return false;
    }

    /**
     * Reserves memory for a block that has not begun, after those reserved before: blocks take reserved flow sets in
     * this order. The receiver may have data written there before the block begins.
     *
     * @return a flow set; null if there is none
     */
    default @Nullable FlowSet reserve() {
        return null;
    }
}
