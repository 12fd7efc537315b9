package io.peregrine.gendc;

import io.peregrine.gendc.GenDcProblem.Severity;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pfnc.PixelFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * All checks of a descriptor, in one place. What makes the container unusable throws; what makes a part unusable rejects
 * that part; everything else is noted. Counts are held against the bytes that are there before anything is allocated.
 */
final class DescriptorParser {
    /** For descriptors without data: parts are not held against a length. */
    static final long LENGTH_UNKNOWN = -1;

    private static final int SIGNATURE = 0x43444E47;
    private static final int FIXED_SIZE_BYTES = 56;
    private static final int VERSION_MAJOR = 1;
    private static final int TYPE_CONTAINER = 0x1000;
    private static final int TYPE_COMPONENT = 0x2000;
    private static final int DEFINED_CONTAINER_FLAGS = 0x0003;
    private static final int DEFINED_COMPONENT_FLAGS = 0x0001;
    private static final int DEFINED_VARIABLE_FIELDS = 0x00FF;
    private static final int DEFINED_XML_FLAGS = 0x0300;
    private static final int FIRST_RESERVED_GROUP = 0xF000;

    private final ByteBuffer bytes;
    private final long receivedBytes;
    private final int descriptorSize;
    private final List<GenDcProblem> problems = new ArrayList<>();
    private final List<GenDcComponent> components = new ArrayList<>();
    private long headerBytes;
    private int partCount;

    private DescriptorParser(ByteBuffer bytes, long receivedBytes, int descriptorSize) {
        this.bytes = bytes;
        this.receivedBytes = receivedBytes;
        this.descriptorSize = descriptorSize;
    }

    static GenDcDescriptor parse(ByteBuffer source, long receivedBytes) {
        ByteBuffer all = source.slice().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
        int length = all.limit();
        if (length < FIXED_SIZE_BYTES) {
            throw new GenDcException(
                    length + " bytes are no container: its header alone has " + FIXED_SIZE_BYTES + " bytes");
        }
        if (all.getInt(0) != SIGNATURE) {
            throw new GenDcException("No container: it begins with 0x" + Integer.toHexString(all.getInt(0))
                    + " instead of the signature GNDC");
        }
        int major = Byte.toUnsignedInt(all.get(4));
        if (major != VERSION_MAJOR) {
            throw new GenDcException("GenDC version " + major + " is not known, only " + VERSION_MAJOR);
        }
        int type = Short.toUnsignedInt(all.getShort(8));
        if (type != TYPE_CONTAINER) {
            throw new GenDcException("Header type of the container is " + GenDcDescriptor.hex16(type) + ", not 0x1000");
        }
        long descriptorSize = Integer.toUnsignedLong(all.getInt(48));
        if (descriptorSize < FIXED_SIZE_BYTES || descriptorSize > length) {
            throw new GenDcException(
                    "Descriptor of " + descriptorSize + " bytes does not fit the " + length + " bytes that are there");
        }
        ByteBuffer bytes = all.slice(0, (int) descriptorSize).order(ByteOrder.LITTLE_ENDIAN);
        return new DescriptorParser(bytes, receivedBytes, (int) descriptorSize).run();
    }

    private GenDcDescriptor run() {
        long headerSize = Integer.toUnsignedLong(bytes.getInt(12));
        long count = Integer.toUnsignedLong(bytes.getInt(52));
        long needed = FIXED_SIZE_BYTES + 8 * count;
        if (headerSize < needed || headerSize > descriptorSize) {
            throw new GenDcException("Container header of " + headerSize + " bytes with " + count
                    + " components does not fit a descriptor of " + descriptorSize + " bytes");
        }
        long dataSize = bytes.getLong(32);
        long dataOffset = bytes.getLong(40);
        if (dataSize < 0 || dataOffset < 0 || dataSize > Long.MAX_VALUE - dataOffset) {
            throw new GenDcException("Data section of " + Long.toUnsignedString(dataSize) + " bytes at " + dataOffset
                    + " is beyond 63 bits");
        }
        headerBytes = headerSize;
        checkContainer(headerSize, needed, count, dataOffset);
        // Each header has bytes of its own, so there cannot be more of them than fit.
        if (count > descriptorSize / GenDcComponent.FIXED_SIZE_BYTES) {
            throw new GenDcException(
                    count + " components cannot fit a descriptor of " + descriptorSize + " bytes without overlap");
        }
        for (int i = 0; i < count; i++) {
            components.add(component(i, bytes.getLong(FIXED_SIZE_BYTES + 8 * i)));
        }
        if (headerBytes != descriptorSize) {
            warn(-1, -1, "headers have " + headerBytes + " bytes together, DescriptorSize is " + descriptorSize);
        }
        checkFlows();
        checkOverlap();
        return new GenDcDescriptor(bytes, List.copyOf(components), List.copyOf(problems));
    }

