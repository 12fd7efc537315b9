package io.peregrine.stream.engine;

import io.peregrine.stream.End;
import io.peregrine.stream.FlowInfo;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The stream of every transport: one receiver thread that drives a {@link StreamSource}, a hand-off of filled flow sets
 * that is bounded by the pool, and the order of starting and ending. Safe for use by several threads.
 *
 * <p>The receiver thread never runs code of the user: it fills flow sets and puts them into the hand-off, from which
 * {@link #poll} takes them on the user's thread.
 */
public final class StreamEngine implements StreamChannel {
    private static final long JOIN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final StreamSource source;
    private final Optional<SharedReceiverThread> shared;
    private final FrameQueue queue;

    // Guards everything below.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private FlowSetPool pool;
    private Run run;
    private Thread thread;
    private boolean closed;
    /** Memory that was given to this stream; null if it has none. */
    private volatile @Nullable ExternalMemory external;
    /** How the run ended, or is about to; empty while it goes on. */
    private Optional<End> end = Optional.of(new End.NotStarted());

    /** Serialises start, stop and close, which wait for the receiver thread. Taken before {@link #lock}. */
    private final ReentrantLock lifecycle = new ReentrantLock();

    /**
     * Makes a stream that does not run.
     *
     * @param source what receives; the engine closes it
     */
    public StreamEngine(StreamSource source) {
        this(source, HandOff.DEFAULT);
    }

    /**
     * Makes a stream that does not run.
     *
     * @param source what receives; the engine closes it
     * @param handOff how filled flow sets get to the threads that wait for them
     */
    public StreamEngine(StreamSource source, HandOff handOff) {
        this.source = Objects.requireNonNull(source, "source");
        shared = source.sharedThread();
        pool = source.pool();
        pool.beginUse();
        HandOff here = handOff.on(Runtime.getRuntime().availableProcessors());
        queue = new FrameQueue(here, pool.count(), source.counters());
    }

    /** What receives. */
    public StreamSource source() {
        return source;
    }

    /**
     * Begins reception. Filled flow sets of an earlier run that were not taken are forgotten, and so is its failure.
     * Does nothing when it runs.
     */
    @Override
    public void start() {
        lifecycle.lock();
        try {
            lock.lock();
            try {
                if (closed) {
                    throw new StreamException("Stream " + source.name() + " is closed and cannot be started");
                }
                if (run != null && !run.ending) {
                    return;
                }
            } finally {
                lock.unlock();
            }
            join();
            lock.lock();
            try {
                queue.clear();
                pool.reclaim();
            } finally {
                lock.unlock();
            }
            begin();
            lock.lock();
            try {
                end = Optional.empty();
                run = new Run();
                queue.open();
                if (shared.isPresent()) {
                    shared.get().add(run);
                } else {
                    thread = new Thread(run, "peregrine-stream-" + source.name());
                    thread.setDaemon(true);
                    thread.start();
                }
            } finally {
                lock.unlock();
            }
        } finally {
            lifecycle.unlock();
        }
    }

    private void begin() {
        boolean begun = false;
        try {
            source.begin(this);
            begun = true;
        } finally {
            if (!begun) {
                pool.reclaimUnfilled();
            }
        }
    }

    /** Ends reception and waits for the receiver thread. What is filled can still be taken. */
    @Override
    public void stop() {
        End how = new End.Stopped();
        requestEnd(how, false);
        lifecycle.lock();
        try {
            endAndRelease(how, false);
        } finally {
            lifecycle.unlock();
        }
    }

    /** Ends reception, wakes every waiter at once, and forgets what is filled. */
    @Override
    public void abort() {
        End how = new End.Stopped();
        requestEnd(how, true);
        lifecycle.lock();
        try {
            endAndRelease(how, true);
            lock.lock();
            try {
                if (run == null) {
                    queue.clear();
                    pool.reclaim();
                }
            } finally {
                lock.unlock();
            }
        } finally {
            lifecycle.unlock();
        }
    }

    /** Whether reception is running. */
    @Override
    public boolean running() {
        lock.lock();
        try {
            return run != null && !run.ending;
        } finally {
            lock.unlock();
        }
    }

    /** How reception ended. Empty while it runs and while it still ends, but for a failure, which shows at once. */
    @Override
    public Optional<End> end() {
        lock.lock();
        try {
            return run == null || failed() ? end : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private boolean failed() {
        return end.isPresent() && end.get() instanceof End.Failed;
    }

    /**
     * Ends reception from outside, without waiting for the receiver thread: because of a failure, or because nothing
     * more will come. The first end is kept; a failure is also noted where nothing was started yet.
     */
    @Override
    public void endWith(End how) {
        Objects.requireNonNull(how, "how");
        lock.lock();
        try {
            boolean unused = end.isPresent() && end.get() instanceof End.NotStarted;
            if (unused && how instanceof End.Failed && !closed) {
                end = Optional.of(how);
            }
        } finally {
            lock.unlock();
        }
        requestEnd(how, false);
    }

    @Override
    public Optional<FlowSet> poll(Duration timeout) throws InterruptedException {
        FlowSet set = queue.poll(Timeouts.nanos(timeout));
        return set == null ? Optional.empty() : set.present();
    }

    @Override
    public StreamStatistics statistics() {
        return source.counters().snapshot();
    }

    @Override
    public List<String> diagnosis(StreamStatistics counted) {
        return source.diagnosis(counted);
    }

    @Override
    public FlowSetPool pool() {
        lock.lock();
        try {
            return pool;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<FlowInfo> flowSetInfo() {
        return ExternalMemory.needs(pool().flowSizesBytes());
    }

    @Override
    public void resizePool(int count) {
        changePool(() -> source.resizePool(count), null);
    }

    @Override
    public void usePool(ExternalMemory memory) {
        changePool(() -> source.usePool(memory), memory);
    }

    @Override
    public void useManagedPool() {
        if (external != null) {
            resizePool(pool().count());
        }
    }

    private void changePool(Runnable change, @Nullable ExternalMemory memory) {
        ExternalMemory before;
        lifecycle.lock();
        try {
            lock.lock();
            try {
                if (closed || run != null) {
                    throw new StreamException(
                            "The pool cannot be changed while the stream is running or closed: stop it first");
                }
                change.run();
                queue.clear();
                pool.reclaim();
                pool.endUse();
                pool = source.pool();
                pool.beginUse();
                before = external;
                external = memory;
            } finally {
                lock.unlock();
            }
        } finally {
            lifecycle.unlock();
        }
        if (before != null) {
            before.release();
        }
    }

    /** Hands over a filled flow set. Receiver thread only. */
    public void deliver(FlowSet set) {
        deliver(set, false);
    }

    /**
     * Hands over a filled flow set, or returns it to its pool at once, if it is skipped. Receiver thread only.
     *
     * @param overtaken whether one with a newer frame was handed over before
     */
    public void deliver(FlowSet set, boolean overtaken) {
        set.times().ready(System.nanoTime());
        queue.put(set, overtaken);
    }

    /** A frame may be handed over soon: readies the thread that waits for it. Receiver thread only. */
    public void wakeEarly() {
        queue.wakeEarly();
    }

    /** Ends reception because nothing more will come. Receiver thread only; the source's last turn. */
    public void finish() {
        requestEnd(new End.Finished(), false);
    }

    /** Aborts, and closes the source. Idempotent. */
    @Override
    public void close() {
        End how = new End.Closed();
        requestEnd(how, true);
        lifecycle.lock();
        try {
            endAndRelease(how, true);
            lock.lock();
            try {
                if (closed) {
                    return;
                }
                closed = true;
                queue.clear();
                if (run == null) {
                    pool.reclaim();
                }
            } finally {
                lock.unlock();
            }
            // Not when it fails: what is posted or registered may still be written.
            source.close();
            pool.endUse();
        } finally {
            lifecycle.unlock();
        }
        ExternalMemory memory = external;
        if (memory != null) {
            external = null;
            memory.release();
        }
    }

    private void requestEnd(End how, boolean abort) {
        boolean wake = false;
        lock.lock();
        try {
            if (abort) {
                queue.abort();
            }
            if (run != null) {
                end = end.or(() -> Optional.of(how));
                run.ending = true;
                wake = true;
            }
        } finally {
            lock.unlock();
        }
        if (wake) {
            source.wakeUp();
            shared.ifPresent(SharedReceiverThread::wakeUp);
        }
    }

    /** Holds {@link #lifecycle}. */
    private void endAndRelease(End how, boolean abort) {
        // A start that was under way may have begun a run since the end was requested first.
        requestEnd(how, abort);
        try {
            join();
        } finally {
            source.release();
        }
    }

    /** Waits for the receiver thread to be gone. Holds {@link #lifecycle}. */
    private void join() {
        if (shared.isPresent()) {
            if (!shared.get().isCurrent()) {
                awaitEndOfRun();
            }
            return;
        }
        Thread receiver;
        lock.lock();
        try {
            receiver = thread;
        } finally {
            lock.unlock();
        }
        if (receiver == null || receiver.equals(Thread.currentThread())) {
            return;
        }
        if (!Threads.join(receiver, JOIN_NANOS)) {
            throw notEnded(receiver.getName());
        }
    }

    private void awaitEndOfRun() {
        boolean interrupted = false;
        lock.lock();
        try {
            long left = JOIN_NANOS;
            while (run != null) {
                if (left <= 0) {
                    throw notEnded(shared.toString());
                }
                try {
                    left = changed.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static StreamException notEnded(String receiver) {
        return new StreamException("The receiver thread " + receiver + " did not end within "
                + TimeUnit.NANOSECONDS.toSeconds(JOIN_NANOS) + " s; its flow sets stay in use");
    }

    @Override
    public String toString() {
        return "StreamEngine[" + source + ", " + (running() ? "running" : "not running") + "]";
    }

    /** One life of the receiver thread, or of this stream on one that is shared. */
    private final class Run implements Runnable, SharedReceiverThread.Work {
        private volatile boolean ending;
        private Throwable problem;

        @Override
        public void run() {
            try {
                while (!ending) {
                    source.turn();
                }
            } catch (Throwable e) {
                problem = e;
            }
            finish();
        }

        @Override
        public boolean look() {
            try {
                return !ending && source.look();
            } catch (Throwable e) {
                problem = e;
                ending = true;
                return false;
            }
        }

        @Override
        public boolean over() {
            return ending;
        }

        @Override
        public void finish() {
            try {
                source.end();
            } catch (Throwable e) {
                if (problem == null) {
                    problem = e;
                } else {
                    problem.addSuppressed(e);
                }
            }
            ended();
        }

        private void ended() {
            lock.lock();
            try {
                ending = true;
                if (problem != null && !failed()) {
                    end = Optional.of(new End.Failed(problem));
                }
                pool.reclaimUnfilled();
                if (StreamEngine.this.run == this) {
                    StreamEngine.this.run = null;
                    queue.end();
                }
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
