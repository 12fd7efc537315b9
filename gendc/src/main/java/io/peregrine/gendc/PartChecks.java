package io.peregrine.gendc;

import io.peregrine.gendc.GenDcProblem.Severity;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pfnc.PixelFormat;
import java.nio.ByteBuffer;
import java.util.List;

/** Checks of single parts: type, flags, format, place of the data, and whether data of that size has that geometry. */
final class PartChecks {
    private static final int DEFINED_XML_FLAGS = 0x0300;

    /** What parts are checked against. */
    private enum Data {
        /** The data is elsewhere. */
        ABSENT,
        /** One run of bytes. */
        LINEAR,
        /** A piece of memory for each flow. */
        FLOWS
    }

    private final Problems problems;
    private Data data = Data.ABSENT;
    private long linearBytes;
    private List<ByteBuffer> flows = List.of();
    private int descriptorSize;
    private long containerEnd;
    private boolean severalFlows;

    PartChecks(Problems problems) {
        this.problems = problems;
    }

    /** Only headers are there. */
    void dataElsewhere() {
        data = Data.ABSENT;
        flows = List.of();
    }

    /** The data is in one run of bytes, with the descriptor at its start. */
    void dataWithin(long bytes) {
        data = Data.LINEAR;
        linearBytes = bytes;
    }

    /** The data is in flows, with the descriptor at the start of the first. */
    void dataIn(List<ByteBuffer> memory) {
        data = Data.FLOWS;
        flows = memory;
    }

    /** Begins a container: bytes of the descriptor, and where the data section ends. */
    void begin(int descriptorBytes, long end) {
        descriptorSize = descriptorBytes;
        containerEnd = end;
        severalFlows = false;
    }

    /** Whether any part is in another flow than the first. */
    boolean severalFlows() {
        return severalFlows;
    }

    /** Notes that the container is longer than what is there. */
    void checkEnd() {
        if (data == Data.LINEAR && containerEnd > linearBytes) {
            problems.warn(-1, -1, "the container has {} bytes, only {} are there", containerEnd, linearBytes);
        }
    }

    /** Checks one part, and rejects it when it cannot be used. */
    void check(int c, int p, GenDcComponent component, GenDcPart part) {
        int type = part.headerType();
        if (!PartType.isStandard(type) && !PartType.isCustom(type)) {
            problems.note(Severity.SKIPPED, c, p, "part type {x} is not known", type);
        }
        if (PartType.isMetadata(type) && component.type() != ComponentType.METADATA) {
            problems.warn(c, p, "is metadata in a component of another type");
        }
        checkFormatClass(c, p, type, part);
        int definedFlags = type == PartType.METADATA_XML ? DEFINED_XML_FLAGS : 0;
        if ((part.flags() & ~definedFlags) != 0) {
            problems.warn(c, p, "reserved flags {x} are set", part.flags());
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
                problems.warn(c, p, "a part of metadata has the format {f}, not Data8", part.format());
            }
        } else if (PartType.is2d(type)
                && PartType.isStandard(type)
                && part.pixelFormat().name().startsWith("Data")) {
            problems.warn(c, p, "an image has the format {f}, which is none of pixels", part.format());
        }
    }

    private void checkPlace(int c, int p, GenDcPart part) {
        long size = part.dataSize();
        long offset = part.dataOffset();
        severalFlows |= part.flowId() != 0;
        if (size < 0 || offset < 0 || size > Long.MAX_VALUE - offset) {
            problems.reject(c, p, part, "data of {u} bytes at {} is not possible", size, offset);
            return;
        }
        if (part.flowOffset() < 0 || size > Long.MAX_VALUE - part.flowOffset()) {
            problems.reject(c, p, part, "data of {} bytes at {} of a flow is not possible", size, part.flowOffset());
            return;
        }
        if (data == Data.LINEAR && !GenDcPart.fits(offset, size, linearBytes)) {
            problems.reject(
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
            problems.warn(
                    c, p, "data of {} bytes at {} is beyond the container's end at {}", size, offset, containerEnd);
        }
        if (size > 0 && offset < descriptorSize) {
            problems.warn(c, p, "data at {} overlaps the descriptor", offset);
        }
        if (part.flowId() == 0 && part.flowOffset() != offset) {
            problems.warn(c, p, "FlowOffset {} in flow 0 is not DataOffset {}", part.flowOffset(), offset);
        }
    }

    private boolean fitsFlow(int c, int p, GenDcPart part, long size) {
        int flow = part.flowId();
        if (flow >= flows.size()) {
            problems.reject(c, p, part, "is in flow {}, there are {} flows", flow, flows.size());
            return false;
        }
        long available = flows.get(flow).remaining();
        if (!GenDcPart.fits(part.flowPlace(), size, available)) {
            problems.reject(
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
            problems.reject(c, p, part, "HeaderSize {} leaves no room for the geometry", part.headerSizeBytes());
            return;
        }
        if (part.headerType() == PartType.IMAGE_2D_H264 && !part.isH264()) {
            problems.reject(
                    c, p, part, "HeaderSize {} leaves no room for the H.264 parameters", part.headerSizeBytes());
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
            problems.reject(c, p, part, "{}x{} pixels are beyond 63 bits", x, y);
            return;
        }
        if (aligned == size || other) {
            return;
        }
        String text = "{}x{} pixels of {f} need {} bytes, DataSize is {}";
        if (aligned > size) {
            problems.reject(c, p, part, text, x, y, part.format(), aligned, size);
        } else {
            problems.warn(c, p, text, x, y, part.format(), aligned, size);
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
            problems.reject(c, p, part, "HeaderSize {} leaves no room for the size", part.headerSizeBytes());
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
            problems.reject(c, p, part, "{u} elements are beyond 63 bits", part.size());
            return;
        }
        String text = "{} elements of {f} need {} bytes, DataSize is {} with padding {}";
        long size = part.dataSize();
        if (elements > size) {
            problems.reject(c, p, part, text, part.size(), part.format(), elements, size, part.padding());
        } else if (elements != size && size - elements != part.padding()) {
            problems.warn(c, p, text, part.size(), part.format(), elements, size, part.padding());
        }
    }
}
