package io.peregrine.pvaccess;

/** Frames cannot be offered through pvAccess; the message says what to do, the cause what went wrong. */
public final class PvaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PvaException(String message) {
        super(message);
    }

    PvaException(String message, Throwable cause) {
        super(message, cause);
    }
}
