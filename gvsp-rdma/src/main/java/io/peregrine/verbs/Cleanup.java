package io.peregrine.verbs;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongConsumer;

/** What was made and has to be destroyed, the last first. Idempotent. */
final class Cleanup implements AutoCloseable {
    private final Deque<Runnable> steps = new ArrayDeque<>();

    /** Remembers a step. */
    void add(Runnable step) {
        steps.push(step);
    }

    /** Remembers how to destroy something, unless it is null. */
    long add(long pointer, LongConsumer destroy) {
        if (pointer != 0) {
            add(() -> destroy.accept(pointer));
        }
        return pointer;
    }

    @Override
    public void close() {
        while (!steps.isEmpty()) {
            steps.pop().run();
        }
    }
}
