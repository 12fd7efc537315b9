package io.peregrine.gvsp;

/** The last blocks that left, to tell late packets from a device that restarted its block ids. */
final class ClosedBlocks {
    static final int CAPACITY = 64;

    private final long[] sequences = new long[CAPACITY];
    private final long[] timestamps = new long[CAPACITY];
    private final long[] leftAt = new long[CAPACITY];
    private final boolean[] hadLeader = new boolean[CAPACITY];
    private final boolean[] hadFlowSet = new boolean[CAPACITY];
    private final long retentionNanos;
    private int count;
    private int next;

    /**
     * Knows no block.
     *
     * @param retentionNanos how long packets of a block may come late
     */
    ClosedBlocks(long retentionNanos) {
        this.retentionNanos = retentionNanos;
    }

    void clear() {
        count = 0;
        next = 0;
    }

    void add(OpenBlock block, long nowNanos) {
        sequences[next] = block.sequence();
        timestamps[next] = block.leaderTicks();
        leftAt[next] = nowNanos;
        hadLeader[next] = block.leaderSeen();
        hadFlowSet[next] = block.hadFlowSet() || block.placeholder();
        next = (next + 1) % CAPACITY;
        count = Math.min(count + 1, CAPACITY);
    }

    /** Index of a block, for the other methods; -1 if it is not one of the last. */
    int find(long sequence) {
        for (int i = 0; i < count; i++) {
            if (sequences[i] == sequence) {
                return i;
            }
        }
        return -1;
    }

    /** Whether a leader is not that of the block: it has another time, or none and the block left long ago. */
    boolean hadOtherLeader(int index, long timestamp, long nowNanos) {
        return timestamps[index] == timestamp
                ? timestamp == 0 && nowNanos - leftAt[index] > retentionNanos
                : hadLeader[index];
    }

    boolean hadFlowSet(int index) {
        return hadFlowSet[index];
    }
}
