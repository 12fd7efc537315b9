package io.peregrine.device;

import io.peregrine.stream.StreamException;
import io.peregrine.stream.engine.ExternalMemory;
import io.peregrine.stream.engine.FlowSetPool;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The flow sets of one stream, kept from one run to the next where they fit: allocated, or of the user's memory.
 * Guarded by the stream.
 */
final class StreamPool {
    private final long memoryLimitBytes;
    private final BooleanSupplier keepsLeased;
    private Optional<FlowSetPool> pool = Optional.empty();
    private Optional<ExternalMemory> external = Optional.empty();
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
        return external.map(ExternalMemory::count).orElse(count);
    }

    /** Whether the memory is the user's. */
    boolean isExternal() {
        return external.isPresent();
    }

    /**
     * Allocates another number of flow sets from now on.
     *
     * @return memory of the user's that is used no longer, for the caller to release
     */
    Optional<ExternalMemory> resize(int newCount) {
        FlowSetPool.checkCount(newCount);
        count = newCount;
        return manage();
    }

    /**
     * Takes memory of the user's, with its hold.
     *
     * @return that before, for the caller to release
     */
    Optional<ExternalMemory> use(ExternalMemory memory) {
        Optional<ExternalMemory> before = external;
        external = Optional.of(memory);
        pool = Optional.empty();
        return before;
    }

    /**
     * Allocates from now on.
     *
     * @return memory of the user's that is used no longer, for the caller to release
     */
    Optional<ExternalMemory> manage() {
        Optional<ExternalMemory> before = external;
        external = Optional.empty();
        if (before.isPresent()) {
            pool = Optional.empty();
        }
        return before;
    }

    /** The present pool. */
    FlowSetPool present() {
        return pool.orElseThrow(() -> new StreamException("The flow sets are allocated when the stream is started"));
    }

    /**
     * The present pool if it fits, or a new one.
     *
     * @throws StreamException if there is no memory for it
     */
    FlowSetPool of(long[] flows) {
        return of(flows, 0);
    }

    /**
     * The present pool if it fits, or a new one.
     *
     * @param more flow sets for the receiver, as far as the limit allows; none in memory of the user's
     * @throws StreamException if there is no memory for it
     */
    FlowSetPool of(long[] flows, int more) {
        Optional<FlowSetPool> fitting = pool.filter(present -> Arrays.equals(present.flowSizesBytes(), flows));
        if (external.isPresent()) {
            // Frames that the user holds stay where they are: there is no other memory.
            if (fitting.isEmpty() && !pool.map(FlowSetPool::idle).orElse(true)) {
                throw new StreamException("The flow sets have another shape now, and frames of the last run are held in"
                        + " their memory: close all composites first");
            }
            pool = fitting.or(() -> Optional.of(external.get().pool(flows)));
            return pool.get();
        }
        int wanted = Math.max(count, Math.min(count + more, FlowSetPool.mostCount(flows, memoryLimitBytes)));
        if (fitting.filter(present ->
                        present.count() == wanted && (present.leasedCount() == 0 || keepsLeased.getAsBoolean()))
                .isEmpty()) {
            pool = Optional.of(FlowSetPool.allocate(wanted, flows, memoryLimitBytes));
        }
        return pool.get();
    }
}
