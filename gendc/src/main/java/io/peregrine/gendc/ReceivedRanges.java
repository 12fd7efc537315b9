package io.peregrine.gendc;

import java.util.Arrays;
import java.util.List;

/**
 * Which bytes of a container arrived, as ranges of each flow, and by that, which of its parts can be used. It is not
 * enough to count bytes: a container may have gaps that are never sent.
 *
 * <p>Ranges may overlap, repeat and come in any order. Neighbours are joined, so that a flow without losses is one
 * range. After the first few containers nothing is allocated. Not for several threads.
 */
public final class ReceivedRanges {
    /** No more than this many separate ranges of a flow are kept; what comes beyond counts as not received. */
    public static final int MAX_RANGES = 65_536;

    private static final int FIRST_CAPACITY = 16;

    private final boolean linear;
    private final Ranges[] flows;

    private ReceivedRanges(boolean linear, int flowCount) {
        this.linear = linear;
        flows = new Ranges[flowCount];
        for (int i = 0; i < flowCount; i++) {
            flows[i] = new Ranges();
        }
    }

    /** For containers in one run of bytes, which is flow 0 here: parts are found by DataOffset. */
    public static ReceivedRanges linear() {
        return new ReceivedRanges(true, 1);
    }

    /**
     * For containers in flows: parts are found by FlowId and FlowOffset.
     *
     * @param flowCount number of flows, 1 to 65536
     */
    public static ReceivedRanges flows(int flowCount) {
        if (flowCount < 1 || flowCount > FlowTable.MAX_FLOWS) {
            throw new IllegalArgumentException("A container has 1 to 65536 flows, not " + flowCount);
        }
        return new ReceivedRanges(false, flowCount);
    }

    /** Forgets everything, for the next container. */
    public void clear() {
        for (Ranges flow : flows) {
            flow.count = 0;
        }
    }

    /**
     * Adds bytes that arrived.
     *
     * @param flowId flow, 0 for linear containers
     * @param offset first byte within the flow
     * @param lengthBytes number of bytes
     * @return false when they could not be noted because there are too many separate ranges
     * @throws IllegalArgumentException if there is no such flow or range
     */
    public boolean add(int flowId, long offset, long lengthBytes) {
        if (offset < 0 || lengthBytes < 0 || lengthBytes > Long.MAX_VALUE - offset) {
            throw new IllegalArgumentException("No range: " + lengthBytes + " bytes at " + offset);
        }
        if (flowId < 0 || flowId >= flows.length) {
            throw new IllegalArgumentException("No flow " + flowId + ": there are " + flows.length);
        }
        return lengthBytes == 0 || flows[flowId].add(offset, offset + lengthBytes);
    }

    /** Whether all bytes of a range arrived; true for none. */
    public boolean covers(int flowId, long offset, long lengthBytes) {
        return missingBytes(flowId, offset, lengthBytes) == 0;
    }

    /** How many bytes of a range did not arrive; all of them when there is no such flow or range. */
    public long missingBytes(int flowId, long offset, long lengthBytes) {
        if (lengthBytes <= 0) {
            return 0;
        }
        boolean known = flowId >= 0 && flowId < flows.length;
        if (!known || offset < 0 || lengthBytes > Long.MAX_VALUE - offset) {
            return lengthBytes;
        }
        return flows[flowId].missing(offset, offset + lengthBytes);
    }

    /** Bytes of a flow that arrived, each counted once; 0 when there is no such flow. */
    public long receivedBytes(int flowId) {
        return flowId >= 0 && flowId < flows.length ? flows[flowId].bytes() : 0;
    }

    /** How many bytes of a part did not arrive. Of a part that was rejected, all. */
    public long missingBytes(GenDcPart part) {
        if (!part.usable()) {
            return Math.max(0, part.dataSize());
        }
        return linear
                ? missingBytes(0, part.dataOffset(), part.dataSize())
                : missingBytes(part.flowId(), part.flowPlace(), part.dataSize());
    }

    /** Whether a part can be used and all of its data arrived. */
    public boolean complete(GenDcPart part) {
        return part.usable() && missingBytes(part) == 0;
    }

    /** Whether a component is valid and all of its parts are complete. */
    public boolean complete(GenDcComponent component) {
        return !component.invalid() && partsComplete(component);
    }

    private boolean partsComplete(GenDcComponent component) {
        List<GenDcPart> parts = component.parts();
        for (int i = 0; i < parts.size(); i++) {
            if (!complete(parts.get(i))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether a container is complete: its descriptor arrived and is final, and so did the data of each valid
     * component.
     */
    public boolean complete(GenDcDescriptor descriptor) {
        if (!descriptor.isFinal() || !covers(0, 0, descriptor.descriptorSizeBytes())) {
            return false;
        }
        List<GenDcComponent> components = descriptor.components();
        for (int i = 0; i < components.size(); i++) {
            if (!components.get(i).invalid() && !partsComplete(components.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** The ranges of each flow. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("ReceivedRanges");
        for (int i = 0; i < flows.length; i++) {
            text.append(linear ? " linear" : " flow " + i).append(flows[i]);
        }
        return text.toString();
    }

    /** Sorted ranges that neither overlap nor touch. */
    private static final class Ranges {
        private long[] starts = new long[FIRST_CAPACITY];
        private long[] ends = new long[FIRST_CAPACITY];
        private int count;

        boolean add(long start, long end) {
            // First range that the new one overlaps or touches, and the first after it that it does not.
            int first = firstEndingAtOrAfter(start);
            int after = first;
            while (after < count && starts[after] <= end) {
                after++;
            }
            if (after == first) {
                return insert(first, start, end);
            }
            starts[first] = Math.min(starts[first], start);
            ends[first] = Math.max(ends[after - 1], end);
            int rest = count - after;
            System.arraycopy(starts, after, starts, first + 1, rest);
            System.arraycopy(ends, after, ends, first + 1, rest);
            count = first + 1 + rest;
            return true;
        }

        private boolean insert(int at, long start, long end) {
            if (count == MAX_RANGES) {
                return false;
            }
            if (count == starts.length) {
                starts = Arrays.copyOf(starts, 2 * count);
                ends = Arrays.copyOf(ends, 2 * count);
            }
            System.arraycopy(starts, at, starts, at + 1, count - at);
            System.arraycopy(ends, at, ends, at + 1, count - at);
            starts[at] = start;
            ends[at] = end;
            count++;
            return true;
        }

        private int firstEndingAtOrAfter(long offset) {
            if (count > 0 && ends[count - 1] < offset) {
                return count;
            }
            int found = Arrays.binarySearch(ends, 0, count, offset);
            return found >= 0 ? found : -found - 1;
        }

        long missing(long start, long end) {
            long missing = end - start;
            for (int i = firstEndingAtOrAfter(start); i < count && starts[i] < end; i++) {
                missing -= Math.max(0, Math.min(end, ends[i]) - Math.max(start, starts[i]));
            }
            return missing;
        }

        long bytes() {
            long bytes = 0;
            for (int i = 0; i < count; i++) {
                bytes += ends[i] - starts[i];
            }
            return bytes;
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder("[");
            for (int i = 0; i < count; i++) {
                text.append(i == 0 ? "" : ", ").append(starts[i]).append("..").append(ends[i]);
            }
            return text.append(']').toString();
        }
    }
}
