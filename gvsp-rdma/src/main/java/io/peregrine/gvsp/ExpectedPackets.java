package io.peregrine.gvsp;

import io.peregrine.stream.engine.FlowSegment;
import io.peregrine.stream.engine.FlowSet;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where the next packets of a block belong if they come in order: their data one after another in a piece of memory.
 * Filled again and again by {@link PacketSink#expect}.
 */
public final class ExpectedPackets {
    private @Nullable FlowSet set;
    private int flow;
    private long windowOffset;
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
        set = flowSet;
        flow = flowId;
        FlowSegment segment = flowSet.segment(flowId);
        memory = segment.window(from);
        windowOffset = segment.windowOffset(from);
        address = flowAddress + windowOffset;
        offset = (int) (from - windowOffset);
        lengthBytes = memory.capacity() - offset;
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
                && flow == 0
                && headBytes == layout.headBytes()
                && dataBytes == layout.dataBytes()
                && place() % dataBytes == 0;
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

    /** Where the data of the first packet belongs in the flow. */
    long place() {
        return windowOffset + offset;
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
