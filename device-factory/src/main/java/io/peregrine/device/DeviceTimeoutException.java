package io.peregrine.device;

/** The device did not answer a command. */
public class DeviceTimeoutException extends DeviceException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what happened, where, and what to do about it
     * @param cause what led to it
     */
    public DeviceTimeoutException(String message, Throwable cause) {
        super(message, cause);
    }
}
