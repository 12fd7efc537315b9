package io.peregrine.stream.engine;

import io.peregrine.stream.End;
import io.peregrine.stream.FlowInfo;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One stream of a device on its way into flow sets, over any transport: a {@link StreamEngine}, or what replaces one
 * engine by another.
 *
 * <p>Life: {@link #start()} begins reception, {@link #stop()} ends it and lets already filled flow sets be taken,
 * {@link #abort()} ends it and wakes every waiter at once, {@link #close()} releases sockets, threads and memory.
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
     * How reception ended, or that it was never started; empty while it runs, and while what is filled may still come.
     * A failure shows at once.
     */
    Optional<End> end();

    /**
     * Why reception failed, for example because the device was lost; empty while all is well or when the user ended it.
     */
    default Optional<Throwable> failure() {
        return end().filter(End.Failed.class::isInstance).flatMap(End::cause);
    }

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

    /** Counters of this stream now. */
    StreamStatistics statistics();

    /**
     * What went wrong so far and what to do about it: one sentence for each cause, most severe first; empty while
     * nothing is lost.
     */
    default List<String> diagnosis() {
        return diagnosis(statistics());
    }

    /**
     * The same for counters to which others than this channel have added, such as the channels before it in a run.
     *
     * @param counted what was counted
     */
    default List<String> diagnosis(StreamStatistics counted) {
        return List.of();
    }

    /** The pool that the flow sets of this channel come from. */
    FlowSetPool pool();

    /**
     * What each flow of a flow set needs, in the order of flow ids, as the device is set up now.
     *
     * @throws StreamException if that is unknown
     */
    default List<FlowInfo> flowSetInfo() {
        throw new StreamException("It is not known what the flow sets of this stream need");
    }

    /**
     * Fills memory of the user's from the next start on. Only while reception is not running.
     *
     * @param memory with a hold for this channel, which ends it when it is closed or takes other memory
     * @throws StreamException if this channel's pool is fixed, the stream is running, or the memory does not fit; the
     *     hold stays the caller's
     */
    default void usePool(ExternalMemory memory) {
        throw new StreamException("The pool of this stream is fixed");
    }

    /**
     * Allocates memory at the next start again. Only while reception is not running.
     *
     * @throws StreamException if the stream is running
     */
    default void useManagedPool() {}

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
     * Ends reception from outside: waiters wake up, and {@link #end()} says how it ended unless it has ended before.
     *
     * @param how {@link End.Failed}, for example when the control channel was lost, or {@link End.Finished} when
     *     nothing more will come
     */
    void endWith(End how);

    /**
     * Ends reception because of a failure.
     *
     * @param cause what happened
     */
    default void fail(Throwable cause) {
        endWith(new End.Failed(cause));
    }

    @Override
    void close();
}
