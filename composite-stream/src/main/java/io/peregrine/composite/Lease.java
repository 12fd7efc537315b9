package io.peregrine.composite;

import io.peregrine.stream.FlowSet;
import java.util.concurrent.atomic.AtomicBoolean;

/** One flow set in the user's hands. It goes back to its pool exactly once. */
final class Lease {
    private final FlowSet flowSet;
    private final AtomicBoolean ended = new AtomicBoolean();

    Lease(FlowSet flowSet) {
        this.flowSet = flowSet;
    }

    boolean ended() {
        return ended.get();
    }

    void check() {
        if (ended.get()) {
            throw new IllegalStateException(
                    "The composite is closed and its memory is in use for another frame: copy what is needed later");
        }
    }

    void end() {
        if (ended.compareAndSet(false, true)) {
            flowSet.release();
        }
    }
}
