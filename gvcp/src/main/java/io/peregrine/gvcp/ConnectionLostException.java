package io.peregrine.gvcp;

/** The device stopped answering, or control over it passed to another application. */
public final class ConnectionLostException extends GvcpException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what was lost and how it showed
     */
    public ConnectionLostException(String message) {
        super(message);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param message what was lost and how it showed
     * @param cause the failure that showed it
     */
    public ConnectionLostException(String message, Throwable cause) {
        super(message, cause);
    }
}
