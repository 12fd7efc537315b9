package io.peregrine.rdma;

/** Where finished work of one or many connections appears. One thread polls; any may wake it. */
public interface CompletionQueue extends AutoCloseable {

    /**
     * Hands finished work to a handler, up to the queue's {@code maxPoll}, without waiting.
     *
     * @return number of completions; 0 when there is none
     */
    int poll(CompletionHandler handler);

    /**
     * Waits until there may be something to poll, the state of a connection changed, or somebody woke the queue.
     * Returns early now and then; with busy polling it does not sleep at all.
     *
     * @param deadlineNanos when to give up, in the time of {@link System#nanoTime()}
     */
    void await(long deadlineNanos);

    /** Makes a waiting {@link #await} return, or the next one if none waits. Any thread. */
    void wakeUp();

    /** Releases the queue, after its connections. Idempotent. */
    @Override
    void close();
}
