package io.peregrine.gvsp;

import io.peregrine.stream.engine.FlowSet;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where the next packets of a block belong if they come in order: their data one after another in a piece of memory.
 * Filled again and again by {@link PacketSink#expect}.
 */
public final class ExpectedPackets {
    private @Nullable FlowSet set;
    private ByteBuffer memory = ByteBuffer.allocate(0);
    private long address;
    private int offset;
    private int lengthBytes;
    private int headBytes;
    private int dataBytes;

    private final boolean shortLast;

    /** Expects nothing. */
    public ExpectedPackets() {
        this(false);
    }

    private ExpectedPackets(boolean shortLast) {
        this.shortLast = shortLast;
    }

    /** Expects nothing, and also the last packet of a block if that has less data. */
    static ExpectedPackets withShortLast() {
        return new ExpectedPackets(true);
    }

    /** Whether a last packet is of interest that has less data than the others. */
    boolean takesShortLast() {
        return shortLast;
    }

    /**
     * Sets where data belongs.
     *
     * @param flowSet flow set of the memory
     * @param into memory that it belongs into
     * @param intoAddress address of the memory's first byte
     * @param from where the data of the first packet belongs
     * @param bytes most bytes from there on
     * @param headLengthBytes bytes of each packet before its data
     * @param dataLengthBytes bytes of data of each packet but the last of the block, which may have less
     */
    void set(
            FlowSet flowSet,
            ByteBuffer into,
            long intoAddress,
            int from,
            int bytes,
            int headLengthBytes,
            int dataLengthBytes) {
        set = flowSet;
        memory = into;
        address = intoAddress;
        offset = from;
        lengthBytes = bytes;
        headBytes = headLengthBytes;
        dataBytes = dataLengthBytes;
    }

    @Nullable
    FlowSet set() {
        return set;
    }

    /** Whether this is a place of a packet in flow 0 of a block with a layout. */
    boolean of(BlockLayout layout) {
        return set != null
                && address == set.nativeAddress(0).orElse(0)
                && headBytes == layout.headBytes()
                && dataBytes == layout.dataBytes()
                && offset % dataBytes == 0;
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
