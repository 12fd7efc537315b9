package io.peregrine.gendc;

import io.peregrine.gendc.GenDcDescriptor.VariableField;
import io.peregrine.gendc.GenDcProblem.Severity;
import io.peregrine.pfnc.PfncCodes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the headers of a descriptor. What makes the container unusable throws; what makes a part unusable rejects that
 * part ({@link PartChecks}); everything else is noted. Counts are checked against the bytes that are there before
 * anything is allocated.
 *
 * <p>A parser has one set of views, which each run moves to what it read. Runs over descriptors that are no larger than
 * those before, and have no problem, allocate nothing.
 */
final class DescriptorParser {
    /** More than a hundred thousand parts: beyond anything that a device can mean. */
    static final int MAX_DESCRIPTOR_BYTES = 16 << 20;

    private static final int SIGNATURE = 0x43444E47;
    private static final int FIXED_SIZE_BYTES = GenDcDescriptor.FIXED_SIZE_BYTES;
    private static final int VERSION_MAJOR = 1;
    private static final int TYPE_CONTAINER = 0x1000;
    private static final int TYPE_COMPONENT = 0x2000;
    private static final int DEFINED_CONTAINER_FLAGS = 0x0003;
    private static final int DEFINED_COMPONENT_FLAGS = 0x0001;
    private static final int DEFINED_VARIABLE_FIELDS = 0x00FF;
    private static final int FIRST_RESERVED_GROUP = 0xF000;

    private final CheckMode mode;
    private final Problems problems = new Problems();
    private final PartChecks checks = new PartChecks(problems);
    private final PlaceChecks places = new PlaceChecks(problems);
    private final GenDcDescriptor descriptor = new GenDcDescriptor(problems);
    private GenDcComponent[] components = GenDcComponent.NONE;
    private GenDcPart[] parts = GenDcPart.NONE;
    private int partCount;
    private ByteBuffer bytes = GenDcDescriptor.NO_BYTES;
    private int base;
    private int descriptorSize;
    private long headerBytes;
    private long containerEnd;

    DescriptorParser(CheckMode mode) {
        this.mode = mode;
    }

    /** What each run moves. */
    GenDcDescriptor view() {
        return descriptor;
    }

    /** Reads a descriptor whose data is elsewhere. */
    GenDcDescriptor readDescriptor(ByteBuffer source) {
        checks.dataElsewhere();
        return read(source);
    }

    /** Reads the descriptor of a container in one run of bytes. */
    GenDcDescriptor readLinear(ByteBuffer source) {
        checks.dataWithin(source.remaining());
        return read(source);
    }

    /** Reads the descriptor of a container that lies in flows. */
    GenDcDescriptor readFlows(List<ByteBuffer> memory) {
        if (memory.isEmpty()) {
            throw new GenDcException("No flow: the descriptor is in flow 0");
        }
        checks.dataIn(memory);
        return read(memory.get(0));
    }

    private GenDcDescriptor read(ByteBuffer source) {
        problems.clear();
        descriptor.clear();
        try {
            begin(source);
            run();
        } catch (GenDcException e) {
            descriptor.clear();
            throw e;
        } finally {
            checks.dataElsewhere();
        }
        problems.close();
        return descriptor;
    }

    /** Adds what is wrong for a descriptor of this kind. */
    void checkKind(GenDcDescriptor.Kind kind) {
        int variable = descriptor.variableFields();
        if (kind == GenDcDescriptor.Kind.FINAL && variable != 0) {
            problems.warn(-1, -1, "the final descriptor has VariableFields {x}", variable);
        } else if (kind != GenDcDescriptor.Kind.FINAL && variable == 0) {
            // A prefetch descriptor of a stream in which nothing varies has none either.
            if (kind == GenDcDescriptor.Kind.PRELIMINARY) {
                problems.warn(-1, -1, "a preliminary descriptor without VariableFields is final");
            }
        } else if (kind == GenDcDescriptor.Kind.PRELIMINARY && VariableField.FORMAT.in(variable)) {
            problems.warn(-1, -1, "only in a prefetch descriptor may the format be variable");
        }
    }

    /** In strict mode, throws when there is more than types that are not known. */
    void finish() {
        if (mode == CheckMode.STRICT && problems.count(Severity.WARNING) + problems.count(Severity.PART_REJECTED) > 0) {
            List<GenDcProblem> found = List.copyOf(problems.list());
            descriptor.clear();
            throw new GenDcException("Not as GenDC 1.1 wants it: " + found, found);
        }
    }

    /**
     * Bytes of the container, by its header alone.
     *
     * @param head the header's fixed fields from the position on
     */
    static long containerSizeBytes(ByteBuffer head) {
        int at = head.position();
        long descriptor = checkHead(head);
        long offset = LittleEndian.i64(head, at + 40);
        long size = LittleEndian.i64(head, at + 32);
        if (size < 0 || offset < 0 || size > Long.MAX_VALUE - offset) {
            throw beyond(size, offset);
        }
        return Math.max(descriptor, offset + size);
    }

