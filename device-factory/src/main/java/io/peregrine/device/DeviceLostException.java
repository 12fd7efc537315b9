package io.peregrine.device;

/** The device was lost: it does not answer any longer, or control of it went to another application. */
public class DeviceLostException extends DeviceException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what happened, where, and what to do about it
     */
    public DeviceLostException(String message) {
        super(message);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param message what happened, where, and what to do about it
     * @param cause what led to it
     */
    public DeviceLostException(String message, Throwable cause) {
        super(message, cause);
    }
}
