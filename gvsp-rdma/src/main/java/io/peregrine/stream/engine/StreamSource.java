package io.peregrine.stream.engine;

import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics;
import java.util.List;
import java.util.Optional;

/**
 * One way for bytes to come into flow sets: what a {@link StreamEngine} drives. Opened by its maker, begun and ended by
 * the engine any number of times, closed by it once. A source hands filled flow sets to {@link StreamEngine#deliver}.
 */
public interface StreamSource extends AutoCloseable {

    /** What the receiver thread is named after, for example the device's address. */
    String name();

    /** The pool that the flow sets come from. Changes by {@link #resizePool} and {@link #usePool} only. */
    FlowSetPool pool();

    /**
     * Sets the number of flow sets. Only while nothing is received.
     *
     * @param count number of flow sets
     * @throws StreamException if the pool is fixed, or the number is not possible
     */
    default void resizePool(int count) {
        throw new StreamException("The pool of this stream is fixed");
    }

    /**
     * Fills memory of the user's. Only while nothing is received.
     *
     * @throws StreamException if the pool is fixed, or the memory does not fit
     */
    default void usePool(ExternalMemory memory) {
        throw new StreamException("The pool of this stream is fixed");
    }

    /** The counters of this source; they go on from one start to the next. */
    StreamCounters counters();

    /**
     * What went wrong and what to do about it: one sentence for each cause, most severe first.
     *
     * @param counted counters of this source, perhaps with those of others before it in a run
     */
    default List<String> diagnosis(StreamStatistics counted) {
        return List.of();
    }

    /** The thread that several streams share, for a source that {@linkplain #look looks}; empty for a thread alone. */
    default Optional<SharedReceiverThread> sharedThread() {
        return Optional.empty();
    }

    /**
     * Makes ready for reception; flow sets can be taken from the pool. On the thread that starts the engine, before the
     * receiver thread exists. After an exception nothing runs, and flow sets that were taken are free again.
     *
     * @param engine takes what is received, until {@link #end}
     */
    void begin(StreamEngine engine);

    /**
     * One turn of reception: waits for something to arrive and handles it. Returns after a short while even if nothing
     * comes, and soon after {@link #wakeUp}. On the receiver thread, again and again. An exception ends the stream.
     */
    void turn();

    /**
     * As {@link #turn}, but without waiting: takes only what is there. For threads that several streams share.
     *
     * @return whether anything was there
     * @throws UnsupportedOperationException if this source only works with a thread alone
     */
    default boolean look() {
        throw new UnsupportedOperationException(getClass() + " needs a receiver thread alone");
    }

    /** Ends reception: blocks that are open are delivered as incomplete or dropped. On the receiver thread, last. */
    void end();

    /**
     * Gives back what the device holds for a run, after the receiver thread has ended, on the thread that stopped it.
     * Does nothing when that was done.
     */
    default void release() {}

    /** Makes a waiting {@link #turn} return, or the next one if none waits. Any thread. */
    void wakeUp();

    /** Releases sockets and memory. Only when no receiver thread runs. */
    @Override
    void close();
}
