package io.peregrine.gvsp;

import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where the blocks of a stream get their memory from: reserved flow sets first, then those of the pool. */
final class FlowSetSupply {
    /**
     * How often a batch of packets yields to the user without effect before blocks are dropped for lack of a flow set.
     */
    private static final int MAX_YIELDS = 8;

    private final FlowSetPool pool;
    private final Runnable yieldToConsumer;
    private final ArrayDeque<FlowSet> reserved;
    /** Taken from the pool and not needed. */
    private final ArrayDeque<FlowSet> spare;
    /** How often this batch yielded without effect. */
    private int yields;

    FlowSetSupply(FlowSetPool pool, Runnable yieldToConsumer) {
        this.pool = Objects.requireNonNull(pool, "pool");
        this.yieldToConsumer = yieldToConsumer;
        reserved = new ArrayDeque<>(pool.count() + 1);
        spare = new ArrayDeque<>(pool.count() + 1);
    }

    /** Takes memory for a block; null if there is none. */
    @Nullable
    FlowSet take() {
        FlowSet set = reserved.poll();
        if (set == null) {
            set = takeNow();
        }
        while (set == null && yields < MAX_YIELDS) {
            yields++;
            yieldToConsumer.run();
            set = pool.take().orElse(null);
            if (set != null) {
                yields = 0;
            }
        }
        return set;
    }

    private @Nullable FlowSet takeNow() {
        FlowSet set = spare.pollLast();
        return set != null ? set : pool.take().orElse(null);
    }

    /** How many can be taken before the user gives back another. */
    int free() {
        return reserved.size() + spare.size() + pool.freeCount();
    }

    /** Takes memory for a block that begins later, after those reserved before; null if there is none. */
    @Nullable
    FlowSet reserve() {
        FlowSet set = takeNow();
        if (set != null) {
            reserved.add(set);
        }
        return set;
    }

    /** Takes back memory of a block that cannot be used. */
    void giveBack(FlowSet set) {
        spare.add(set);
    }

    /** A batch of packets has ended. */
    void onTime() {
        yields = 0;
    }

    /** The owner of the pool takes back what is left. */
    void end() {
        reserved.clear();
        spare.clear();
    }
}
