package io.peregrine.genapi;

/** How long a node may remember what it read or wrote (GenICam standard 2.1.1, 2.8.3), from weak to strong. */
public enum CachingMode {
    /** Every read asks the device. */
    NO_CACHE,
    /** A read is remembered until the next write, which is not. */
    WRITE_AROUND,
    /** Reads and writes are remembered. */
    WRITE_THROUGH;

    CachingMode weaker(CachingMode other) {
        return ordinal() < other.ordinal() ? this : other;
    }
}
