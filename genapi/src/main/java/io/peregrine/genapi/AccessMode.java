package io.peregrine.genapi;

/** What may be done with a node (GenICam standard 2.1.1, 2.5). */
public enum AccessMode {
    /** Not implemented: the device does not have the feature. */
    NI,
    /** Not available at the moment. */
    NA,
    /** Write only. */
    WO,
    /** Read only. */
    RO,
    /** Read and write. */
    RW;

    /** Whether the node can be read. */
    public boolean readable() {
        return this == RO || this == RW;
    }

    /** Whether the node can be written. */
    public boolean writable() {
        return this == WO || this == RW;
    }

    /** What remains when two conditions hold together. */
    AccessMode and(AccessMode other) {
        if (this == NI || other == NI) {
            return NI;
        }
        if (this == NA || other == NA) {
            return NA;
        }
        boolean read = readable() && other.readable();
        boolean write = writable() && other.writable();
        if (read) {
            return write ? RW : RO;
        }
        return write ? WO : NA;
    }
}
