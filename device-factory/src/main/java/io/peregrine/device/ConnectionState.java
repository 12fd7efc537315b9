package io.peregrine.device;

/** Where the connection to a device is in its life. */
public enum ConnectionState {
    /** The device answers and is under control, or watched by a monitor. */
    CONNECTED,
    /** The device does not answer any longer, or control went to somebody else; for good unless it is found again. */
    LOST,
    /** The device is being looked for and taken under control again. */
    RECONNECTING,
    /** The user closed the device. */
    CLOSED
}
