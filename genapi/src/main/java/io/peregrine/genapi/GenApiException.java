package io.peregrine.genapi;

/** A device description or one of its nodes that cannot be used as asked. */
public class GenApiException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what happened, where, and what to do about it
     */
    public GenApiException(String message) {
        super(message);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param message what happened, where, and what to do about it
     * @param cause what led to it
     */
    public GenApiException(String message, Throwable cause) {
        super(message, cause);
    }
}
