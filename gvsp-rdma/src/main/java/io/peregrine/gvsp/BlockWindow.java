package io.peregrine.gvsp;

import io.peregrine.stream.engine.FlowSet;
import org.jspecify.annotations.Nullable;

/**
 * Which blocks are open, in which order they leave, and which left last. Blocks have positions on an axis that does not
 * wrap, counted from the newest block so far. Allocates nothing after it is made.
 */
final class BlockWindow {
    /** Larger steps between block ids are steps backwards. */
    static final int MAX_GAP = 32767;
    /** Standard block ids go from 1 to 65535 and then to 1 again. */
    private static final int STANDARD_BLOCK_IDS = 65535;

    /** From the oldest to the newest. */
    private final OpenBlock[] blocks;

    private int count;

    /** Those that are neither open nor have a flow set whose block they describe. */
    private final OpenBlock[] unused;

    private int unusedCount;

    /** Which block describes what a flow set holds. */
    private final OpenBlock[] infoOwners;

    private boolean haveNewest;
    private boolean extendedIds;
    private long newestId;
    private long newestSequence;
    private boolean haveRetired;
    private long retiredSequence;
    private boolean haveDelivered;
    /** Of the newest block that was delivered. */
    private long deliveredSequence;

    private final ClosedBlocks closed;

    BlockWindow(GvspSettings settings, int flowSets, PayloadPlacement.Stream stream) {
        int openBlocks = settings.openBlocks();
        closed = new ClosedBlocks(settings.frameRetention().toNanos());
        blocks = new OpenBlock[openBlocks];
        infoOwners = new OpenBlock[flowSets];
        unused = new OpenBlock[openBlocks + flowSets];
        for (unusedCount = 0; unusedCount < unused.length; unusedCount++) {
            unused[unusedCount] = new OpenBlock(stream);
        }
    }

    // ---- Open blocks

    /** Number of blocks that are open or wait for their turn. */
    int count() {
        return count;
    }

    /** How many can be open. */
    int capacity() {
        return blocks.length;
    }

    /** An open block, the oldest at 0. */
    OpenBlock get(int index) {
        return blocks[index];
    }

    /** The newest open block; null if none is. */
    @Nullable
    OpenBlock newest() {
        return count == 0 ? null : blocks[count - 1];
    }

    /** The newest open block, if more of it is to come; null if not. */
    @Nullable
    OpenBlock underWay() {
        OpenBlock newest = newest();
        return newest == null || newest.finished() || newest.placeholder() ? null : newest;
    }

    @Nullable
    OpenBlock find(long blockId) {
        // To 0 with i >= 0, the JVM compiles a check in that fails when no block is open, and discards the code.
        int index = count;
        while (index > 0) {
            index--;
            if (blocks[index].blockId() == blockId) {
                return blocks[index];
            }
        }
        return null;
    }

    /** How many of the blocks older than an open one have ended, and wait with their memory for others. */
    int heldUpBefore(OpenBlock block) {
        int held = 0;
        for (int i = 0; blocks[i] != block; i++) {
            if (blocks[i].waits()) {
                held++;
            }
        }
        return held;
    }

    /** How many blocks the oldest of those waits for. */
    int holdingUp() {
        int first = 0;
        while (!blocks[first].waits()) {
            first++;
        }
        return first;
    }

    /** Opens a block at its place among the others, for which there is room. Older ones are overtaken by it. */
    OpenBlock insert(long blockId, long sequence, boolean extended, long nowNanos) {
        OpenBlock block = unused[--unusedCount];
        int place = count;
        while (place > 0 && sequence - blocks[place - 1].sequence() < 0) {
            blocks[place] = blocks[place - 1];
            place--;
        }
        blocks[place] = block;
        count++;
        block.open(blockId, sequence, extended, nowNanos);
        if (place < count - 1) {
            block.overtaken(nowNanos);
        }
        for (int i = 0; i < place; i++) {
            blocks[i].overtaken(nowNanos);
        }
        return block;
    }

