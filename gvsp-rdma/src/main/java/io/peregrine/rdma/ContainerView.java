package io.peregrine.rdma;

import io.peregrine.stream.engine.FlowSet;
import java.nio.ByteBuffer;

/**
 * The least that a receiver must know of a GenDC container whose descriptor is at the start of flow 0 (GenDC 1.1):
 * block id, time, and whether what it describes lies within the flows and arrived. Nothing the device wrote is used
 * before it was held against the bytes that are there. Used again for every block, without allocation.
 */
final class ContainerView {

    /** What was found. */
    enum Finding {
        /** Every part of the descriptor has arrived. */
        WHOLE,
        /** There is no container. */
        UNREADABLE,
        /** The descriptor announces more than arrived. */
        DATA_MISSING,
        /** The descriptor is impossible. */
        CONTRADICTION
    }

    private static final int SIGNATURE = 0x43444E47;
    private static final int CONTAINER_BYTES = 56;
    private static final int COMPONENT_BYTES = 48;
    private static final int PART_BYTES = 40;
    private static final int VERSION_MAJOR = 1;
    private static final int TYPE_CONTAINER = 0x1000;
    private static final int TYPE_COMPONENT = 0x2000;
    private static final int COMPONENT_INVALID = 1;

    private long blockId;
    private long timestampTicks;
    private int descriptorBytes;

    private ByteBuffer bytes;
    private FlowSet set;
    private long partCount;

    /**
     * Looks at a container.
     *
     * @param flow0 flow 0 of the flow set, or as much of it as fits a buffer, little-endian, from index 0
     * @param filled the flow set, with what was received in each flow
     */
    Finding read(ByteBuffer flow0, FlowSet filled) {
        bytes = flow0;
        set = filled;
        blockId = 0;
        timestampTicks = 0;
        descriptorBytes = 0;
        partCount = 0;
        if (!set.covered(0, 0, CONTAINER_BYTES)
                || flow0.getInt(0) != SIGNATURE
                || flow0.get(4) != VERSION_MAJOR
                || Short.toUnsignedInt(flow0.getShort(8)) != TYPE_CONTAINER) {
            return Finding.UNREADABLE;
        }
        blockId = flow0.getLong(16);
        long size = Integer.toUnsignedLong(flow0.getInt(48));
        if (size < CONTAINER_BYTES || size > set.flowSizeBytes(0) || size > bytes.capacity()) {
            return Finding.CONTRADICTION;
        }
        if (!set.covered(0, 0, size)) {
            return Finding.DATA_MISSING;
        }
        descriptorBytes = (int) size;
        return components();
    }

    private Finding components() {
        long headerSize = Integer.toUnsignedLong(bytes.getInt(12));
        long count = Integer.toUnsignedLong(bytes.getInt(52));
        // Each header has bytes of its own, so there cannot be more of them than fit.
        if (count > descriptorBytes / COMPONENT_BYTES
                || headerSize < CONTAINER_BYTES + 8 * count
                || headerSize > descriptorBytes) {
            return Finding.CONTRADICTION;
        }
        Finding worst = Finding.WHOLE;
        for (int i = 0; i < count; i++) {
            Finding finding = component(i, bytes.getLong(CONTAINER_BYTES + 8 * i));
            worst = finding.compareTo(worst) > 0 ? finding : worst;
        }
        return worst;
    }

    private Finding component(int index, long offset) {
        if (!inDescriptor(offset, COMPONENT_BYTES)) {
            return Finding.CONTRADICTION;
        }
        int at = (int) offset;
        int parts = Short.toUnsignedInt(bytes.getShort(at + 46));
        partCount += parts;
        if (Short.toUnsignedInt(bytes.getShort(at)) != TYPE_COMPONENT
                || !inDescriptor(offset, COMPONENT_BYTES + 8L * parts)
                || partCount > descriptorBytes / PART_BYTES) {
            return Finding.CONTRADICTION;
        }
        if (index == 0) {
            timestampTicks = bytes.getLong(at + 24);
        }
        boolean invalid = (bytes.getShort(at + 2) & COMPONENT_INVALID) != 0;
        Finding worst = Finding.WHOLE;
        for (int i = 0; i < parts; i++) {
            Finding finding = part(bytes.getLong(at + COMPONENT_BYTES + 8 * i), invalid);
            worst = finding.compareTo(worst) > 0 ? finding : worst;
        }
        return worst;
    }

    private Finding part(long offset, boolean invalid) {
        if (!inDescriptor(offset, PART_BYTES)) {
            return Finding.CONTRADICTION;
        }
        int at = (int) offset;
        // One flow is a linear container, in which parts have their place by the offset of their data.
        boolean linear = set.flowCount() == 1;
        int flow = linear ? 0 : Short.toUnsignedInt(bytes.getShort(at + 14));
        long start = bytes.getLong(linear ? at + 32 : at + 16);
        long size = bytes.getLong(at + 24);
        if (invalid) {
            return Finding.WHOLE;
        }
        if (flow >= set.flowCount() || start < 0 || size < 0 || start > set.flowSizeBytes(flow) - size) {
            return Finding.CONTRADICTION;
        }
        return set.covered(flow, start, size) ? Finding.WHOLE : Finding.DATA_MISSING;
    }

    private boolean inDescriptor(long offset, long length) {
        return offset >= 0 && offset <= descriptorBytes - length;
    }

    /** Id of the container; 0 if it is unreadable. */
    long blockId() {
        return blockId;
    }

    /** Time of the first component in ticks of the device; 0 if it is not known. */
    long timestampTicks() {
        return timestampTicks;
    }

    /** Size of the descriptor; 0 if it is not there or not possible. */
    int descriptorBytes() {
        return descriptorBytes;
    }
}
