package io.peregrine.device;

/** A device that could not be found, opened or used as asked. */
public class DeviceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what happened, where, and what to do about it
     */
    public DeviceException(String message) {
        super(message);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param message what happened, where, and what to do about it
     * @param cause what led to it
     */
    public DeviceException(String message, Throwable cause) {
        super(message, cause);
    }
}
