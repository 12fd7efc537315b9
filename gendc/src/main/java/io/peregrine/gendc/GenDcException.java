package io.peregrine.gendc;

/** A container, descriptor or flow table that cannot be used. */
public class GenDcException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what happened, where, and what to do about it
     */
    public GenDcException(String message) {
        super(message);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param message what happened, where, and what to do about it
     * @param cause what led to it
     */
    public GenDcException(String message, Throwable cause) {
        super(message, cause);
    }
}
