package io.peregrine.composite;

import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.GenDcPart;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.PayloadType;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Fills flow sets as a receiver would. */
final class Blocks {
    static final long LIMIT_BYTES = 1 << 24;

    private Blocks() {}

    static FlowSetPool pool(long... flowSizes) {
        return FlowSetPool.allocate(1, flowSizes, LIMIT_BYTES);
    }

    static BlockInfo genDc(long blockId) {
        return new BlockInfo(blockId, PayloadType.GENDC, 77, 0, Optional.empty(), 0, Optional.empty(), 0);
    }

    static BlockInfo image(long blockId, int format, int width, int height, int paddingX, long payloadBytes) {
        return new BlockInfo(
                blockId,
                PayloadType.IMAGE,
                77,
                payloadBytes,
                Optional.of(new BlockInfo.ImageGeometry(format, width, height, 3, 4, paddingX, 0)),
                0,
                Optional.empty(),
                0);
    }

    /** A block of any payload type whose items come from what is behind the first arguments. */
    static BlockInfo of(
            int payloadType,
            long payloadBytes,
            Optional<BlockInfo.ImageGeometry> image,
            List<BlockInfo.Part> parts,
            Optional<BlockInfo.ChunkRange> chunk,
            Optional<BlockInfo.Compression> compression) {
        return new BlockInfo(
                12, payloadType, 77, payloadBytes, image, 0, Optional.empty(), 0, parts, chunk, compression);
    }

    static BlockInfo multiPart(BlockInfo.Part... parts) {
        return of(PayloadType.MULTI_PART, 0, Optional.empty(), List.of(parts), Optional.empty(), Optional.empty());
    }

    /** A part with geometry, from sensor 2, region 3. */
    static BlockInfo.Part part(int dataType, long offset, long length, int format, int purpose, int width, int height) {
        return new BlockInfo.Part(
                dataType,
                offset,
                length,
                format,
                2,
                purpose,
                3,
                0,
                Optional.of(new BlockInfo.ImageGeometry(format, width, height, 5, 6, 0, 0)));
    }

    /** A part without geometry. */
    static BlockInfo.Part part(int dataType, long offset, long length) {
        return new BlockInfo.Part(dataType, offset, length, 0, 2, 0, 3, 0, Optional.empty());
    }

    /** Bytes 0, 1, 2... to the end of the flow. */
    static void receiveAll(FlowSet set) {
        for (int flow = 0; flow < set.flowCount(); flow++) {
            byte[] bytes = new byte[(int) set.flowSizeBytes(flow)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) i;
            }
            receive(set, flow, 0, bytes);
        }
    }

    static BlockInfo missing(BlockInfo block, IncompleteCause cause, long packets) {
        return new BlockInfo(
                block.blockId(),
                block.payloadType(),
                block.timestampTicks(),
                block.payloadBytes(),
                block.image(),
                block.descriptorBytes(),
                Optional.of(cause),
                packets,
                block.parts(),
                block.chunk(),
                block.compression());
    }

    /** Takes a flow set through its life up to FILLED. */
    static FlowSet fill(FlowSetPool pool, BlockInfo block, Consumer<FlowSet> receive) {
        FlowSet set = pool.take().orElseThrow();
        set.beginFilling();
        receive.accept(set);
        set.finishFilling(block);
        return set;
    }

    static Composite map(FlowSetPool pool, BlockInfo block, Consumer<FlowSet> receive) {
        FlowSet set = fill(pool, block, receive);
        set.lease();
        return Composite.of(set, Holders.NOBODY, new CompositeMapper());
    }

    static void receive(FlowSet set, int flow, long offset, byte... bytes) {
        set.flow(flow).put((int) offset, bytes);
        set.markReceived(flow, offset, bytes.length);
    }

    /** Descriptor at the start of flow 0, then each part at its place by flow, filled with its number from 1. */
    static void receiveByFlow(FlowSet set, GenDcDescriptor descriptor) {
        receive(set, 0, 0, descriptor.toBytes());
        byte value = 1;
        for (var component : descriptor.components()) {
            for (GenDcPart part : component.parts()) {
                receive(set, part.flowId(), part.flowOffset(), bytes(part, value++));
            }
        }
    }

    /** Descriptor at the start of flow 0, then each part at its place in the linear container. */
    static void receiveLinear(FlowSet set, GenDcDescriptor descriptor) {
        receive(set, 0, 0, descriptor.toBytes());
        byte value = 1;
        for (var component : descriptor.components()) {
            for (GenDcPart part : component.parts()) {
                receive(set, 0, part.dataOffset(), bytes(part, value++));
            }
        }
    }

    static byte[] bytes(GenDcPart part, byte value) {
        byte[] bytes = new byte[(int) part.dataSize()];
        java.util.Arrays.fill(bytes, value);
        return bytes;
    }
}
