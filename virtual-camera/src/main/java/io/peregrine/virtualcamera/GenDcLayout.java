package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A GenDC container. Parts keep their places from block to block, so what is shorter than it may be leaves a gap. Flows
 * follow each other in the order of their ids; flow 0 begins with the descriptor.
 */
final class GenDcLayout extends BlockLayout {
    /** GVSP payload type. */
    static final int PAYLOAD_TYPE = 0x000B;

    private static final int CONTAINER_BYTES = 56;
    private static final int COMPONENT_BYTES = 48;
    private static final int ALIGNMENT = 8;

    private static final int VARIABLE_DATA_SIZE = 0x01;
    private static final int VARIABLE_SIZE_Y = 0x04;
    private static final int VARIABLE_TIMESTAMP = 0x20;
    private static final int VARIABLE_COUNT = 0x40;
    private static final int VARIABLE_INVALID = 0x80;

    private static final int PRELIMINARY = 0x80;

    private static final int TIMESTAMP_PTP = 0x1;
    private static final int COMPONENT_INVALID = 0x2;

    /** Where the bytes of a flow lie in the block. */
    record FlowRange(int blockOffset, int bytes) {}

    private record Place(Component component, Part part, int headerAt, int dataAt, int flowBase) {}

    private final List<Place> places = new ArrayList<>();
    private final List<Integer> componentsAt = new ArrayList<>();
    private final List<FlowRange> flowRanges;
    private final int descriptorBytes;
    private final int blockBytes;
    private final int variableFields;
    private final boolean descriptorWithData;
    private final BooleanSupplier timeOfPtp;

    /**
     * A layout.
     *
     * @param composition what the container holds
     * @param descriptorWithData whether data follows a final descriptor in its last packet
     * @param timeOfPtp whether timestamps count as those of PTP do now
     */
    GenDcLayout(Composition composition, boolean descriptorWithData, BooleanSupplier timeOfPtp) {
        super(composition);
        this.timeOfPtp = timeOfPtp;
        this.descriptorWithData = descriptorWithData;
        List<Component> components = composition.components();
        int at = CONTAINER_BYTES + 8 * components.size();
        List<Integer> headers = new ArrayList<>();
        int flows = 1;
        int variable = VARIABLE_TIMESTAMP;
        for (Component component : components) {
            componentsAt.add(at);
            at += COMPONENT_BYTES + 8 * component.parts().size();
            flows = Math.max(flows, component.flow() + 1);
            variable |= component.invalidInOddBlocks() ? VARIABLE_INVALID | VARIABLE_DATA_SIZE : 0;
            for (Part part : component.parts()) {
                headers.add(at);
                at += headerBytes(part);
                variable |= part.data() instanceof PatternData || part.metadata() ? 0 : VARIABLE_DATA_SIZE;
            }
        }
        variable |= composition.variableHeight() > 0 ? VARIABLE_DATA_SIZE | VARIABLE_SIZE_Y : 0;
        variable |= composition.variableCount() ? VARIABLE_COUNT : 0;
        variableFields = variable;
        descriptorBytes = at;
        Place[] inOrder = new Place[headers.size()];
        flowRanges = new ArrayList<>();
        int position = descriptorBytes;
        for (int flow = 0; flow < flows; flow++) {
            int base = flow == 0 ? 0 : position;
            int index = 0;
            for (Component component : components) {
                for (Part part : component.parts()) {
                    if (component.flow() == flow) {
                        position = aligned(position);
                        inOrder[index] = new Place(component, part, headers.get(index), position, base);
                        position = Math.addExact(position, part.data().maxBytes());
                    }
                    index++;
                }
            }
            if (flow < flows - 1) {
                position = aligned(position);
            }
            flowRanges.add(new FlowRange(base, position - base));
        }
        places.addAll(List.of(inOrder));
        blockBytes = position;
    }

