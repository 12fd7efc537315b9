package io.peregrine.gvsp;

import io.peregrine.stream.engine.FlowSegment;
import io.peregrine.stream.engine.FlowSet;
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
     * @param flowSet flow set that it belongs into
     * @param flowId its flow
     * @param flowAddress address of the flow's first byte
     * @param from where in the flow the data of the first packet belongs
     * @param headLengthBytes bytes of each packet before its data
     * @param dataLengthBytes bytes of data of each packet but the last of the block, which may have less
     */
    void set(FlowSet flowSet, int flowId, long flowAddress, long from, int headLengthBytes, int dataLengthBytes) {
        FlowSegment segment = flowSet.segment(flowId);
        memory = segment.window(from);
        long windowOffset = segment.windowOffset(from);
        address = flowAddress + windowOffset;
        offset = (int) (from - windowOffset);
        lengthBytes = memory.capacity() - offset;
        headBytes = headLengthBytes;
        dataBytes = dataLengthBytes;
    }

    /** A piece of the flow that the data belongs into, or all of it. */
    ByteBuffer memory() {
        return memory;
    }

    /** Address of the first byte of {@link #memory}. */
    long address() {
        return address;
    }

    /** Where the data of the first packet belongs in {@link #memory}. */
    int offset() {
        return offset;
    }

    /** Most bytes from there on. */
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
