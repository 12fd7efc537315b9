package io.peregrine.stream;

/** A stream that could not be set up or run. */
public class StreamException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what happened, where, and what to do about it
     */
    public StreamException(String message) {
        super(message);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param message what happened, where, and what to do about it
     * @param cause what led to it
     */
    public StreamException(String message, Throwable cause) {
        super(message, cause);
    }
}
