package io.peregrine.device;

import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.internal.AcquisitionControl;
import io.peregrine.gvsp.GvspSource;
import io.peregrine.stream.engine.HandOff;
import io.peregrine.stream.engine.StreamEngine;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Puts a made-up frame through the code of a stream, from the packets to the items, all in the calling thread: that of
 * the receiver, shortly before a real frame ends, and between the first ones. For one thread.
 */
final class RehearsedFrame implements Runnable {
    private static final int FLOW_SETS = 2;

    /** Of all streams of this process, since they run the same code. */
    private static final AtomicLong RUNS = new AtomicLong();

    private final MadeUpReceiver receiver;
    private final GvspSource source;
    private final CompositeStream stream;

    /**
     * Makes one.
     *
     * @param payloadType see {@link MadeUpBlock#of}
     */
    RehearsedFrame(int payloadType) {
        receiver = new MadeUpReceiver(MadeUpBlock.of(payloadType));
        source = receiver.source(FLOW_SETS);
        StreamEngine engine = new StreamEngine(source, HandOff.DEFAULT);
        stream = CompositeStream.create(CompositeStream.class, engine, new AcquisitionControl.NoDevice() {});
        // A stream that was stopped has no thread, and gives what still comes.
        stream.start();
        stream.stop();
        source.begin(engine);
    }

    /** How many there were in this process. */
    static long runs() {
        return RUNS.get();
    }

    /**
     * Has one frame arrive, and takes it.
     *
     * @throws IllegalStateException if it did not come, or is not complete
     */
    @Override
    public void run() {
        RUNS.incrementAndGet();
        receiver.want(1);
        source.look();
        MadeUpReceiver.take(stream, Duration.ZERO);
    }
}