    /** Checks what says that this is a container at all, and returns the size of its descriptor. */
    private static long checkHead(ByteBuffer source) {
        int at = source.position();
        int length = source.remaining();
        if (length < FIXED_SIZE_BYTES) {
            throw new GenDcException(
                    length + " bytes are no container: its header alone has " + FIXED_SIZE_BYTES + " bytes");
        }
        int signature = LittleEndian.i32(source, at);
        if (signature != SIGNATURE) {
            throw new GenDcException("No container: it begins with 0x" + Integer.toHexString(signature)
                    + " instead of the signature GNDC");
        }
        int major = LittleEndian.u8(source, at + 4);
        if (major != VERSION_MAJOR) {
            throw new GenDcException("GenDC version " + major + " is not known, only " + VERSION_MAJOR);
        }
        int type = LittleEndian.u16(source, at + 8);
        if (type != TYPE_CONTAINER) {
            throw new GenDcException("Header type of the container is " + Hex.of16(type) + ", not 0x1000");
        }
        return LittleEndian.u32(source, at + 48);
    }

    private static GenDcException beyond(long dataSize, long dataOffset) {
        return new GenDcException("Data section of " + Long.toUnsignedString(dataSize) + " bytes at " + dataOffset
                + " is beyond 63 bits");
    }

    private void begin(ByteBuffer source) {
        long size = checkHead(source);
        int length = source.remaining();
        if (size < FIXED_SIZE_BYTES || size > length) {
            throw new GenDcException(
                    "Descriptor of " + size + " bytes does not fit the " + length + " bytes that are there");
        }
        if (size > MAX_DESCRIPTOR_BYTES) {
            throw new GenDcException(
                    "Descriptor of " + size + " bytes is larger than " + MAX_DESCRIPTOR_BYTES + ", which is not read");
        }
        bytes = source;
        base = source.position();
        descriptorSize = (int) size;
    }

    private void run() {
        long headerSize = u32(12);
        long count = u32(52);
        long needed = FIXED_SIZE_BYTES + 8 * count;
        if (headerSize < needed || headerSize > descriptorSize) {
            throw new GenDcException("Container header of " + headerSize + " bytes with " + count
                    + " components does not fit a descriptor of " + descriptorSize + " bytes");
        }
        long dataSize = i64(32);
        long dataOffset = i64(40);
        if (dataSize < 0 || dataOffset < 0 || dataSize > Long.MAX_VALUE - dataOffset) {
            throw beyond(dataSize, dataOffset);
        }
        // Each header has separate bytes, so there cannot be more of them than fit.
        if (count > descriptorSize / GenDcComponent.FIXED_SIZE_BYTES) {
            throw new GenDcException(
                    count + " components cannot fit a descriptor of " + descriptorSize + " bytes without overlap");
        }
        containerEnd = dataOffset + dataSize;
        headerBytes = headerSize;
        partCount = 0;
        checks.begin(descriptorSize, containerEnd);
        checkContainer(headerSize, needed, count, dataOffset);
        reserveComponents((int) count);
        for (int i = 0; i < count; i++) {
            readComponent(i, i64(FIXED_SIZE_BYTES + 8 * i));
        }
        if (headerBytes != descriptorSize) {
            problems.warn(-1, -1, "headers have {} bytes together, DescriptorSize is {}", headerBytes, descriptorSize);
        }
        // The array of parts has its final place only now.
        int first = 0;
        for (int i = 0; i < count; i++) {
            components[i].setParts(parts, first);
            first += components[i].partCount();
        }
        descriptor.move(bytes, base, descriptorSize, components, (int) count);
        places.check(parts, partCount, checks.severalFlows());
    }

    private void reserveComponents(int count) {
        int had = components.length;
        if (count > had) {
            components = Arrays.copyOf(components, count);
            for (int i = had; i < count; i++) {
                components[i] = new GenDcComponent(bytes);
            }
        }
    }

    private GenDcPart nextPart() {
        if (partCount == parts.length) {
            parts = Arrays.copyOf(parts, Math.max(4, 2 * partCount));
        }
        GenDcPart part = parts[partCount];
        if (part == null) {
            part = new GenDcPart(bytes);
            parts[partCount] = part;
        }
        partCount++;
        return part;
    }

