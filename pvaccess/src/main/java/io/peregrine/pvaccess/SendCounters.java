package io.peregrine.pvaccess;

import java.util.concurrent.atomic.LongAdder;

/** What went to all clients. */
final class SendCounters {
    private final LongAdder frames = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder skipped = new LongAdder();

    void sent(long size) {
        frames.increment();
        bytes.add(size);
    }

    void skipped() {
        skipped.increment();
    }

    long frames() {
        return frames.sum();
    }

    long bytes() {
        return bytes.sum();
    }

    long framesSkipped() {
        return skipped.sum();
    }
}
