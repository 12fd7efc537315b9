package io.peregrine.rdma;

/** The device's registers, as a mapping needs them. Behind it is the control channel. */
public interface RegisterAccess {

    /**
     * Reads a register.
     *
     * @param address address in bytes, a multiple of 4, unsigned 32 bit
     * @return the value as the control protocol has it: big-endian on the wire
     */
    int read(long address);

    /**
     * Writes a register.
     *
     * @param address address in bytes, a multiple of 4, unsigned 32 bit
     * @param value the value as the control protocol has it: big-endian on the wire
     */
    void write(long address, int value);
}
