package io.peregrine.genapi;

import java.nio.ByteBuffer;

/**
 * Where the registers of a camera description live: a device, a chunk of a frame, or memory (GenICam standard 2.1.1,
 * 2.8.16).
 *
 * <p>Splitting into transport sized pieces and alignment are the port's business, not the node map's. Implementations
 * report failure by an unchecked exception, which climbs to the caller of the node with the node's name added.
 */
public interface Port {

    /**
     * Reads {@code destination.remaining()} bytes.
     *
     * @param address first byte, in the address space of the port
     * @param destination receives the bytes, in the order of rising addresses; its position moves to its limit
     */
    void read(long address, ByteBuffer destination);

    /**
     * Writes {@code source.remaining()} bytes.
     *
     * @param address first byte, in the address space of the port
     * @param source the bytes, in the order of rising addresses; its position moves to its limit
     */
    void write(long address, ByteBuffer source);
}
