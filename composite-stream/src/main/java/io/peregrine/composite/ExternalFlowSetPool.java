package io.peregrine.composite;

import io.peregrine.stream.FlowMemory;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.engine.ExternalMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Flow sets in memory of the user's, for {@link CompositeStream#registerExternalFlowSetPool}: shared with another
 * process, of huge pages, larger than 2 GiB, or of a GPU. Each flow set has memory for all flows, at least as large as
 * {@link CompositeStream#flowSetInfo()} says.
 *
 * <p>A pool belongs to one stream at a time: from its registration on, until the stream gives it back. That is when the
 * stream is closed or takes another pool, and no frame in the memory is held any more, nor anything posted to an
 * adapter that may still write there. The memory must stay valid until then.
 *
 * <p>Safe for use by several threads.
 */
public final class ExternalFlowSetPool {
    private final List<List<FlowMemory>> flowSets;
    private final Consumer<ExternalFlowSetPool> onRelease;
    private final AtomicBoolean registered = new AtomicBoolean();

    private ExternalFlowSetPool(Builder from) {
        flowSets = List.copyOf(from.flowSets);
        onRelease = from.onRelease;
    }

    /** Begins a pool without flow sets. */
    public static Builder builder() {
        return new Builder();
    }

    /** Number of flow sets. */
    public int count() {
        return flowSets.size();
    }

    /** Number of flows of a flow set. */
    public int flowCount() {
        return flowSets.get(0).size();
    }

    /**
     * The memory of a flow set, in the order of flow ids.
     *
     * @param index number of the flow set, from 0, in the order in which they were added
     */
    public List<FlowMemory> flowSet(int index) {
        return flowSets.get(index);
    }

    /** Whether it belongs to a stream, which may write into the memory. */
    public boolean registered() {
        return registered.get();
    }

    /**
     * Gives the pool to a stream.
     *
     * @return the memory, with a hold for the stream
     * @throws StreamException if another has it
     */
    ExternalMemory lend() {
        if (!registered.compareAndSet(false, true)) {
            throw new StreamException("This pool belongs to a stream already: wait until that gives it back, or build"
                    + " another one of other memory");
        }
        boolean lent = false;
        try {
            ExternalMemory memory = new ExternalMemory(flowSets, this::givenBack);
            lent = true;
            return memory;
        } finally {
            if (!lent) {
                registered.set(false);
            }
        }
    }

    private void givenBack() {
        registered.set(false);
        onRelease.accept(this);
    }

    @Override
    public String toString() {
        return "ExternalFlowSetPool[" + count() + " flow sets of " + flowCount() + " flows]";
    }

    /** Collects the flow sets of a pool. For one thread. */
    public static final class Builder {
        private final List<List<FlowMemory>> flowSets = new ArrayList<>();
        private Consumer<ExternalFlowSetPool> onRelease = pool -> {};

        private Builder() {}

        /**
         * Adds a flow set.
         *
         * @param flows memory of its flows, in the order of flow ids
         */
        public Builder add(FlowMemory... flows) {
            return add(List.of(flows));
        }

        /**
         * Adds a flow set.
         *
         * @param flows memory of its flows, in the order of flow ids
         */
        public Builder add(List<FlowMemory> flows) {
            flowSets.add(List.copyOf(flows));
            return this;
        }

        /**
         * Sets what is called when a stream gives the memory back: once for each registration, on the thread that ended
         * the last use, which is one that closed the stream, a composite, or took another pool. Nothing writes into the
         * memory any more. It must not wait for other threads that use the stream. Exceptions are logged.
         */
        public Builder onRelease(Consumer<ExternalFlowSetPool> listener) {
            onRelease = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Makes the pool.
         *
         * @throws StreamException if it has fewer than 2 flow sets or more than 4096, if they differ in their number of
         *     flows, if flow 0 is not memory of the host, or if pieces of memory overlap
         */
        public ExternalFlowSetPool build() {
            ExternalMemory.check(flowSets);
            return new ExternalFlowSetPool(this);
        }
    }
}
