package io.peregrine.gendc;

import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pfnc.PixelFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Writes descriptors of GenDC 1.1. It works out all sizes and offsets: flow 0 begins with the descriptor; parts follow
 * each other in their flow in the order of the descriptor; in the linear container flows follow each other in the order
 * of their ids. An invalid component keeps its place in the data section, so that offsets stay the same from one
 * container to the next, but its parts have no data.
 *
 * <p>Where something varies ({@link #variableFields}), the same settings give both descriptors of a container: parts
 * are told their size and the most that it can be ({@code maxSize}, {@code maxDataSize}); {@link #buildPreliminary()}
 * writes the most, {@link #buildFinal()} the real sizes, and all offsets are the same in both.
 */
public final class GenDcDescriptorBuilder {
    private static final int FIXED_SIZE_BYTES = GenDcDescriptor.FIXED_SIZE_BYTES;
    private static final int MAX_FLOW_ID = 0xFFFF;
    private static final long NOT_SET = -1;
    private static final H264Parameters NO_PARAMETERS = new H264Parameters(0, 0, 0, 0, 0, 0, 0, 0);

    private final List<ComponentBuilder> components = new ArrayList<>();
    private long id;
    private int variableFields;
    private boolean timestampPtp;
    private int alignmentBytes = 1;
    private int presentComponents = Integer.MAX_VALUE;

    GenDcDescriptorBuilder() {}

    /** Sets the id of the container. */
    public GenDcDescriptorBuilder id(long value) {
        id = value;
        return this;
    }

    /**
     * Sets what may still change in a preliminary or prefetch descriptor: {@code VARIABLE_} bits of
     * {@link GenDcDescriptor}; 0, only final descriptors, if not set.
     */
    public GenDcDescriptorBuilder variableFields(int value) {
        variableFields = unsigned16(value, "variableFields");
        return this;
    }

    /** Says that timestamps count from 1970-01-01 TAI. */
    public GenDcDescriptorBuilder timestampPtp(boolean value) {
        timestampPtp = value;
        return this;
    }

    /** Sets the alignment of each part's data in the linear container, in bytes; 1 if not set. */
    public GenDcDescriptorBuilder alignmentBytes(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("Alignment of " + value + " bytes is not possible");
        }
        alignmentBytes = value;
        return this;
    }

    /** Adds a component. */
    public GenDcDescriptorBuilder component(Consumer<ComponentBuilder> settings) {
        ComponentBuilder component = new ComponentBuilder();
        settings.accept(component);
        components.add(component);
        return this;
    }

    /**
     * Sets how many of the components a final descriptor has: the last ones can be missing when
     * {@link GenDcDescriptor#VARIABLE_COMPONENT_COUNT} says so. All if not set. The headers of the missing ones leave a
     * gap, so that all offsets stay.
     */
    public GenDcDescriptorBuilder presentComponents(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("A container needs at least one component, not " + value);
        }
        presentComponents = value;
        return this;
    }

    /**
     * Makes the descriptor: a preliminary one when fields are variable, else a final one.
     *
     * @throws IllegalArgumentException if there is no component, a component without part, a hole in the flow ids, a
     *     part larger than the most it can be, or something too large
     */
    public GenDcDescriptor build() {
        return variableFields == 0 ? buildFinal() : buildPreliminary();
    }

    /**
     * Makes the descriptor that is sent ahead, or read before streaming (prefetch): with variable fields and the
     * largest sizes.
     *
     * @throws IllegalArgumentException if no field is variable, and as {@link #build()}
     */
    public GenDcDescriptor buildPreliminary() {
        if (variableFields == 0) {
            throw new IllegalArgumentException("No field is variable: such a container has only a final descriptor");
        }
        return write(true);
    }

    /**
     * Makes the final descriptor: no variable fields and real sizes, at the offsets of the preliminary one.
     *
     * @throws IllegalArgumentException as {@link #build()}
     */
    public GenDcDescriptor buildFinal() {
        return write(false);
    }

    private GenDcDescriptor write(boolean preliminary) {
        if (components.isEmpty()) {
            throw new IllegalArgumentException("A container needs at least one component");
        }
        long size = FIXED_SIZE_BYTES + 8L * components.size();
        int flows = 1;
        for (ComponentBuilder component : components) {
            if (component.parts.isEmpty()) {
                throw new IllegalArgumentException("A component needs at least one part");
            }
            component.at = Math.toIntExact(size);
            size += component.headerSizeBytes();
            for (PartBuilder part : component.parts) {
                part.at = Math.toIntExact(size);
                size += part.headerSizeBytes();
                flows = Math.max(flows, part.flowId + 1);
                if (part.sizeInBytes() > part.mostBytes()) {
                    throw new IllegalArgumentException("A part of " + part.sizeInBytes()
                            + " bytes is larger than the most it can be, " + part.mostBytes());
                }
            }
        }
        int descriptorSize = Math.toIntExact(size);
        long end = layOut(flows, descriptorSize);
        int present = preliminary ? components.size() : Math.min(presentComponents, components.size());
        boolean hideInvalid = preliminary && (variableFields & GenDcDescriptor.VARIABLE_COMPONENT_INVALID) != 0;
        List<ComponentBuilder> written = components.subList(0, present);
        ByteBuffer bytes = ByteBuffer.allocate(descriptorSize).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put("GNDC".getBytes(StandardCharsets.US_ASCII))
                .put((byte) 1)
                .put((byte) 1)
                .putShort((short) 0);
        boolean invalid = !hideInvalid && written.stream().anyMatch(component -> component.invalid);
        int flags = (timestampPtp ? GenDcDescriptor.FLAG_TIMESTAMP_PTP : 0)
                | (invalid ? GenDcDescriptor.FLAG_COMPONENT_INVALID : 0);
        bytes.putShort((short) 0x1000).putShort((short) flags);
        bytes.putInt(FIXED_SIZE_BYTES + 8 * present).putLong(id);
        bytes.putShort((short) (preliminary ? variableFields : 0))
                .putShort((short) 0)
                .putInt(0);
        bytes.putLong(end - descriptorSize).putLong(descriptorSize);
        bytes.putInt(descriptorSize).putInt(present);
        for (ComponentBuilder component : written) {
            bytes.putLong(component.at);
        }
        for (ComponentBuilder component : written) {
            component.write(bytes, preliminary, component.invalid && !hideInvalid);
        }
        return GenDcDescriptor.parse(bytes.clear());
    }

    /** Gives each part its place and returns the end of the linear container. */
    private long layOut(int flows, int descriptorSize) {
        long position = descriptorSize;
        for (int flow = 0; flow < flows; flow++) {
            long base = -1;
            for (ComponentBuilder component : components) {
                for (PartBuilder part : component.parts) {
                    if (part.flowId != flow) {
                        continue;
                    }
                    position = alignUp(position);
                    if (base < 0) {
                        base = flow == 0 ? 0 : position;
                    }
                    part.dataOffset = position;
                    part.flowOffset = position - base;
                    position = Math.addExact(position, part.mostBytes());
                }
            }
            if (base < 0 && flow > 0) {
                throw new IllegalArgumentException("Flow " + flow + " has no part, but flow " + (flows - 1) + " has");
            }
        }
        return position;
    }

    private long alignUp(long position) {
        long over = position % alignmentBytes;
        return over == 0 ? position : Math.addExact(position, alignmentBytes - over);
    }

    private static int unsigned16(int value, String what) {
        if (value < 0 || value > 0xFFFF) {
            throw new IllegalArgumentException(what + " is " + value + "; it must be between 0 and 65535");
        }
        return value;
    }

    private static int notNegative(int value, String what) {
        if (value < 0) {
            throw new IllegalArgumentException(what + " is " + value + "; it must be 0 or more");
        }
        return value;
    }

    private static long notNegative(long value, String what) {
        if (value < 0) {
            throw new IllegalArgumentException(what + " is " + value + "; it must be 0 or more");
        }
        return value;
    }

    /** One component of a descriptor. */
    public static final class ComponentBuilder {
        private final List<PartBuilder> parts = new ArrayList<>();
        private long typeId;
        private int format;
        private int groupId;
        private int sourceId;
        private int regionId;
        private int regionOffsetX;
        private int regionOffsetY;
        private long timestamp;
        private boolean invalid;
        private int at;

        private ComponentBuilder() {}

        /** Sets what it shows: an id of {@link ComponentType}. */
        public ComponentBuilder typeId(long value) {
            typeId = value;
            return this;
        }

        /** Sets the PFNC code of the whole component. */
        public ComponentBuilder format(int value) {
            format = value;
            return this;
        }

        /** Sets the group that it belongs to. */
        public ComponentBuilder groupId(int value) {
            groupId = unsigned16(value, "groupId");
            return this;
        }

        /** Sets the sensor. */
        public ComponentBuilder sourceId(int value) {
            sourceId = unsigned16(value, "sourceId");
            return this;
        }

        /** Sets the region. */
        public ComponentBuilder regionId(int value) {
            regionId = unsigned16(value, "regionId");
            return this;
        }

        /** Sets the place of the region on the sensor, in pixels. */
        public ComponentBuilder regionOffset(int x, int y) {
            regionOffsetX = notNegative(x, "x");
            regionOffsetY = notNegative(y, "y");
            return this;
        }

        /** Sets the time in nanoseconds. */
        public ComponentBuilder timestamp(long value) {
            timestamp = notNegative(value, "timestamp");
            return this;
        }

        /** Says that the component must not be used; its parts have no data then. */
        public ComponentBuilder invalid(boolean value) {
            invalid = value;
            return this;
        }

        /** Adds a two-dimensional part. */
        public ComponentBuilder part2d(Consumer<Part2dBuilder> settings) {
            return add(new Part2dBuilder(PartType.IMAGE_2D), settings);
        }

        /** Adds a one-dimensional part. */
        public ComponentBuilder part1d(Consumer<Part1dBuilder> settings) {
            return add(new Part1dBuilder(PartType.ARRAY_1D), settings);
        }

        /** Adds a JPEG image; say how large its stream is by {@link Part2dBuilder#dataSize}. */
        public ComponentBuilder partJpeg(Consumer<Part2dBuilder> settings) {
            return add(new Part2dBuilder(PartType.IMAGE_2D_JPEG), settings);
        }

        /** Adds a JPEG 2000 image; say how large its stream is by {@link Part2dBuilder#dataSize}. */
        public ComponentBuilder partJpeg2000(Consumer<Part2dBuilder> settings) {
            return add(new Part2dBuilder(PartType.IMAGE_2D_JPEG2000), settings);
        }

        /**
         * Adds an H.264 image; say how large its stream is by {@link Part2dBuilder#dataSize}.
         *
         * @param parameters what the decoder must know
         * @param settings geometry and size
         */
        public ComponentBuilder partH264(H264Parameters parameters, Consumer<Part2dBuilder> settings) {
            Part2dBuilder part = new Part2dBuilder(PartType.IMAGE_2D_H264);
            part.h264 = Objects.requireNonNull(parameters, "parameters");
            return add(part, settings);
        }

        /**
         * Adds a part of any other kind, mostly a vendor's own.
         *
         * @param headerType 0x4000 to 0x4FFF, but none of the standard kinds
         * @param settings size and fields
         */
        public ComponentBuilder partCustom(int headerType, Consumer<CustomPartBuilder> settings) {
            if (!PartType.isPart(headerType) || PartType.isStandard(headerType)) {
                throw new IllegalArgumentException(
                        GenDcDescriptor.hex16(headerType) + " is no header type of a part that is not standard");
            }
            return add(new CustomPartBuilder(headerType), settings);
        }

        /** Adds a part of GenICam chunk data, in bytes. */
        public ComponentBuilder partChunk(Consumer<Part1dBuilder> settings) {
            return add(new Part1dBuilder(PartType.METADATA_CHUNK).format(PfncCodes.DATA8), settings);
        }

        /** Adds a part of GenICam XML, in bytes. */
        public ComponentBuilder partXml(Consumer<Part1dBuilder> settings) {
            return add(new Part1dBuilder(PartType.METADATA_XML).format(PfncCodes.DATA8), settings);
        }

        private <T extends PartBuilder> ComponentBuilder add(T part, Consumer<T> settings) {
            settings.accept(part);
            part.settled(format);
            parts.add(part);
            return this;
        }

        private int headerSizeBytes() {
            return GenDcComponent.FIXED_SIZE_BYTES + 8 * parts.size();
        }

        private void write(ByteBuffer bytes, boolean preliminary, boolean writtenInvalid) {
            bytes.position(at);
            bytes.putShort((short) 0x2000)
                    .putShort((short) (writtenInvalid ? 1 : 0))
                    .putInt(headerSizeBytes());
            bytes.putShort((short) 0).putShort((short) groupId);
            bytes.putShort((short) sourceId).putShort((short) regionId);
            bytes.putInt(regionOffsetX).putInt(regionOffsetY);
            bytes.putLong(timestamp).putLong(typeId).putInt(format);
            bytes.putShort((short) 0).putShort((short) unsigned16(parts.size(), "number of parts"));
            for (PartBuilder part : parts) {
                bytes.putLong(part.at);
            }
            for (PartBuilder part : parts) {
                part.write(bytes, preliminary, writtenInvalid);
            }
        }
    }

    /** What all parts have in common. */
    private abstract static class PartBuilder {
        int type;
        int flags;
        int format;
        int flowId;
        int at;
        long flowOffset;
        long dataOffset;
        long dataSize = NOT_SET;
        long maxDataSize = NOT_SET;
        long[] typeSpecific = {};

        abstract int standardSizeBytes();

        /** Bytes of the data when nothing else was said. */
        abstract long worked(boolean most);

        abstract void writeSpecific(ByteBuffer bytes, boolean most);

        final int headerSizeBytes() {
            return Math.addExact(standardSizeBytes(), Math.multiplyExact(8, typeSpecific.length));
        }

        final long sizeInBytes() {
            return dataSize != NOT_SET ? dataSize : worked(false);
        }

        final long mostBytes() {
            if (maxDataSize != NOT_SET) {
                return maxDataSize;
            }
            return dataSize != NOT_SET ? dataSize : worked(true);
        }

        void settled(int componentFormat) {
            if (format == 0) {
                format = componentFormat;
            }
            if (flowId < 0 || flowId > MAX_FLOW_ID) {
                throw new IllegalArgumentException("Flow id " + flowId + " must be between 0 and 65535");
            }
        }

        final void write(ByteBuffer bytes, boolean most, boolean invalid) {
            bytes.position(at);
            bytes.putShort((short) type).putShort((short) flags).putInt(headerSizeBytes());
            bytes.putInt(format).putShort((short) 0).putShort((short) flowId);
            long size = most ? mostBytes() : sizeInBytes();
            bytes.putLong(flowOffset).putLong(invalid ? 0 : size).putLong(dataOffset);
            writeSpecific(bytes, most);
            for (long field : typeSpecific) {
                bytes.putLong(field);
            }
        }
    }

    /** A two-dimensional part: an image, compressed or not. */
    public static final class Part2dBuilder extends PartBuilder {
        private int sizeX;
        private int sizeY;
        private int maxX = (int) NOT_SET;
        private int maxY = (int) NOT_SET;
        private int paddingX;
        private int paddingY;
        private H264Parameters h264 = NO_PARAMETERS;

        private Part2dBuilder(int type) {
            this.type = type;
        }

        /** Sets the PFNC code; that of the component if not set. */
        public Part2dBuilder format(int value) {
            format = value;
            return this;
        }

        /** Sets pixels in a line and number of lines. */
        public Part2dBuilder size(int x, int y) {
            sizeX = notNegative(x, "x");
            sizeY = notNegative(y, "y");
            return this;
        }

        /** Sets the most pixels in a line and the most lines that there can be; {@link #size} if not set. */
        public Part2dBuilder maxSize(int x, int y) {
            maxX = notNegative(x, "x");
            maxY = notNegative(y, "y");
            return this;
        }

        /** Sets bytes after each line and bytes at the end. */
        public Part2dBuilder padding(int x, int y) {
            paddingX = unsigned16(x, "x");
            paddingY = unsigned16(y, "y");
            return this;
        }

        /** Sets the flow. */
        public Part2dBuilder flow(int value) {
            flowId = value;
            return this;
        }

        /**
         * Sets the bytes of data. Must be set for compressed images; for others it is worked out for lines that end on
         * a byte if not set.
         */
        public Part2dBuilder dataSize(long value) {
            dataSize = notNegative(value, "dataSize");
            return this;
        }

        /** Sets the most bytes of data that there can be; worked out from the rest if not set. */
        public Part2dBuilder maxDataSize(long value) {
            maxDataSize = notNegative(value, "maxDataSize");
            return this;
        }

        /** Adds fields of the vendor behind the standard ones. */
        public Part2dBuilder typeSpecific(long... fields) {
            typeSpecific = fields.clone();
            return this;
        }

        /**
         * Says that the data is a JPEG or JPEG 2000 stream.
         *
         * @param partType {@link PartType#IMAGE_2D_JPEG} or {@link PartType#IMAGE_2D_JPEG2000}
         * @param sizeBytes bytes of the stream
         */
        public Part2dBuilder compressed(int partType, long sizeBytes) {
            if (partType != PartType.IMAGE_2D_JPEG && partType != PartType.IMAGE_2D_JPEG2000) {
                throw new IllegalArgumentException(PartType.name(partType) + " is neither JPEG nor JPEG 2000");
            }
            type = partType;
            return dataSize(sizeBytes);
        }

        @Override
        int standardSizeBytes() {
            return type == PartType.IMAGE_2D_H264 ? GenDcPart.SIZE_H264_BYTES : GenDcPart.SIZE_2D_BYTES;
        }

        @Override
        void settled(int componentFormat) {
            super.settled(componentFormat);
            if (PartType.isCompressed(type) && dataSize == NOT_SET) {
                throw new IllegalArgumentException(
                        "The size of a " + PartType.name(type) + " stream cannot be worked out: set dataSize");
            }
        }

        @Override
        long worked(boolean most) {
            return PixelFormat.of(format).imageSizeBytes(x(most), y(most), paddingX, paddingY);
        }

        private int x(boolean most) {
            return most && maxX != NOT_SET ? maxX : sizeX;
        }

        private int y(boolean most) {
            return most && maxY != NOT_SET ? maxY : sizeY;
        }

        @Override
        void writeSpecific(ByteBuffer bytes, boolean most) {
            bytes.putInt(x(most)).putInt(y(most));
            bytes.putShort((short) paddingX).putShort((short) paddingY).putInt(0);
            if (type == PartType.IMAGE_2D_H264) {
                bytes.put((byte) 0).put((byte) h264.profileIdc());
                bytes.put((byte) (h264.constraintSets() | h264.packetizationMode() << 4));
                bytes.put((byte) h264.levelIdc());
                bytes.putShort((short) h264.interleavingDepth()).putShort((short) h264.maxDonDifference());
                bytes.putInt((int) h264.deinterleavingBufferBytes()).putInt((int) h264.initialBufferTime());
            }
        }
    }

    /** A one-dimensional part or a metadata part. */
    public static final class Part1dBuilder extends PartBuilder {
        private long size;
        private long maxSize = NOT_SET;
        private int padding;
        private long layoutId;

        private Part1dBuilder(int type) {
            this.type = type;
        }

        /** Sets the PFNC code; that of the component if not set. */
        public Part1dBuilder format(int value) {
            format = value;
            return this;
        }

        /** Sets the number of elements. */
        public Part1dBuilder size(long value) {
            size = notNegative(value, "size");
            return this;
        }

        /** Sets the most elements that there can be; {@link #size} if not set. */
        public Part1dBuilder maxSize(long value) {
            maxSize = notNegative(value, "maxSize");
            return this;
        }

        /** Sets bytes at the end. */
        public Part1dBuilder padding(int value) {
            padding = unsigned16(value, "padding");
            return this;
        }

        /** Sets the flow. */
        public Part1dBuilder flow(int value) {
            flowId = value;
            return this;
        }

        /** Adds fields of the vendor behind the standard ones. */
        public Part1dBuilder typeSpecific(long... fields) {
            typeSpecific = fields.clone();
            return this;
        }

        /** Sets the GenICam layout id. Metadata parts only. */
        public Part1dBuilder layoutId(long value) {
            if (!PartType.isMetadata(type)) {
                throw new IllegalStateException("Only metadata has a layout id");
            }
            layoutId = value;
            return this;
        }

        /** Says whether the XML is zipped, and whether it describes the chunk part. XML parts only. */
        public Part1dBuilder xml(boolean zipped, boolean forChunk) {
            if (type != PartType.METADATA_XML) {
                throw new IllegalStateException("Only XML can be zipped or describe a chunk");
            }
            flags = (zipped ? 1 << 8 : 0) | (forChunk ? 1 << 9 : 0);
            return this;
        }

        @Override
        int standardSizeBytes() {
            return GenDcPart.SIZE_1D_BYTES;
        }

        private long elements(boolean most) {
            return most && maxSize != NOT_SET ? maxSize : size;
        }

        @Override
        long worked(boolean most) {
            return Math.addExact(PixelFormat.of(format).unalignedSizeBytes(elements(most)), (long) padding);
        }

        @Override
        void writeSpecific(ByteBuffer bytes, boolean most) {
            bytes.putLong(elements(most)).putShort((short) padding).putShort((short) 0);
            bytes.putInt(0).putLong(layoutId);
        }
    }

    /** A part of a kind that the standard leaves to vendors, in the layout that it advises for them. */
    public static final class CustomPartBuilder extends PartBuilder {
        private long dimension;
        private int paddingX;
        private int paddingY;

        private CustomPartBuilder(int type) {
            this.type = type;
            dataSize = 0;
        }

        /** Sets the PFNC code; that of the component if not set. */
        public CustomPartBuilder format(int value) {
            format = value;
            return this;
        }

        /** Sets the flow. */
        public CustomPartBuilder flow(int value) {
            flowId = value;
            return this;
        }

        /** Sets the number of elements, as a one-dimensional part has it. */
        public CustomPartBuilder size(long elements) {
            dimension = notNegative(elements, "elements");
            return this;
        }

        /** Sets pixels in a line and number of lines, as a two-dimensional part has them. */
        public CustomPartBuilder size(int x, int y) {
            dimension = notNegative(x, "x") | (long) notNegative(y, "y") << 32;
            return this;
        }

        /** Sets the two 16-bit fields of padding; a one-dimensional part has only the first. */
        public CustomPartBuilder padding(int x, int y) {
            paddingX = unsigned16(x, "x");
            paddingY = unsigned16(y, "y");
            return this;
        }

        /** Sets the bytes of data; 0 if not set. */
        public CustomPartBuilder dataSize(long value) {
            dataSize = notNegative(value, "dataSize");
            return this;
        }

        /** Sets the most bytes of data that there can be; {@link #dataSize} if not set. */
        public CustomPartBuilder maxDataSize(long value) {
            maxDataSize = notNegative(value, "maxDataSize");
            return this;
        }

        /** Adds fields of the vendor. */
        public CustomPartBuilder typeSpecific(long... fields) {
            typeSpecific = fields.clone();
            return this;
        }

        @Override
        int standardSizeBytes() {
            return GenDcPart.SIZE_2D_BYTES;
        }

        @Override
        long worked(boolean most) {
            return dataSize;
        }

        @Override
        void writeSpecific(ByteBuffer bytes, boolean most) {
            bytes.putLong(dimension).putShort((short) paddingX).putShort((short) paddingY);
            bytes.putInt(0);
        }
    }
}
