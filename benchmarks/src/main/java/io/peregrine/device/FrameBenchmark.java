package io.peregrine.device;

import io.peregrine.stream.PayloadType;
import io.peregrine.stream.engine.HandOff;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long one frame takes once all is compiled: the receiver thread is woken and takes its four packets, the assembler
 * judges and hands over the block, the waiting thread is woken and maps the composite. Frames follow each other at
 * once, or after a pause in which both threads sleep.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class FrameBenchmark {
    /** Milliseconds before each frame. */
    @Param({"0", "5"})
    private int pause;

    private MadeUpStream stream;

    /** Starts the stream. */
    @Setup
    public void start() {
        stream = new MadeUpStream(PayloadType.IMAGE, HandOff.DEFAULT, 1);
    }

    /** Lets both threads sleep. */
    @Setup(Level.Invocation)
    public void pause() throws InterruptedException {
        if (pause > 0) {
            Thread.sleep(pause);
        }
    }

    /** Ends the stream. */
    @TearDown
    public void end() {
        stream.close();
    }

    /** One frame. */
    @Benchmark
    public int frame() {
        return stream.take();
    }
}
