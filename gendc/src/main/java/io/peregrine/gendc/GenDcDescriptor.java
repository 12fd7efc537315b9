package io.peregrine.gendc;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * View of a descriptor (GenDC 1.1, chapter 2): the container header with all component and part headers. It says where
 * data lies; it holds none. Nothing is copied; reading a field allocates nothing.
 *
 * <p>What the static methods return stays as it is, and may be read by any number of threads. What a
 * {@link GenDcReader} returns is moved by its next read, and is for one thread at a time.
 */
public final class GenDcDescriptor {
    /**
     * Where a descriptor comes from (GenDC 1.1, chapter 3). Its own bytes only distinguish a final one from the others.
     */
    public enum Kind {
        /** Read from the device before streaming: everything that can come, at its largest. */
        PREFETCH,
        /** Sent ahead of the data: offsets hold, sizes are the most there can be. */
        PRELIMINARY,
        /** Holds: nothing varies any more. */
        FINAL
    }

    /** What may still change between a prefetch or preliminary descriptor and the final one (field VariableFields). */
    public enum VariableField {
        /** DataSize of parts may become smaller. */
        DATA_SIZE(1, "DataSize"),
        /** SizeX and PaddingX. */
        SIZE_X(1 << 1, "SizeX"),
        /** SizeY and PaddingY. */
        SIZE_Y(1 << 2, "SizeY"),
        /** Region offsets. */
        REGION_OFFSET(1 << 3, "RegionOffset"),
        /** Formats of components; in prefetch descriptors only. */
        FORMAT(1 << 4, "Format"),
        /** Timestamps of components. */
        TIMESTAMP(1 << 5, "Timestamp"),
        /** The last components may be missing. */
        COMPONENT_COUNT(1 << 6, "ComponentCount"),
        /** Components may become invalid. */
        COMPONENT_INVALID(1 << 7, "ComponentInvalid");

        private final int bit;
        private final String standardName;

        VariableField(int bit, String standardName) {
            this.bit = bit;
            this.standardName = standardName;
        }

        /** The bit in VariableFields. */
        public int bit() {
            return bit;
        }

        /** The name that the standard gives it. */
        public String standardName() {
            return standardName;
        }

        /** Whether the bit is set. */
        public boolean in(int variableFields) {
            return (variableFields & bit) != 0;
        }

        /** The fields whose bits are set; reserved bits do not count. */
        public static Set<VariableField> of(int variableFields) {
            EnumSet<VariableField> set = EnumSet.noneOf(VariableField.class);
            for (VariableField field : values()) {
                if (field.in(variableFields)) {
                    set.add(field);
                }
            }
            return Collections.unmodifiableSet(set);
        }
    }

    static final int FLAGS_OFFSET = 10;
    static final int FLAG_TIMESTAMP_PTP = 1;
    static final int FLAG_COMPONENT_INVALID = 1 << 1;

