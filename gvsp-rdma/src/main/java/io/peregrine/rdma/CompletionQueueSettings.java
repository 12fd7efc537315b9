package io.peregrine.rdma;

/**
 * How a completion queue works. The knobs are those of spead2's verbs receiver.
 *
 * @param capacity most completions that can wait: the sum of the depths of all queues that end in it
 * @param completionVector negative: busy polling; otherwise the vector (interrupt) to use, modulo those available
 * @param maxPoll most completions a call of {@link CompletionQueue#poll} hands over
 * @param streaming for a thread that does nothing but receive, and is back in {@link CompletionQueue#await} within a
 *     millisecond or so: work of this side that went well may leave it waiting until something was received or failed,
 *     and it may do work of the provider meanwhile; a provider may ignore it
 */
public record CompletionQueueSettings(int capacity, int completionVector, int maxPoll, boolean streaming) {
    /** Enough completions a call to spread its cost. */
    public static final int DEFAULT_MAX_POLL = 16;

    /** Checks the ranges. */
    public CompletionQueueSettings {
        if (capacity < 1 || capacity > 1 << 20) {
            throw new RdmaException("A completion queue of " + capacity + " entries is not possible: 1 to 1048576");
        }
        if (maxPoll < 1 || maxPoll > 4096) {
            throw new RdmaException("maxPoll is " + maxPoll + ": give 1 to 4096");
        }
    }

    /** All work that is done ends a wait. */
    public CompletionQueueSettings(int capacity, int completionVector, int maxPoll) {
        this(capacity, completionVector, maxPoll, false);
    }

    /** Sleeps when idle, on the first vector. */
    public static CompletionQueueSettings of(int capacity) {
        return new CompletionQueueSettings(capacity, 0, DEFAULT_MAX_POLL);
    }
}
