package io.peregrine.device;

import org.jspecify.annotations.Nullable;

/**
 * A device that could not be found, opened or used as asked, or was lost: the root of all that goes wrong between this
 * program and a device, whether it shows when the device is found or opened, at one of its features or streams, or in a
 * loop over frames. {@link DeviceNotFoundException}, {@link DeviceAccessDeniedException},
 * {@link DeviceTimeoutException} and {@link DeviceLostException} are there to be told apart.
 */
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

    /** One of the same class as its cause, where that is a subclass. */
    static DeviceException of(String message, @Nullable Throwable cause) {
        if (cause instanceof DeviceAccessDeniedException) {
            return new DeviceAccessDeniedException(message, cause);
        }
        if (cause instanceof DeviceTimeoutException) {
            return new DeviceTimeoutException(message, cause);
        }
        if (cause instanceof DeviceLostException) {
            return new DeviceLostException(message, cause);
        }
        return cause instanceof DeviceClosedException
                ? new DeviceClosedException(message, cause)
                : new DeviceException(message, cause);
    }
}
