package io.peregrine.composite;

import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.GenDcDescriptorBuilder;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.PayloadType;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs to make a composite of a received frame of three components: its descriptor is read with all checks,
 * and what each component is, where it lies and whether all of it arrived is decided. Frames change from one to the
 * next.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class CompositeBenchmark {
    private static final int FRAMES = 4;
    private static final int WIDTH = 640;
    private static final int HEIGHT = 480;
    private static final long LIMIT_BYTES = 1 << 26;
    private static final BlockInfo BLOCK =
            new BlockInfo(1, PayloadType.GENDC, 1, 0, Optional.empty(), 0, Optional.empty(), 0);

    private final CompositeMapper mapper = new CompositeMapper();
    private final Holders holders = new Holders(System::nanoTime, (text, stack) -> {});
    private final FlowSet[] held = new FlowSet[FRAMES];
    private FlowSetPool turning;
    private int next;

    /** Makes the frames: some that stay with the user, and some that go round. */
    @Setup
    public void makeFrames() {
        FlowSetPool kept = pool();
        for (int i = 0; i < FRAMES; i++) {
            held[i] = receive(kept);
        }
        turning = pool();
    }

    private static FlowSetPool pool() {
        long bytes = describe(0).containerSizeBytes();
        FlowSetPool pool = FlowSetPool.allocate(FRAMES, new long[] {bytes}, LIMIT_BYTES);
        for (FlowSet set : pool.flowSets()) {
            set.flow(0).put(0, describe(set.index()).toBytes());
        }
        return pool;
    }

    private static GenDcDescriptor describe(int id) {
        GenDcDescriptorBuilder builder = GenDcDescriptor.builder().id(id);
        builder.component(c -> c.typeId(1).format(PfncCodes.MONO8).timestamp(id).part2d(p -> p.size(WIDTH, HEIGHT)));
        builder.component(
                c -> c.typeId(4).format(PfncCodes.COORD3D_ABC32F).timestamp(id).part2d(p -> p.size(WIDTH, HEIGHT)));
        builder.component(
                c -> c.typeId(6).format(PfncCodes.CONFIDENCE8).timestamp(id).part2d(p -> p.size(WIDTH, HEIGHT)));
        return builder.build();
    }

    /** The life of a flow set up to the user, without the bytes. */
    private static FlowSet receive(FlowSetPool pool) {
        FlowSet set = pool.take().orElseThrow();
        set.beginFilling();
        set.markReceived(0, 0, set.flowSizeBytes(0));
        set.finishFilling(BLOCK);
        set.lease();
        return set;
    }

    /** Everything that is known of a frame, in the table of its memory. */
    @Benchmark
    public Object readAndMap() {
        FlowSet set = held[next];
        next = (next + 1) % FRAMES;
        FrameMemory memory = FrameMemory.of(set);
        mapper.map(memory, BLOCK);
        return memory;
    }

    /** The same with the handle that the user gets and closes, and the life of the flow set around it. */
    @Benchmark
    public long readMapAndHandOver() {
        try (Composite composite = Composite.of(receive(turning), holders, mapper)) {
            return composite.id() + composite.purpose().ordinal() + (composite.complete() ? 1 : 0);
        }
    }

    /** The same, and the user asks every item for its kind, format, geometry and data. */
    @Benchmark
    public long readMapAndTouchEveryItem() {
        try (Composite composite = Composite.of(receive(turning), holders, mapper)) {
            long sum = composite.id();
            for (Item item : composite.items()) {
                sum += item.componentType().ordinal()
                        + item.format().code()
                        + (long) item.width() * item.height()
                        + item.strideBytes()
                        + item.data().remaining();
            }
            return sum;
        }
    }
}
