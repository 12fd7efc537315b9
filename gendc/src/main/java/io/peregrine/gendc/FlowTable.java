package io.peregrine.gendc;

import io.peregrine.gendc.GenDcProblem.Severity;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Flow mapping table: the size of each flow of a stream (GenDC 1.1, table 3-1). It travels apart from containers and is
 * little-endian always. A size is an upper bound: some devices give more than they use.
 */
public final class FlowTable {
    private static final int HEADER_TYPE = 0x7000;
    private static final int HEADER_SIZE_BYTES = 16;
    private static final int VERSION_MAJOR = 1;
    /** Flow ids have 16 bits. */
    static final int MAX_FLOWS = 0x10000;

    private final long[] flowSizes;

    private FlowTable(long[] flowSizes) {
        this.flowSizes = flowSizes;
    }

    /**
     * A table of the given sizes.
     *
     * @param flowSizes bytes of each flow, in the order of flow ids
     */
    public static FlowTable of(long... flowSizes) {
        if (flowSizes.length < 1 || flowSizes.length > MAX_FLOWS) {
            throw new IllegalArgumentException("A flow table has 1 to 65536 flows, not " + flowSizes.length);
        }
        for (long size : flowSizes) {
            if (size < 0) {
                throw new IllegalArgumentException("A flow of " + size + " bytes is not possible");
            }
        }
        return new FlowTable(flowSizes.clone());
    }

    /**
     * Reads a table.
     *
     * @param source its bytes from position to limit; more may follow the table; the position is not moved
     * @throws GenDcException if it is no flow table
     */
    public static FlowTable parse(ByteBuffer source) {
        return parse(source, CheckMode.TOLERANT);
    }

    /**
     * Reads a table.
     *
     * @param source its bytes from position to limit; more may follow the table; the position is not moved
     * @param mode what to make of reserved bits, a minor version other than 0 and a header larger than needed
     * @throws GenDcException if it is no flow table
     */
    public static FlowTable parse(ByteBuffer source, CheckMode mode) {
        ByteBuffer bytes = source.slice().order(ByteOrder.LITTLE_ENDIAN);
        int length = bytes.limit();
        if (length < HEADER_SIZE_BYTES) {
            throw new GenDcException("Flow table of " + length + " bytes is shorter than its header of 16");
        }
        int type = Short.toUnsignedInt(bytes.getShort(0));
        if (type != HEADER_TYPE) {
            throw new GenDcException("Header type of the flow table is " + Hex.of16(type) + ", not 0x7000");
        }
        int major = Byte.toUnsignedInt(bytes.get(8));
        if (major != VERSION_MAJOR) {
            throw new GenDcException("Flow table version " + major + " is not known, only 1");
        }
        long headerSize = Integer.toUnsignedLong(bytes.getInt(4));
        long count = Integer.toUnsignedLong(bytes.getInt(12));
        if (count < 1 || count > MAX_FLOWS) {
            throw new GenDcException("Flow table has " + count + " flows; 1 to 65536 are possible");
        }
        long needed = HEADER_SIZE_BYTES + 8 * count;
        if (headerSize < needed || headerSize > length) {
            throw new GenDcException("Flow table header of " + headerSize + " bytes does not fit " + count
                    + " flows in " + length + " bytes");
        }
        if (mode == CheckMode.STRICT
                && (bytes.getShort(2) != 0 || bytes.get(9) != 0 || bytes.getShort(10) != 0 || headerSize != needed)) {
            throw new GenDcException("Flow table has reserved bits, a minor version or a larger header than GenDC 1.1");
        }
        long[] sizes = new long[(int) count];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = bytes.getLong(HEADER_SIZE_BYTES + 8 * i);
            if (sizes[i] < 0) {
                throw new GenDcException(
                        "Flow " + i + " has a size of " + Long.toUnsignedString(sizes[i]) + " bytes, beyond 63 bits");
            }
        }
        return new FlowTable(sizes);
    }

    /** Number of flows. */
    public int flowCount() {
        return flowSizes.length;
    }

    /** Bytes of each flow, in the order of flow ids. */
    public long[] flowSizes() {
        return flowSizes.clone();
    }

    /**
     * Bytes of a flow: no more than this can arrive.
     *
     * @param flowId 0 to {@link #flowCount()} - 1
     */
    public long flowSize(int flowId) {
        return flowSizes[Objects.checkIndex(flowId, flowSizes.length)];
    }

    /**
     * What of a descriptor has no place in these flows. Sizes are upper bounds: flows larger than needed are none of
     * it.
     *
     * @param descriptor a descriptor of the stream, best the prefetch one
     * @return one warning for each part in a flow that is not there or too small
     */
    public List<GenDcProblem> check(GenDcDescriptor descriptor) {
        Problems problems = new Problems();
        if (descriptor.descriptorSizeBytes() > flowSizes[0]) {
            problems.note(
                    Severity.WARNING,
                    -1,
                    -1,
                    "the descriptor of {} bytes does not fit flow 0 of {} bytes",
                    descriptor.descriptorSizeBytes(),
                    flowSizes[0]);
        }
        for (int c = 0; c < descriptor.components().size(); c++) {
            List<GenDcPart> parts = descriptor.components().get(c).parts();
            for (int p = 0; p < parts.size(); p++) {
                check(problems, c, p, parts.get(p));
            }
        }
        problems.close();
        return List.copyOf(problems.list());
    }

    private void check(Problems problems, int component, int index, GenDcPart part) {
        int flow = part.flowId();
        if (flow >= flowSizes.length) {
            problems.note(
                    Severity.WARNING, component, index, "is in flow {}, there are {} flows", flow, flowSizes.length);
        } else if (part.usable() && !GenDcPart.fits(part.flowPlace(), part.dataSize(), flowSizes[flow])) {
            problems.note(
                    Severity.WARNING,
                    component,
                    index,
                    "data of {} bytes at {} does not fit flow {} of {} bytes",
                    part.dataSize(),
                    part.flowPlace(),
                    flow,
                    flowSizes[flow]);
        }
    }

    /** The table as it travels, version 1.0. */
    public byte[] toBytes() {
        int size = HEADER_SIZE_BYTES + 8 * flowSizes.length;
        ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putShort((short) HEADER_TYPE).putShort((short) 0).putInt(size);
        bytes.put((byte) VERSION_MAJOR).put((byte) 0).putShort((short) 0).putInt(flowSizes.length);
        for (long flowSize : flowSizes) {
            bytes.putLong(flowSize);
        }
        return bytes.array();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FlowTable table && Arrays.equals(flowSizes, table.flowSizes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(flowSizes);
    }

    @Override
    public String toString() {
        return "FlowTable" + Arrays.toString(flowSizes);
    }
}
