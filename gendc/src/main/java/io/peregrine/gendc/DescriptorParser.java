package io.peregrine.gendc;

import io.peregrine.gendc.GenDcProblem.Severity;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pfnc.PixelFormat;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * All checks of a descriptor, in one place. What makes the container unusable throws; what makes a part unusable
 * rejects that part; everything else is noted. Counts are held against the bytes that are there before anything is
 * allocated.
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
    private static final int DEFINED_XML_FLAGS = 0x0300;
    private static final int FIRST_RESERVED_GROUP = 0xF000;

    /** What parts are held against. */
    private enum Data {
        /** The data is elsewhere. */
        ABSENT,
        /** One run of bytes. */
        LINEAR,
        /** A piece of memory for each flow. */
        FLOWS
    }

    private final CheckMode mode;
    private final Problems problems = new Problems();
    private final GenDcDescriptor descriptor = new GenDcDescriptor(problems);
    private GenDcComponent[] components = GenDcComponent.NONE;
    private GenDcPart[] parts = GenDcPart.NONE;
    private GenDcPart[] sorted = GenDcPart.NONE;
    private int partCount;
    private ByteBuffer bytes = GenDcDescriptor.NO_BYTES;
    private int base;
    private int descriptorSize;
    private long headerBytes;
    private long containerEnd;
    private Data data = Data.ABSENT;
    private long linearBytes;
    private List<ByteBuffer> flows = List.of();
    private boolean severalFlows;

    DescriptorParser(CheckMode mode) {
        this.mode = mode;
    }

    /** What each run moves. */
    GenDcDescriptor view() {
        return descriptor;
    }

    /** Reads a descriptor whose data is elsewhere. */
    GenDcDescriptor readDescriptor(ByteBuffer source) {
        return read(source, Data.ABSENT, 0, List.of());
    }

    /** Reads the descriptor of a container in one run of bytes. */
    GenDcDescriptor readLinear(ByteBuffer source) {
        return read(source, Data.LINEAR, source.remaining(), List.of());
    }

    /** Reads the descriptor of a container that lies in flows. */
    GenDcDescriptor readFlows(List<ByteBuffer> memory) {
        if (memory.isEmpty()) {
            throw new GenDcException("No flow: the descriptor is in flow 0");
        }
        return read(memory.get(0), Data.FLOWS, 0, memory);
    }

    private GenDcDescriptor read(ByteBuffer source, Data where, long length, List<ByteBuffer> memory) {
        problems.clear();
        descriptor.clear();
        data = where;
        linearBytes = length;
        flows = memory;
        try {
            begin(source);
            run();
        } catch (GenDcException e) {
            descriptor.clear();
            throw e;
        } finally {
            flows = List.of();
        }
        problems.close();
        return descriptor;
    }

    /** Adds what is wrong for a descriptor of this kind. */
    void checkKind(DescriptorKind kind) {
        int variable = descriptor.variableFields();
        if (kind == DescriptorKind.FINAL && variable != 0) {
            warn(-1, -1, "the final descriptor has VariableFields {x}", variable);
        } else if (kind != DescriptorKind.FINAL && variable == 0) {
            // A prefetch descriptor of a stream in which nothing varies has none either.
            if (kind == DescriptorKind.PRELIMINARY) {
                warn(-1, -1, "a preliminary descriptor without VariableFields is final");
            }
        } else if (kind == DescriptorKind.PRELIMINARY && VariableField.FORMAT.in(variable)) {
            warn(-1, -1, "only in a prefetch descriptor may the format be variable");
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
            throw new GenDcException("Header type of the container is " + GenDcDescriptor.hex16(type) + ", not 0x1000");
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
        // Each header has bytes of its own, so there cannot be more of them than fit.
        if (count > descriptorSize / GenDcComponent.FIXED_SIZE_BYTES) {
            throw new GenDcException(
                    count + " components cannot fit a descriptor of " + descriptorSize + " bytes without overlap");
        }
        containerEnd = dataOffset + dataSize;
        headerBytes = headerSize;
        partCount = 0;
        severalFlows = false;
        checkContainer(headerSize, needed, count, dataOffset);
        reserveComponents((int) count);
        for (int i = 0; i < count; i++) {
            readComponent(i, i64(FIXED_SIZE_BYTES + 8 * i));
        }
        if (headerBytes != descriptorSize) {
            warn(-1, -1, "headers have {} bytes together, DescriptorSize is {}", headerBytes, descriptorSize);
        }
        // The array of parts has its final place only now.
        int first = 0;
        for (int i = 0; i < count; i++) {
            components[i].setParts(parts, first);
            first += components[i].partCount();
        }
        descriptor.move(bytes, base, descriptorSize, components, (int) count);
        checkFlows();
        checkOverlap();
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
            warn(-1, -1, "HeaderSize {} is more than the {} that are needed", headerSize, needed);
        }
        if (count == 0) {
            warn(-1, -1, "there is no component");
        }
        if (dataOffset != descriptorSize) {
            warn(-1, -1, "DataOffset {} is not DescriptorSize {}", dataOffset, descriptorSize);
        }
        if (LittleEndian.u8(bytes, base + 7) != 0
                || (u16(10) & ~DEFINED_CONTAINER_FLAGS) != 0
                || (u16(24) & ~DEFINED_VARIABLE_FIELDS) != 0
                || u16(26) != 0
                || u32(28) != 0) {
            warn(-1, -1, "reserved bits are not 0");
        }
        if (data == Data.LINEAR && containerEnd > linearBytes) {
            warn(-1, -1, "the container has {} bytes, only {} are there", containerEnd, linearBytes);
        }
    }

    private void readComponent(int index, long offset) {
        if (!GenDcPart.fits(offset, GenDcComponent.FIXED_SIZE_BYTES, descriptorSize)) {
            throw new GenDcException("Header of component " + index + " at " + offset + " lies outside the descriptor");
        }
        int at = (int) offset;
        int type = u16(at);
        if (type != TYPE_COMPONENT) {
            throw new GenDcException(
                    "Header type of component " + index + " is " + GenDcDescriptor.hex16(type) + ", not 0x2000");
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
            warn(index, -1, "HeaderSize {} is more than the {} that are needed", headerSize, needed);
        }
        checkComponent(index, component, count);
        for (int i = 0; i < count; i++) {
            GenDcPart part = readPart(index, i, i64(at + GenDcComponent.FIXED_SIZE_BYTES + 8 * i));
            checkPart(index, i, component, part);
            if (count == 1 && component.format() != part.format()) {
                warn(index, 0, "format {f} is not that of its component, {f}", part.format(), component.format());
            }
        }
    }

    private void checkComponent(int index, GenDcComponent component, int count) {
        if (component.reserved() != 0 || (component.flags() & ~DEFINED_COMPONENT_FLAGS) != 0) {
            warn(index, -1, "reserved bits are not 0");
        }
        if (component.invalid() && (u16(10) & GenDcDescriptor.FLAG_COMPONENT_INVALID) == 0) {
            warn(index, -1, "is invalid, but the container's flag ComponentInvalid is not set");
        }
        if (count == 0) {
            warn(index, -1, "has no part");
        }
        if (component.timestamp() < 0) {
            warn(index, -1, "timestamp {} is negative", component.timestamp());
        }
        if (component.groupId() >= FIRST_RESERVED_GROUP && component.groupId() != GenDcComponent.ALL_GROUPS) {
            warn(index, -1, "group id {x} is reserved", component.groupId());
        }
        ComponentType type = component.type();
        if (type == ComponentType.UNKNOWN || type == ComponentType.UNDEFINED) {
            problems.note(Severity.SKIPPED, index, -1, "type id {l} is not known", component.typeId());
        }
        if (type == ComponentType.METADATA && component.format() != PfncCodes.DATA8) {
            warn(index, -1, "metadata has the format {f}, not Data8", component.format());
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

    private void checkPart(int c, int p, GenDcComponent component, GenDcPart part) {
        int type = part.headerType();
        if (!PartType.isStandard(type) && !PartType.isCustom(type)) {
            problems.note(Severity.SKIPPED, c, p, "part type {x} is not known", type);
        }
        if (PartType.isMetadata(type) && component.type() != ComponentType.METADATA) {
            warn(c, p, "is metadata in a component of another type");
        }
        checkFormatClass(c, p, type, part);
        int definedFlags = type == PartType.METADATA_XML ? DEFINED_XML_FLAGS : 0;
        if ((part.flags() & ~definedFlags) != 0) {
            warn(c, p, "reserved flags {x} are set", part.flags());
        }
        checkPlace(c, p, part);
        if (PartType.is2d(type)) {
            check2d(c, p, component, part);
        } else if (PartType.is1d(type) || PartType.isMetadata(type)) {
            check1d(c, p, component, part);
        }
    }

    /** Chunk data and XML are bytes; images are pixels. Arrays and vendors' own parts can be anything. */
    private void checkFormatClass(int c, int p, int type, GenDcPart part) {
        if (type == PartType.METADATA_CHUNK || type == PartType.METADATA_XML) {
            if (part.format() != PfncCodes.DATA8) {
                warn(c, p, "a part of metadata has the format {f}, not Data8", part.format());
            }
        } else if (PartType.is2d(type)
                && PartType.isStandard(type)
                && part.pixelFormat().name().startsWith("Data")) {
            warn(c, p, "an image has the format {f}, which is none of pixels", part.format());
        }
    }

    private void checkPlace(int c, int p, GenDcPart part) {
        long size = part.dataSize();
        long offset = part.dataOffset();
        severalFlows |= part.flowId() != 0;
        if (size < 0 || offset < 0 || size > Long.MAX_VALUE - offset) {
            reject(c, p, part, "data of {u} bytes at {} is not possible", size, offset);
            return;
        }
        if (part.flowOffset() < 0 || size > Long.MAX_VALUE - part.flowOffset()) {
            reject(c, p, part, "data of {} bytes at {} of a flow is not possible", size, part.flowOffset());
            return;
        }
        if (data == Data.LINEAR && !GenDcPart.fits(offset, size, linearBytes)) {
            reject(
                    c,
                    p,
                    part,
                    "data of {} bytes at {} is beyond the {} bytes that are there",
                    size,
                    offset,
                    linearBytes);
            return;
        }
        if (data == Data.FLOWS && !fitsFlow(c, p, part, size)) {
            return;
        }
        if (offset + size > containerEnd) {
            warn(c, p, "data of {} bytes at {} is beyond the container's end at {}", size, offset, containerEnd);
        }
        if (size > 0 && offset < descriptorSize) {
            warn(c, p, "data at {} overlaps the descriptor", offset);
        }
        if (part.flowId() == 0 && part.flowOffset() != offset) {
            warn(c, p, "FlowOffset {} in flow 0 is not DataOffset {}", part.flowOffset(), offset);
        }
    }

    private boolean fitsFlow(int c, int p, GenDcPart part, long size) {
        int flow = part.flowId();
        if (flow >= flows.size()) {
            reject(c, p, part, "is in flow {}, there are {} flows", flow, flows.size());
            return false;
        }
        long available = flows.get(flow).remaining();
        if (!GenDcPart.fits(part.flowPlace(), size, available)) {
            reject(
                    c,
                    p,
                    part,
                    "data of {} bytes at {} of flow {} is beyond the {} bytes that are there",
                    size,
                    part.flowPlace(),
                    flow,
                    available);
            return false;
        }
        return true;
    }

    private void check2d(int c, int p, GenDcComponent component, GenDcPart part) {
        if (!part.is2d()) {
            reject(c, p, part, "HeaderSize {} leaves no room for the geometry", part.headerSizeBytes());
            return;
        }
        if (part.headerType() == PartType.IMAGE_2D_H264 && !part.isH264()) {
            reject(c, p, part, "HeaderSize {} leaves no room for the H.264 parameters", part.headerSizeBytes());
            return;
        }
        if (part.headerType() != PartType.IMAGE_2D || component.invalid() || !part.usable()) {
            return;
        }
        PixelFormat format = part.pixelFormat();
        long x = part.sizeX();
        long y = part.sizeY();
        long size = part.dataSize();
        long aligned;
        boolean other;
        try {
            aligned = format.imageSizeBytes(x, y, part.paddingX(), part.paddingY());
            other = otherLayout(format, part, size);
        } catch (ArithmeticException e) {
            reject(c, p, part, "{}x{} pixels are beyond 63 bits", x, y);
            return;
        }
        if (aligned == size || other) {
            return;
        }
        String text = "{}x{} pixels of {f} need {} bytes, DataSize is {}";
        if (aligned > size) {
            reject(c, p, part, text, x, y, part.format(), aligned, size);
        } else {
            warn(c, p, text, x, y, part.format(), aligned, size);
        }
    }

    /**
     * Lines may run on instead of ending on a byte: the standard does not say. And a line of an odd number of pixels of
     * the old packed formats may end with its last byte instead of its last pair.
     */
    private static boolean otherLayout(PixelFormat format, GenDcPart part, long size) {
        long x = part.sizeX();
        long y = part.sizeY();
        if (part.paddingX() == 0
                && Math.addExact(format.unalignedSizeBytes(Math.multiplyExact(x, y)), (long) part.paddingY()) == size) {
            return true;
        }
        long line = format.unalignedSizeBytes(x) + part.paddingX();
        return Math.addExact(Math.multiplyExact(line, y), (long) part.paddingY()) == size;
    }

    private void check1d(int c, int p, GenDcComponent component, GenDcPart part) {
        boolean custom = PartType.isCustom(part.headerType());
        int needed = custom ? GenDcPart.NEEDED_1D_BYTES : GenDcPart.SIZE_1D_BYTES;
        if (part.headerSizeBytes() < needed) {
            reject(c, p, part, "HeaderSize {} leaves no room for the size", part.headerSizeBytes());
            return;
        }
        if (custom || component.invalid() || !part.usable()) {
            return;
        }
        long elements;
        try {
            if (part.size() < 0) {
                throw new ArithmeticException("size beyond 63 bits");
            }
            elements = part.pixelFormat().unalignedSizeBytes(part.size());
        } catch (ArithmeticException e) {
            reject(c, p, part, "{u} elements are beyond 63 bits", part.size());
            return;
        }
        String text = "{} elements of {f} need {} bytes, DataSize is {} with padding {}";
        long size = part.dataSize();
        if (elements > size) {
            reject(c, p, part, text, part.size(), part.format(), elements, size, part.padding());
        } else if (elements != size && size - elements != part.padding()) {
            warn(c, p, text, part.size(), part.format(), elements, size, part.padding());
        }
    }

    /** Flow ids run from 0 without holes, and each flow is one run of the linear container. */
    private void checkFlows() {
        if (!severalFlows) {
            return;
        }
        int count = sort(true, true);
        int last = sorted[count - 1].flowId();
        int flow = 0;
        boolean found = false;
        for (int i = 0; i < count && !found; i++) {
            int id = sorted[i].flowId();
            if (id > flow + 1) {
                warn(-1, -1, "flow {} is not used, but flow {} is", flow + 1, last);
                found = true;
            }
            flow = id;
        }
        checkFlowBases(count);
    }

    /** Over parts sorted by flow. */
    private void checkFlowBases(int count) {
        int id = 0;
        long start = 0;
        for (int i = 0; i < count; i++) {
            GenDcPart part = sorted[i];
            // Flow 0 is checked with each part: there, both offsets are the same.
            if (part.flowId() == 0 || !part.usable() || part.dataSize() == 0) {
                continue;
            }
            long begins = part.dataOffset() - part.flowOffset();
            if (part.flowId() != id) {
                id = part.flowId();
                start = begins;
            } else if (begins != start) {
                warn(
                        part.componentIndex(),
                        part.partIndex(),
                        "flow {} begins at {} by this part, at {} by an earlier one",
                        id,
                        begins,
                        start);
            }
        }
    }

    private void checkOverlap() {
        int count = sort(false, false);
        long end = 0;
        for (int i = 0; i < count; i++) {
            GenDcPart part = sorted[i];
            if (part.dataOffset() < end) {
                warn(
                        part.componentIndex(),
                        part.partIndex(),
                        "data at {} overlaps that of another part",
                        part.dataOffset());
            }
            end = Math.max(end, part.dataOffset() + part.dataSize());
        }
    }

    /** Fills the array of sorted parts, by flow or by place, and returns how many there are. */
    private int sort(boolean byFlow, boolean all) {
        if (sorted.length < partCount) {
            sorted = new GenDcPart[parts.length];
        }
        int count = 0;
        boolean inOrder = true;
        for (int i = 0; i < partCount; i++) {
            GenDcPart part = parts[i];
            if (all || (part.usable() && part.dataSize() > 0)) {
                sorted[count] = part;
                inOrder &= count == 0 || !less(part, sorted[count - 1], byFlow);
                count++;
            }
        }
        if (!inOrder) {
            // The JDK's sorts of objects allocate.
            for (int i = count / 2 - 1; i >= 0; i--) {
                siftDown(i, count, byFlow);
            }
            for (int i = count - 1; i > 0; i--) {
                swap(0, i);
                siftDown(0, i, byFlow);
            }
        }
        return count;
    }

    private void siftDown(int start, int count, boolean byFlow) {
        int at = start;
        for (int child = 2 * at + 1; child < count; child = 2 * at + 1) {
            if (child + 1 < count && less(sorted[child], sorted[child + 1], byFlow)) {
                child++;
            }
            if (!less(sorted[at], sorted[child], byFlow)) {
                return;
            }
            swap(at, child);
            at = child;
        }
    }

    private void swap(int i, int j) {
        GenDcPart part = sorted[i];
        sorted[i] = sorted[j];
        sorted[j] = part;
    }

    private static boolean less(GenDcPart a, GenDcPart b, boolean byFlow) {
        int order = byFlow ? Integer.compare(a.flowId(), b.flowId()) : Long.compare(a.dataOffset(), b.dataOffset());
        if (order == 0) {
            order = Integer.compare(a.componentIndex(), b.componentIndex());
        }
        return order == 0 ? a.partIndex() < b.partIndex() : order < 0;
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

    private void reject(int component, int part, GenDcPart rejected, String text, long... numbers) {
        rejected.reject();
        problems.note(Severity.PART_REJECTED, component, part, text, numbers);
    }

    private void warn(int component, int part, String text, long... numbers) {
        problems.note(Severity.WARNING, component, part, text, numbers);
    }
}