    static final int FIXED_SIZE_BYTES = 56;
    /** A container header with nothing in it. */
    static final ByteBuffer NO_BYTES =
            ByteBuffer.allocate(FIXED_SIZE_BYTES).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);

    private final ViewList<GenDcComponent> components = new ViewList<>(GenDcComponent.NONE);
    private final Problems problems;
    private ByteBuffer bytes = NO_BYTES;
    private int base;
    private int sizeBytes = FIXED_SIZE_BYTES;

    GenDcDescriptor(Problems problems) {
        this.problems = problems;
    }

    void move(ByteBuffer to, int index, int size, GenDcComponent[] views, int count) {
        bytes = to;
        base = index;
        sizeBytes = size;
        components.set(views, 0, count);
    }

    void clear() {
        move(NO_BYTES, 0, FIXED_SIZE_BYTES, GenDcComponent.NONE, 0);
    }

    /**
     * Reads a descriptor, for data that lies in flows or is not there at all.
     *
     * @param descriptorBytes from position to limit; more may follow the descriptor; the position is not moved
     * @throws GenDcException if it cannot be used
     */
    public static GenDcDescriptor parse(ByteBuffer descriptorBytes) {
        return parse(descriptorBytes, CheckMode.TOLERANT);
    }

    /**
     * Reads a descriptor, for data that lies in flows or is not there at all.
     *
     * @param descriptorBytes from position to limit; more may follow the descriptor; the position is not moved
     * @param mode how strict to be with deviations from the standard
     * @throws GenDcException if it cannot be used
     */
    public static GenDcDescriptor parse(ByteBuffer descriptorBytes, CheckMode mode) {
        DescriptorParser parser = new DescriptorParser(mode);
        GenDcDescriptor descriptor = parser.readDescriptor(own(descriptorBytes));
        parser.finish();
        return descriptor;
    }

    /**
     * Reads a descriptor of which it is known where it comes from, and checks that it may be of that kind.
     *
     * @param descriptorBytes from position to limit; more may follow the descriptor; the position is not moved
     * @param kind where it comes from
     * @param mode how strict to be with deviations from the standard
     * @throws GenDcException if it cannot be used
     */
    public static GenDcDescriptor parse(ByteBuffer descriptorBytes, Kind kind, CheckMode mode) {
        DescriptorParser parser = new DescriptorParser(mode);
        GenDcDescriptor descriptor = parser.readDescriptor(own(descriptorBytes));
        parser.checkKind(kind);
        parser.finish();
        return descriptor;
    }

    /** The same bytes behind a buffer whose limit no one else moves. */
    static ByteBuffer own(ByteBuffer bytes) {
        return bytes.slice().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Begins a new descriptor. */
    public static GenDcDescriptorBuilder builder() {
        return new GenDcDescriptorBuilder();
    }

    /** Major version, always 1. */
    public int versionMajor() {
        return LittleEndian.u8(bytes, base + 4);
    }

    /** Minor version. */
    public int versionMinor() {
        return LittleEndian.u8(bytes, base + 5);
    }

    /** Sub minor version. */
    public int versionSubMinor() {
        return LittleEndian.u8(bytes, base + 6);
    }

    /** Flags as they are. */
    public int flags() {
        return LittleEndian.u16(bytes, base + FLAGS_OFFSET);
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
        return LittleEndian.i32(bytes, base + 12);
    }

    /** Id of the container, one more with each that the device sends. */
    public long id() {
        return LittleEndian.i64(bytes, base + 16);
    }

    /** What may still change until the final descriptor; {@code VARIABLE_} bits, 0 in a final one. */
    public int variableFields() {
        return LittleEndian.u16(bytes, base + 24);
    }

    /** What may still change until the final descriptor. */
    public Set<VariableField> variable() {
        return VariableField.of(variableFields());
    }

    /** Whether nothing may change any more. */
    public boolean isFinal() {
        return variableFields() == 0;
    }

    /** Most bytes that the data section can have. */
    public long dataSize() {
        return LittleEndian.i64(bytes, base + 32);
    }

    /** First byte of the data section, counted from the start of the descriptor. */
    public long dataOffset() {
        return LittleEndian.i64(bytes, base + 40);
    }

    /** Bytes of the descriptor: all headers together. */
    public int descriptorSizeBytes() {
        return sizeBytes;
    }

    /** Bytes from the start of the descriptor to the end of the data section. */
    public long containerSizeBytes() {
        return dataOffset() + dataSize();
    }

    /** The components, in order, invalid ones included. */
    public List<GenDcComponent> components() {
        return components;
    }

    /**
     * What was found to be wrong and could be lived with, in the order of the descriptor. No more than a hundred of
     * each severity are listed.
     */
    public List<GenDcProblem> problems() {
        return problems.list();
    }

    /** How many problems of a severity were found, those that are not listed included. */
    public int problemCount(GenDcProblem.Severity severity) {
        return problems.count(severity);
    }

    /**
     * The flows that the descriptor uses, each as large as its last part needs. Flow 0 holds the descriptor, too. Parts
     * that were rejected do not count. The sizes of all but final descriptors are the most there can be.
     *
     * @throws GenDcException if flow ids have more holes than there are parts
     */
    public FlowTable flowTable() {
        int parts = 0;
        int last = 0;
        for (int c = 0; c < components.size(); c++) {
            List<GenDcPart> list = components.get(c).parts();
            parts += list.size();
            for (int p = 0; p < list.size(); p++) {
                last = list.get(p).usable() ? Math.max(last, list.get(p).flowId()) : last;
            }
        }
        if (last > 2 * parts) {
            throw new GenDcException("Flow " + last + " is used, but there are only " + parts + " parts");
        }
        long[] sizes = new long[last + 1];
        sizes[0] = descriptorSizeBytes();
        for (int c = 0; c < components.size(); c++) {
            List<GenDcPart> list = components.get(c).parts();
            for (int p = 0; p < list.size(); p++) {
                GenDcPart part = list.get(p);
                if (part.usable()) {
                    int flow = part.flowId();
                    sizes[flow] = Math.max(sizes[flow], part.flowPlace() + part.dataSize());
                }
            }
        }
        return FlowTable.of(sizes);
    }

    /**
     * Where a flow begins in the linear container: what a part's data offset is more than its flow offset.
     *
     * @param flowId the flow
     * @return bytes from the start of the descriptor, 0 for flow 0; empty when no usable part with data lies in the
     *     flow
     */
    public OptionalLong flowBase(int flowId) {
        if (flowId == 0) {
            return OptionalLong.of(0);
        }
        for (int c = 0; c < components.size(); c++) {
            List<GenDcPart> list = components.get(c).parts();
            for (int p = 0; p < list.size(); p++) {
                GenDcPart part = list.get(p);
                if (part.flowId() == flowId && part.usable() && part.dataSize() > 0) {
                    return OptionalLong.of(part.dataOffset() - part.flowOffset());
                }
            }
        }
        return OptionalLong.empty();
    }

    /**
     * What is not as an earlier descriptor of the same layout announced it: its variable fields say what may differ,
     * and sizes may only become smaller.
     *
     * @param earlier the prefetch descriptor of the stream, or the preliminary one of this container
     * @return one warning for each difference that is not allowed, no more than a hundred
     */
    public List<GenDcProblem> changesFrom(GenDcDescriptor earlier) {
        return DescriptorChanges.find(earlier, this);
    }

    /** A copy of the descriptor's bytes. */
    public byte[] toBytes() {
        byte[] copy = new byte[sizeBytes];
        bytes.get(base, copy);
        return copy;
    }

    private String variableNames() {
        StringBuilder names = new StringBuilder();
        for (VariableField field : variable()) {
            names.append(' ').append(field.standardName());
        }
        return names.toString();
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
                .append(Hex.of16(flags()))
                .append(timestampPtp() ? " TimestampPTP" : "")
                .append(componentInvalid() ? " ComponentInvalid" : "")
                .append(" headerSize=")
                .append(headerSizeBytes())
                .append(" variableFields=")
                .append(Hex.of16(variableFields()))
                .append(variableNames())
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
        for (GenDcProblem problem : problems()) {
            text.append("\n  ").append(problem);
        }
        return text.toString();
    }
}
