package io.peregrine.gvcp;

/** A control transaction that did not succeed. */
public class GvcpException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what happened, where, and what to do about it
     */
    public GvcpException(String message) {
        super(message);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param message what happened, where, and what to do about it
     * @param cause what led to it
     */
    public GvcpException(String message, Throwable cause) {
        super(message, cause);
    }
}
