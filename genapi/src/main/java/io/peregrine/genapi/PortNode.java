package io.peregrine.genapi;

import java.nio.ByteBuffer;
import java.util.OptionalLong;

/**
 * What registers are behind: the device, a chunk of a frame, or an event. Its methods read and write beside the nodes;
 * safe for use by several threads.
 */
public interface PortNode extends Node {
    /**
     * Reads {@code destination.remaining()} bytes, from the device whatever is cached.
     *
     * @param address first byte, in the address space of the port; a negative one counts from the end of a chunk or
     *     event
     * @param destination receives the bytes, in the order of rising addresses; its position moves to its limit
     * @throws GenApiAccessException if the port cannot be read, or has no such bytes
     */
    void read(long address, ByteBuffer destination);

    /**
     * Writes {@code source.remaining()} bytes. The registers of the port forget what they know.
     *
     * @param address first byte, in the address space of the port
     * @param source the bytes, in the order of rising addresses; its position moves to its limit
     * @throws GenApiAccessException if the port cannot be written
     */
    void write(long address, ByteBuffer source);

    /**
     * Id of the chunk that the port reads, where it is the port of a chunk.
     *
     * @throws GenApiException if another node holds the id and cannot be read
     */
    OptionalLong chunkId();
}
