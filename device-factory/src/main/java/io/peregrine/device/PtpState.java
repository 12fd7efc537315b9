package io.peregrine.device;

import java.util.OptionalLong;

/**
 * What a camera knows of IEEE 1588.
 *
 * @param enabled whether its clock takes part
 * @param port state of its port
 * @param offsetNanos by how much its clock is ahead of the master's; empty when the camera does not report it, or was
 *     opened with AccessMode=ReadOnly, which cannot make it look
 */
public record PtpState(boolean enabled, Port port, OptionalLong offsetNanos) {
    /** State of a port (IEEE 1588-2008, table 8; register 0x096C has the same numbers). */
    public enum Port {
        /** It reports no state, or one that is not known here. */
        UNKNOWN,
        /** It starts. */
        INITIALIZING,
        /** It is broken. */
        FAULTY,
        /** It is off. */
        DISABLED,
        /** It waits for a master. */
        LISTENING,
        /** It is about to be the master. */
        PRE_MASTER,
        /** It gives the time. */
        MASTER,
        /** It leaves the time to another. */
        PASSIVE,
        /** It begins to follow a master. */
        UNCALIBRATED,
        /** It follows a master. */
        SLAVE;

        static Port of(int code) {
            return code > 0 && code < values().length ? values()[code] : UNKNOWN;
        }

        /** By the name of an enumeration entry, such as {@code PreMaster}. */
        static Port of(String symbol) {
            for (Port port : values()) {
                if (port.name().replace("_", "").equalsIgnoreCase(symbol)) {
                    return port;
                }
            }
            return UNKNOWN;
        }
    }

    /** Whether the clock is one that scheduled actions can go by. */
    public boolean synchronised() {
        return enabled && (port == Port.SLAVE || port == Port.MASTER);
    }
}
