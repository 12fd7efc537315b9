package io.peregrine.recording;

import io.peregrine.stream.End;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamChannel;
import io.peregrine.stream.engine.StreamCounters;
import io.peregrine.stream.engine.StreamEngine;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A recording as a stream: the same flow sets, hand-off and mapping as for a device. Each start begins with the first
 * frame. A stream that is not replayed in a loop ends with the last frame, {@link End.Finished}. Frames that cannot be
 * read are left out and counted.
 */
@SuppressWarnings("exports") // For the modules that make streams of channels.
public final class ReplayChannel implements StreamChannel {
    private final Recording recording;
    private final ReplayClock clock;
    private final StreamCounters statistics = new StreamCounters();
    private ReplaySettings settings;
    private volatile Run run;
    private boolean closed;

    private record Run(StreamEngine engine, FlowSetPool pool) {}

    private ReplayChannel(Recording recording, ReplaySettings settings, ReplayClock clock) {
        this.recording = Objects.requireNonNull(recording, "recording");
        this.settings = settings;
        this.clock = clock;
        run = allocate();
    }

    /**
     * Opens a stream, not started yet.
     *
     * @param recording what to replay; stays the caller's, to be closed after the channel
     * @param settings how to replay it
     * @throws StreamException if the flow sets would take more memory than the settings allow
     */
    public static ReplayChannel open(Recording recording, ReplaySettings settings) {
        return open(recording, settings, ReplayClock.SYSTEM);
    }

    static ReplayChannel open(Recording recording, ReplaySettings settings, ReplayClock clock) {
        return new ReplayChannel(recording, settings, clock);
    }

    private Run allocate() {
        long[] flows = {Math.max(1, recording.largestFlowBytes())};
        FlowSetPool pool = FlowSetPool.allocate(settings.flowSetCount(), flows, settings.memoryLimitBytes());
        StreamEngine engine = new StreamEngine("replay-" + recording.path().getFileName(), pool);
        engine.attach(new ReplaySource(recording, settings, engine, pool, statistics, clock));
        return new Run(engine, pool);
    }

    @Override
    public void start() {
        run.engine.start();
    }

    @Override
    public void stop() {
        run.engine.stop();
    }

    @Override
    public void abort() {
        run.engine.abort();
    }

    @Override
    public boolean running() {
        return run.engine.running();
    }

    @Override
    public Optional<End> end() {
        return run.engine.end();
    }

    @Override
    public Optional<FlowSet> poll(Duration timeout) throws InterruptedException {
        return run.engine.poll(timeout);
    }

    @Override
    public StreamStatistics statistics() {
        return statistics.snapshot();
    }

    @Override
    public FlowSetPool pool() {
        return run.pool;
    }

    @Override
    public synchronized void resizePool(int count) {
        if (closed || running()) {
            throw new StreamException(
                    "The pool cannot be resized while the stream is running or closed: stop it first");
        }
        if (count < 1) {
            throw new StreamException("A pool of " + count + " flow sets is not possible");
        }
        settings = settings.withFlowSetCount(count);
        Run before = run;
        run = allocate();
        before.engine.close();
    }

    @Override
    public void endWith(End how) {
        run.engine.endWith(how);
    }

    @Override
    public synchronized void close() {
        closed = true;
        run.engine.close();
    }

    @Override
    public String toString() {
        return "ReplayChannel[" + recording + ", " + settings + "]";
    }
}
