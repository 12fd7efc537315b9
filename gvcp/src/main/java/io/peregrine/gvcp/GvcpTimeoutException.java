package io.peregrine.gvcp;

/** A command that nobody answered. */
public class GvcpTimeoutException extends GvcpException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message which command, to which register of which device
     */
    public GvcpTimeoutException(String message) {
        super(message);
    }
}
