package io.peregrine.composite;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One handle on the memory of a frame. It ends once; the memory is kept until the last of its leases ended. It knows
 * who took it and when; two leases of the same thread differ.
 */
final class Lease {
    private final FrameMemory memory;
    private final Holders holders;
    private final AtomicBoolean ended = new AtomicBoolean();

    final String threadName = Thread.currentThread().getName();
    final long sinceNanos;
    /** Of the thread that took it; null when that is not wanted. */
    final @Nullable Throwable stack;

    /** Takes over the lease that the memory was opened with. */
    Lease(FrameMemory memory, Holders holders) {
        this.memory = memory;
        this.holders = holders;
        sinceNanos = holders.nanoTime();
        stack = holders.traced() ? new Throwable("A composite is held by thread " + threadName) : null;
        holders.add(this);
    }

    /** Whom the memory belongs to. */
    Object pool() {
        return memory.pool();
    }

    boolean ended() {
        return ended.get();
    }

    void check() {
        if (ended.get()) {
            throw new IllegalStateException("The composite is closed and its memory is in use for another frame: retain"
                    + " it or copy what is needed later");
        }
    }

    /** The memory, as long as this lease lives. */
    FrameMemory memory() {
        check();
        return memory;
    }

    /** Keeps the memory as it is until the caller releases it, whatever becomes of this lease. */
    private void hold() {
        check();
        boolean held = memory.retain();
        // Memory that was given back in between can hold the next frame already.
        if (held && ended.get()) {
            memory.release();
            held = false;
        }
        if (!held) {
            throw new IllegalStateException("The composite was closed by another thread while it was in use");
        }
    }

    Lease retain() {
        hold();
        return new Lease(memory, holders);
    }

    /**
     * Reads what was decided about the frame.
     *
     * @param reader called while the memory is held, so that no other frame is written there meanwhile
     */
    <T> T read(Function<ItemTable, T> reader) {
        hold();
        try {
            return reader.apply(memory.items());
        } finally {
            memory.release();
        }
    }

    void end() {
        if (ended.compareAndSet(false, true)) {
            holders.remove(this);
            memory.release();
        }
    }
}