    private void checkContainer(long headerSize, long needed, long count, long dataOffset) {
        if (headerSize > needed) {
            warn(-1, -1, "HeaderSize " + headerSize + " is more than the " + needed + " that are needed");
        }
        if (count == 0) {
            warn(-1, -1, "there is no component");
        }
        if (dataOffset != descriptorSize) {
            warn(-1, -1, "DataOffset " + dataOffset + " is not DescriptorSize " + descriptorSize);
        }
        int flags = Short.toUnsignedInt(bytes.getShort(10));
        int variable = Short.toUnsignedInt(bytes.getShort(24));
        if (bytes.get(7) != 0
                || (flags & ~DEFINED_CONTAINER_FLAGS) != 0
                || (variable & ~DEFINED_VARIABLE_FIELDS) != 0
                || bytes.getShort(26) != 0
                || bytes.getInt(28) != 0) {
            warn(-1, -1, "reserved bits are not 0");
        }
        if (receivedBytes != LENGTH_UNKNOWN && bytes.getLong(32) + dataOffset > receivedBytes) {
            warn(
                    -1,
                    -1,
                    "the container has " + (bytes.getLong(32) + dataOffset) + " bytes, only " + receivedBytes
                            + " are there");
        }
    }

    private GenDcComponent component(int index, long offset) {
        if (!GenDcPart.fits(offset, GenDcComponent.FIXED_SIZE_BYTES, descriptorSize)) {
            throw new GenDcException("Header of component " + index + " at " + offset + " lies outside the descriptor");
        }
        int at = (int) offset;
        int type = Short.toUnsignedInt(bytes.getShort(at));
        if (type != TYPE_COMPONENT) {
            throw new GenDcException(
                    "Header type of component " + index + " is " + GenDcDescriptor.hex16(type) + ", not 0x2000");
        }
        long headerSize = Integer.toUnsignedLong(bytes.getInt(at + 4));
        int parts = Short.toUnsignedInt(bytes.getShort(at + 46));
        long needed = GenDcComponent.FIXED_SIZE_BYTES + 8L * parts;
        if (headerSize < needed || !GenDcPart.fits(offset, headerSize, descriptorSize)) {
            throw new GenDcException("Header of component " + index + " with " + headerSize + " bytes and " + parts
                    + " parts does not fit the descriptor");
        }
        headerBytes += headerSize;
        partCount += parts;
        if (partCount > descriptorSize / GenDcPart.COMMON_SIZE_BYTES) {
            throw new GenDcException(
                    partCount + " parts cannot fit a descriptor of " + descriptorSize + " bytes without overlap");
        }
        List<GenDcPart> list = new ArrayList<>(parts);
        GenDcComponent component = new GenDcComponent(bytes, at, list);
        if (headerSize > needed) {
            warn(index, -1, "HeaderSize " + headerSize + " is more than the " + needed + " that are needed");
        }
        checkComponent(index, component, parts);
        for (int i = 0; i < parts; i++) {
            GenDcPart part = part(index, i, bytes.getLong(at + GenDcComponent.FIXED_SIZE_BYTES + 8 * i));
            list.add(part);
            checkPart(index, i, component, part);
        }
        if (parts == 1 && component.format() != list.get(0).format()) {
            warn(
                    index,
                    0,
                    "format " + PixelFormat.of(list.get(0).format()) + " is not that of its component, "
                            + PixelFormat.of(component.format()));
        }
        return new GenDcComponent(bytes, at, List.copyOf(list));
    }

