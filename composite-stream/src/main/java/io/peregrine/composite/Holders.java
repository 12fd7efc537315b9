package io.peregrine.composite;

import io.peregrine.stream.engine.FlowSetPool;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Who holds composites of a stream, and since when; and the one warning when they hold all that the stream has. Called
 * on threads of the user alone.
 */
class Holders {
    /** For memory that no stream waits for. */
    static final Holders NOBODY = new Holders(() -> 0, (text, stack) -> {}) {
        @Override
        void add(Lease lease) {
            // No one asks.
        }
    };

    private final LongSupplier nanoTime;
    private final BiConsumer<String, @Nullable Throwable> warning;
    private final Set<Lease> leases = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean starved = new AtomicBoolean();
    private final AtomicBoolean warned = new AtomicBoolean();
    private final AtomicLong starvations = new AtomicLong();
    private volatile boolean traced;

    /**
     * Makes an empty list.
     *
     * @param nanoTime a clock that never goes back
     * @param warning takes a warning, and the stack of the one who holds longest, or null
     */
    Holders(LongSupplier nanoTime, BiConsumer<String, @Nullable Throwable> warning) {
        this.nanoTime = nanoTime;
        this.warning = warning;
    }

    /** Whether further leases have the stack of their thread. */
    void trace(boolean on) {
        traced = on;
    }

    boolean traced() {
        return traced;
    }

    long nanoTime() {
        return nanoTime.getAsLong();
    }

    void add(Lease lease) {
        leases.add(lease);
    }

    void remove(Lease lease) {
        if (leases.remove(lease)) {
            starved.set(false);
        }
    }

    /** Allows one more warning. */
    void restart() {
        starved.set(false);
        warned.set(false);
    }

    long starvations() {
        return starvations.get();
    }

    /** Notes that a pool is empty if it is its holders that make it so. */
    void look(FlowSetPool pool) {
        if (pool.leasedCount() < pool.count() || !starved.compareAndSet(false, true)) {
            return;
        }
        starvations.incrementAndGet();
        if (warned.compareAndSet(false, true)) {
            warn(pool);
        }
    }

    private void warn(FlowSetPool pool) {
        List<Lease> all = leases.stream()
                .filter(lease -> lease.pool() == pool)
                .sorted(Comparator.comparingLong(lease -> lease.sinceNanos))
                .toList();
        if (all.isEmpty()) {
            return;
        }
        long now = nanoTime.getAsLong();
        Map<String, List<Lease>> byThread = all.stream()
                .collect(Collectors.groupingBy(lease -> lease.threadName, TreeMap::new, Collectors.toList()));
        String who = byThread.entrySet().stream()
                .map(entry -> "thread " + entry.getKey() + " holds "
                        + entry.getValue().size() + ", the first for "
                        + (now - entry.getValue().get(0).sinceNanos) / 1_000_000 + " ms")
                .collect(Collectors.joining("; "));
        warning.accept(
                "No frame can be received: all " + pool.count() + " flow sets of the stream are held by composites that"
                        + " are not closed: " + who + ". Close composites sooner, copy what is needed longer, or"
                        + " register a larger flow set pool",
                all.get(0).stack);
    }
}
