package io.peregrine.rdma;

import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.PayloadType;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.FrameTimes;
import io.peregrine.stream.engine.StreamCounters;
import io.peregrine.stream.engine.StreamEngine;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The flow sets that the device may fill, and what it says about them: checks each message against what was announced,
 * and delivers or drops the block that it ends. Guarded by the lock of its source.
 */
final class RdmaBlocks implements GvrspEvents {
    /** Larger steps of the block id are a restart rather than lost blocks. */
    private static final long MAX_GAP = 1L << 32;
    /** Flow sets that a device needs at least, if there are not twice as many and more: then half of them. */
    private static final int ENOUGH = 4;
    /** The part of all flow sets that waits at most: what the device lacks while this process is held up. */
    private static final int WAITING_PART = 4;

    private final FlowSetPool pool;
    private final FlowSet[] sets;
    /** The first window of flow 0 of each flow set, little-endian. */
    private final ByteBuffer[] heads;

    private final StreamCounters counters;
    private final LongConsumer droppedByDevice;
    private final Runnable blockComplete;
    private final ContainerView container = new ContainerView();
    private final boolean[] announced;
    private final AtomicInteger announcedCount = new AtomicInteger();
    /** Free flow sets that are not announced; for a moment perhaps one that is counted too many. */
    private final AtomicInteger waiting = new AtomicInteger();

    private final ArrayDeque<FlowSet> ready;
    private @Nullable StreamEngine engine;

    /** How the device broke the protocol; null while it did not. */
    private @Nullable String breach;

    // The block that ends next.
    private boolean tooLarge;
    private boolean reported;
    private int status;
    private long reportedId;
    private long reportedBytes;

    private boolean haveLastId;
    private long lastId;
    /** Blocks since then whose id is unknown. */
    private long unusable;

    /**
     * Makes a set of blocks, none of which is announced.
     *
     * @param pool flow sets to fill
     * @param counters takes the counts
     * @param droppedByDevice takes the number of blocks that the device dropped since the run began
     * @param blockComplete runs after each complete block
     */
    RdmaBlocks(FlowSetPool pool, StreamCounters counters, LongConsumer droppedByDevice, Runnable blockComplete) {
        this.pool = pool;
        this.counters = counters;
        this.droppedByDevice = droppedByDevice;
        this.blockComplete = blockComplete;
        sets = pool.flowSets().toArray(new FlowSet[0]);
        heads = new ByteBuffer[sets.length];
        for (int i = 0; i < sets.length; i++) {
            heads[i] = sets[i].segment(0).window(0).duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
        }
        announced = new boolean[sets.length];
        ready = new ArrayDeque<>(sets.length);
    }

    /** A run begins. */
    void begin(StreamEngine by) {
        engine = by;
        haveLastId = false;
        unusable = 0;
        forget();
    }

    /** The flow sets belong to the engine again. */
    void forget() {
        Arrays.fill(announced, false);
        announcedCount.set(0);
        waiting.set(sets.length);
        ready.clear();
    }

    /** A connection begins. */
    void connected() {
        breach = null;
        clearBlock();
    }

    @Nullable
    String breach() {
        return breach;
    }

    // ---- announcing

    /**
     * A flow set is free again. Any thread.
     *
     * @return whether to announce it at once, since the device has not enough
     */
    boolean returned() {
        waiting.incrementAndGet();
        return !deviceHasEnough();
    }

    private boolean deviceHasEnough() {
        return announcedCount.get() >= Math.max(ENOUGH, sets.length / 2);
    }

    /**
     * Whether to announce what is free. While the device has enough it waits, to be announced together: each message
     * costs both sides a wake-up, and another for its acknowledgement. But not many wait.
     */
    boolean announcementDue() {
        int count = waiting.get();
        return count > 0 && (count >= sets.length / WAITING_PART || !deviceHasEnough());
    }

    /** Announcing begins; {@link #announcingEnds} must follow. */
    void announcingBegins() {
        waiting.set(0);
        // After that, so that none is missing that comes back meanwhile.
        Optional<FlowSet> free = pool.take();
        while (free.isPresent()) {
            ready.add(free.get());
            free = pool.take();
        }
    }

    /** The next flow set to announce; null when there is none. */
    @Nullable
    FlowSet nextFree() {
        return ready.poll();
    }

    /** What was not announced goes on waiting. */
    void announcingEnds() {
        waiting.addAndGet(ready.size());
    }

    private void free(FlowSet set) {
        ready.add(set);
        waiting.incrementAndGet();
    }

    /** The device may fill it from now on. */
    void announced(FlowSet set) {
        announced[set.index()] = true;
        announcedCount.incrementAndGet();
    }

