package io.peregrine.genapi;

/**
 * A node whose value is made of bytes of a register: IntReg, MaskedIntReg, StructEntry, FloatReg, StringReg and
 * Register.
 */
public interface RegisterBacked extends Node {
    /**
     * Address of the first byte now, in the address space of the port.
     *
     * @throws GenApiException if what the address depends on cannot be read
     */
    long address();

    /**
     * Number of bytes now.
     *
     * @throws GenApiException if what the length depends on cannot be read
     */
    long lengthBytes();

    /**
     * Reads the bytes of the register, in the order of rising addresses.
     *
     * @throws GenApiAccessException if the node cannot be read
     */
    byte[] bytes();

    /**
     * Writes the bytes of the register, whatever range the value has. A field of some bits is written with the bits
     * beside it.
     *
     * @param bytes {@link #lengthBytes} bytes
     * @throws GenApiAccessException if the node cannot be written
     * @throws GenApiRangeException if the number of bytes is another
     */
    void setBytes(byte[] bytes);
}
