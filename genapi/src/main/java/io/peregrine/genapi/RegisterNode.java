package io.peregrine.genapi;

/** Plain bytes at an address. */
public interface RegisterNode extends Node {
    /** Reads all bytes. */
    byte[] value();

    /** Writes all bytes. */
    void set(byte[] value);

    /** Address now. */
    long address();

    /** Number of bytes now. */
    long lengthBytes();
}