    /**
     * The block is what the flow set holds from now on, and is delivered. The one that described it before is free.
     *
     * @return whether a newer one was delivered before
     */
    boolean describe(FlowSet set, OpenBlock block) {
        OpenBlock last = infoOwners[set.index()];
        infoOwners[set.index()] = block;
        set.times().packets(block.openedAt(), block.lastUsefulAt());
        if (last != null && last.retired()) {
            unused[unusedCount++] = last;
        }
        boolean overtaken = haveDelivered && block.sequence() - deliveredSequence < 0;
        if (!overtaken) {
            haveDelivered = true;
            deliveredSequence = block.sequence();
        }
        return overtaken;
    }

    /** Blocks without one between this and the last that left; 0 if none left before. */
    long gapBefore(OpenBlock block) {
        long gap = haveRetired ? block.sequence() - retiredSequence - 1 : 0;
        return gap <= MAX_GAP ? gap : 0;
    }

    /** Notes that the oldest block of those that have not left does so; {@link #removeOldest} takes it away. */
    void retire(OpenBlock block, long nowNanos) {
        haveRetired = true;
        retiredSequence = block.sequence();
        closed.add(block, nowNanos);
        block.retire();
        FlowSet set = block.flowSet();
        if (set == null || infoOwners[set.index()] != block) {
            unused[unusedCount++] = block;
        }
    }

    void removeOldest(int number) {
        count -= number;
        System.arraycopy(blocks, number, blocks, 0, count);
    }

    // ---- Order

    /** Whether the device uses another form of ids than before. */
    boolean changesForm(boolean extended) {
        return haveNewest && extended != extendedIds;
    }

    /** Position of a block. */
    long sequenceOf(long blockId, boolean extended) {
        if (!haveNewest) {
            return blockId;
        }
        if (extended) {
            long distance = blockId - newestId;
            boolean forward = distance > 0;
            boolean wraps = forward == Long.compareUnsigned(blockId, newestId) < 0;
            return newestSequence + (wraps && distance != 0 ? distance - (forward ? 1 : -1) : distance);
        }
        int distance = Math.floorMod((int) (blockId - newestId), STANDARD_BLOCK_IDS);
        return newestSequence + (distance > MAX_GAP ? distance - STANDARD_BLOCK_IDS : distance);
    }

    /** Id of the block that is that many before another one. No block has the id 0. */
    static long idBefore(long blockId, long back, boolean extended) {
        long id = blockId - back;
        if (extended) {
            return Long.compareUnsigned(blockId, back) > 0 ? id : id - 1;
        }
        return id >= 1 ? id : id + STANDARD_BLOCK_IDS;
    }

    /** Whether a block is older than one that left. */
    boolean hasLeft(long sequence) {
        return haveRetired && sequence - retiredSequence <= 0;
    }

    /** Whether the leader of a block that {@linkplain #hasLeft left} shows that the device restarted its ids. */
    boolean restarted(long blockId, long sequence, long leaderTicks, long nowNanos) {
        int index = closed.find(sequence);
        return index >= 0
                ? closed.hadOtherLeader(index, leaderTicks, nowNanos)
                : blockId == 1 || retiredSequence - sequence > ClosedBlocks.CAPACITY;
    }

    /** Whether a block that left was dropped for lack of a flow set, as far as that is known. */
    boolean leftWithoutFlowSet(long sequence) {
        int index = closed.find(sequence);
        return index >= 0 && !closed.hadFlowSet(index);
    }

    boolean isNewer(long sequence) {
        return !haveNewest || sequence - newestSequence > 0;
    }

    /** Blocks between the newest and one that is newer. The first block of a stream has the id 1. */
    long skippedBefore(long blockId, long sequence) {
        return haveNewest ? sequence - newestSequence - 1 : blockId - 1;
    }

    long newestSequence() {
        return newestSequence;
    }

    /** A block is the newest from now on. */
    void advance(long blockId, long sequence, boolean extended) {
        haveNewest = true;
        extendedIds = extended;
        newestId = blockId;
        newestSequence = sequence;
    }

    /** Nothing is compared with what was before. */
    void restart() {
        haveNewest = false;
        haveRetired = false;
        haveDelivered = false;
        closed.clear();
    }
}
