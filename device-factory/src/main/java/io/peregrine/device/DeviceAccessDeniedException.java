package io.peregrine.device;

/** The device refused: another application controls it, or its present state does not allow what was requested. */
public class DeviceAccessDeniedException extends DeviceException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what happened, where, and what to do about it
     * @param cause what led to it
     */
    public DeviceAccessDeniedException(String message, Throwable cause) {
        super(message, cause);
    }
}
