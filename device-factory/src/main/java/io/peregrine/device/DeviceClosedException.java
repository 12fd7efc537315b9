package io.peregrine.device;

/** The user closed the device. Users need not tell this apart. */
final class DeviceClosedException extends DeviceException {
    private static final long serialVersionUID = 1L;

    DeviceClosedException() {
        super("The device is closed: open it again");
    }

    DeviceClosedException(String message, Throwable cause) {
        super(message, cause);
    }
}
