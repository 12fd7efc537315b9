package io.peregrine.composite;

import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.GenDcPart;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.BlockInfo.ChunkRange;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.PayloadType;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Frames as a stream would give them, for tests in other packages. */
@SuppressWarnings("exports") // Nobody requires the tests.
public final class Frames {
    private static final int PIXELS = 12;

    private Frames() {}

    /** A frame in a flow set of its own, with the pool that its memory goes back to. */
    public record Frame(Composite composite, FlowSetPool pool) {
        public Frame {
            if (pool.leasedCount() != 1) {
                throw new IllegalArgumentException("The flow set of a frame is leased once");
            }
        }
    }

    public static Frame map(BlockInfo block, Consumer<FlowSet> receive, long... flowSizes) {
        FlowSetPool pool = Blocks.pool(flowSizes);
        return new Frame(Blocks.map(pool, block, receive), pool);
    }

    /** An intensity image, an invalid component, chunk data and a confidence, in one flow. */
    public static Frame oneFlow(long id) {
        GenDcDescriptor descriptor = components(id, 0);
        return map(Blocks.genDc(id), set -> fill(set, descriptor, true), descriptor.containerSizeBytes());
    }

    /** The same with the last components in a second flow. */
    public static Frame twoFlows(long id) {
        GenDcDescriptor descriptor = components(id, 1);
        return map(
                Blocks.genDc(id),
                set -> fill(set, descriptor, false),
                descriptor.flowTable().flowSizes());
    }

    private static GenDcDescriptor components(long id, int flow) {
        return GenDcDescriptor.builder()
                .id(id)
                .alignmentBytes(16)
                .component(c -> c.typeId(1)
                        .format(PfncCodes.MONO8)
                        .timestamp(1000 + id)
                        .regionOffset(2, 4)
                        .groupId(1)
                        .sourceId(2)
                        .regionId(3)
                        .part2d(p -> p.size(5, 3).padding(1, 2)))
                .component(
                        c -> c.typeId(2).format(PfncCodes.MONO8).invalid(true).part2d(p -> p.size(4, 2)))
                .component(c -> c.typeId(0x8001)
                        .format(PfncCodes.DATA8)
                        .partChunk(p -> p.size(PIXELS).layoutId(9).flow(flow)))
                .component(c -> c.typeId(6)
                        .format(PfncCodes.CONFIDENCE8)
                        .part2d(p -> p.size(5, 3).flow(flow)))
                .build();
    }

    /** Three planes as three parts. */
    public static Frame planar(long id) {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .id(id)
                .component(c -> c.typeId(1)
                        .format(PfncCodes.RGB8_PLANAR)
                        .part2d(p -> p.format(PfncCodes.R8).size(4, 2))
                        .part2d(p -> p.format(PfncCodes.G8).size(4, 2))
                        .part2d(p -> p.format(PfncCodes.B8).size(4, 2)))
                .build();
        return map(Blocks.genDc(id), set -> fill(set, descriptor, true), descriptor.containerSizeBytes());
    }

    /** A plain image, with a byte after each line. */
    public static Frame image(long id) {
        return map(Blocks.image(id, PfncCodes.MONO16, 4, 3, 1, 27), Blocks::receiveAll, 27);
    }

    /** A plain image in planes. */
    public static Frame planarImage(long id) {
        return map(Blocks.image(id, PfncCodes.RGB8_PLANAR, 4, 2, 0, 24), Blocks::receiveAll, 24);
    }

    /** A plain image with chunk data of GigE Vision behind it. */
    public static Frame imageWithChunks(long id) {
        BlockInfo image = Blocks.image(id, PfncCodes.MONO8, 4, 3, 0, 32);
        BlockInfo block = new BlockInfo(
                id,
                PayloadType.IMAGE | PayloadType.CHUNK_BIT,
                77,
                32,
                image.image(),
                0,
                Optional.empty(),
                0,
                List.of(),
                Optional.of(new ChunkRange(12, 20, 5)),
                Optional.empty());
        return map(block, Blocks::receiveAll, 32);
    }

    /** Planes, an image, a file of the device and chunk data as parts with gaps between them. */
    public static Frame multiPart(long id) {
        BlockInfo block = new BlockInfo(
                id,
                PayloadType.MULTI_PART,
                88,
                0,
                Optional.empty(),
                0,
                Optional.empty(),
                0,
                List.of(
                        Blocks.part(2, 0, 8, PfncCodes.MONO8, 1, 4, 2),
                        Blocks.part(2, 16, 8, PfncCodes.MONO8, 1, 4, 2),
                        Blocks.part(5, 32, 24, PfncCodes.COORD3D_ABC8, 4, 4, 2),
                        Blocks.part(0x8001, 64, 5),
                        Blocks.part(10, 72, 16),
                        new BlockInfo.Part(11, 96, 7, PfncCodes.MONO8, 2, 1, 3, 0, Optional.empty())),
                Optional.empty(),
                Optional.empty());
        return map(block, Blocks::receiveAll, 128);
    }

    /** Bytes without a form. */
    public static Frame raw(long id) {
        BlockInfo block =
                Blocks.of(PayloadType.RAW, 21, Optional.empty(), List.of(), Optional.empty(), Optional.empty());
        return map(block, Blocks::receiveAll, 32);
    }

    /** The container of one flow without its last component. */
    public static Frame incomplete(long id) {
        GenDcDescriptor descriptor = components(id, 0);
        BlockInfo block = Blocks.missing(Blocks.genDc(id), IncompleteCause.PACKETS_MISSING, 2);
        GenDcPart last = descriptor.components().get(3).parts().get(0);
        return map(
                block,
                set -> {
                    fill(set, descriptor, true);
                    set.forgetReceived();
                    set.markReceived(0, 0, last.dataOffset());
                },
                descriptor.containerSizeBytes());
    }

    /** Nothing but a block id. */
    public static Frame unknown(long id) {
        BlockInfo block =
                new BlockInfo(id, 0, 0, 0, Optional.empty(), 0, Optional.of(IncompleteCause.LEADER_MISSING), 3);
        return map(block, set -> {}, 16);
    }

    /** All flows with different bytes, then the descriptor, so that gaps hold what is nobody's. */
    private static void fill(FlowSet set, GenDcDescriptor descriptor, boolean linear) {
        for (int flow = 0; flow < set.flowCount(); flow++) {
            byte[] nobodys = new byte[(int) set.flowSizeBytes(flow)];
            java.util.Arrays.fill(nobodys, (byte) 0xEE);
            Blocks.receive(set, flow, 0, nobodys);
        }
        Blocks.receive(set, 0, 0, descriptor.toBytes());
        for (var component : descriptor.components()) {
            for (GenDcPart part : component.parts()) {
                byte[] data = new byte[(int) part.dataSize()];
                for (int i = 0; i < data.length; i++) {
                    data[i] = (byte) (descriptor.id() * 31 + part.dataOffset() + i);
                }
                Blocks.receive(set, linear ? 0 : part.flowId(), linear ? part.dataOffset() : part.flowOffset(), data);
            }
        }
    }
}