    private void checkComponent(int index, GenDcComponent component, int parts) {
        if (component.reserved() != 0 || (component.flags() & ~DEFINED_COMPONENT_FLAGS) != 0) {
            warn(index, -1, "reserved bits are not 0");
        }
        if (component.invalid() && (bytes.getShort(10) & GenDcDescriptor.FLAG_COMPONENT_INVALID) == 0) {
            warn(index, -1, "is invalid, but the container's flag ComponentInvalid is not set");
        }
        if (parts == 0) {
            warn(index, -1, "has no part");
        }
        if (component.timestamp() < 0) {
            warn(index, -1, "timestamp " + component.timestamp() + " is negative");
        }
        if (component.groupId() >= FIRST_RESERVED_GROUP && component.groupId() != GenDcComponent.ALL_GROUPS) {
            warn(index, -1, "group id " + GenDcDescriptor.hex16(component.groupId()) + " is reserved");
        }
        ComponentType type = component.type();
        if (type == ComponentType.UNKNOWN || type == ComponentType.UNDEFINED) {
            note(Severity.SKIPPED, index, -1, "type id 0x" + Long.toHexString(component.typeId()) + " is not known");
        }
        if (type == ComponentType.METADATA && component.format() != PfncCodes.DATA8) {
            warn(index, -1, "metadata has the format " + PixelFormat.of(component.format()) + ", not Data8");
        }
    }

    private GenDcPart part(int component, int index, long offset) {
        if (!GenDcPart.fits(offset, GenDcPart.COMMON_SIZE_BYTES, descriptorSize)) {
            throw new GenDcException("Header of component " + component + " part " + index + " at " + offset
                    + " lies outside the descriptor");
        }
        long headerSize = Integer.toUnsignedLong(bytes.getInt((int) offset + 4));
        if (headerSize < GenDcPart.COMMON_SIZE_BYTES || !GenDcPart.fits(offset, headerSize, descriptorSize)) {
            throw new GenDcException("Header of component " + component + " part " + index + " with " + headerSize
                    + " bytes does not fit the descriptor");
        }
        headerBytes += headerSize;
        return new GenDcPart(bytes, (int) offset, (int) headerSize);
    }

    private void checkPart(int c, int p, GenDcComponent component, GenDcPart part) {
        int type = part.headerType();
        if (!PartType.isStandard(type) && !PartType.isCustom(type)) {
            note(Severity.SKIPPED, c, p, "part type " + GenDcDescriptor.hex16(type) + " is not known");
        }
        if (PartType.isMetadata(type) && component.type() != ComponentType.METADATA) {
            warn(c, p, "is metadata in a component of another type");
        }
        int definedFlags = type == PartType.METADATA_XML ? DEFINED_XML_FLAGS : 0;
        if ((part.flags() & ~definedFlags) != 0) {
            warn(c, p, "reserved flags " + GenDcDescriptor.hex16(part.flags()) + " are set");
        }
        checkPlace(c, p, part);
        if (PartType.is2d(type)) {
            check2d(c, p, component, part);
        } else if (PartType.is1d(type) || PartType.isMetadata(type)) {
            check1d(c, p, component, part);
        }
    }

    private void checkPlace(int c, int p, GenDcPart part) {
        long size = part.dataSize();
        long offset = part.dataOffset();
        if (size < 0 || offset < 0 || size > Long.MAX_VALUE - offset) {
            reject(c, p, part, "data of " + Long.toUnsignedString(size) + " bytes at " + offset + " is not possible");
            return;
        }
        if (part.flowOffset() < 0 || size > Long.MAX_VALUE - part.flowOffset()) {
            reject(c, p, part, "data of " + size + " bytes at " + part.flowOffset() + " of a flow is not possible");
            return;
        }
        if (receivedBytes != LENGTH_UNKNOWN && !GenDcPart.fits(offset, size, receivedBytes)) {
            reject(
                    c,
                    p,
                    part,
                    "data of " + size + " bytes at " + offset + " is beyond the " + receivedBytes
                            + " bytes that are there");
            return;
        }
        long end = bytes.getLong(32) + bytes.getLong(40);
        if (offset + size > end) {
            warn(c, p, "data of " + size + " bytes at " + offset + " is beyond the container's end at " + end);
        }
        if (size > 0 && offset < descriptorSize) {
            warn(c, p, "data at " + offset + " overlaps the descriptor");
        }
        if (part.flowId() == 0 && part.flowOffset() != offset) {
            warn(c, p, "FlowOffset " + part.flowOffset() + " in flow 0 is not DataOffset " + offset);
        }
    }

