package io.peregrine.gvsp;

import java.nio.ByteBuffer;

/**
 * Where the next packets of a block belong if they come in order: their data one after another in a piece of memory.
 * Filled again and again by {@link PacketSink#expect}.
 */
public final class ExpectedPackets {
    private ByteBuffer memory = ByteBuffer.allocate(0);
    private long address;
    private int offset;
    private int lengthBytes;
    private int headBytes;
    private int dataBytes;

    /** Expects nothing. */
    public ExpectedPackets() {}

    /**
     * Sets where data belongs.
     *
     * @param into memory that it belongs into
     * @param intoAddress address of the memory's first byte
     * @param from where the data of the first packet belongs
     * @param bytes most bytes from there on
     * @param headLengthBytes bytes of each packet before its data
     * @param dataLengthBytes bytes of data of each packet but the last of the block, which may have less
     */
    void set(ByteBuffer into, long intoAddress, int from, int bytes, int headLengthBytes, int dataLengthBytes) {
        memory = into;
        address = intoAddress;
        offset = from;
        lengthBytes = bytes;
        headBytes = headLengthBytes;
        dataBytes = dataLengthBytes;
    }

    ByteBuffer memory() {
        return memory;
    }

    long address() {
        return address;
    }

    int offset() {
        return offset;
    }

    int lengthBytes() {
        return lengthBytes;
    }

    int headBytes() {
        return headBytes;
    }

    int dataBytes() {
        return dataBytes;
    }
}
