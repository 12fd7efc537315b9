package io.peregrine.genapi;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Where the registers of a device description live: a device, a chunk of a frame, or memory (GenICam standard 2.1.1,
 * 2.8.16).
 *
 * <p>Splitting into transport sized pieces and alignment are the port's business, not the node map's. Implementations
 * report failure by an unchecked exception, which climbs to the caller of the node as {@link #failure}, with the node's
 * name added.
 */
public interface Port {

    /**
     * A port in memory from address 0 on, all zero, for example for tests. Safe for use by several threads.
     *
     * @param sizeBytes size; access beyond it throws a {@link GenApiException}
     */
    static Port memory(int sizeBytes) {
        return new MemoryPort(sizeBytes);
    }

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

    /** What the port allows; a port that only reads makes its registers read only. */
    default AccessMode accessMode() {
        return AccessMode.RW;
    }

    /**
     * The exception that the caller of a node gets when this port has failed. A port with more specific failures, such
     * as the loss of a device, gives one of those.
     *
     * @param message names the node, what was tried and why it failed
     * @param cause what this port threw
     */
    default RuntimeException failure(String message, RuntimeException cause) {
        return new GenApiException(message, cause);
    }

    /**
     * Reads several places. A port that can fetch many places by one transfer does so here.
     *
     * @param requests what to read and where to put it; their positions move to their limits
     */
    default void read(List<Request> requests) {
        for (Request request : requests) {
            read(request.address(), request.destination());
        }
    }

    /**
     * One place to read.
     *
     * @param address first byte, in the address space of the port
     * @param destination receives the bytes
     */
    record Request(long address, ByteBuffer destination) {}
}
