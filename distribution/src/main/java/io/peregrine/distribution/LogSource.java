package io.peregrine.distribution;

import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import io.aeron.logbuffer.Header;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.engine.ExternalMemory;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamCounters;
import io.peregrine.stream.engine.StreamEngine;
import io.peregrine.stream.engine.StreamSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;

/** Frames that are read from a log of Aeron, as a stream: memory, assembly and hand-off. */
abstract class LogSource implements StreamSource {
    private static final long PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private final int streamChannel;
    private final long flowBytes;
    private final long memoryLimitBytes;
    private final StreamCounters counters = new StreamCounters();
    private final IdleStrategy idle = new BackoffIdleStrategy(20, 20, 1_000, 200_000);
    private final ControlledFragmentHandler handler = this::onFragment;
    private FlowSetPool pool;

    // Receiver thread, but for the start of a run.
    private @Nullable StreamEngine engine;
    private @Nullable ContainerAssembly assembly;
    private @Nullable RuntimeException problem;
    private Optional<FlowSet> next = Optional.empty();
    private boolean delivered;

    /**
     * Makes a source.
     *
     * @param streamChannel number of the stream at its publisher
     * @param flowBytes memory of the largest frame
     */
    LogSource(int streamChannel, long flowBytes, int flowSetCount, long memoryLimitBytes) {
        this.streamChannel = streamChannel;
        this.flowBytes = Math.max(1, flowBytes);
        this.memoryLimitBytes = memoryLimitBytes;
        pool = allocate(flowSetCount);
    }

    private FlowSetPool allocate(int count) {
        return FlowSetPool.allocate(count, new long[] {flowBytes}, memoryLimitBytes);
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
        pool = allocate(count);
    }

    @Override
    public void usePool(ExternalMemory memory) {
        FlowSetPool external = memory.pool(new long[] {flowBytes});
        if (!external.hostAccess()) {
            throw new StreamException("Frames of " + this + " cannot be received into memory of a device");
        }
        pool = external;
    }

    @Override
    public StreamCounters counters() {
        return counters;
    }

    /** Adds a sentence where there is something to count. */
    static void say(List<String> found, long count, String sentence) {
        if (count > 0) {
            found.add(count + sentence);
        }
    }

    /** Begins a run. */
    void begun(StreamEngine by) {
        engine = by;
        assembly = null;
        problem = null;
        next = Optional.empty();
    }

    /** Forgets what the log had so far: another one comes. */
    ContainerAssembly assembleAnew() {
        if (assembly != null) {
            next = next.or(assembly::takeSpare);
        }
        ContainerAssembly fresh = new ContainerAssembly(streamChannel, counters, this::memory, this::filled);
        assembly = fresh;
        return fresh;
    }

    /** Frames of the run; null before it begins. */
    @Nullable
    ContainerAssembly assembly() {
        return assembly;
    }

    ContainerAssembly frames() {
        return current(assembly);
    }

    StreamEngine engine() {
        return current(engine);
    }

    private Optional<FlowSet> memory() {
        Optional<FlowSet> taken = next.isPresent() ? next : pool.take();
        next = Optional.empty();
        return taken;
    }

    /** Whether there is memory for one more frame; it is kept for that. */
    boolean holdsMemory() {
        if (!frames().holdsMemory()) {
            next = next.or(pool::take);
            return next.isPresent();
        }
        return true;
    }

    /** Hands a frame on. */
    void filled(FlowSet set) {
        delivered = true;
        engine().deliver(set);
    }

    /** Reads from a log by this handler, for one frame at the most. */
    int read(LogReader log, int limit) {
        delivered = false;
        int fragments = log.poll(handler, limit);
        if (problem != null) {
            throw problem;
        }
        return fragments;
    }

    /** A log that is read. */
    @FunctionalInterface
    interface LogReader {
        int poll(ControlledFragmentHandler handler, int limit);
    }

    private Action onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        try {
            if (ends(buffer, offset, length, header)) {
                return Action.BREAK;
            }
            frames().onFragment(buffer, offset, length);
        } catch (RuntimeException e) {
            problem = e;
            return Action.BREAK;
        }
        // One frame a turn: there is memory for one where none may be dropped.
        return delivered ? Action.BREAK : Action.CONTINUE;
    }

    /** Whether a fragment is not wanted any more. */
    boolean ends(DirectBuffer buffer, int offset, int length, Header header) {
        return false;
    }

    /** Waits a little, after a turn that brought that many fragments. */
    void idle(int fragments) {
        idle.idle(fragments);
    }

    /** Waits while there is nothing to read, or no memory for it. */
    static void park() {
        LockSupport.parkNanos(PARK_NANOS);
    }

    /** Ends a run: keeps no memory, and forgets the frames. */
    void ended() {
        next = Optional.empty();
        assembly = null;
    }

    @Override
    public void wakeUp() {
        // A turn waits for less than a millisecond.
    }

    static <T> T current(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("The stream was not begun");
        }
        return value;
    }
}
