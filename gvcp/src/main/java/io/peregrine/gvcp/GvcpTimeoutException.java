package io.peregrine.gvcp;

/** A command that the device did not answer in time. */
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
