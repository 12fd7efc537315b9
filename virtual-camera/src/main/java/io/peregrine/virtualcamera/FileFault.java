package io.peregrine.virtualcamera;

/** Faults of a virtual camera's file access. */
public enum FileFault {
    /** Nothing. */
    NONE,
    /** Files cannot be opened. */
    OPEN_FAILS,
    /** Reading fails. */
    READ_FAILS,
    /** Writing fails. */
    WRITE_FAILS,
    /** Each operation reads or writes half of what was asked for, one byte at least. */
    SHORT,
    /** Each operation succeeds without reading or writing a byte. */
    NOTHING,
    /** Each operation reports one byte more than was asked for. */
    OVERSTATED
}