    private void checkContainer(long headerSize, long needed, long count, long dataOffset) {
        if (headerSize > needed) {
            problems.warn(-1, -1, "HeaderSize {} is more than the {} that are needed", headerSize, needed);
        }
        if (count == 0) {
            problems.warn(-1, -1, "there is no component");
        }
        if (dataOffset != descriptorSize) {
            problems.warn(-1, -1, "DataOffset {} is not DescriptorSize {}", dataOffset, descriptorSize);
        }
        if (LittleEndian.u8(bytes, base + 7) != 0
                || (u16(10) & ~DEFINED_CONTAINER_FLAGS) != 0
                || (u16(24) & ~DEFINED_VARIABLE_FIELDS) != 0
                || u16(26) != 0
                || u32(28) != 0) {
            problems.warn(-1, -1, "reserved bits are not 0");
        }
        checks.checkEnd();
    }

    private void readComponent(int index, long offset) {
        if (!GenDcPart.fits(offset, GenDcComponent.FIXED_SIZE_BYTES, descriptorSize)) {
            throw new GenDcException("Header of component " + index + " at " + offset + " lies outside the descriptor");
        }
        int at = (int) offset;
        int type = u16(at);
        if (type != TYPE_COMPONENT) {
            throw new GenDcException("Header type of component " + index + " is " + Hex.of16(type) + ", not 0x2000");
        }
        long headerSize = u32(at + 4);
        int count = u16(at + 46);
        long needed = GenDcComponent.FIXED_SIZE_BYTES + 8L * count;
        if (headerSize < needed || !GenDcPart.fits(offset, headerSize, descriptorSize)) {
            throw new GenDcException("Header of component " + index + " with " + headerSize + " bytes and " + count
                    + " parts does not fit the descriptor");
        }
        headerBytes += headerSize;
        if (partCount + count > descriptorSize / GenDcPart.COMMON_SIZE_BYTES) {
            throw new GenDcException((partCount + count) + " parts cannot fit a descriptor of " + descriptorSize
                    + " bytes without overlap");
        }
        GenDcComponent component = components[index];
        component.move(bytes, base, at, count);
        if (headerSize > needed) {
            problems.warn(index, -1, "HeaderSize {} is more than the {} that are needed", headerSize, needed);
        }
        checkComponent(index, component, count);
        for (int i = 0; i < count; i++) {
            GenDcPart part = readPart(index, i, i64(at + GenDcComponent.FIXED_SIZE_BYTES + 8 * i));
            checks.check(index, i, component, part);
            if (count == 1 && component.format() != part.format()) {
                problems.warn(
                        index, 0, "format {f} is not that of its component, {f}", part.format(), component.format());
            }
        }
    }

    private void checkComponent(int index, GenDcComponent component, int count) {
        if (component.reserved() != 0 || (component.flags() & ~DEFINED_COMPONENT_FLAGS) != 0) {
            problems.warn(index, -1, "reserved bits are not 0");
        }
        if (component.invalid() && (u16(10) & GenDcDescriptor.FLAG_COMPONENT_INVALID) == 0) {
            problems.warn(index, -1, "is invalid, but the container's flag ComponentInvalid is not set");
        }
        if (count == 0) {
            problems.warn(index, -1, "has no part");
        }
        if (component.timestamp() < 0) {
            problems.warn(index, -1, "timestamp {} is negative", component.timestamp());
        }
        if (component.groupId() >= FIRST_RESERVED_GROUP && component.groupId() != GenDcComponent.ALL_GROUPS) {
            problems.warn(index, -1, "group id {x} is reserved", component.groupId());
        }
        ComponentType type = component.type();
        if (type == ComponentType.UNKNOWN || type == ComponentType.UNDEFINED) {
            problems.note(Severity.SKIPPED, index, -1, "type id {l} is not known", component.typeId());
        }
        if (type == ComponentType.METADATA && component.format() != PfncCodes.DATA8) {
            problems.warn(index, -1, "metadata has the format {f}, not Data8", component.format());
        }
    }

    private GenDcPart readPart(int component, int index, long offset) {
        if (!GenDcPart.fits(offset, GenDcPart.COMMON_SIZE_BYTES, descriptorSize)) {
            throw new GenDcException("Header of component " + component + " part " + index + " at " + offset
                    + " lies outside the descriptor");
        }
        long headerSize = u32((int) offset + 4);
        if (headerSize < GenDcPart.COMMON_SIZE_BYTES || !GenDcPart.fits(offset, headerSize, descriptorSize)) {
            throw new GenDcException("Header of component " + component + " part " + index + " with " + headerSize
                    + " bytes does not fit the descriptor");
        }
        headerBytes += headerSize;
        GenDcPart part = nextPart();
        part.move(bytes, base, (int) offset, (int) headerSize, descriptorSize, component, index);
        return part;
    }

    private int u16(int at) {
        return LittleEndian.u16(bytes, base + at);
    }

    private long u32(int at) {
        return LittleEndian.u32(bytes, base + at);
    }

    private long i64(int at) {
        return LittleEndian.i64(bytes, base + at);
    }
}
