package io.peregrine.genapi;

import java.nio.ByteBuffer;
import java.util.List;

/** Memory that counts how often it is asked, and can refuse. */
final class CountingPort implements Port {
    private final MemoryPort memory;
    int reads;
    int writes;
    int bursts;
    boolean failing;

    CountingPort(int size) {
        memory = new MemoryPort(size);
    }

    private void check() {
        if (failing) {
            throw new IllegalStateException("the device does not answer");
        }
    }

    @Override
    public void read(long address, ByteBuffer destination) {
        check();
        reads++;
        memory.read(address, destination);
    }

    @Override
    public void write(long address, ByteBuffer source) {
        check();
        writes++;
        memory.write(address, source);
    }

    @Override
    public void read(List<Request> requests) {
        bursts++;
        for (Request request : requests) {
            memory.read(request.address(), request.destination());
        }
    }

    /** Changes memory behind the node map's back. */
    void put(long address, int... bytes) {
        ByteBuffer buffer = ByteBuffer.allocate(bytes.length);
        for (int value : bytes) {
            buffer.put((byte) value);
        }
        memory.write(address, buffer.flip());
    }

    byte[] get(long address, int length) {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        memory.read(address, buffer);
        return buffer.array();
    }
}
