package io.peregrine.virtualcamera;

import java.util.Objects;

/**
 * The clock of a camera, and what it finds in the network when its PTP port is switched on. Immutable.
 *
 * @param driftPartsPerMillion how much faster than the host the oscillator runs, -1000 to 1000
 * @param port the state that the PTP port reaches
 */
public record ClockModel(double driftPartsPerMillion, PtpPort port) {
    /** The state that a PTP port reaches. */
    public enum PtpPort {
        /** It finds a master, which has the time of day of the host, and follows it. */
        SLAVE,
        /** It finds no better clock and distributes its own time. */
        MASTER,
        /** It receives no master, may not be master itself, and keeps listening. */
        LISTENER
    }

    /** A clock that runs like the host's, on a network with a master. */
    public static final ClockModel EXACT = new ClockModel(0, PtpPort.SLAVE);

    private static final double MAX_DRIFT = 1000;

    /** Checks the range. */
    public ClockModel {
        Objects.requireNonNull(port, "port");
        if (!(Math.abs(driftPartsPerMillion) <= MAX_DRIFT)) {
            throw new VirtualCameraException(
                    "driftPartsPerMillion must be between -1000 and 1000, not " + driftPartsPerMillion);
        }
    }
}
