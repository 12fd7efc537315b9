package io.peregrine.stream.engine;

import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The live counters of a stream. They belong to what receives: the receiver thread writes them, any thread reads them.
 * Users get a {@link #snapshot()}.
 */
public final class StreamCounters {
    private static final int COUNTERS = Counter.values().length;

    /** One for each counter, then one for each cause, in the order of declaration. */
    private final AtomicLongArray values = new AtomicLongArray(COUNTERS + IncompleteCause.values().length);

    /** Creates a set of counters, all zero. */
    public StreamCounters() {}

    /** Adds one. Only one thread may write a counter. */
    public void increment(Counter counter) {
        add(counter, 1);
    }

    /** Adds a number. Only one thread may write a counter. */
    public void add(Counter counter, long amount) {
        int i = counter.ordinal();
        values.setOpaque(i, values.getPlain(i) + amount);
    }

    /** Counts a frame that is delivered with something missing. Only one thread may call this. */
    public void incomplete(IncompleteCause cause) {
        increment(Counter.FRAMES_INCOMPLETE);
        int i = COUNTERS + cause.ordinal();
        values.setOpaque(i, values.getPlain(i) + 1);
    }

    /** Sets a counter that is read from elsewhere and only grows to a value that may be older than the present one. */
    public void raise(Counter counter, long value) {
        values.accumulateAndGet(counter.ordinal(), value, Math::max);
    }

    /** Sets a counter that is read from elsewhere, for example from the kernel. */
    public void set(Counter counter, long value) {
        values.setOpaque(counter.ordinal(), value);
    }

    /** Current value. */
    public long get(Counter counter) {
        return values.getOpaque(counter.ordinal());
    }

    /** All values now. Each is exact; counters that a thread writes meanwhile may be a packet apart from each other. */
    public StreamStatistics snapshot() {
        return StreamStatistics.of(this::get, cause -> values.getOpaque(COUNTERS + cause.ordinal()));
    }

    @Override
    public String toString() {
        return snapshot().toString();
    }
}
