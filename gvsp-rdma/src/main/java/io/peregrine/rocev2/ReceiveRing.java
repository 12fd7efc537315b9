package io.peregrine.rocev2;

import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaMemory;

/** Posted receives, in order; of one queue pair or shared by several. Guarded by the port's lock. */
final class ReceiveRing {
    private final long[] workIds;
    private final RdmaMemory[] memories;
    private final long[] offsets;
    private final int[] lengths;
    private final int depth;
    private final int mask;
    private long head;
    private long tail;

    ReceiveRing(int depth) {
        this.depth = depth;
        int capacity = Integer.highestOneBit(Math.max(1, depth - 1)) << 1;
        mask = capacity - 1;
        workIds = new long[capacity];
        memories = new RdmaMemory[capacity];
        offsets = new long[capacity];
        lengths = new int[capacity];
    }

    void post(long workId, RdmaMemory memory, long offset, int lengthBytes) {
        if (tail - head >= depth) {
            throw new RdmaException("The receive queue is full: " + depth + " receives are posted");
        }
        int i = (int) tail & mask;
        workIds[i] = workId;
        memories[i] = memory;
        offsets[i] = offset;
        lengths[i] = lengthBytes;
        tail++;
    }

    boolean isEmpty() {
        return head == tail;
    }

    /** Moves the oldest receive into a queue pair's own place. False when there is none. */
    boolean take(Taken target) {
        if (head == tail) {
            return false;
        }
        int i = (int) head & mask;
        target.workId = workIds[i];
        target.memory = memories[i];
        target.offset = offsets[i];
        target.length = lengths[i];
        memories[i] = null;
        head++;
        return true;
    }

    /** A receive that a queue pair has begun to fill. */
    static final class Taken {
        long workId;
        RdmaMemory memory;
        long offset;
        int length;
    }
}
