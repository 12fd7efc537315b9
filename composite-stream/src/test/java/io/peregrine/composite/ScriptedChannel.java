package io.peregrine.composite;

import io.peregrine.composite.internal.AcquisitionControl;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.End;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamChannel;
import io.peregrine.stream.engine.StreamCounters;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** A channel in memory, with real flow sets, that delivers what a test tells it to. */
final class ScriptedChannel implements StreamChannel, AcquisitionControl {
    final List<String> calls = new CopyOnWriteArrayList<>();
    final CountDownLatch someoneWaits = new CountDownLatch(1);
    private final FlowSetPool pool;
    private final StreamCounters statistics = new StreamCounters();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<FlowSet> filled = new ArrayDeque<>();
    private boolean running;
    private boolean aborted;
    private Optional<End> end = Optional.of(new End.NotStarted());
    private volatile String failingCalls = "";

    ScriptedChannel(int flowSets, long... flowSizes) {
        pool = FlowSetPool.allocate(flowSets, flowSizes, Blocks.LIMIT_BYTES);
    }

    void failOn(String names) {
        failingCalls = names;
    }

    void deliver(BlockInfo block, Consumer<FlowSet> receive) {
        change(() -> filled.add(Blocks.fill(pool, block, receive)));
    }

    private void called(String name) {
        calls.add(name);
        if (failingCalls.contains(name)) {
            throw new IllegalStateException(name + " failed");
        }
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void start() {
        called("engine start");
        change(() -> {
            running = true;
            aborted = false;
            end = Optional.empty();
        });
    }

    @Override
    public void stop() {
        called("engine stop");
        change(() -> ended(new End.Stopped()));
    }

    /** The device ends its acquisition; the engine goes on. */
    void finishAcquisition() {
        change(() -> end = Optional.of(new End.Finished()));
    }

    private void ended(End how) {
        running = false;
        end = end.or(() -> Optional.of(how));
    }

    @Override
    public void abort() {
        called("engine abort");
        change(() -> {
            ended(new End.Stopped());
            aborted = true;
            filled.clear();
            pool.reclaim();
        });
    }

    @Override
    public boolean running() {
        lock.lock();
        try {
            return running;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<End> end() {
        lock.lock();
        try {
            return end;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<FlowSet> poll(Duration timeout) throws InterruptedException {
        long left = timeout.toNanos();
        lock.lockInterruptibly();
        try {
            while (filled.isEmpty() && running && !aborted && left > 0) {
                someoneWaits.countDown();
                left = changed.awaitNanos(left);
            }
            Optional<FlowSet> set = aborted ? Optional.empty() : Optional.ofNullable(filled.poll());
            set.ifPresent(FlowSet::lease);
            return set;
        } finally {
            lock.unlock();
        }
    }

    void awaitWaiter() throws InterruptedException {
        if (!someoneWaits.await(10, TimeUnit.SECONDS)) {
            throw new AssertionError("Nobody waits");
        }
    }

    @Override
    public StreamStatistics statistics() {
        return statistics.snapshot();
    }

    @Override
    public FlowSetPool pool() {
        return pool;
    }

    @Override
    public void endWith(End how) {
        change(() -> ended(how));
    }

    @Override
    public void close() {
        called("close");
    }

    @Override
    public void startAcquisition() {
        called("device start");
    }

    @Override
    public void stopAcquisition() {
        called("device stop");
    }

    @Override
    public void abortAcquisition() {
        called("device abort");
    }
}
