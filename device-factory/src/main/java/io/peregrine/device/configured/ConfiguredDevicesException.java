package io.peregrine.device.configured;

/** The file of configured devices cannot be used, or what was to be put into it is not allowed. */
public final class ConfiguredDevicesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what is wrong, in which file, and what to do about it
     */
    public ConfiguredDevicesException(String message) {
        super(message);
    }

    /** Creates an exception with its cause. */
    public ConfiguredDevicesException(String message, Throwable cause) {
        super(message, cause);
    }
}
