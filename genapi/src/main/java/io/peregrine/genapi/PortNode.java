package io.peregrine.genapi;

import java.nio.ByteBuffer;

/** What registers live behind. */
abstract class PortNode extends BaseNode {
    PortNode(NodeMap map, Element element, String name) {
        super(map, element, name);
    }

    abstract void read(long address, ByteBuffer destination);

    abstract void write(long address, ByteBuffer source);

    /** What the caller of a node gets when this has failed. */
    RuntimeException failure(String message, RuntimeException cause) {
        return new GenApiException(message, cause);
    }

    /** Whether what was read may be remembered. */
    abstract boolean caches();

    /** The line of a place, shared by all who ask for it; only of a port that {@link #caches}. */
    CacheLine line(long address, int length, boolean forGood) {
        throw new IllegalStateException("Port " + name + " has no cache");
    }

    /** Forgets everything that touches the range, but for one line. */
    void drop(long address, long length, CacheLine kept) {}
}