    private void taken(int set) {
        announced[set] = false;
        announcedCount.decrementAndGet();
    }

    /** The connection has ended: a block that began is delivered as incomplete, all else is free. */
    void giveBack(IncompleteCause cause) {
        for (int i = 0; i < sets.length; i++) {
            if (!announced[i]) {
                continue;
            }
            taken(i);
            if (sets[i].state() == FlowSet.State.FILLING) {
                finish(sets[i], Optional.of(cause));
            } else {
                free(sets[i]);
            }
        }
        clearBlock();
    }

    // ---- what the device says

    @Override
    public void flowDone(long setId, int flow, long lengthBytes) {
        FlowSet set = announcedSet(setId);
        if (set == null) {
            return;
        }
        if (set.state() == FlowSet.State.QUEUED) {
            set.beginFilling();
            clearBlock();
        }
        long stored = Math.min(lengthBytes, set.flowSizeBytes(flow));
        tooLarge |= lengthBytes > stored;
        set.markReceived(flow, 0, stored);
        counters.add(Counter.BYTES_RECEIVED, stored);
    }

    @Override
    public void blockReported(long setId, int deviceStatus, long blockId, long totalBytes, long blocksDropped) {
        reported = true;
        status = deviceStatus;
        reportedId = blockId;
        reportedBytes = totalBytes;
        droppedByDevice.accept(blocksDropped);
    }

    @Override
    public void blockDone(long setId) {
        FlowSet set = announcedSet(setId);
        if (set == null) {
            return;
        }
        taken(set.index());
        finish(set, Optional.empty());
        clearBlock();
    }

    @Override
    public void broken(String reason) {
        if (breach == null) {
            breach = reason;
            counters.increment(Counter.MESSAGES_MALFORMED);
        }
    }

    /** The flow set that the device means; null if it must not fill it, which breaks the protocol. */
    private @Nullable FlowSet announcedSet(long setId) {
        if (breach != null) {
            return null;
        }
        if (setId < 0 || setId >= sets.length || !announced[(int) setId]) {
            broken("it filled flow set " + setId + ", which was not announced");
            return null;
        }
        return sets[(int) setId];
    }

    private void clearBlock() {
        tooLarge = false;
        reported = false;
        status = 0;
        reportedId = 0;
        reportedBytes = 0;
    }

    // ---- the end of a block

    /** Delivers a block, or drops it when nothing says which it was. The flow set is filling. */
    private void finish(FlowSet set, Optional<IncompleteCause> end) {
        ContainerView.Finding finding = container.read(heads[set.index()], set);
        boolean readable = finding != ContainerView.Finding.UNREADABLE;
        if (!readable && !(reported && status != 0)) {
            set.abandonFilling();
            free(set);
            counters.increment(Counter.FRAMES_DROPPED_UNUSABLE);
            unusable++;
            return;
        }
        long total = 0;
        for (int flow = 0; flow < set.flowCount(); flow++) {
            total += set.filledBytes(flow);
        }
        long blockId = readable ? container.blockId() : reportedId;
        Optional<IncompleteCause> cause = end.isPresent() ? end : cause(finding, blockId, total);
        set.finishFilling(new BlockInfo(
                blockId,
                PayloadType.GENDC,
                container.timestampTicks(),
                total,
                Optional.empty(),
                container.descriptorBytes(),
                cause,
                0));
        set.times().received(engine.source().name(), FrameTimes.UNKNOWN);
        noteBlockId(blockId);
        if (cause.isEmpty()) {
            blockComplete.run();
            counters.increment(Counter.FRAMES_COMPLETE);
        } else {
            counters.incomplete(cause.get());
        }
        engine.deliver(set);
    }

    private Optional<IncompleteCause> cause(ContainerView.Finding finding, long blockId, long total) {
        if (status != 0) {
            return Optional.of(IncompleteCause.DEVICE_ERROR);
        }
        if (tooLarge) {
            return Optional.of(IncompleteCause.DATA_LARGER_THAN_FLOW_SET);
        }
        if (finding == ContainerView.Finding.CONTRADICTION
                || (reported && (reportedId != blockId || reportedBytes != total))) {
            return Optional.of(IncompleteCause.CONTRADICTION);
        }
        return finding == ContainerView.Finding.DATA_MISSING
                ? Optional.of(IncompleteCause.DATA_MISSING)
                : Optional.empty();
    }

    private void noteBlockId(long blockId) {
        long step = blockId - lastId;
        if (haveLastId && step > 1 && step <= MAX_GAP) {
            // Those that came and could not be used are counted already.
            counters.add(Counter.BLOCK_ID_GAPS, Math.max(0, step - 1 - unusable));
        }
        unusable = 0;
        haveLastId = true;
        lastId = blockId;
    }
}
