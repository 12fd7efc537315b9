package io.peregrine.gvsp;

/**
 * Keeps blocks whole when more comes than this host can take. The kernel then drops some packets of every block, so
 * that none is whole and everything that was received was received for nothing. Here instead a share of the blocks is
 * admitted, by their ids, and the kernel rejects the others at little cost. The share follows the outcome of those that
 * are admitted: it falls when many are damaged, and grows while they are whole, or none come: soon to where it fell
 * last, slowly there, and faster and faster beyond, up to all. While the receiver never takes all that has arrived
 * little is admitted, and then a bit less than before: what waited in a full buffer is old, has left the processor's
 * cache, and costs more than what comes.
 *
 * <p>It begins in an overload only, that is when the kernel drops packets again and again and blocks are damaged;
 * single ones are left to resending. Has no clock and no socket: returns which share to admit.
 */
final class OverloadShedding {
    /** At most that many blocks are judged together; half as many if all are whole. */
    private static final int WINDOW_BLOCKS = 32;
    /** The share falls when that many of them are damaged. A host that pauses for a moment damages a few in a row. */
    private static final int MANY = 6;
    /** It grows when no more than that are. */
    private static final int FEW = 2;

    /** It falls by an eighth; by a quarter and by half if nothing at all was whole, and again nothing was. */
    private static final int FALL_SHIFT = 3;

    private static final int MAX_FALL_SHIFT = 1;
    private static final int MAX_DRAIN_SHIFT = 2;
    /** A receiver that is not done once during that many blocks is behind. */
    private static final int BEHIND_BLOCKS = 8;
    /** An eighth is admitted then: as little as leaves something to judge, since there is work for a while. */
    private static final int DRAINING_SHIFT = 3;
    /** Beyond where it fell it grows by one of this many parts, then by twice as much and so on. */
    private static final int GROWTH_PARTS = 32;

    private static final int MAX_DOUBLINGS = 3;
    private static final int LITTLE = BlockNumber.ALL / 16;
    /** After a change, what made it necessary may last for a while. */
    private static final int SETTLING_BLOCKS = 12;
    /** After that many blocks without a fall, one from all may be due to a pause of the host alone. */
    private static final int LATELY_BLOCKS = 256;
    /** It also grows after a time without damage, for devices that begin to pause between blocks. */
    private static final long CALM_NANOS = 250_000_000L;

    private int share;
    /** What the receiver admits; the share once it was set. */
    private int letIn;

    private long settledFrom;
    /** The same when nothing of what came before a change is left in the buffer. */
    private long settledWhenCaughtUp;

    private int ended;
    private int damaged;
    /** Whether the receiver has not taken all that arrived since the blocks began that are judged now. */
    private boolean behind;
    /** Whether less is admitted until the receiver has caught up. */
    private boolean draining;
    /** What is admitted then. */
    private int resumeAt;
    /** By how much less than before; by more if it did not grow beyond that since. */
    private int drainShift;

    private boolean calm;
    private long calmSince;
    /** Where the share fell last. */
    private int ceiling;

    private int sinceFall;

    private int fallShift;
    private int doublings;

    OverloadShedding() {
        reset();
    }

    /** All blocks are admitted again, and nothing is known. */
    void reset() {
        share = BlockNumber.ALL;
        letIn = BlockNumber.ALL;
        settledFrom = Long.MIN_VALUE;
        settledWhenCaughtUp = Long.MIN_VALUE;
        ceiling = BlockNumber.ALL;
        sinceFall = LATELY_BLOCKS;
        fallShift = FALL_SHIFT;
        doublings = 0;
        calm = false;
        draining = false;
        drainShift = FALL_SHIFT;
        beginWindow();
    }

    /** The share of blocks to admit, see {@link BlockNumber#isIn}. */
    int share() {
        return share;
    }

    /**
     * The share is admitted from now on. What is in the socket's buffer came before.
     *
     * @param newestSequence position of the newest block that was seen
     * @param bufferedBlocks how many blocks the buffer may hold
     */
    void applied(long newestSequence, long bufferedBlocks) {
        letIn = share;
        settledWhenCaughtUp = newestSequence + SETTLING_BLOCKS;
        settledFrom = settledWhenCaughtUp + bufferedBlocks * BlockNumber.ALL / share;
    }

