package io.peregrine.gvsp;

import java.nio.ByteBuffer;

/**
 * Where the parts of a multi-part block lie in flow 0: one after another in the order of the leader, each on 8 bytes.
 */
final class PartTable {
    private static final long ALIGNMENT_BYTES = GvspLeader.PART_ALIGNMENT_BYTES;

    private long[] offsets = new long[0];
    /** Bytes of the parts before each, without alignment: where devices that count through the block begin it. */
    private long[] starts = new long[0];

    private long[] lengths = new long[0];
    private long[] stored = new long[0];
    private int count;

    void clear() {
        count = 0;
    }

    /**
     * Takes the parts of a leader that is long enough for them.
     *
     * @param partCount at most {@link GvspLeader#MAX_PARTS}, so that no sum of lengths overflows
     */
    void read(ByteBuffer leader, int offset, int partCount) {
        if (offsets.length < partCount) {
            offsets = new long[partCount];
            starts = new long[partCount];
            lengths = new long[partCount];
            stored = new long[partCount];
        }
        long end = 0;
        long start = 0;
        for (int part = 0; part < partCount; part++) {
            offsets[part] = (end + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
            lengths[part] = GvspLeader.partLengthBytes(leader, offset, part);
            stored[part] = 0;
            starts[part] = start;
            start += lengths[part];
            end = offsets[part] + lengths[part];
        }
        count = partCount;
    }

    int count() {
        return count;
    }

    /** First byte of a part in flow 0. */
    long offsetBytes(int part) {
        return offsets[part];
    }

    /** Bytes of a part by the leader. */
    long lengthBytes(int part) {
        return lengths[part];
    }

    /** Bytes of all parts before one. */
    long startBytes(int part) {
        return starts[part];
    }

    long totalBytes() {
        long total = 0;
        for (int part = 0; part < count; part++) {
            total += lengths[part];
        }
        return total;
    }

    /** Whether a range lies within a part of the leader. */
    boolean holds(int part, long destination, int size) {
        return part < count && destination <= lengths[part] && size <= lengths[part] - destination;
    }

    void addStored(int part, long bytes) {
        stored[part] += bytes;
    }

    boolean empty(int part) {
        return stored[part] == 0;
    }
}
