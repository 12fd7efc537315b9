package io.peregrine.verbs;

/**
 * The work that is posted on one queue. A failed completion does not say what the work was, so the number that travels
 * with it is the place where that is written down: a slot in the low half, the operation in the high half.
 */
final class WorkSlots {
    /** Operation: a send. */
    static final int SEND = 1;
    /** Operation: a write. */
    static final int WRITE = 2;
    /** Operation: a receive. */
    static final int RECEIVE = 3;
    /** Operation: a read. */
    static final int READ = 4;

    private final long[] workIds;
    private final int[] free;
    private int freeCount;

    WorkSlots(int depth) {
        workIds = new long[depth];
        free = new int[depth];
        for (int i = 0; i < depth; i++) {
            free[i] = depth - 1 - i;
        }
        freeCount = depth;
    }

    /** The number to post work with; -1 when as much is posted as may be. */
    synchronized long take(long workId, int operation) {
        if (freeCount == 0) {
            return -1;
        }
        int slot = free[--freeCount];
        workIds[slot] = workId;
        return (long) operation << 32 | slot;
    }

    /** Takes back a number, of work that ended or could not be posted. */
    synchronized long release(long number) {
        int slot = (int) number;
        if (slot < 0 || slot >= workIds.length || freeCount == free.length) {
            return 0;
        }
        free[freeCount++] = slot;
        return workIds[slot];
    }

    /** The operation in a number. */
    static int operation(long number) {
        return (int) (number >>> 32);
    }

    /** How much is posted. */
    synchronized int posted() {
        return workIds.length - freeCount;
    }
}
