package io.peregrine.stream.engine;

import io.peregrine.nativeio.PageMemory;
import io.peregrine.stream.FlowMemory;
import io.peregrine.stream.StreamException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of flow sets of the same shape, outside the heap, on page boundaries: allocated once, or of the user's
 * memory.
 */
public final class FlowSetPool {
    /** Alignment of every flow in bytes. */
    public static final int ALIGNMENT_BYTES = FlowMemory.ALIGNMENT_BYTES;

    private static final int MAX_COUNT = 4096;

    private final long[] flowSizes;
    private final FlowSet[] sets;
    /** The one that came back last is taken first: more of it is in the processor's cache. */
    private final ConcurrentLinkedDeque<FlowSet> free = new ConcurrentLinkedDeque<>();

    private final AtomicInteger leased = new AtomicInteger();
    private volatile Runnable onReturn = () -> {};

    /** What the memory belongs to; null if to this pool. */
    private final @Nullable ExternalMemory external;

    FlowSetPool(long[] flowSizes, FlowSegment[][] segments, @Nullable ExternalMemory external) {
        this.flowSizes = flowSizes.clone();
        this.external = external;
        sets = new FlowSet[segments.length];
        for (int i = 0; i < sets.length; i++) {
            sets[i] = new FlowSet(i, this, segments[i]);
            free.add(sets[i]);
        }
    }

    private static FlowSegment[][] segments(int count, long[] flowSizes) {
        FlowSegment[][] segments = new FlowSegment[count][flowSizes.length];
        for (FlowSegment[] set : segments) {
            for (int flow = 0; flow < flowSizes.length; flow++) {
                int size = Math.toIntExact(flowSizes[flow]);
                ByteBuffer memory = memory(size + ALIGNMENT_BYTES, count, flowSizes);
                // Not alignedSlice: it also cuts the end to whole pages.
                int beyondBoundary = memory.alignmentOffset(0, ALIGNMENT_BYTES);
                ByteBuffer flowMemory = memory.slice((ALIGNMENT_BYTES - beyondBoundary) % ALIGNMENT_BYTES, size);
                set[flow] = FlowSegment.of(FlowMemory.of(flowMemory), size);
            }
        }
        return segments;
    }

    /** What was allocated before one that fails is reachable no more, and given back as soon as memory is short. */
    private static ByteBuffer memory(int bytes, int count, long[] flowSizes) {
        try {
            return PageMemory.allocate(bytes).orElseGet(() -> ByteBuffer.allocateDirect(bytes));
        } catch (OutOfMemoryError e) {
            long set = sizeWithPadding(flowSizes);
            long mebibytes = ((set * count) >> 20) + 1;
            throw new StreamException(
                    count + " flow sets of " + set + " bytes, " + set * count
                            + " bytes in all, do not fit into the direct memory of this program (" + e.getMessage()
                            + "): lower FlowSetCount, or start Java with -XX:MaxDirectMemorySize="
                            + mebibytes + "m and as much more as the rest of the program needs",
                    e);
        }
    }

    private static long sizeWithPadding(long[] flowSizesBytes) {
        return Arrays.stream(flowSizesBytes).map(size -> size + ALIGNMENT_BYTES).sum();
    }

    /**
     * Allocates a pool.
     *
     * @param count number of flow sets, 1 or more
     * @param flowSizesBytes size of each flow, in the order of flow ids; each between 1 byte and 2 GiB less a page
     * @param limitBytes most that may be allocated in all
     * @throws StreamException if the shape is not possible, larger than the limit, or larger than the memory that Java
     *     may use outside the heap ({@code -XX:MaxDirectMemorySize})
     */
    public static FlowSetPool allocate(int count, long[] flowSizesBytes, long limitBytes) {
        if (count < 1 || flowSizesBytes.length < 1) {
            throw new StreamException("A pool needs at least one flow set with at least one flow, not " + count
                    + " flow sets with " + flowSizesBytes.length + " flows");
        }
        long total = 0;
        for (long size : flowSizesBytes) {
            if (size < 1 || size > Integer.MAX_VALUE - ALIGNMENT_BYTES) {
                throw new StreamException("A flow of " + size + " bytes is not possible: 1 byte to 2 GiB less a page");
            }
            total = Math.addExact(total, size + ALIGNMENT_BYTES);
        }
        if (total > limitBytes / count) {
            throw new StreamException(count + " flow sets of " + total + " bytes are more than the limit of "
                    + limitBytes + " bytes: use fewer flow sets, or raise the limit");
        }
        return new FlowSetPool(flowSizesBytes, segments(count, flowSizesBytes), null);
    }

