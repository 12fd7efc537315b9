package io.peregrine.genapi;

import java.nio.ByteBuffer;

/** What registers live behind. */
abstract class PortNode extends BaseNode {
    PortNode(NodeMap map, Element element, String name) {
        super(map, element, name);
    }

    abstract void read(long address, ByteBuffer destination);

    abstract void write(long address, ByteBuffer source);

    /** Bytes that are known without asking, or null. */
    abstract byte[] cached(long address, int length);

    /** Remembers bytes. */
    abstract void store(long address, byte[] bytes);

    /** Forgets everything that touches the range. */
    abstract void drop(long address, long length);
}
