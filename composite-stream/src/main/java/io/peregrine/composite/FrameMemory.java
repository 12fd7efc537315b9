package io.peregrine.composite;

import io.peregrine.stream.ByteRange;
import io.peregrine.stream.engine.FlowSet;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The memory of one frame, by flow and offset, what was decided about the frame, and how many leases there are on it.
 * It is given back when the last one ends, exactly once. That of a flow set is used for one frame after the other.
 */
abstract class FrameMemory {
    private final AtomicInteger leases = new AtomicInteger();
    private final ItemTable items = new ItemTable();

    /** Begins with one lease: for a frame, when there is none on the frame before. */
    final void open() {
        leases.set(1);
    }

    /** What was decided about the frame. Read it only as long as the memory is held. */
    final ItemTable items() {
        return items;
    }

    /** Adds a lease; false when the memory was given back already. */
    final boolean retain() {
        int now = leases.get();
        while (now > 0 && !leases.compareAndSet(now, now + 1)) {
            now = leases.get();
        }
        return now > 0;
    }

    final void release() {
        if (leases.decrementAndGet() == 0) {
            free();
        }
    }

    abstract void free();

    /** Whom the memory belongs to. */
    abstract Object pool();

    abstract int flowCount();

    /** Size of a flow; 0 for a flow that is not there. */
    abstract long flowSizeBytes(int flow);

    /** Whether all bytes of a range arrived with this frame; false for a range that is not there. */
    abstract boolean covered(int flow, long offset, long lengthBytes);

    /** What of a range that is there arrived with this frame, by its place in the flow, in order. */
    abstract List<ByteRange> received(int flow, long offset, long lengthBytes);

    /** Number of different bytes that arrived in a flow. */
    abstract long filledBytes(int flow);

    /** A new view of a range that is there, perhaps writable. */
    abstract ByteBuffer view(int flow, long offset, int lengthBytes);

    /** Copies the first bytes of flow 0 to the start of a buffer, which has room for them. */
    abstract void read(int lengthBytes, ByteBuffer target);

    /** Four bytes of flow 0 that are there. */
    abstract int littleEndianInt(int offset);

    /** Address of a flow's first byte, if it has one that can be known. */
    abstract OptionalLong address(int flow);

    /** Of a frame that is over, and of no frame. */
    static final FrameMemory NOTHING = new OfBuffers(new ByteBuffer[0], new long[0]);

    /** The memory of a flow set that the caller has just taken a lease on. The same for each frame in it. */
    static FrameMemory of(FlowSet flowSet) {
        FrameMemory memory = flowSet.companion(OfFlowSet.class, OfFlowSet::new);
        memory.open();
        return memory;
    }

    /** Memory that nothing has to be done for when the last lease ends. */
    static FrameMemory of(ByteBuffer linear) {
        return of(new ByteBuffer[] {linear}, new long[1]);
    }

    /** Memory on the heap that holds only a part of each flow, from an offset on. */
    static FrameMemory of(ByteBuffer[] flows, long[] firstBytes) {
        FrameMemory memory = new OfBuffers(flows, firstBytes);
        memory.open();
        return memory;
    }

    private static int littleEndian(ByteBuffer buffer, int offset) {
        int value = buffer.getInt(offset);
        return buffer.order() == ByteOrder.LITTLE_ENDIAN ? value : Integer.reverseBytes(value);
    }

    private static final class OfFlowSet extends FrameMemory {
        private final FlowSet flowSet;

        OfFlowSet(FlowSet flowSet) {
            this.flowSet = flowSet;
        }

        @Override
        void free() {
            flowSet.release();
        }

        @Override
        Object pool() {
            return flowSet.pool();
        }

        @Override
        int flowCount() {
            return flowSet.flowCount();
        }

        @Override
        long flowSizeBytes(int flow) {
            return flow < flowSet.flowCount() ? flowSet.flowSizeBytes(flow) : 0;
        }

        @Override
        boolean covered(int flow, long offset, long lengthBytes) {
            return flow < flowSet.flowCount() && flowSet.covered(flow, offset, lengthBytes);
        }

        @Override
        List<ByteRange> received(int flow, long offset, long lengthBytes) {
            return flowSet.received(flow, offset, lengthBytes);
        }

        @Override
        long filledBytes(int flow) {
            return flowSet.filledBytes(flow);
        }

        @Override
        ByteBuffer view(int flow, long offset, int lengthBytes) {
            return flowSet.segment(flow).view(offset, lengthBytes);
        }

        @Override
        void read(int lengthBytes, ByteBuffer target) {
            flowSet.segment(0).get(0, target, 0, lengthBytes);
        }

        @Override
        int littleEndianInt(int offset) {
            return littleEndian(flowSet.segment(0).window(0), offset);
        }

        @Override
        OptionalLong address(int flow) {
            return flowSet.nativeAddress(flow);
        }
    }

    private static final class OfBuffers extends FrameMemory {
        private final ByteBuffer[] flows;
        private final long[] firstBytes;

        OfBuffers(ByteBuffer[] flows, long[] firstBytes) {
            this.flows = flows;
            this.firstBytes = firstBytes;
        }

        @Override
        void free() {
            // The collector does it.
        }

        @Override
        Object pool() {
            return this;
        }

        @Override
        int flowCount() {
            return flows.length;
        }

        @Override
        long flowSizeBytes(int flow) {
            return flow < flows.length ? firstBytes[flow] + flows[flow].capacity() : 0;
        }

        @Override
        boolean covered(int flow, long offset, long lengthBytes) {
            return flow < flows.length
                    && offset >= firstBytes[flow]
                    && lengthBytes >= 0
                    && lengthBytes <= flowSizeBytes(flow) - offset;
        }

        @Override
        List<ByteRange> received(int flow, long offset, long lengthBytes) {
            return List.of(new ByteRange(offset, lengthBytes));
        }

        @Override
        long filledBytes(int flow) {
            return flows[flow].capacity();
        }

        @Override
        ByteBuffer view(int flow, long offset, int lengthBytes) {
            return flows[flow].slice((int) (offset - firstBytes[flow]), lengthBytes);
        }

        @Override
        void read(int lengthBytes, ByteBuffer target) {
            target.put(0, flows[0], 0, lengthBytes);
        }

        @Override
        int littleEndianInt(int offset) {
            return littleEndian(flows[0], offset);
        }

        @Override
        OptionalLong address(int flow) {
            return OptionalLong.empty();
        }
    }
}
