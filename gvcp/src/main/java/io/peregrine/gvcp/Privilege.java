package io.peregrine.gvcp;

/** What an application may do with a device (GigE Vision: control channel privilege). */
public enum Privilege {
    /** Reads and writes; others may not even read. */
    EXCLUSIVE(BootstrapRegister.CCP_EXCLUSIVE),
    /** Reads and writes; others may read. */
    CONTROL(BootstrapRegister.CCP_CONTROL),
    /** Reads only, beside the application in control. */
    MONITOR(0);

    private final int mask;

    Privilege(int mask) {
        this.mask = mask;
    }

    /** The bit of the privilege register, 0 for a monitor. */
    int mask() {
        return mask;
    }
}
