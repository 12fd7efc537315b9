package io.peregrine.stream.engine;

/**
 * What a {@link StreamEngine} drives: one way for bytes to come into flow sets. A source hands filled flow sets to
 * {@link StreamEngine#deliver}.
 */
public interface StreamSource extends AutoCloseable {

    /**
     * Makes ready for reception; flow sets can be taken from the pool. On the thread that starts the engine, before the
     * receiver thread exists. After an exception nothing runs, and flow sets that were taken are free again.
     */
    void begin();

    /**
     * One turn of reception: waits for something to arrive and handles it. Returns after a short while even if nothing
     * comes, and soon after {@link #wakeUp}. On the receiver thread, again and again. An exception ends the stream.
     */
    void turn();

    /**
     * As {@link #turn}, but without waiting: takes only what is there. For threads that several streams share.
     *
     * @return whether anything was there
     * @throws UnsupportedOperationException if this source only works with a thread of its own
     */
    default boolean look() {
        throw new UnsupportedOperationException(getClass() + " needs a receiver thread of its own");
    }

    /** Ends reception: blocks that are open are delivered as incomplete or dropped. On the receiver thread, last. */
    void end();

    /** Makes a waiting {@link #turn} return, or the next one if none waits. Any thread. */
    void wakeUp();

    /** Releases sockets and memory. Only when no receiver thread runs. */
    @Override
    void close();
}
