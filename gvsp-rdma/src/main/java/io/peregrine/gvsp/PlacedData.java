package io.peregrine.gvsp;

import io.peregrine.stream.engine.FlowSet;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Data of a packet that an adapter has written into a flow set, rightly or not. */
final class PlacedData implements SeparateData {
    private @Nullable FlowSet set;
    private int flow;
    private long offset;
    private int lengthBytes;
    private ByteBuffer packet = ByteBuffer.allocate(0);
    private int at;

    /**
     * Sets where data lies, and where it is if the packet is whole.
     *
     * @param flowSet flow set that it lies in
     * @param buffer buffer with the headers
     * @param index index after them
     */
    void set(FlowSet flowSet, int ofFlow, long from, int bytes, ByteBuffer buffer, int index) {
        set = flowSet;
        flow = ofFlow;
        offset = from;
        lengthBytes = bytes;
        packet = buffer;
        at = index;
    }

    // Whether it is this very flow set.
    @SuppressWarnings("ReferenceEquality")
    @Override
    public boolean liesIn(FlowSet wanted, int ofFlow, long from, int bytes) {
        return wanted == set && ofFlow == flow && from == offset && bytes <= lengthBytes;
    }

    @Override
    public void join() {
        if (set != null) {
            set.segment(flow).get(offset, packet, at, lengthBytes);
            set = null;
        }
    }
}
