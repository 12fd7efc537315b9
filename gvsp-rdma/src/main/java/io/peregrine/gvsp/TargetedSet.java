package io.peregrine.gvsp;

import io.peregrine.stream.engine.FlowSet;

/** Flow 0 of a flow set that the adapter may write: which part of it posted receives name. */
final class TargetedSet {
    private final FlowSet set;
    private final long address;
    private final int key;

    /** Receives that name a place in it, all of them between two offsets. */
    private int receives;

    private long from;
    private long to;
    /** Writes that wait for the adapter. */
    private int deferred;
    /** Whether it takes no more receives in this block's turn: others of an earlier turn are still posted. */
    private boolean shut;

    TargetedSet(FlowSet set, long address, int key) {
        this.set = set;
        this.address = address;
        this.key = key;
    }

    FlowSet set() {
        return set;
    }

    long address(long offset) {
        return address + offset;
    }

    int key() {
        return key;
    }

    /** A block is expected to use the flow set next. */
    void expected() {
        shut = busy();
    }

    /** Takes no more receives until it is expected again. */
    void shut() {
        shut = true;
    }

    /** Whether a receive may name a place, which must be after all named before. */
    boolean takes(long offset, int lengthBytes) {
        FlowSet.State state = set.state();
        return !shut
                // In any other state the user has it, or soon will. What was received is not written again.
                && (state == FlowSet.State.QUEUED || (state == FlowSet.State.FILLING && offset >= set.receivedEnd(0)))
                && (receives == 0 || offset >= to)
                && lengthBytes <= set.flowSizeBytes(0) - offset;
    }

    /** A receive that names a place was posted. */
    void posted(long offset, int lengthBytes) {
        if (receives++ == 0) {
            from = offset;
        }
        to = offset + lengthBytes;
    }

    /** The oldest receive ended, and what it left in its place is known. */
    void ended(long offset, int lengthBytes) {
        receives--;
        from = offset + lengthBytes;
    }

    /** Whether a receive that is still posted may write to a part. */
    boolean writes(long offset, long lengthBytes) {
        return receives > 0 && offset < to && offset + lengthBytes > from;
    }

    void deferred(int more) {
        deferred += more;
    }

    boolean hasDeferred() {
        return deferred > 0;
    }

    /** Whether anything may still be written. */
    boolean busy() {
        return receives > 0 || deferred > 0;
    }
}