    private static int aligned(int position) {
        return Math.addExact(position, ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    private static int headerBytes(Part part) {
        return switch (part.type()) {
            case Part.H_264, Part.CUSTOM_2D -> 72;
            case Part.CUSTOM -> 48;
            default -> part.twoDimensional() ? 56 : 64;
        };
    }

    /** Whether the final descriptor of a block is not known before the data. */
    private boolean preliminary(Stamp stamp) {
        return composition().knownLate(stamp);
    }

    @Override
    int payloadType() {
        return PAYLOAD_TYPE;
    }

    @Override
    int blockBytes() {
        return blockBytes;
    }

    /** The preliminary descriptor is after the container. */
    @Override
    int memoryBytes() {
        boolean room = composition().variableHeight() > 0 || composition().variableCount();
        return room ? blockBytes + descriptorBytes : blockBytes;
    }

    /** The flows by id; together they are the block. */
    List<FlowRange> flowRanges() {
        return List.copyOf(flowRanges);
    }

    byte[] prefetchDescriptor() {
        return descriptor(Composition.full(), 0, 0, variableFields, false);
    }

    byte[] flowTable() {
        ByteBuffer table = ByteBuffer.allocate(16 + 8 * flowRanges.size()).order(ByteOrder.LITTLE_ENDIAN);
        table.putShort((short) 0x7000).putShort((short) 0).putInt(table.capacity());
        table.put((byte) 1).put((byte) 0).putShort((short) 0).putInt(flowRanges.size());
        for (FlowRange range : flowRanges) {
            table.putLong(range.bytes);
        }
        return table.array();
    }

    private byte[] descriptor(Stamp stamp, long id, long timestamp, int variable, boolean invalidKnown) {
        List<Component> components =
                variable != 0 ? composition().components() : composition().components(stamp);
        ByteBuffer out = ByteBuffer.allocate(descriptorBytes).order(ByteOrder.LITTLE_ENDIAN);
        int ptp = variable == 0 && timeOfPtp.getAsBoolean() ? TIMESTAMP_PTP : 0;
        boolean anyInvalid = components.stream().anyMatch(c -> invalidKnown && c.invalid(stamp));
        out.put(new byte[] {'G', 'N', 'D', 'C', 1, 1, 0, 0});
        out.putShort((short) 0x1000).putShort((short) (ptp | (anyInvalid ? COMPONENT_INVALID : 0)));
        out.putInt(CONTAINER_BYTES + 8 * components.size()).putLong(id);
        out.putShort((short) variable).putShort((short) 0).putInt(0);
        out.putLong(blockBytes - descriptorBytes).putLong(descriptorBytes);
        out.putInt(descriptorBytes).putInt(components.size());
        // The headers of components that are not there leave a gap: all offsets stay.
        for (int at : componentsAt.subList(0, components.size())) {
            out.putLong(at);
        }
        int place = 0;
        for (int c = 0; c < components.size(); c++) {
            Component component = components.get(c);
            boolean invalid = invalidKnown && component.invalid(stamp);
            int count = component.parts().size();
            out.position(componentsAt.get(c));
            out.putShort((short) 0x2000).putShort((short) (invalid ? 1 : 0));
            out.putInt(COMPONENT_BYTES + 8 * count).putShort((short) 0);
            out.putShort((short) component.groupId()).putShort((short) component.sourceId());
            out.putShort((short) component.regionId());
            out.putInt(component.offsetX()).putInt(component.offsetY());
            out.putLong(timestamp).putLong(component.typeId()).putInt(component.format());
            out.putShort((short) 0).putShort((short) count);
            for (int p = 0; p < count; p++) {
                out.putLong(places.get(place + p).headerAt);
            }
            for (int p = 0; p < count; p++) {
                part(out, places.get(place++), stamp, invalid, variable != 0);
            }
        }
        return out.array();
    }

    private static void part(ByteBuffer out, Place place, Stamp stamp, boolean invalid, boolean maximum) {
        Part part = place.part;
        int bytes = invalid ? 0 : maximum ? part.data().maxBytes() : part.data().bytes(stamp);
        out.position(place.headerAt);
        out.putShort((short) part.type()).putShort((short) part.flags()).putInt(headerBytes(part));
        out.putInt(part.format()).putShort((short) 0).putShort((short) place.component.flow());
        out.putLong(place.dataAt - place.flowBase).putLong(bytes).putLong(place.dataAt);
        int count = part.data().count(stamp);
        if (part.type() == Part.CUSTOM) {
            out.putLong(CustomFields.FIRST);
        } else if (part.twoDimensional()) {
            out.putInt(part.width()).putInt(count);
            out.putShort((short) part.paddingX())
                    .putShort((short) part.paddingY())
                    .putInt(0);
            if (part.type() == Part.H_264) {
                H264Fields.putGenDc(out);
            } else if (part.type() == Part.CUSTOM_2D) {
                out.putLong(CustomFields.FIRST).putLong(CustomFields.SECOND);
            }
        } else {
            out.putLong(count)
                    .putShort((short) part.paddingY())
                    .putShort((short) 0)
                    .putInt(0);
            out.putLong(Integer.toUnsignedLong(part.layoutId()));
        }
    }

    private boolean sent(Place place, Stamp stamp) {
        return !place.component.invalid(stamp)
                && composition().components(stamp).contains(place.component);
    }

    /** The descriptor, and the data after it that shares its packet. */
    private Wire.Run descriptorRun(int memoryOffset, int dataBytes, int kind) {
        return new Wire.Run(0, 0, memoryOffset, descriptorBytes + dataBytes, descriptorBytes, kind, false);
    }

    @Override
    Wire wire(Stamp stamp) {
        List<Wire.Run> runs = new ArrayList<>();
        boolean preliminary = preliminary(stamp);
        if (preliminary) {
            runs.add(descriptorRun(blockBytes, 0, Wire.PRELIMINARY_DESCRIPTOR));
        }
        int sharing = 0;
        for (int flow = 0; flow < flowRanges.size(); flow++) {
            for (Place place : places) {
                if (place.component.flow() != flow || !sent(place, stamp)) {
                    continue;
                }
                int bytes = place.part.data().bytes(stamp);
                if (descriptorWithData && !preliminary && place.dataAt == descriptorBytes) {
                    sharing = bytes;
                    continue;
                }
                runs.add(new Wire.Run(
                        flow, place.dataAt - place.flowBase, place.dataAt, bytes, 0, Wire.NO_DESCRIPTOR, false));
            }
        }
        runs.add(preliminary ? runs.size() : 0, descriptorRun(0, sharing, Wire.FINAL_DESCRIPTOR));
        ByteBuffer leader = ByteBuffer.allocate(28)
                .putShort((short) 0)
                .putShort((short) PAYLOAD_TYPE)
                .putLong(stamp.timestamp())
                .putLong(blockBytes)
                .putInt(preliminary ? PRELIMINARY << 24 : 0)
                .putInt(descriptorBytes)
                .flip();
        ByteBuffer trailer = ByteBuffer.allocate(4).putInt(0, PAYLOAD_TYPE);
        return new Wire(Wire.GENDC, 0, leader, trailer, stamp.timestamp(), runs, false, false);
    }

    @Override
    void render(Stamp stamp, boolean damaged, ByteBuffer memory) {
        if (preliminary(stamp) && memory.capacity() >= memoryBytes()) {
            memory.put(blockBytes, descriptor(Composition.full(), stamp.blockId(), 0, variableFields, false));
        }
        byte[] descriptor = descriptor(stamp, stamp.blockId(), stamp.timestamp(), 0, true);
        if (damaged) {
            // The signature and the component count: no reader may take this for a container.
            descriptor[0] ^= 0x55;
            descriptor[52] ^= 0x7F;
        }
        memory.put(0, descriptor);
        for (Place place : places) {
            if (sent(place, stamp)) {
                memory.position(place.dataAt);
                place.part.data().fill(stamp, memory);
            }
        }
        memory.clear();
    }

    @Override
    SentBlock sent(Stamp stamp) {
        return new SentBlock(PAYLOAD_TYPE, blockBytes, parts(stamp), Optional.empty(), 0);
    }
}
