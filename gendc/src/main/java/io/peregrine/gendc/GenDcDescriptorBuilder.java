package io.peregrine.gendc;

import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pfnc.PixelFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Writes descriptors of GenDC 1.1. It works out all sizes and offsets: flow 0 begins with the descriptor; parts follow
 * each other in their flow in the order of the descriptor; in the linear container flows follow each other in the order
 * of their ids. An invalid component keeps its place in the data section, so that offsets stay the same from one
 * container to the next, but its parts have no data.
 */
public final class GenDcDescriptorBuilder {
    private static final int FIXED_SIZE_BYTES = 56;
    private static final int MAX_FLOW_ID = 0xFFFF;

    private final List<ComponentBuilder> components = new ArrayList<>();
    private long id;
    private int variableFields;
    private boolean timestampPtp;
    private int alignmentBytes = 1;

    GenDcDescriptorBuilder() {}

    /** Sets the id of the container. */
    public GenDcDescriptorBuilder id(long value) {
        id = value;
        return this;
    }

    /** Sets what may still change: {@code VARIABLE_} bits of {@link GenDcDescriptor}; 0, a final descriptor, if not set. */
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
     * Makes the descriptor.
     *
     * @throws IllegalArgumentException if there is no component, a component without part, a hole in the flow ids, or
     *     something too large
     */
    public GenDcDescriptor build() {
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
            }
        }
        int descriptorSize = Math.toIntExact(size);
        long end = layOut(flows, descriptorSize);
        ByteBuffer bytes = ByteBuffer.allocate(descriptorSize).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put("GNDC".getBytes(StandardCharsets.US_ASCII))
                .put((byte) 1)
                .put((byte) 1)
                .putShort((short) 0);
        boolean invalid = components.stream().anyMatch(component -> component.invalid);
        int flags = (timestampPtp ? GenDcDescriptor.FLAG_TIMESTAMP_PTP : 0)
                | (invalid ? GenDcDescriptor.FLAG_COMPONENT_INVALID : 0);
        bytes.putShort((short) 0x1000).putShort((short) flags);
        bytes.putInt(FIXED_SIZE_BYTES + 8 * components.size()).putLong(id);
        bytes.putShort((short) variableFields).putShort((short) 0).putInt(0);
        bytes.putLong(end - descriptorSize).putLong(descriptorSize);
        bytes.putInt(descriptorSize).putInt(components.size());
        for (ComponentBuilder component : components) {
            bytes.putLong(component.at);
        }
        for (ComponentBuilder component : components) {
            component.write(bytes);
        }
        return GenDcDescriptor.parse(bytes.flip());
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
                    position = Math.addExact(position, part.sizeInBytes());
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
            return add(new Part2dBuilder(), settings);
        }

        /** Adds a one-dimensional part. */
        public ComponentBuilder part1d(Consumer<Part1dBuilder> settings) {
            return add(new Part1dBuilder(PartType.ARRAY_1D), settings);
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

        private void write(ByteBuffer bytes) {
            bytes.position(at);
            bytes.putShort((short) 0x2000).putShort((short) (invalid ? 1 : 0)).putInt(headerSizeBytes());
            bytes.putShort((short) 0).putShort((short) groupId);
            bytes.putShort((short) sourceId).putShort((short) regionId);
            bytes.putInt(regionOffsetX).putInt(regionOffsetY);
            bytes.putLong(timestamp).putLong(typeId).putInt(format);
            bytes.putShort((short) 0).putShort((short) unsigned16(parts.size(), "number of parts"));
            for (PartBuilder part : parts) {
                bytes.putLong(part.at);
            }
            for (PartBuilder part : parts) {
                part.write(bytes, invalid);
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

        abstract int headerSizeBytes();

        abstract long sizeInBytes();

        abstract void writeSpecific(ByteBuffer bytes);

        void settled(int componentFormat) {
            if (format == 0) {
                format = componentFormat;
            }
            if (flowId < 0 || flowId > MAX_FLOW_ID) {
                throw new IllegalArgumentException("Flow id " + flowId + " must be between 0 and 65535");
            }
        }

        final void write(ByteBuffer bytes, boolean invalid) {
            bytes.position(at);
            bytes.putShort((short) type).putShort((short) flags).putInt(headerSizeBytes());
            bytes.putInt(format).putShort((short) 0).putShort((short) flowId);
            bytes.putLong(flowOffset).putLong(invalid ? 0 : sizeInBytes()).putLong(dataOffset);
            writeSpecific(bytes);
        }
    }

    /** A two-dimensional part. */
    public static final class Part2dBuilder extends PartBuilder {
        private int sizeX;
        private int sizeY;
        private int paddingX;
        private int paddingY;
        private long dataSize = -1;

        private Part2dBuilder() {
            type = PartType.IMAGE_2D;
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
            dataSize = notNegative(sizeBytes, "sizeBytes");
            return this;
        }

        @Override
        int headerSizeBytes() {
            return GenDcPart.SIZE_2D_BYTES;
        }

        @Override
        long sizeInBytes() {
            return dataSize >= 0 ? dataSize : PixelFormat.of(format).imageSizeBytes(sizeX, sizeY, paddingX, paddingY);
        }

        @Override
        void writeSpecific(ByteBuffer bytes) {
            bytes.putInt(sizeX)
                    .putInt(sizeY)
                    .putShort((short) paddingX)
                    .putShort((short) paddingY)
                    .putInt(0);
        }
    }

    /** A one-dimensional part or a metadata part. */
    public static final class Part1dBuilder extends PartBuilder {
        private long size;
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
        int headerSizeBytes() {
            return GenDcPart.SIZE_1D_BYTES;
        }

        @Override
        long sizeInBytes() {
            return Math.addExact(PixelFormat.of(format).unalignedSizeBytes(size), (long) padding);
        }

        @Override
        void writeSpecific(ByteBuffer bytes) {
            bytes.putLong(size)
                    .putShort((short) padding)
                    .putShort((short) 0)
                    .putInt(0)
                    .putLong(layoutId);
        }
    }
}
