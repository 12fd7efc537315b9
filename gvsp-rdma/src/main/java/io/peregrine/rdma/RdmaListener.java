package io.peregrine.rdma;

import java.time.Duration;
import java.util.Optional;

/** Waits for connection requests on a port. */
public interface RdmaListener extends AutoCloseable {

    /** The port, also when any was asked for. */
    int port();

    /**
     * Takes the next connection request, waiting up to a time.
     *
     * @param timeout how long to wait; zero looks without waiting
     * @return the request, or empty on time-out or when the listener was closed
     * @throws InterruptedException if the waiting thread is interrupted
     */
    Optional<ConnectionRequest> next(Duration timeout) throws InterruptedException;

    /** Stops listening, rejects requests that were not taken, and wakes waiting threads. Idempotent. */
    @Override
    void close();
}
