package io.peregrine.stream.engine;

import io.peregrine.stream.End;
import io.peregrine.stream.StreamException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs a {@link StreamSource}: one receiver thread, a hand-off of filled flow sets that is bounded by the pool, and the
 * order of starting and ending. The same for UDP and RDMA; see {@link StreamChannel} for what each method promises.
 *
 * <p>The receiver thread never runs code of the user: it fills flow sets and puts them into the hand-off, from which
 * {@link #poll} takes them on the user's thread.
 */
public final class StreamEngine implements AutoCloseable {
    private static final long JOIN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final String name;
    private final FlowSetPool pool;
    private final Optional<SharedReceiverThread> shared;

    // Guards everything below.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<FlowSet> filled;
    private StreamSource source;
    private Run run;
    private Thread thread;
    private boolean aborted;
    private boolean closed;
    /** How the run ended, or is about to; empty while it goes on. */
    private Optional<End> end = Optional.of(new End.NotStarted());

    /** Serialises start, stop and close, which wait for the receiver thread. Taken before {@link #lock}. */
    private final ReentrantLock life = new ReentrantLock();

    /**
     * Creates an engine that does not run.
     *
     * @param name what the receiver thread is named after, for example the device's address
     * @param pool where the flow sets come from
     */
    public StreamEngine(String name, FlowSetPool pool) {
        this(name, pool, Optional.empty());
    }

    /**
     * Creates an engine that does not run.
     *
     * @param name what the receiver thread is named after, for example the device's address
     * @param pool where the flow sets come from
     * @param shared the receiver thread, if it is not one of its own; the source must be able to
     *     {@link StreamSource#look}
     */
    public StreamEngine(String name, FlowSetPool pool, Optional<SharedReceiverThread> shared) {
        this.shared = Objects.requireNonNull(shared, "shared");
        this.name = Objects.requireNonNull(name, "name");
        this.pool = Objects.requireNonNull(pool, "pool");
        filled = new ArrayDeque<>(pool.count());
    }

    /** Gives the engine what it drives. Once, before the first start; the engine closes it. */
    public void attach(StreamSource value) {
        lock.lock();
        try {
            if (source != null) {
                throw new IllegalStateException("The engine has a source already");
            }
            source = Objects.requireNonNull(value, "value");
        } finally {
            lock.unlock();
        }
    }

    /**
     * Begins reception. Filled flow sets of an earlier run that nobody took are forgotten, and so is its failure. Does
     * nothing when it runs.
     */
    public void start() {
        life.lock();
        try {
            StreamSource current;
            lock.lock();
            try {
                if (closed) {
                    throw new StreamException("Stream " + name + " is closed and cannot be started");
                }
                if (source == null) {
                    throw new IllegalStateException("The engine has no source");
                }
                if (run != null && !run.ending) {
                    return;
                }
                current = source;
            } finally {
                lock.unlock();
            }
            join();
            lock.lock();
            try {
                filled.clear();
                pool.reclaim();
            } finally {
                lock.unlock();
            }
            begin(current);
            lock.lock();
            try {
                aborted = false;
                end = Optional.empty();
                run = new Run(current);
                if (shared.isPresent()) {
                    shared.get().add(run);
                } else {
                    thread = new Thread(run, "peregrine-stream-" + name);
                    thread.setDaemon(true);
                    thread.start();
                }
            } finally {
                lock.unlock();
            }
        } finally {
            life.unlock();
        }
    }

    private void begin(StreamSource current) {
        boolean begun = false;
        try {
            current.begin();
            begun = true;
        } finally {
            if (!begun) {
                pool.reclaimUnfilled();
            }
        }
    }

    /** Ends reception and waits for the receiver thread. What is filled can still be taken. */
    public void stop() {
        requestEnd(new End.Stopped(), false);
        life.lock();
        try {
            join();
        } finally {
            life.unlock();
        }
    }

    /** Ends reception, wakes every waiter at once, and forgets what is filled. */
    public void abort() {
        requestEnd(new End.Stopped(), true);
        life.lock();
        try {
            join();
            lock.lock();
            try {
                if (aborted && run == null) {
                    filled.clear();
                    pool.reclaim();
                }
            } finally {
                lock.unlock();
            }
        } finally {
            life.unlock();
        }
    }

    /** Whether reception is running. */
    public boolean running() {
        lock.lock();
        try {
            return run != null && !run.ending;
        } finally {
            lock.unlock();
        }
    }

    /** How reception ended. Empty while it runs and while it still ends, but for a failure, which shows at once. */
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

    /**
     * Takes the next filled flow set.
     *
     * @param timeout how long to wait
     * @return the flow set, leased; empty on time-out, after an abort, or when reception has ended and nothing is left
     * @throws InterruptedException if the waiting thread is interrupted
     */
    public Optional<FlowSet> poll(Duration timeout) throws InterruptedException {
        long left = saturatedNanos(timeout);
        lock.lockInterruptibly();
        try {
            while (true) {
                if (aborted) {
                    return Optional.empty();
                }
                FlowSet set = filled.poll();
                if (set != null) {
                    set.lease();
                    return set.present();
                }
                // A run that is ending may still deliver what is open.
                if (run == null || left <= 0) {
                    return Optional.empty();
                }
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Hands over a filled flow set. Receiver thread only. */
    public void deliver(FlowSet set) {
        lock.lock();
        try {
            filled.add(set);
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Ends reception because nothing more will come. Receiver thread only; the source's last turn. */
    public void finish() {
        requestEnd(new End.Finished(), false);
    }

    /** Aborts, and closes the source. Idempotent. */
    @Override
    public void close() {
        requestEnd(new End.Closed(), true);
        life.lock();
        try {
            join();
            StreamSource current;
            lock.lock();
            try {
                if (closed) {
                    return;
                }
                closed = true;
                filled.clear();
                if (run == null) {
                    pool.reclaim();
                }
                current = source;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
            if (current != null) {
                current.close();
            }
        } finally {
            life.unlock();
        }
    }

    private void requestEnd(End how, boolean abort) {
        StreamSource toWake = null;
        lock.lock();
        try {
            aborted |= abort;
            if (run != null) {
                end = end.or(() -> Optional.of(how));
                run.ending = true;
                toWake = run.source;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (toWake != null) {
            toWake.wakeUp();
            shared.ifPresent(SharedReceiverThread::wakeUp);
        }
    }

    /** Waits for the receiver thread to be gone. Holds {@link #life}. */
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
        boolean interrupted = false;
        long end = System.nanoTime() + JOIN_NANOS;
        while (receiver.isAlive()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw notEnded(receiver.getName());
            }
            try {
                TimeUnit.NANOSECONDS.timedJoin(receiver, left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
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

    private static long saturatedNanos(Duration timeout) {
        if (timeout.isNegative()) {
            return 0;
        }
        try {
            return timeout.toNanos();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }

    /** One life of the receiver thread, or of this stream on one that is shared. */
    private final class Run implements Runnable, SharedReceiverThread.Work {
        private final StreamSource source;
        private volatile boolean ending;
        private Throwable problem;

        Run(StreamSource source) {
            this.source = source;
        }

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
                }
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
