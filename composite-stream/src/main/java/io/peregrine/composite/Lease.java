package io.peregrine.composite;

import java.util.concurrent.atomic.AtomicBoolean;

/** One handle on the memory of a frame. It ends once; the memory lives until the last of its leases ended. */
final class Lease {
    private final FrameMemory memory;
    private final Holders holders;
    private final Holders.Holder holder;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** Takes over the lease that the memory was made with. */
    Lease(FrameMemory memory, Holders holders) {
        this.memory = memory;
        this.holders = holders;
        holder = holders.add(memory.pool());
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

    Lease retain() {
        check();
        if (!memory.retain()) {
            throw new IllegalStateException("The composite was closed by another thread while it was to be retained");
        }
        return new Lease(memory, holders);
    }

    void end() {
        if (ended.compareAndSet(false, true)) {
            holders.remove(holder);
            memory.release();
        }
    }
}
