package io.peregrine.rdma;

import io.peregrine.stream.StreamException;

/** An operation on an RDMA transport failed. Users of a device get it as the cause of a device exception. */
public class RdmaException extends StreamException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what happened, where, and what to do about it
     */
    public RdmaException(String message) {
        super(message);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param message what happened, where, and what to do about it
     * @param cause what led to it
     */
    public RdmaException(String message, Throwable cause) {
        super(message, cause);
    }
}
