package io.peregrine.gvsp;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.function.IntConsumer;

/**
 * Writes into flow sets that wait because the adapter may still write there. They are done in their order. Only after
 * losses.
 */
final class DeferredWrites {
    /** One write; used again. */
    private static final class Write {
        private TargetedSet target;
        private int flow;
        private long destination;
        private ByteBuffer source;
        private int data;
        private int size;
        private int slot;
    }

    private final IntConsumer release;
    private final ArrayDeque<Write> waiting = new ArrayDeque<>();
    private final ArrayDeque<Write> unused = new ArrayDeque<>();

    /**
     * None yet.
     *
     * @param release takes the number of a slot whose data is written
     */
    DeferredWrites(IntConsumer release) {
        this.release = release;
    }

    /**
     * Adds a write.
     *
     * @param slot slot that the source is part of; -1 for a copy
     */
    void add(TargetedSet target, int flow, long destination, ByteBuffer source, int data, int size, int slot) {
        Write write = unused.isEmpty() ? new Write() : unused.pop();
        write.target = target;
        write.flow = flow;
        write.destination = destination;
        write.source = source;
        write.data = data;
        write.size = size;
        write.slot = slot;
        target.deferred(1);
        waiting.add(write);
    }

    /** Does what need wait no longer. */
    void settle() {
        while (!waiting.isEmpty() && !isWritten(waiting.peek())) {
            Write write = waiting.poll();
            write.target.set().segment(write.flow).put(write.destination, write.source, write.data, write.size);
            write.target.deferred(-1);
            if (write.slot >= 0) {
                release.accept(write.slot);
            }
            write.source = null;
            unused.push(write);
        }
    }

    private static boolean isWritten(Write write) {
        return write.target.writes(write.flow, write.destination, write.size);
    }
}
