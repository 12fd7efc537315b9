package io.peregrine.device;

import io.peregrine.stream.StreamException;
import io.peregrine.stream.engine.FlowSetPool;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The flow sets of one stream, kept from one run to the next where they fit. Guarded by the stream. */
final class StreamPool {
    private final long memoryLimitBytes;
    private final BooleanSupplier keepsLeased;
    private Optional<FlowSetPool> pool = Optional.empty();
    private int count;

    /**
     * Allocates nothing yet.
     *
     * @param count number of flow sets
     * @param keepsLeased whether a pool is kept of which frames are in use
     */
    StreamPool(int count, long memoryLimitBytes, BooleanSupplier keepsLeased) {
        this.count = count;
        this.memoryLimitBytes = memoryLimitBytes;
        this.keepsLeased = keepsLeased;
    }

    int count() {
        return count;
    }

    void resize(int newCount) {
        if (newCount < 2 || newCount > 4096) {
            throw new StreamException("A pool of " + newCount + " flow sets is not possible: give 2 to 4096");
        }
        count = newCount;
    }

    /** The present pool. */
    FlowSetPool present() {
        return pool.orElseThrow(() -> new StreamException("The flow sets are allocated when the stream is started"));
    }

    /** The present pool if it fits, or a new one. */
    FlowSetPool of(long[] flows) {
        boolean fits = pool.filter(present -> present.count() == count
                        && Arrays.equals(present.flowSizesBytes(), flows)
                        && (present.leasedCount() == 0 || keepsLeased.getAsBoolean()))
                .isPresent();
        if (!fits) {
            pool = Optional.of(FlowSetPool.allocate(count, flows, memoryLimitBytes));
        }
        return pool.get();
    }
}
