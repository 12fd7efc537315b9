package io.peregrine.stream.engine;

import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.ByteRange;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Memory for one block: one page aligned segment per flow, used again and again.
 *
 * <p>A flow set is always in exactly one {@link State}; a move that its life does not know throws. The receiver writes
 * only while it is {@link State#FILLING}; the user reads only while it is {@link State#LEASED}. By RDMA the device may
 * write from {@link State#QUEUED} on, once the flow set was announced to it.
 */
public final class FlowSet {

    /** Where a flow set is in its life. */
    public enum State {
        /** In the pool. */
        FREE,
        /** Handed to the receiver, not in use yet. */
        QUEUED,
        /** Being written by the receiver. */
        FILLING,
        /** Whole or given up, waiting for the user. */
        FILLED,
        /** Held by the user. */
        LEASED
    }

    private static final int FILL_BYTES = 16 << 10;

    private final int index;
    private final FlowSetPool pool;
    private final FlowSegment[] flows;
    private final Coverage[] coverage;
    private final AtomicReference<State> state = new AtomicReference<>(State.FREE);
    private final FrameTimes times = new FrameTimes();
    private volatile BlockInfo block;
    /** Describes what {@link #block} is when it is asked for; null while there is no block. */
    private volatile Supplier<BlockInfo> told;
    /** What the pool and the engine hand out, over and over. */
    private final Optional<FlowSet> present = Optional.of(this);
    /** Passed from lease to lease by {@link #state}. */
    private Object companion;

    FlowSet(int index, FlowSetPool pool, FlowSegment[] flows) {
        this.index = index;
        this.pool = pool;
        this.flows = flows;
        coverage = new Coverage[flows.length];
        for (int i = 0; i < flows.length; i++) {
            coverage[i] = new Coverage();
        }
    }

    /** Position of this flow set in its pool, from 0. */
    public int index() {
        return index;
    }

    /** The pool that it belongs to. */
    public FlowSetPool pool() {
        return pool;
    }

    /** Current state. */
    public State state() {
        return state.get();
    }

    /** Number of flows, at least 1. */
    public int flowCount() {
        return flows.length;
    }

    /** Size of a flow's segment in bytes. */
    public long flowSizeBytes(int flow) {
        return flows[flow].lengthBytes();
    }

    /** The memory of a flow. */
    public FlowSegment segment(int flow) {
        return flows[flow];
    }

    /**
     * The memory of a flow, from its first byte to its last. The same buffer object every time: use absolute access, or
     * make a duplicate.
     *
     * @throws io.peregrine.stream.StreamException if the flow is larger than a buffer can be, or the processor cannot
     *     reach it: use {@link #segment}
     */
    public ByteBuffer flow(int flow) {
        return flows[flow].whole();
    }

    /**
     * Address of a flow's first byte, for native code; empty where native access is not possible. The flow set must
     * stay reachable as long as the address is used.
     */
    public OptionalLong nativeAddress(int flow) {
        return flows[flow].address();
    }

    /** Number of different bytes received in a flow. */
    public long filledBytes(int flow) {
        return coverage[flow].bytes();
    }

    /** End of the last byte received in a flow; 0 if there is none. */
    public long receivedEnd(int flow) {
        return coverage[flow].end();
    }

    /**
     * Whether every byte of a range was received.
     *
     * @param flow flow id
     * @param offset first byte within the flow
     * @param lengthBytes number of bytes
     */
    public boolean covered(int flow, long offset, long lengthBytes) {
        return offset >= 0
                && lengthBytes >= 0
                && lengthBytes <= flows[flow].lengthBytes() - offset
                && coverage[flow].covers(offset, offset + lengthBytes);
    }

    /**
     * What was received of a range, in order.
     *
     * @param flow flow id
     * @param offset first byte within the flow
     * @param lengthBytes number of bytes
     * @return ranges within the flow
     */
    public List<ByteRange> received(int flow, long offset, long lengthBytes) {
        return coverage[flow].within(offset, offset + lengthBytes);
    }

    /**
     * Writes a value to every byte that was not received, so that nothing of an earlier block can be taken for this
     * one; but for memory that the processor cannot reach. Only for the one who leased the flow set.
     *
     * @param value what is written, 0 to 255
     */
    public void fillMissing(int value) {
        byte[] piece = new byte[FILL_BYTES];
        Arrays.fill(piece, (byte) value);
        for (int flow = 0; flow < flows.length; flow++) {
            if (flows[flow].hostAccess()) {
                long from = 0;
                for (ByteRange range : received(flow, 0, flows[flow].lengthBytes())) {
                    flows[flow].fill(from, range.offset(), piece);
                    from = range.end();
                }
                flows[flow].fill(from, flows[flow].lengthBytes(), piece);
            }
        }
    }

    /**
     * An object that is kept beside this memory, from one block to the next: made the first time, the same ever after.
     * Only for the one who leased the flow set.
     *
     * @param type what it is; one kind for a flow set
     * @param maker makes it
     */
    public <T> T companion(Class<T> type, Function<FlowSet, T> maker) {
        if (companion == null) {
            companion = maker.apply(this);
        }
        return type.cast(companion);
    }

    /** What the transport knows about the block in it. Only for a filled or leased flow set. */
    public BlockInfo block() {
        BlockInfo current = block;
        if (current == null) {
            Supplier<BlockInfo> teller = told;
            if (teller == null) {
                throw new IllegalStateException("Flow set " + index + " holds no block: it is " + state.get());
            }
            current = teller.get();
            block = current;
        }
        return current;
    }

    /** When the block in it passed the stations on its way to the user. */
    public FrameTimes times() {
        return times;
    }

    /** Notes that a range of a flow was written. Receiver only. */
    public void markReceived(int flow, long offset, long lengthBytes) {
        coverage[flow].add(offset, offset + lengthBytes);
    }

    /** Forgets what was received in every flow, for a block that must be placed again. Receiver only, while filling. */
    public void forgetReceived() {
        if (state.get() != State.FILLING) {
            throw new IllegalStateException("Flow set " + index + " is " + state.get() + " and not FILLING");
        }
        for (Coverage range : coverage) {
            range.clear();
        }
    }

    /** QUEUED to FILLING: the receiver begins a block in it. */
    public void beginFilling() {
        move(State.QUEUED, State.FILLING);
        forgetBlock();
        times.clear();
        for (Coverage range : coverage) {
            range.clear();
        }
    }

    /** FILLING back to QUEUED: the block is given up and its bytes are forgotten. */
    public void abandonFilling() {
        move(State.FILLING, State.QUEUED);
    }

    /** FILLING to FILLED: the receiver is done with the block. */
    public void finishFilling(BlockInfo info) {
        Objects.requireNonNull(info, "info");
        finishFilling(() -> info);
    }

    /**
     * FILLING to FILLED: the receiver is done with the block.
     *
     * @param info describes the block, on the thread of the user who asks. Until the flow set is filled again, what it
     *     reads must not change
     */
    public void finishFilling(Supplier<BlockInfo> info) {
        told = Objects.requireNonNull(info, "info");
        move(State.FILLING, State.FILLED);
    }

    private void forgetBlock() {
        block = null;
        told = null;
    }

    /** This flow set as a result that takes no memory. */
    Optional<FlowSet> present() {
        return present;
    }

    /** FILLED to LEASED: the user takes it. */
    public void lease() {
        move(State.FILLED, State.LEASED);
        times.taken(System.nanoTime());
        pool.leased();
    }

    /** Ends the user's lease and returns the memory to its pool. */
    public void release() {
        move(State.LEASED, State.FREE);
        forgetBlock();
        pool.returned(this);
    }

    /** FILLED to FREE: no one takes it, because a newer one is filled. */
    void skip() {
        move(State.FILLED, State.FREE);
        forgetBlock();
        pool.skipped(this);
    }

    /** FREE to QUEUED: the pool hands it to the receiver. */
    void queue() {
        move(State.FREE, State.QUEUED);
    }

    /** Any receiver side state back to FREE, when the stream ends. Not for a flow set that the user holds. */
    boolean reclaim(boolean filledToo) {
        while (true) {
            State current = state.get();
            if (current == State.LEASED || current == State.FREE || (current == State.FILLED && !filledToo)) {
                return false;
            }
            if (state.compareAndSet(current, State.FREE)) {
                forgetBlock();
                return true;
            }
        }
    }

    private void move(State from, State to) {
        if (!state.compareAndSet(from, to)) {
            throw new IllegalStateException(
                    "Flow set " + index + " is " + state.get() + " and cannot go from " + from + " to " + to);
        }
    }

    @Override
    public String toString() {
        return "FlowSet[" + index + ", " + state.get() + ", " + flows.length + " flows]";
    }
}
