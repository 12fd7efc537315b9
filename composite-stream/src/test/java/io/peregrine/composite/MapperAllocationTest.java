package io.peregrine.composite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.gendc.ComponentType;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.GenDcDescriptorBuilder;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.BlockInfo.ImageGeometry;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.PayloadType;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Deciding what a frame is takes no memory once the table of its memory has grown. */
class MapperAllocationTest {
    private static final int FRAMES = 2000;
    private static final int WARM_UP = 100;
    /** Less than one object for each frame; reading the counter takes some. */
    private static final long MAX_BYTES_PER_FRAME = 8;
    /** A frame that is not complete has its reasons: a few small objects. */
    private static final long MAX_BYTES_PER_INCOMPLETE_FRAME = 200;

    private final CompositeMapper mapper = new CompositeMapper();

    @Test
    void aContainerOfThreeComponentsTakesNone() throws ReflectiveOperationException {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .component(c -> c.typeId(1).format(PfncCodes.MONO8).part2d(p -> p.size(8, 4)))
                .component(c -> c.typeId(4).format(PfncCodes.COORD3D_ABC32F).part2d(p -> p.size(8, 4)))
                .component(c -> c.typeId(6).format(PfncCodes.CONFIDENCE8).part2d(p -> p.size(8, 4)))
                .build();

        assertAtMost(
                MAX_BYTES_PER_FRAME,
                bytesPerFrame(Blocks.genDc(12), descriptor, set -> Blocks.receiveLinear(set, descriptor)));
    }

    @Test
    void aContainerOfPlanesChunksAndManyImagesTakesNone() throws ReflectiveOperationException {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .component(c -> c.typeId(1)
                        .format(PfncCodes.RGB8_PLANAR)
                        .part2d(p -> p.format(PfncCodes.R8).size(8, 4))
                        .part2d(p -> p.format(PfncCodes.G8).size(8, 4))
                        .part2d(p -> p.format(PfncCodes.B8).size(8, 4)))
                .component(
                        c -> c.typeId(1).regionId(2).format(PfncCodes.MONO10P).part2d(p -> p.size(8, 4)))
                .component(c -> c.typeId(ComponentType.METADATA.id())
                        .format(PfncCodes.DATA8)
                        .partChunk(p -> p.size(16))
                        .partXml(p -> p.size(16)))
                .build();

        assertAtMost(
                MAX_BYTES_PER_FRAME,
                bytesPerFrame(Blocks.genDc(12), descriptor, set -> Blocks.receiveLinear(set, descriptor)));
    }

    @Test
    void anImageOfAFormatThatIsNotInTheListTakesNone() throws ReflectiveOperationException {
        BlockInfo image = Blocks.of(
                PayloadType.IMAGE | PayloadType.CHUNK_BIT,
                80,
                Optional.of(new ImageGeometry(0x8108_7777, 8, 8, 0, 0, 0, 0)),
                List.of(),
                Optional.of(new BlockInfo.ChunkRange(64, 16, 3)),
                Optional.empty());

        assertAtMost(MAX_BYTES_PER_FRAME, bytesPerFrame(image, 80));
    }

    @Test
    void aBlockOfSeveralPartsTakesNone() throws ReflectiveOperationException {
        BlockInfo parts = Blocks.multiPart(
                Blocks.part(4, 0, 16, PfncCodes.RGB8_PLANAR, 1, 4, 4),
                Blocks.part(4, 16, 16, PfncCodes.RGB8_PLANAR, 1, 4, 4),
                Blocks.part(4, 32, 16, PfncCodes.RGB8_PLANAR, 1, 4, 4),
                Blocks.part(9, 48, 16, PfncCodes.CONFIDENCE8, 1, 4, 4),
                Blocks.part(10, 64, 16));

        assertAtMost(MAX_BYTES_PER_FRAME, bytesPerFrame(parts, 80));
    }

    @Test
    void aFrameThatIsNotCompleteTakesLittle() throws ReflectiveOperationException {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .component(c -> c.typeId(1).format(PfncCodes.MONO8).part2d(p -> p.size(8, 4)))
                .component(c -> c.typeId(4).format(PfncCodes.COORD3D_ABC32F).part2d(p -> p.size(8, 4)))
                .build();
        BlockInfo block = Blocks.missing(Blocks.genDc(12), IncompleteCause.PACKETS_MISSING, 3);

        assertAtMost(
                MAX_BYTES_PER_INCOMPLETE_FRAME,
                bytesPerFrame(block, descriptor, set -> Blocks.receive(set, 0, 0, descriptor.toBytes())));
    }

    @Test
    void aFrameWithManyItemsIsNotRememberedForEver() {
        GenDcDescriptor many = images(1000);
        FlowSetPool pool = Blocks.pool(many.containerSizeBytes());
        FlowSet set = Blocks.fill(pool, Blocks.genDc(12), filled -> Blocks.receiveLinear(filled, many));
        set.lease();
        FrameMemory memory = FrameMemory.of(set);
        mapper.map(memory, set.block());
        assertEquals(1000, memory.items().count());
        memory.items().clear();
        memory.items().add();

        assertTrue(memory.items().capacity() < 1000);
    }

    private static void assertAtMost(long most, long bytesPerFrame) {
        assertTrue(bytesPerFrame < most, bytesPerFrame + " bytes a frame");
    }

    private static GenDcDescriptor images(int count) {
        GenDcDescriptorBuilder builder = GenDcDescriptor.builder();
        for (int i = 0; i < count; i++) {
            builder.component(c -> c.typeId(1).format(PfncCodes.MONO8).part2d(p -> p.size(8, 4)));
        }
        return builder.build();
    }

    private long bytesPerFrame(BlockInfo block, int bytes) throws ReflectiveOperationException {
        return bytesPerFrame(block, Blocks.pool(bytes), Blocks::receiveAll);
    }

    private long bytesPerFrame(BlockInfo block, GenDcDescriptor descriptor, Consumer<FlowSet> receive)
            throws ReflectiveOperationException {
        return bytesPerFrame(block, Blocks.pool(descriptor.containerSizeBytes()), receive);
    }

    private long bytesPerFrame(BlockInfo block, FlowSetPool pool, Consumer<FlowSet> receive)
            throws ReflectiveOperationException {
        FlowSet set = Blocks.fill(pool, block, receive);
        set.lease();
        FrameMemory memory = FrameMemory.of(set);
        for (int frame = 0; frame < WARM_UP; frame++) {
            mapper.map(memory, block);
            // After some calls, reflection makes a class for a method.
            allocatedBytes();
        }
        assertTrue(memory.items().count() > 0);
        assertEquals(block.complete(), memory.items().incomplete == null);
        long before = allocatedBytes();
        for (int frame = 0; frame < FRAMES; frame++) {
            mapper.map(memory, block);
        }
        return (allocatedBytes() - before) / FRAMES;
    }

    /** Bytes that this thread allocated so far. The module under test does not read the one that knows them. */
    private static long allocatedBytes() throws ReflectiveOperationException {
        Object threads = Class.forName("java.lang.management.ManagementFactory")
                .getMethod("getThreadMXBean")
                .invoke(null);
        return (long) Class.forName("com.sun.management.ThreadMXBean")
                .getMethod("getThreadAllocatedBytes", long.class)
                .invoke(threads, Thread.currentThread().getId());
    }
}