    /** Whether a block that did not come may have been shed. */
    boolean mayHaveShed(long sequence) {
        return share < BlockNumber.ALL || letIn != share || sequence < settledFrom;
    }

    /** Whether so little is admitted that what is still missing was hardly lost for lack of room. */
    boolean letsInLittle() {
        return share <= LITTLE && !draining;
    }

    /** Whether blocks are shed about there for lack of room, so that there is none for answers to requests either. */
    boolean leavesNoRoom(long sequence) {
        return mayHaveShed(sequence) && !letsInLittle();
    }

    /** Positions begin again. */
    void renumbered() {
        settledFrom = Long.MIN_VALUE;
        settledWhenCaughtUp = Long.MIN_VALUE;
    }

    /**
     * A block ended.
     *
     * @param sequence its position
     * @param blockId its id
     * @param whole whether nothing of it was lost here
     * @param overloaded whether the kernel dropped packets again and again recently
     */
    void ended(long sequence, long blockId, boolean whole, boolean overloaded) {
        sinceFall = Math.min(LATELY_BLOCKS, sinceFall + 1);
        if (share == BlockNumber.ALL && !overloaded) {
            beginWindow();
            return;
        }
        if (!BlockNumber.isIn(blockId, share)) {
            return;
        }
        calm &= whole;
        if (letIn != share || sequence < settledFrom) {
            return;
        }
        ended++;
        if (!whole) {
            damaged++;
        }
        if (damaged == MANY) {
            if (behind) {
                drain();
            } else {
                fall();
            }
        } else if (behind && share < BlockNumber.ALL && ended == BEHIND_BLOCKS) {
            drain();
        } else if (ended == (damaged == 0 ? WINDOW_BLOCKS / 2 : WINDOW_BLOCKS)) {
            if (damaged <= FEW) {
                grow();
            }
            beginWindow();
        }
    }

    /** The receiver took all that had arrived. */
    void caughtUp() {
        behind = false;
        if (letIn == share) {
            settledFrom = settledWhenCaughtUp;
        }
        if (draining) {
            draining = false;
            doublings = 0;
            share = resumeAt;
            beginWindow();
        }
    }

    /** Lets time pass. */
    void onTime(long nowNanos) {
        if (share == BlockNumber.ALL) {
            calm = false;
        } else if (!calm) {
            calm = true;
            calmSince = nowNanos;
        } else if (!behind && nowNanos - calmSince >= CALM_NANOS) {
            calmSince = nowNanos;
            grow();
            beginWindow();
        }
    }

    private void fall() {
        // Then it goes back at once if all is well.
        boolean first = fallsFirst();
        ceiling = first ? 0 : share;
        doublings = first ? MAX_DOUBLINGS : 0;
        sinceFall = 0;
        int to = share - (share >> fallShift) - 1;
        fallShift = damaged == ended ? Math.max(MAX_FALL_SHIFT, fallShift - 1) : FALL_SHIFT;
        share = Math.max(1, to);
        beginWindow();
    }

    /** Whether nothing was shed recently: a pause of the host may be the only cause. */
    private boolean fallsFirst() {
        return share == BlockNumber.ALL && sinceFall == LATELY_BLOCKS;
    }

    private void drain() {
        if (!draining) {
            draining = true;
            ceiling = share;
            if (fallsFirst()) {
                resumeAt = share;
            } else {
                resumeAt = share - (share >> drainShift);
                drainShift = MAX_DRAIN_SHIFT;
            }
        }
        sinceFall = 0;
        share = Math.max(1, share >> DRAINING_SHIFT);
        beginWindow();
    }

    private void grow() {
        fallShift = FALL_SHIFT;
        int by;
        if (share < ceiling) {
            by = Math.max(1, (ceiling - share) / 2);
        } else {
            by = (1 + share / GROWTH_PARTS) << doublings;
            doublings = Math.min(doublings + 1, MAX_DOUBLINGS);
            drainShift = FALL_SHIFT;
        }
        share = Math.min(BlockNumber.ALL, share + by);
    }

    private void beginWindow() {
        ended = 0;
        damaged = 0;
        behind = true;
    }
}
