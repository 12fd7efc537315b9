package io.peregrine.rdma;

/** Takes completions on the thread that polls. */
@FunctionalInterface
public interface CompletionHandler {

    /**
     * Takes one.
     *
     * @param completion a view, valid only during this call
     */
    void onCompletion(Completion completion);
}
