package io.peregrine.discovery.internal;

/** A search for devices that could not be carried out. */
public class DiscoveryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what happened, where, and what to do about it
     */
    public DiscoveryException(String message) {
        super(message);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param message what happened, where, and what to do about it
     * @param cause what led to it
     */
    public DiscoveryException(String message, Throwable cause) {
        super(message, cause);
    }
}
