package io.peregrine.composite;

/** A composite or composite stream that cannot be used as asked. */
public class CompositeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what happened, where, and what to do about it
     */
    public CompositeException(String message) {
        super(message);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param message what happened, where, and what to do about it
     * @param cause what led to it
     */
    public CompositeException(String message, Throwable cause) {
        super(message, cause);
    }
}
