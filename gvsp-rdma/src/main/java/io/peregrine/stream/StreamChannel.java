package io.peregrine.stream;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One stream of a device on its way into flow sets, whichever way the bytes travel. The UDP receiver and the RDMA
 * receiver stand behind this seam with the same flow sets and the same hand-off.
 *
 * <p>Life: {@link #start()} begins reception, {@link #stop()} ends it and lets already filled flow sets be taken, {@link
 * #abort()} ends it and wakes every waiter at once, {@link #close()} releases sockets, threads and memory.
 */
public interface StreamChannel extends AutoCloseable {

    /** Begins reception. Every flow set that is free is offered to the receiver. */
    void start();

    /** Ends reception; what is filled stays available to {@link #poll}. Idempotent. */
    void stop();

    /** Ends reception and makes {@link #poll} return at once. Idempotent. */
    void abort();

    /** Whether reception is running. */
    boolean running();

    /**
     * Why reception ended by itself, for example because the device was lost; empty while all is well or when the user
     * stopped it.
     */
    Optional<Throwable> failure();

    /**
     * Takes the next filled flow set, waiting up to the given time. The caller holds a lease and gives it back with
     * {@link FlowSet#release()}.
     *
     * @param timeout how long to wait; zero looks without waiting
     * @return the flow set, or empty on time-out, after {@link #abort()}, or when reception has ended and nothing is
     *     left
     * @throws InterruptedException if the waiting thread is interrupted
     */
    Optional<FlowSet> poll(Duration timeout) throws InterruptedException;

    /** Counters of this stream since it was opened. */
    StreamStatistics statistics();

    /**
     * What went wrong so far and what to do about it: one sentence for each cause, the gravest first; empty while nothing
     * is lost.
     */
    default List<String> diagnosis() {
        return List.of();
    }

    /** The pool that the flow sets of this channel come from. */
    FlowSetPool pool();

    /**
     * Sets the number of flow sets that the next start allocates. Only while reception is not running.
     *
     * @param count number of flow sets
     * @throws StreamException if this channel's pool is fixed, the stream is running, or the number is not possible
     */
    default void resizePool(int count) {
        throw new StreamException("The pool of this stream is fixed");
    }

    /**
     * Marks the stream as failed, for example when the control channel was lost: reception ends, waiters wake up, and
     * {@link #failure()} tells the cause.
     *
     * @param cause what happened
     */
    void fail(Throwable cause);

    @Override
    void close();
}
