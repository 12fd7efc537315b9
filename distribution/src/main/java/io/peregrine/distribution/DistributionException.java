package io.peregrine.distribution;

/** Frames cannot be published or received; the message says what to do, the cause what went wrong. */
public final class DistributionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DistributionException(String message) {
        super(message);
    }

    DistributionException(String message, Throwable cause) {
        super(message, cause);
    }
}
