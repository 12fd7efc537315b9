package io.peregrine.genapi;

/** Plain bytes at an address. */
public interface RegisterNode extends RegisterBacked {
    /** Reads all bytes. */
    default byte[] value() {
        return bytes();
    }

    /** Writes all bytes. */
    default void set(byte[] value) {
        setBytes(value);
    }
}
