package io.peregrine.stream.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.End;
import io.peregrine.stream.StreamException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StreamEngineTest {
    /** Waiting tasks would fill a shared pool. */
    private static final Executor OWN_THREAD = task -> new Thread(task, "waiter").start();

    private static final Duration LONG = Duration.ofSeconds(20);

    private final FlowSetPool pool = FlowSetPool.allocate(4, new long[] {100}, 1 << 20);
    final Script script = new Script();
    final StreamEngine engine = new StreamEngine(script);

    /** The receiver thread, if it is a shared one. */
    Optional<SharedReceiverThread> shared() {
        return Optional.empty();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    /** Does what the test tells it, one step a turn. */
    final class Script implements StreamSource {
        final BlockingQueue<Runnable> steps = new LinkedBlockingQueue<>();
        final StreamCounters counters = new StreamCounters();
        final AtomicInteger begun = new AtomicInteger();
        final AtomicInteger ended = new AtomicInteger();
        final AtomicInteger closed = new AtomicInteger();
        volatile Thread receiver;
        volatile boolean frameAtEnd;
        volatile boolean failsAtEnd;
        volatile Runnable atBegin = () -> {};

        @Override
        public String name() {
            return "test";
        }

        @Override
        public FlowSetPool pool() {
            return pool;
        }

        @Override
        public StreamCounters counters() {
            return counters;
        }

        @Override
        public Optional<SharedReceiverThread> sharedThread() {
            return shared();
        }

        @Override
        public void begin(StreamEngine by) {
            begun.incrementAndGet();
            atBegin.run();
        }

        @Override
        public void turn() {
            receiver = Thread.currentThread();
            try {
                steps.take().run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public boolean look() {
            receiver = Thread.currentThread();
            Runnable step = steps.poll();
            if (step != null) {
                step.run();
            }
            return step != null;
        }

        @Override
        public void end() {
            if (frameAtEnd) {
                deliver(99);
            }
            ended.incrementAndGet();
            if (failsAtEnd) {
                throw new IllegalStateException("stuck");
            }
        }

        @Override
        public void wakeUp() {
            steps.add(() -> {});
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }

        void deliver(long blockId) {
            FlowSet set = pool.take().orElseThrow();
            set.beginFilling();
            set.finishFilling(new BlockInfo(blockId, 1, 0, 0, Optional.empty(), 0, Optional.empty(), 0));
            engine.deliver(set);
        }

        /** Waits until all steps so far are done. */
        void sync() throws InterruptedException {
            CountDownLatch done = new CountDownLatch(1);
            steps.add(done::countDown);
            assertTrue(done.await(20, TimeUnit.SECONDS));
        }
    }

    /** One that is shared ends when it sees that nothing is left. */
    private void expectNoReceiver() throws InterruptedException {
        script.receiver.join(shared().isPresent() ? LONG.toMillis() : 1);
        assertFalse(script.receiver.isAlive());
    }

    private boolean allFree() {
        return pool.flowSets().stream().allMatch(set -> set.state() == FlowSet.State.FREE);
    }

    @Test
    void framesComeOutInTheOrderInWhichTheyWereDelivered() throws Exception {
        engine.start();
        script.steps.add(() -> script.deliver(1));
        script.steps.add(() -> script.deliver(2));
        for (long id = 1; id <= 2; id++) {
            FlowSet set = engine.poll(LONG).orElseThrow();
            assertEquals(id, set.block().blockId());
            assertEquals(FlowSet.State.LEASED, set.state());
            set.release();
        }
        assertEquals(Optional.empty(), engine.poll(Duration.ZERO));
        assertEquals(Optional.empty(), engine.poll(Duration.ofMillis(5)));
        assertTrue(script.receiver.getName().startsWith("peregrine-stream"), script.receiver.getName());
        assertTrue(script.receiver.isDaemon());
    }

    @Test
    void stopLeavesFilledFlowSetsAndJoinsTheReceiver() throws Exception {
        engine.start();
        script.frameAtEnd = true;
        script.steps.add(() -> script.deliver(1));
        script.steps.add(() -> assertTrue(pool.take().isPresent()));
        script.sync();
        engine.stop();
        expectNoReceiver();
        assertFalse(engine.running());
        assertEquals(1, script.ended.get());
        assertEquals(1, engine.poll(LONG).orElseThrow().block().blockId());
        FlowSet last = engine.poll(LONG).orElseThrow();
        assertEquals(99, last.block().blockId());
        assertEquals(Optional.empty(), engine.poll(LONG));
        last.release();
        assertEquals(1, pool.leasedCount());
        engine.stop();
        assertEquals(1, script.ended.get());
    }

    @Test
    void abortWakesTheWaiterAndForgetsWhatIsFilled() throws Exception {
        engine.start();
        CompletableFuture<Optional<FlowSet>> waiter = waiter();
        engine.abort();
        assertEquals(Optional.empty(), waiter.get(20, TimeUnit.SECONDS));

        engine.start();
        script.steps.add(() -> script.deliver(1));
        script.sync();
        engine.abort();
        assertEquals(Optional.empty(), engine.poll(LONG));
        assertTrue(allFree());
        assertEquals(Optional.empty(), failure());
    }

    private CompletableFuture<Optional<FlowSet>> waiter() {
        CountDownLatch running = new CountDownLatch(1);
        CompletableFuture<Optional<FlowSet>> waiter = CompletableFuture.supplyAsync(
                () -> {
                    running.countDown();
                    try {
                        return engine.poll(LONG);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                OWN_THREAD);
        try {
            assertTrue(running.await(20, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return waiter;
    }

    @Test
    void errorOfTheReceiverEndsTheStreamAndIsTold() throws Exception {
        IllegalStateException broken = new IllegalStateException("broken");
        engine.start();
        CompletableFuture<Optional<FlowSet>> waiter = waiter();
        script.steps.add(() -> {
            throw broken;
        });
        assertEquals(Optional.empty(), waiter.get(20, TimeUnit.SECONDS));
        assertSame(broken, failure().orElseThrow());
        assertFalse(engine.running());
        assertEquals(1, script.ended.get());
    }

    @Test
    void failureFromOutsideEndsTheStreamAndTheFirstOneIsKept() throws Exception {
        StreamException lost = new StreamException("lost");
        engine.start();
        CompletableFuture<Optional<FlowSet>> waiter = waiter();
        fail(lost);
        fail(new StreamException("later"));
        assertEquals(Optional.empty(), waiter.get(20, TimeUnit.SECONDS));
        assertFalse(engine.running());
        assertSame(lost, failure().orElseThrow());
    }

    @Test
    void streamCanBeStartedAgainAfterEveryEnd() throws Exception {
        engine.start();
        engine.stop();
        engine.start();
        engine.abort();
        engine.start();
        fail(new StreamException("lost"));
        engine.start();
        engine.start();
        assertTrue(engine.running());
        assertEquals(Optional.empty(), failure());
        assertEquals(4, script.begun.get());
        script.steps.add(() -> script.deliver(5));
        engine.poll(LONG).orElseThrow().release();
        engine.stop();
        assertEquals(4, script.ended.get());
        assertTrue(allFree());
    }

    private void fail(Throwable cause) {
        engine.endWith(new End.Failed(cause));
    }

    private Optional<Throwable> failure() {
        return engine.end().flatMap(End::cause);
    }

    private static void expect(Class<? extends End> how, Optional<End> end) {
        assertInstanceOf(how, end.orElseThrow());
    }

    @Test
    void saysThatItWasNeverStarted() {
        expect(End.NotStarted.class, engine.end());
        engine.stop();
        engine.abort();
        expect(End.NotStarted.class, engine.end());
    }

    @Test
    void hasNoEndWhileItRuns() {
        engine.start();
        assertEquals(Optional.empty(), engine.end());
    }

    @Test
    void saysHowItEndedAndKeepsTheFirstEnd() {
        engine.start();
        engine.stop();
        expect(End.Stopped.class, engine.end());
        fail(new StreamException("lost when it was stopped already"));
        engine.close();
        expect(End.Stopped.class, engine.end());
    }

    @Test
    void isClosedWhenItWasClosedWhileItRan() {
        engine.start();
        engine.close();
        expect(End.Closed.class, engine.end());
    }

    @Test
    void hasFinishedWhenItsSourceSaysSoAndGivesWhatIsLeft() throws Exception {
        script.frameAtEnd = true;
        engine.start();
        script.steps.add(engine::finish);
        engine.poll(LONG).orElseThrow().release();
        assertEquals(Optional.empty(), engine.poll(LONG));
        expect(End.Finished.class, engine.end());
        engine.stop();
        expect(End.Finished.class, engine.end());
    }

    @Test
    void hasNotEndedAsLongAsSomethingMayCome() throws Exception {
        CountDownLatch proceed = new CountDownLatch(1);
        CountDownLatch busy = new CountDownLatch(1);
        engine.start();
        script.steps.add(() -> {
            busy.countDown();
            await(proceed);
        });
        await(busy);
        engine.endWith(new End.Finished());
        assertEquals(Optional.empty(), engine.end());
        proceed.countDown();
        assertEquals(Optional.empty(), engine.poll(LONG));
        expect(End.Finished.class, engine.end());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void failsWhenItsSourceCannotEndThoughItWasStopped() {
        script.failsAtEnd = true;
        engine.start();
        engine.stop();
        expect(End.Failed.class, engine.end());
    }

    @Test
    void failsAlsoBeforeItWasStarted() {
        fail(new StreamException("lost"));
        assertEquals("lost", failure().orElseThrow().getMessage());
    }

    @Test
    void framesOfARunBeforeAreNotSeenInTheNext() throws Exception {
        engine.start();
        script.steps.add(() -> script.deliver(1));
        script.sync();
        engine.stop();
        engine.start();
        assertEquals(Optional.empty(), engine.poll(Duration.ZERO));
        engine.stop();
        assertTrue(allFree());
    }

    @Test
    void leasedFlowSetOutlivesTheStream() throws Exception {
        engine.start();
        script.steps.add(() -> script.deliver(1));
        FlowSet set = engine.poll(LONG).orElseThrow();
        engine.close();
        assertEquals(1, set.block().blockId());
        set.release();
        assertTrue(allFree());
    }

    @Test
    void closeIsDoneOnceAndFinal() throws Exception {
        engine.start();
        engine.close();
        engine.close();
        assertEquals(1, script.closed.get());
        if (script.receiver != null) {
            expectNoReceiver();
        }
        assertThrows(StreamException.class, engine::start);
    }

    @Test
    void aCloseDuringTheStartEndsWhatIsStarted() throws Exception {
        endDuringTheStart(engine::close);
        assertEquals(1, script.closed.get());
    }

    @Test
    void aStopDuringTheStartEndsWhatIsStarted() throws Exception {
        endDuringTheStart(engine::stop);
    }

    @Test
    void anAbortDuringTheStartEndsWhatIsStarted() throws Exception {
        endDuringTheStart(engine::abort);
    }

    private void endDuringTheStart(Runnable ending) throws Exception {
        CountDownLatch beginning = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        script.atBegin = () -> {
            beginning.countDown();
            await(proceed);
        };
        CompletableFuture<Void> start = CompletableFuture.runAsync(engine::start, OWN_THREAD);
        await(beginning);
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread ender = new Thread(() -> {
            try {
                ending.run();
                end.complete(null);
            } catch (RuntimeException e) {
                end.completeExceptionally(e);
            }
        });
        ender.start();
        while (ender.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        proceed.countDown();
        start.get(20, TimeUnit.SECONDS);
        end.get(20, TimeUnit.SECONDS);
        assertFalse(engine.running());
        assertEquals(1, script.ended.get());
    }

    @Test
    void interruptedWaiterIsTold() {
        engine.start();
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> engine.poll(LONG));
    }

    @Test
    void interruptDuringStopIsKept() {
        engine.start();
        Thread.currentThread().interrupt();
        engine.stop();
        assertTrue(Thread.interrupted());
        assertFalse(engine.running());
    }
}