    private void check2d(int c, int p, GenDcComponent component, GenDcPart part) {
        if (!part.is2d()) {
            reject(c, p, part, "HeaderSize " + part.headerSizeBytes() + " leaves no room for the geometry");
            return;
        }
        if (part.headerType() == PartType.IMAGE_2D_H264 && !part.isH264()) {
            reject(c, p, part, "HeaderSize " + part.headerSizeBytes() + " leaves no room for the H.264 parameters");
            return;
        }
        if (part.headerType() != PartType.IMAGE_2D || component.invalid() || !part.usable()) {
            return;
        }
        PixelFormat format = PixelFormat.of(part.format());
        long aligned;
        long unaligned;
        try {
            aligned = format.imageSizeBytes(part.sizeX(), part.sizeY(), part.paddingX(), part.paddingY());
            unaligned = Math.addExact(
                    format.unalignedSizeBytes(Math.multiplyExact(part.sizeX(), part.sizeY())), (long) part.paddingY());
        } catch (ArithmeticException e) {
            reject(c, p, part, part.sizeX() + "x" + part.sizeY() + " pixels are beyond 63 bits");
            return;
        }
        // Lines may end on a byte, or run on: the standard does not say.
        if (aligned == part.dataSize() || (part.paddingX() == 0 && unaligned == part.dataSize())) {
            return;
        }
        String text = part.sizeX() + "x" + part.sizeY() + " pixels of " + format + " need " + aligned
                + " bytes, DataSize is " + part.dataSize();
        if (aligned > part.dataSize()) {
            reject(c, p, part, text);
        } else {
            warn(c, p, text);
        }
    }

    private void check1d(int c, int p, GenDcComponent component, GenDcPart part) {
        boolean custom = PartType.isCustom(part.headerType());
        int needed = custom ? GenDcPart.NEEDED_1D_BYTES : GenDcPart.SIZE_1D_BYTES;
        if (part.headerSizeBytes() < needed) {
            reject(c, p, part, "HeaderSize " + part.headerSizeBytes() + " leaves no room for the size");
            return;
        }
        if (custom || component.invalid() || !part.usable()) {
            return;
        }
        PixelFormat format = PixelFormat.of(part.format());
        long elements;
        try {
            if (part.size() < 0) {
                throw new ArithmeticException("size beyond 63 bits");
            }
            elements = format.unalignedSizeBytes(part.size());
        } catch (ArithmeticException e) {
            reject(c, p, part, Long.toUnsignedString(part.size()) + " elements are beyond 63 bits");
            return;
        }
        String text = part.size() + " elements of " + format + " need " + elements + " bytes, DataSize is "
                + part.dataSize() + " with padding " + part.padding();
        if (elements > part.dataSize()) {
            reject(c, p, part, text);
        } else if (elements != part.dataSize() && part.dataSize() - elements != part.padding()) {
            warn(c, p, text);
        }
    }

    /** Flow ids run from 0 without holes. */
    private void checkFlows() {
        BitSet used = new BitSet();
        used.set(0);
        for (GenDcComponent component : components) {
            for (GenDcPart part : component.parts()) {
                used.set(part.flowId());
            }
        }
        int hole = used.nextClearBit(0);
        if (hole < used.length()) {
            warn(-1, -1, "flow " + hole + " is not used, but flow " + (used.length() - 1) + " is");
        }
    }

    private record Range(int component, int part, long start, long end) {}

    private void checkOverlap() {
        List<Range> ranges = new ArrayList<>();
        for (int c = 0; c < components.size(); c++) {
            List<GenDcPart> parts = components.get(c).parts();
            for (int p = 0; p < parts.size(); p++) {
                GenDcPart part = parts.get(p);
                if (part.usable() && part.dataSize() > 0) {
                    ranges.add(new Range(c, p, part.dataOffset(), part.dataOffset() + part.dataSize()));
                }
            }
        }
        ranges.sort(Comparator.comparingLong(Range::start));
        long end = 0;
        for (Range range : ranges) {
            if (range.start < end) {
                warn(range.component, range.part, "data at " + range.start + " overlaps that of another part");
            }
            end = Math.max(end, range.end);
        }
    }

    private void reject(int component, int part, GenDcPart rejected, String text) {
        rejected.reject();
        note(Severity.PART_REJECTED, component, part, text);
    }

    private void warn(int component, int part, String text) {
        note(Severity.WARNING, component, part, text);
    }

    private void note(Severity severity, int component, int part, String text) {
        problems.add(new GenDcProblem(severity, component, part, text));
    }
}
