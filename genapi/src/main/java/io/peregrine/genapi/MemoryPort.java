package io.peregrine.genapi;

import java.nio.ByteBuffer;

/** A port in memory, from address 0. Safe for use by several threads. */
final class MemoryPort implements Port {
    private final byte[] memory;

    MemoryPort(int sizeBytes) {
        memory = new byte[sizeBytes];
    }

    @Override
    public synchronized void read(long address, ByteBuffer destination) {
        int length = destination.remaining();
        destination.put(memory, checked(address, length), length);
    }

    @Override
    public synchronized void write(long address, ByteBuffer source) {
        int length = source.remaining();
        source.get(memory, checked(address, length), length);
    }

    private int checked(long address, int length) {
        if (address < 0 || address > (long) memory.length - length) {
            throw new GenApiException(length + " bytes at address " + address + " lie outside the " + memory.length
                    + " bytes of the port");
        }
        return (int) address;
    }
}
