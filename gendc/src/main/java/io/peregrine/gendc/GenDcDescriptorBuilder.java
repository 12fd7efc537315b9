package io.peregrine.gendc;

import io.peregrine.pfnc.PfncCodes;
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
 * are given their size and the most that it can be ({@code maxSize}, {@code maxDataSize}); {@link #buildPreliminary()}
 * writes the most, {@link #buildFinal()} the real sizes, and all offsets are the same in both.
 *
 * <p>For one thread at a time.
 */
public final class GenDcDescriptorBuilder {
    private static final int FIXED_SIZE_BYTES = GenDcDescriptor.FIXED_SIZE_BYTES;

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
        variableFields = PartBuilder.unsigned16(value, "variableFields");
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
     * {@link GenDcDescriptor.VariableField#COMPONENT_COUNT} says so. All if not set. The headers of the missing ones
     * leave a gap, so that all offsets stay.
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
            for (PartBuilder<?> part : component.parts) {
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
        boolean hideInvalid = preliminary && GenDcDescriptor.VariableField.COMPONENT_INVALID.in(variableFields);
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
                for (PartBuilder<?> part : component.parts) {
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

    /** One component of a descriptor. */
    public static final class ComponentBuilder {
        private final List<PartBuilder<?>> parts = new ArrayList<>();
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
            groupId = PartBuilder.unsigned16(value, "groupId");
            return this;
        }

        /** Sets the sensor. */
        public ComponentBuilder sourceId(int value) {
            sourceId = PartBuilder.unsigned16(value, "sourceId");
            return this;
        }

        /** Sets the region. */
        public ComponentBuilder regionId(int value) {
            regionId = PartBuilder.unsigned16(value, "regionId");
            return this;
        }

        /** Sets the place of the region on the sensor, in pixels. */
        public ComponentBuilder regionOffset(int x, int y) {
            regionOffsetX = PartBuilder.notNegative(x, "x");
            regionOffsetY = PartBuilder.notNegative(y, "y");
            return this;
        }

        /** Sets the time in nanoseconds. */
        public ComponentBuilder timestamp(long value) {
            timestamp = PartBuilder.notNegative(value, "timestamp");
            return this;
        }

        /** Says that the component must not be used; its parts have no data then. */
        public ComponentBuilder invalid(boolean value) {
            invalid = value;
            return this;
        }

        /** Adds a two-dimensional part. */
        public ComponentBuilder part2d(Consumer<PartBuilder.Image> settings) {
            return add(new PartBuilder.Image(PartType.IMAGE_2D), settings);
        }

        /** Adds a one-dimensional part. */
        public ComponentBuilder part1d(Consumer<PartBuilder.Array> settings) {
            return add(new PartBuilder.Array(PartType.ARRAY_1D), settings);
        }

        /** Adds a JPEG image; say how large its stream is by {@link PartBuilder.Image#dataSize}. */
        public ComponentBuilder partJpeg(Consumer<PartBuilder.Image> settings) {
            return add(new PartBuilder.Image(PartType.IMAGE_2D_JPEG), settings);
        }

        /** Adds a JPEG 2000 image; say how large its stream is by {@link PartBuilder.Image#dataSize}. */
        public ComponentBuilder partJpeg2000(Consumer<PartBuilder.Image> settings) {
            return add(new PartBuilder.Image(PartType.IMAGE_2D_JPEG2000), settings);
        }

        /**
         * Adds an H.264 image; say how large its stream is by {@link PartBuilder.Image#dataSize}.
         *
         * @param parameters what the decoder must know
         * @param settings geometry and size
         */
        public ComponentBuilder partH264(H264Parameters parameters, Consumer<PartBuilder.Image> settings) {
            return add(new PartBuilder.Image(Objects.requireNonNull(parameters, "parameters")), settings);
        }

        /**
         * Adds a part of any other kind, usually a vendor's own.
         *
         * @param headerType 0x4000 to 0x4FFF, but none of the standard kinds
         * @param settings size and fields
         */
        public ComponentBuilder partCustom(int headerType, Consumer<PartBuilder.Custom> settings) {
            if (!PartType.isPart(headerType) || PartType.isStandard(headerType)) {
                throw new IllegalArgumentException(
                        Hex.of16(headerType) + " is no header type of a part that is not standard");
            }
            return add(new PartBuilder.Custom(headerType), settings);
        }

        /** Adds a part of GenICam chunk data, in bytes. */
        public ComponentBuilder partChunk(Consumer<PartBuilder.Array> settings) {
            return add(new PartBuilder.Array(PartType.METADATA_CHUNK).format(PfncCodes.DATA8), settings);
        }

        /** Adds a part of GenICam XML, in bytes. */
        public ComponentBuilder partXml(Consumer<PartBuilder.Array> settings) {
            return add(new PartBuilder.Array(PartType.METADATA_XML).format(PfncCodes.DATA8), settings);
        }

        private <T extends PartBuilder<T>> ComponentBuilder add(T part, Consumer<T> settings) {
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
            bytes.putShort((short) 0).putShort((short) PartBuilder.unsigned16(parts.size(), "number of parts"));
            for (PartBuilder<?> part : parts) {
                bytes.putLong(part.at);
            }
            for (PartBuilder<?> part : parts) {
                part.write(bytes, preliminary, writtenInvalid);
            }
        }
    }
}
