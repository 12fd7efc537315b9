package io.peregrine.recording;

import io.peregrine.recording.internal.ReplayRate.Kind;
import io.peregrine.recording.internal.ReplaySettings;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.ExternalMemory;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamCounters;
import io.peregrine.stream.engine.StreamDiagnosis;
import io.peregrine.stream.engine.StreamEngine;
import io.peregrine.stream.engine.StreamSource;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A recording as a stream: the same flow sets, hand-off and mapping as for a device. Each start begins with the first
 * frame. A stream that is not replayed in a loop ends with the last frame, {@link io.peregrine.stream.End.Finished}.
 * Frames that cannot be read are dropped and counted. A frame that is due while the user holds all flow sets waits for
 * one: replay loses nothing.
 */
final class ReplaySource implements StreamSource {
    private static final System.Logger LOGGER = System.getLogger(ReplaySource.class.getName());
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** What hostile times in a recording are cut to, so that sums stay in range. */
    private static final long LONGEST_NANOS = TimeUnit.DAYS.toNanos(1000);

    private final Recording recording;
    private final StreamCounters statistics = new StreamCounters();
    private final ReplayClock clock;
    private ReplaySettings settings;
    private FlowSetPool pool;
    private StreamEngine engine;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean woken;

    // Receiver thread only.
    private Optional<FlowSet> next = Optional.empty();
    private ByteBuffer scratch = ByteBuffer.allocate(0);
    private int index;
    private long replayed;
    private long loopNanos;
    private long begunNanos;
    private boolean begun;
    private int unreadableInARow;

    private ReplaySource(Recording recording, ReplaySettings settings, ReplayClock clock) {
        this.recording = Objects.requireNonNull(recording, "recording");
        this.clock = clock;
        use(settings);
    }

    /** See {@link Recording#source}. */
    static ReplaySource open(Recording recording, ReplaySettings settings) {
        return open(recording, settings, ReplayClock.SYSTEM);
    }

    static ReplaySource open(Recording recording, ReplaySettings settings, ReplayClock clock) {
        return new ReplaySource(recording, settings, clock);
    }

    private void use(ReplaySettings value) {
        use(FlowSetPool.allocate(value.flowSetCount(), flowSizes(), value.memoryLimitBytes()));
        settings = value;
    }

    private void use(FlowSetPool value) {
        pool = value;
        pool.onReturn(this::signal);
    }

    private long[] flowSizes() {
        return new long[] {Math.max(1, recording.largestFlowBytes())};
    }

    @Override
    public String name() {
        return "replay-" + recording.path().getFileName();
    }

    @Override
    public FlowSetPool pool() {
        return pool;
    }

    @Override
    public void resizePool(int count) {
        if (count < 1) {
            throw new StreamException("A pool of " + count + " flow sets is not possible");
        }
        use(settings.withFlowSetCount(count));
    }

    @Override
    public void usePool(ExternalMemory memory) {
        long[] flows = flowSizes();
        if (flows[0] > Integer.MAX_VALUE) {
            throw new StreamException("Frames of " + flows[0] + " bytes cannot be replayed: 2 GiB at most");
        }
        FlowSetPool external = memory.pool(flows);
        if (!external.hostAccess()) {
            throw new StreamException("A recording cannot be replayed into memory of a device");
        }
        use(external);
    }

    @Override
    public StreamCounters counters() {
        return statistics;
    }

    @Override
    public List<String> diagnosis(StreamStatistics counted) {
        return StreamDiagnosis.skipped(counted).map(List::of).orElse(List.of());
    }

    @Override
    public void begin(StreamEngine by) {
        engine = by;
        index = 0;
        replayed = 0;
        loopNanos = 0;
        unreadableInARow = 0;
        begun = false;
        next = Optional.empty();
        lock.lock();
        try {
            woken = false;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void turn() {
        if (index == recording.frameCount()) {
            if (!settings.loop() || index == 0) {
                engine.finish();
                return;
            }
            loopNanos += loopLengthNanos();
            index = 0;
        }
        if (ready()) {
            deliver();
        }
    }

    /** Whether there is memory for the next frame and its time has come; waits a while for both. */
    private boolean ready() {
        lock.lock();
        try {
            long patience = TURN_NANOS;
            next = next.or(pool::take);
            while (next.isEmpty() && !woken && patience > 0) {
                patience = changed.awaitNanos(patience);
                next = pool.take();
            }
            if (next.isPresent() && !begun) {
                begun = true;
                begunNanos = clock.nanoTime();
            }
            long end = clock.nanoTime() + TURN_NANOS;
            while (next.isPresent() && !woken && leftNanos() > 0 && end - clock.nanoTime() > 0) {
                clock.await(changed, Math.min(leftNanos(), TURN_NANOS));
            }
            boolean ready = next.isPresent() && !woken && leftNanos() <= 0;
            woken = false;
            return ready;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StreamException("The replay was interrupted", e);
        } finally {
            lock.unlock();
        }
    }

    private long leftNanos() {
        return begunNanos + dueNanos() - clock.nanoTime();
    }

    /** When the next frame is due, since the first one. */
    private long dueNanos() {
        return switch (settings.rate().kind()) {
            case ORIGINAL -> loopNanos + sinceFirst(index);
            case GIVEN -> settings.rate().nanosUntil(replayed);
            case AS_CONSUMED -> 0;
        };
    }

    private long sinceFirst(int frame) {
        long nanos = recording.frame(frame).hostNanos() - recording.frame(0).hostNanos();
        return Math.max(0, Math.min(nanos, LONGEST_NANOS));
    }

    /** The recording, and from its last frame to its first the mean time between frames. */
    private long loopLengthNanos() {
        int last = recording.frameCount() - 1;
        long length = sinceFirst(last);
        return settings.rate().kind() == Kind.ORIGINAL && last > 0 ? length + length / last : length;
    }

    private void deliver() {
        FlowSet set = next.orElseThrow();
        RecordedFrame frame = recording.frame(index);
        index++;
        set.beginFilling();
        BlockInfo block;
        try {
            block = frame.readInto(set, this::scratch);
        } catch (RecordingException e) {
            set.abandonFilling();
            unreadable(e);
            return;
        }
        unreadableInARow = 0;
        replayed++;
        next = Optional.empty();
        set.finishFilling(block);
        statistics.increment(block.complete() ? Counter.FRAMES_COMPLETE : Counter.FRAMES_INCOMPLETE);
        statistics.add(Counter.BYTES_RECEIVED, frame.containerBytes());
        engine.deliver(set);
    }

    private void unreadable(RecordingException e) {
        statistics.increment(Counter.FRAMES_DROPPED_UNUSABLE);
        unreadableInARow++;
        if (unreadableInARow == recording.frameCount()) {
            throw new StreamException("No frame of the recording can be read", e);
        }
        LOGGER.log(System.Logger.Level.DEBUG, "A frame of the recording is dropped", e);
    }

    private ByteBuffer scratch(int sizeBytes) {
        if (scratch.capacity() < sizeBytes) {
            scratch = ByteBuffer.allocate(sizeBytes);
        }
        return scratch;
    }

    @Override
    public void end() {
        next = Optional.empty();
    }

    private void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void wakeUp() {
        lock.lock();
        try {
            woken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        // The recording is closed by its owner.
    }

    @Override
    public String toString() {
        return "replay of " + recording + ", " + settings;
    }
}