    /**
     * Most flow sets that a pool may have.
     *
     * @param flowSizesBytes size of each flow
     * @param limitBytes most that may be allocated in all
     */
    public static int mostCount(long[] flowSizesBytes, long limitBytes) {
        return (int) Math.min(MAX_COUNT, limitBytes / sizeWithPadding(flowSizesBytes));
    }

    /**
     * Checks the number of flow sets that a user asks for.
     *
     * @throws StreamException if it is not possible
     */
    public static void checkCount(int count) {
        if (count < 2 || count > MAX_COUNT) {
            throw new StreamException("A pool of " + count + " flow sets is not possible: give 2 to " + MAX_COUNT);
        }
    }

    /** Number of flow sets. */
    public int count() {
        return sets.length;
    }

    /** Sizes of the flows in bytes, in the order of flow ids. */
    public long[] flowSizesBytes() {
        return flowSizes.clone();
    }

    /** Number of flow sets that the user holds now. */
    public int leasedCount() {
        return leased.get();
    }

    /** Number of flow sets that can be taken now. */
    public int freeCount() {
        return free.size();
    }

    /** All flow sets, in the order of their index. */
    public List<FlowSet> flowSets() {
        return List.of(sets);
    }

    /** Takes a free flow set for the receiver; it is QUEUED then. */
    public Optional<FlowSet> take() {
        FlowSet set = free.poll();
        if (set == null) {
            return Optional.empty();
        }
        set.queue();
        return set.present();
    }

    /** Takes back every flow set that the receiver held when it ended; those that the user holds come back later. */
    public void reclaim() {
        reclaim(true);
    }

    /** Takes back what the receiver held when it ended, but for the filled flow sets that the user may still take. */
    public void reclaimUnfilled() {
        reclaim(false);
    }

    private void reclaim(boolean filledToo) {
        for (FlowSet set : sets) {
            if (set.reclaim(filledToo)) {
                free.add(set);
            }
        }
    }

    /**
     * Notifies a receiver that announces flow sets to its device when the user gives one back, or one is skipped. One
     * receiver at a time.
     *
     * @param listener called on the thread of the user, or of the receiver, after each flow set that can be taken
     *     again: never blocks
     */
    public void onReturn(Runnable listener) {
        onReturn = Objects.requireNonNull(listener, "listener");
    }

    /** Whether the memory is the user's. */
    public boolean isExternal() {
        return external != null;
    }

    /** Whether no flow set is in use, by a receiver or by the user. */
    public boolean idle() {
        return Arrays.stream(sets).allMatch(set -> set.state() == FlowSet.State.FREE);
    }

    /** Whether the processor can reach all of the memory. */
    public boolean hostAccess() {
        for (int flow = 0; flow < flowSizes.length; flow++) {
            for (FlowSet set : sets) {
                if (!set.segment(flow).hostAccess()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** A receiver begins to use the memory: its owner does not get it back before {@link #endUse}. */
    void beginUse() {
        if (external != null) {
            external.hold();
        }
    }

    /** Nothing of the receiver can write into the memory any more. */
    void endUse() {
        if (external != null) {
            external.release();
        }
    }

    void leased() {
        leased.incrementAndGet();
        beginUse();
    }

    void returned(FlowSet set) {
        // Counted after it can be taken: no flow set is with the user, or lost to the receiver, when the count is 0.
        free.addFirst(set);
        leased.decrementAndGet();
        onReturn.run();
        endUse();
    }

    void skipped(FlowSet set) {
        free.addFirst(set);
        onReturn.run();
    }
}
