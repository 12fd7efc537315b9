package io.peregrine.rocev2;

import io.peregrine.rdma.Completion;

/** Takes work that has ended. */
interface WorkSink {

    /** One piece of work of a queue pair has ended. */
    void completed(
            QueuePair queuePair,
            long workId,
            Completion.Operation operation,
            Completion.Status status,
            long lengthBytes,
            boolean hasImmediate,
            int immediate);

    /** A queue pair broke. Called once, before what it flushes. */
    void broke(QueuePair queuePair, Completion.Status cause, String text);

    /** Whether to tell the peer that it must wait although there is a receive: a fault on purpose. */
    default boolean pretendsNotReady() {
        return false;
    }
}
