package io.peregrine.gvsp;

/** The last blocks that left, to tell late packets from a device that restarted its block ids. */
final class ClosedBlocks {
    static final int CAPACITY = 64;

    private final long[] sequences = new long[CAPACITY];
    private final long[] timestamps = new long[CAPACITY];
    private final boolean[] hadLeader = new boolean[CAPACITY];
    private final boolean[] hadFlowSet = new boolean[CAPACITY];
    private int count;
    private int next;

    void clear() {
        count = 0;
        next = 0;
    }

    void add(OpenBlock block) {
        sequences[next] = block.sequence();
        timestamps[next] = block.leaderTicks();
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

    /** Whether its leader came, and had another time. */
    boolean hadOtherLeader(int index, long timestamp) {
        return hadLeader[index] && timestamps[index] != timestamp;
    }

    boolean hadFlowSet(int index) {
        return hadFlowSet[index];
    }
}
