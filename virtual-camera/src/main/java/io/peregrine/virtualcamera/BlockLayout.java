package io.peregrine.virtualcamera;

import io.peregrine.gendc.FlowTable;
import io.peregrine.gendc.GenDcDescriptor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What a block holds and where. A block is one run of bytes: the image, or the GenDC container with its descriptor in
 * front.
 */
final class BlockLayout {
    /** GVSP payload type of an image. */
    static final int PAYLOAD_IMAGE = 0x0001;

    /** GVSP payload type of a GenDC container. */
    static final int PAYLOAD_GENDC = 0x000B;

    private static final int VARIABLE_TIMESTAMP = 0x20;

    /** A component of one 2D part. */
    record Component(long typeId, int format, int width, int height, int offsetX, int offsetY) {
        long bytes() {
            return TestPattern.lineBytes(format, width) * height;
        }
    }

    /** Bytes of the block that belong to one flow and follow each other in it. */
    record Segment(int flowId, long flowOffset, int blockOffset, int bytes, boolean descriptor) {}

    /** Where the bytes of a flow lie in the block. */
    record FlowRange(int blockOffset, int bytes) {}

    private final int payloadType;
    private final List<Component> components;
    private final int[] componentOffsets;
    private final List<Segment> segments;
    private final byte[] prefetchDescriptor;
    private final byte[] flowTable;
    private final int blockBytes;
    private final FlowLayout flows;
    private final List<FlowRange> flowRanges;

    private BlockLayout(
            int payloadType,
            List<Component> components,
            int[] componentOffsets,
            List<Segment> segments,
            byte[] prefetchDescriptor,
            byte[] flowTable,
            int blockBytes,
            FlowLayout flows) {
        this.payloadType = payloadType;
        this.components = components;
        this.componentOffsets = componentOffsets;
        this.segments = segments;
        this.prefetchDescriptor = prefetchDescriptor;
        this.flowTable = flowTable;
        this.blockBytes = blockBytes;
        this.flows = flows;
        this.flowRanges = ranges(segments);
    }

    private static List<FlowRange> ranges(List<Segment> segments) {
        List<FlowRange> ranges = new ArrayList<>();
        for (Segment segment : segments) {
            int start = Math.toIntExact(segment.blockOffset - segment.flowOffset);
            int bytes = Math.toIntExact(segment.flowOffset + segment.bytes);
            boolean known = segment.flowId < ranges.size();
            if (segment.flowId > ranges.size() || (known && ranges.get(segment.flowId).blockOffset != start)) {
                throw new IllegalStateException("Flow " + segment.flowId + " is not one run of the block");
            }
            FlowRange range = new FlowRange(start, bytes);
            if (known) {
                ranges.set(segment.flowId, range);
            } else {
                ranges.add(range);
            }
        }
        return List.copyOf(ranges);
    }

    static BlockLayout image(Component component) {
        int bytes = Math.toIntExact(component.bytes());
        return new BlockLayout(
                PAYLOAD_IMAGE,
                List.of(component),
                new int[] {0},
                List.of(new Segment(0, 0, 0, bytes, false)),
                new byte[0],
                new byte[0],
                bytes,
                FlowLayout.SINGLE);
    }

    static BlockLayout genDc(List<Component> components, FlowLayout flows) {
        GenDcDescriptor prefetch = describe(components, flows, 0, 0, VARIABLE_TIMESTAMP);
        int descriptorBytes = prefetch.descriptorSizeBytes();
        List<Segment> segments = new ArrayList<>();
        segments.add(new Segment(0, 0, 0, descriptorBytes, true));
        int[] offsets = new int[components.size()];
        for (int i = 0; i < offsets.length; i++) {
            var part = prefetch.components().get(i).parts().get(0);
            offsets[i] = Math.toIntExact(part.dataOffset());
            segments.add(
                    new Segment(part.flowId(), part.flowOffset(), offsets[i], Math.toIntExact(part.dataSize()), false));
        }
        FlowTable table = prefetch.flowTable();
        return new BlockLayout(
                PAYLOAD_GENDC,
                List.copyOf(components),
                offsets,
                List.copyOf(segments),
                prefetch.toBytes(),
                table.toBytes(),
                Math.toIntExact(prefetch.containerSizeBytes()),
                flows);
    }

    private static GenDcDescriptor describe(
            List<Component> components, FlowLayout flows, long id, long timestamp, int variableFields) {
        var builder = GenDcDescriptor.builder().id(id).variableFields(variableFields);
        int flow = 0;
        for (Component component : components) {
            int flowId = flow;
            builder.component(c -> c.typeId(component.typeId)
                    .format(component.format)
                    .groupId(0)
                    .sourceId(0)
                    .regionId(0)
                    .regionOffset(component.offsetX, component.offsetY)
                    .timestamp(timestamp)
                    .part2d(p -> p.format(component.format)
                            .size(component.width, component.height)
                            .padding(0, 0)
                            .flow(flowId)));
            if (flows == FlowLayout.PER_COMPONENT) {
                flow++;
            }
        }
        return builder.build();
    }

    int payloadType() {
        return payloadType;
    }

    boolean genDc() {
        return payloadType == PAYLOAD_GENDC;
    }

    List<Component> components() {
        return components;
    }

    List<Segment> segments() {
        return segments;
    }

    /** The flows by id; together they are the block. */
    List<FlowRange> flowRanges() {
        return flowRanges;
    }

    byte[] prefetchDescriptor() {
        return prefetchDescriptor;
    }

    byte[] flowTable() {
        return flowTable;
    }

    int blockBytes() {
        return blockBytes;
    }

    /** Writes the whole block from byte 0 of the buffer on. */
    void render(long blockId, long timestamp, boolean damaged, ByteBuffer block) {
        if (genDc()) {
            byte[] descriptor =
                    describe(components, flows, blockId, timestamp, 0).toBytes();
            if (damaged) {
                // The signature and the component count: no reader may take this for a container.
                descriptor[0] ^= 0x55;
                descriptor[52] ^= 0x7F;
            }
            block.put(0, descriptor);
        }
        for (int i = 0; i < componentOffsets.length; i++) {
            Component component = components.get(i);
            block.position(componentOffsets[i]);
            TestPattern.fill(component.typeId, component.format, blockId, component.width, component.height, block);
        }
        block.clear();
    }
}
