package io.peregrine.gendc;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * View of a descriptor (GenDC 1.1, chapter 2): the container header with all component and part headers. It tells where
 * data lies; it holds none. Nothing is copied.
 */
public final class GenDcDescriptor {
    /** DataSize of parts may become smaller in the final descriptor. */
    public static final int VARIABLE_DATA_SIZE = 1;
    /** SizeX and PaddingX may still change. */
    public static final int VARIABLE_SIZE_X = 1 << 1;
    /** SizeY and PaddingY may still change. */
    public static final int VARIABLE_SIZE_Y = 1 << 2;
    /** Region offsets may still change. */
    public static final int VARIABLE_REGION_OFFSET = 1 << 3;
    /** Formats of components may still change. */
    public static final int VARIABLE_FORMAT = 1 << 4;
    /** Timestamps may still change. */
    public static final int VARIABLE_TIMESTAMP = 1 << 5;
    /** The last components may be missing. */
    public static final int VARIABLE_COMPONENT_COUNT = 1 << 6;
    /** Components may still become invalid. */
    public static final int VARIABLE_COMPONENT_INVALID = 1 << 7;

    static final int FLAG_TIMESTAMP_PTP = 1;
    static final int FLAG_COMPONENT_INVALID = 1 << 1;

    private final ByteBuffer bytes;
    private final List<GenDcComponent> components;
    private final List<GenDcProblem> problems;

    GenDcDescriptor(ByteBuffer bytes, List<GenDcComponent> components, List<GenDcProblem> problems) {
        this.bytes = bytes;
        this.components = components;
        this.problems = problems;
    }

    /**
     * Reads a descriptor, for data that lies in flows or is not there at all.
     *
     * @param descriptorBytes from position to limit; more may follow the descriptor; the position is not moved
     * @throws GenDcException if it cannot be used
     */
    public static GenDcDescriptor parse(ByteBuffer descriptorBytes) {
        return DescriptorParser.parse(descriptorBytes, DescriptorParser.LENGTH_UNKNOWN);
    }

    /** Begins a new descriptor. */
    public static GenDcDescriptorBuilder builder() {
        return new GenDcDescriptorBuilder();
    }

    /** Major version, always 1. */
    public int versionMajor() {
        return Byte.toUnsignedInt(bytes.get(4));
    }

    /** Minor version. */
    public int versionMinor() {
        return Byte.toUnsignedInt(bytes.get(5));
    }

    /** Sub minor version. */
    public int versionSubMinor() {
        return Byte.toUnsignedInt(bytes.get(6));
    }

    /** Flags as they are. */
    public int flags() {
        return Short.toUnsignedInt(bytes.getShort(10));
    }

    /** Whether timestamps of components count from 1970-01-01 TAI, as PTP does. */
    public boolean timestampPtp() {
        return (flags() & FLAG_TIMESTAMP_PTP) != 0;
    }

    /** Whether some component may be invalid. */
    public boolean componentInvalid() {
        return (flags() & FLAG_COMPONENT_INVALID) != 0;
    }

    /** Bytes of the container header with its list of components. */
    public int headerSizeBytes() {
        return bytes.getInt(12);
    }

    /** Id of the container, one more with each that the device sends. */
    public long id() {
        return bytes.getLong(16);
    }

    /** What may still change until the final descriptor; {@code VARIABLE_} bits, 0 in a final one. */
    public int variableFields() {
        return Short.toUnsignedInt(bytes.getShort(24));
    }

    /** Whether nothing may change any more. */
    public boolean isFinal() {
        return variableFields() == 0;
    }

    /** Most bytes that the data section can have. */
    public long dataSize() {
        return bytes.getLong(32);
    }

    /** First byte of the data section, counted from the start of the descriptor. */
    public long dataOffset() {
        return bytes.getLong(40);
    }

    /** Bytes of the descriptor: all headers together. */
    public int descriptorSizeBytes() {
        return bytes.limit();
    }

    /** Bytes from the start of the descriptor to the end of the data section. */
    public long containerSizeBytes() {
        return dataOffset() + dataSize();
    }

    /** The components, in order, invalid ones included. */
    public List<GenDcComponent> components() {
        return components;
    }

    /** What was found to be wrong and could be lived with, in the order of the descriptor. */
    public List<GenDcProblem> problems() {
        return problems;
    }

    /**
     * The flows that the descriptor uses, each as large as its last part needs. Flow 0 holds the descriptor, too. Parts
     * that were rejected do not count.
     */
    public FlowTable flowTable() {
        long[] sizes = {descriptorSizeBytes()};
        for (GenDcComponent component : components) {
            for (GenDcPart part : component.parts()) {
                int flow = part.flowId();
                if (!part.usable()) {
                    continue;
                }
                if (flow >= sizes.length) {
                    sizes = Arrays.copyOf(sizes, flow + 1);
                }
                sizes[flow] = Math.max(sizes[flow], part.flowOffset() + part.dataSize());
            }
        }
        return FlowTable.of(sizes);
    }

    /** A copy of the descriptor's bytes. */
    public byte[] toBytes() {
        byte[] copy = new byte[bytes.limit()];
        bytes.get(0, copy);
        return copy;
    }

    static String hex16(int value) {
        return String.format(Locale.ROOT, "0x%04X", value);
    }

    /** Every header and every problem, a line each. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(256)
                .append("GenDC ")
                .append(versionMajor())
                .append('.')
                .append(versionMinor())
                .append('.')
                .append(versionSubMinor())
                .append(" id=")
                .append(Long.toUnsignedString(id()))
                .append(" flags=")
                .append(hex16(flags()))
                .append(timestampPtp() ? " TimestampPTP" : "")
                .append(componentInvalid() ? " ComponentInvalid" : "")
                .append(" headerSize=")
                .append(headerSizeBytes())
                .append(" variableFields=")
                .append(hex16(variableFields()))
                .append(" dataSize=")
                .append(dataSize())
                .append(" dataOffset=")
                .append(dataOffset())
                .append(" descriptorSize=")
                .append(descriptorSizeBytes())
                .append(" components=")
                .append(components.size());
        for (int i = 0; i < components.size(); i++) {
            GenDcComponent component = components.get(i);
            text.append("\n  [").append(i).append("] ").append(component);
            for (int j = 0; j < component.parts().size(); j++) {
                text.append("\n    [")
                        .append(j)
                        .append("] ")
                        .append(component.parts().get(j));
            }
        }
        for (GenDcProblem problem : problems) {
            text.append("\n  ").append(problem);
        }
        return text.toString();
    }
}
