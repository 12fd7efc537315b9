package io.peregrine.benchmarks;

import io.peregrine.gendc.GenDcComponent;
import io.peregrine.gendc.GenDcContainer;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.GenDcDescriptorBuilder;
import io.peregrine.gendc.GenDcPart;
import io.peregrine.gendc.GenDcReader;
import java.nio.ByteBuffer;
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
 * What it costs to read the descriptor of a frame of three components, with all checks, and to find for each what it
 * shows, its format, its geometry and its data. Frames change from one to the next, as flow sets of a pool do.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class GenDcBenchmark {
    private static final int FRAMES = 4;

    private final GenDcReader reader = new GenDcReader();
    private final ByteBuffer[] frames = new ByteBuffer[FRAMES];
    private final ByteBuffer[] windows = new ByteBuffer[FRAMES];
    private int next;

    /** Makes the frames, in memory outside the heap, where receivers have them. */
    @Setup
    public void makeFrames() {
        for (int i = 0; i < FRAMES; i++) {
            GenDcDescriptor descriptor = describe(i);
            frames[i] = ByteBuffer.allocateDirect(Math.toIntExact(descriptor.containerSizeBytes()));
            frames[i].put(0, descriptor.toBytes());
            windows[i] = frames[i].duplicate();
        }
    }

    private static GenDcDescriptor describe(int id) {
        GenDcDescriptorBuilder builder = GenDcDescriptor.builder().id(id);
        for (int i = 0; i < Frames.TYPES.length; i++) {
            int index = i;
            builder.component(c -> c.typeId(Frames.TYPES[index])
                    .format(Frames.FORMATS[index])
                    .timestamp(1_000_000L * id)
                    .part2d(p -> p.size(Frames.WIDTH, Frames.HEIGHT)));
        }
        return builder.build();
    }

    /** Views and data windows that are used again: nothing is allocated. */
    @Benchmark
    public long readIntoTheSameViews() {
        int frame = next;
        next = (frame + 1) % FRAMES;
        GenDcContainer container = reader.read(frames[frame]);
        ByteBuffer window = windows[frame];
        long sum = container.id() + container.problems().size();
        for (int c = 0; c < container.components().size(); c++) {
            GenDcComponent component = container.components().get(c);
            GenDcPart part = component.parts().get(0);
            part.selectLinear(window);
            sum += sumOf(component, part) + window.remaining() + window.position();
        }
        return sum;
    }

    /** Fresh views and slices, which stay as they are. */
    @Benchmark
    public long readIntoFreshViews() {
        int frame = next;
        next = (frame + 1) % FRAMES;
        GenDcContainer container = GenDcContainer.parse(frames[frame]);
        long sum = container.id() + container.problems().size();
        for (int c = 0; c < container.components().size(); c++) {
            GenDcComponent component = container.components().get(c);
            GenDcPart part = component.parts().get(0);
            sum += sumOf(component, part) + container.data(part).remaining();
        }
        return sum;
    }

    private static long sumOf(GenDcComponent component, GenDcPart part) {
        return component.type().ordinal()
                + component.timestamp()
                + component.regionOffsetX()
                + component.sourceId()
                + part.pixelFormat().bitsPerPixel()
                + part.sizeX() * part.sizeY()
                + part.paddingX();
    }
}
