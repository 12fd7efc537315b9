package io.peregrine.device;

/** No device answered to the name or address given. */
public class DeviceNotFoundException extends DeviceException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message who was looked for, and what to check
     */
    public DeviceNotFoundException(String message) {
        super(message);
    }
}
