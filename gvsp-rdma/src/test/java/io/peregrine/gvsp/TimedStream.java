package io.peregrine.gvsp;

import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamEngine;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A stream of packets that a test gives, which come as from a ring that knows when the system had each of them. */
final class TimedStream extends ScriptedReceiver {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final StreamEngine engine;

    /** Starts one; without a port, nothing of it comes from a network. */
    TimedStream(GvspSettings settings, int port) {
        super(port);
        engine = new StreamEngine(GvspSource.open(
                settings,
                FlowSetPool.allocate(3, new long[] {600}, 1 << 20),
                (block, first, last, extended) -> {},
                counters -> this));
        engine.start();
    }

    void send(List<ByteBuffer> more) {
        packets.addAll(more);
    }

    /** Takes a frame, and makes what stands for its composite. */
    void take() throws InterruptedException {
        FlowSet set = engine.poll(LONG).orElseThrow();
        set.times().mapped(set.block());
        set.release();
    }

    @Override
    public long kernelEpochNanos() {
        Instant before = Instant.now().minusMillis(5);
        return TimeUnit.SECONDS.toNanos(before.getEpochSecond()) + before.getNano();
    }

    /** Ends the stream, which closes its receiver again. */
    void end() {
        engine.close();
    }
}
