package io.peregrine.gvsp;

import io.peregrine.stream.engine.FlowSet;

/** A flow set that the adapter may write: which parts of it posted receives name. */
final class TargetedSet {
    private final FlowSet set;
    private final long[] addresses;
    private final int[] keys;

    /** Receives that name a place in it. */
    private int receives;
    /** The same by flow, all of them between two offsets. */
    private final int[] flowReceives;

    private final long[] from;
    private final long[] to;
    /** Writes that wait for the adapter. */
    private int deferred;
    /** Whether it takes no more receives in this block's turn: others of an earlier turn are still posted. */
    private boolean shut;

    /**
     * Nothing is posted.
     *
     * @param addresses of the flows
     * @param keys with which receives name their memory
     */
    TargetedSet(FlowSet set, long[] addresses, int[] keys) {
        this.set = set;
        this.addresses = addresses;
        this.keys = keys;
        flowReceives = new int[keys.length];
        from = new long[keys.length];
        to = new long[keys.length];
    }

    FlowSet set() {
        return set;
    }

    long address(int flow, long offset) {
        return addresses[flow] + offset;
    }

    int key(int flow) {
        return keys[flow];
    }

    /** A block is expected to use the flow set next. */
    void expected() {
        shut = busy();
    }

    /** Takes no more receives until it is expected again. */
    void shut() {
        shut = true;
    }

    /** Whether a receive may name a place, which must be after all named before in its flow. */
    boolean takes(int flow, long offset, int lengthBytes) {
        FlowSet.State state = set.state();
        return !shut
                && flow < keys.length
                // In any other state the user has it, or soon will. What was received is not written again.
                && (state == FlowSet.State.QUEUED
                        || (state == FlowSet.State.FILLING && offset >= set.receivedEnd(flow)))
                && (flowReceives[flow] == 0 || offset >= to[flow])
                && lengthBytes <= set.flowSizeBytes(flow) - offset;
    }

    /** A receive that names a place was posted. */
    void posted(int flow, long offset, int lengthBytes) {
        receives++;
        if (flowReceives[flow]++ == 0) {
            from[flow] = offset;
        }
        to[flow] = offset + lengthBytes;
    }

    /** The oldest receive of a flow ended, and what it left in its place is known. */
    void ended(int flow, long offset, int lengthBytes) {
        receives--;
        flowReceives[flow]--;
        from[flow] = offset + lengthBytes;
    }

    /** Whether a receive that is still posted may write to a part. */
    boolean writes(int flow, long offset, long lengthBytes) {
        return flowReceives[flow] > 0 && offset < to[flow] && offset + lengthBytes > from[flow];
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
