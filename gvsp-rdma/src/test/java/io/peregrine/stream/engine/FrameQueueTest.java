package io.peregrine.stream.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peregrine.nativeio.Libc;
import io.peregrine.nativeio.TimeSlice;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.testing.Needs;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class FrameQueueTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(30);
    private static final HandOff NEWEST = HandOff.DEFAULT.withNewestOnly(true);
    private static final int FRAMES = 2000;

    private final FlowSetPool pool = FlowSetPool.allocate(4, new long[] {64}, 1 << 20);
    private final StreamCounters counters = new StreamCounters();

    private FrameQueue queue(HandOff handOff) {
        FrameQueue queue = new FrameQueue(handOff, pool.count(), counters);
        queue.open();
        return queue;
    }

    private FlowSet filled(long blockId) {
        FlowSet set = pool.take().orElseThrow();
        set.beginFilling();
        set.finishFilling(new BlockInfo(blockId, 1, 0, 0, Optional.empty(), 0, Optional.empty(), 0));
        return set;
    }

    private static long take(FrameQueue queue, long nanos) throws InterruptedException {
        FlowSet set = queue.poll(nanos);
        if (set == null) {
            return -1;
        }
        long id = set.block().blockId();
        set.release();
        return id;
    }

    /** Runs a task on another thread, which is one of its own. */
    private static <T> CompletableFuture<T> other(java.util.concurrent.Callable<T> task, List<Thread> threads) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                outcome.complete(task.call());
            } catch (Throwable e) {
                outcome.completeExceptionally(e);
            }
        });
        threads.add(thread);
        thread.start();
        return outcome;
    }

    private static void awaitSleep(Thread thread) {
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }

    /** Has another thread wait for a frame, and returns when it sleeps. */
    private static CompletableFuture<Long> sleeper(FrameQueue queue, List<Thread> threads) {
        CompletableFuture<Long> taken = other(() -> take(queue, LONG), threads);
        awaitSleep(threads.get(threads.size() - 1));
        return taken;
    }

    private static long waits(Thread thread) {
        return ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId()).getWaitedCount();
    }

    /** Returns when that thread was woken, and waits again. */
    private static void wakeEarly(FrameQueue queue, Thread thread) {
        long waits = waits(thread);
        queue.wakeEarly();
        while (waits(thread) == waits) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aThreadThatWaitsDoesNotWaitForTheEndOfOthersSlicesWhenItIsWoken() throws Exception {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        Duration before = TimeSlice.current();
        assumeTrue(!before.isZero(), "slices that a thread may ask for, of Linux 6.12 or later");
        FrameQueue queue = queue(HandOff.DEFAULT);
        List<Thread> threads = new ArrayList<>();
        CompletableFuture<Duration> slice = other(
                () -> {
                    queue.poll(LONG);
                    return TimeSlice.current();
                },
                threads);
        awaitSleep(threads.get(0));
        queue.end();
        assertEquals(TimeSlice.SHORTEST, slice.get());
        assertEquals(before, TimeSlice.current(), "other threads are as before");
    }

    // ---- Every frame

    @Test
    void oldestFirstGivesEachFrameInTurn() throws InterruptedException {
        FrameQueue queue = queue(HandOff.DEFAULT);
        queue.put(filled(1), false);
        queue.put(filled(2), true);
        assertEquals(1, take(queue, 0));
        assertEquals(2, take(queue, 0));
        assertEquals(-1, take(queue, 0));
        assertEquals(0, counters.get(Counter.FRAMES_SKIPPED));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    void eachFrameWakesOneOfSeveralThreads(int spinMillis) throws Exception {
        FrameQueue queue = queue(HandOff.DEFAULT.withSpin(Duration.ofMillis(spinMillis)));
        Set<Long> seen = ConcurrentHashMap.newKeySet();
        AtomicLong taken = new AtomicLong();
        List<CompletableFuture<Long>> readers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int reader = 0; reader < 3; reader++) {
            readers.add(other(
                    () -> {
                        long id = take(queue, LONG);
                        while (id > 0) {
                            assertTrue(seen.add(id));
                            taken.incrementAndGet();
                            id = take(queue, LONG);
                        }
                        return id;
                    },
                    threads));
        }
        for (long id = 1; id <= FRAMES; id++) {
            queue.put(filled(id), false);
            // A wake-up that gets lost shows here: no one else is coming.
            while (taken.get() < id) {
                Thread.onSpinWait();
            }
        }
        queue.end();
        for (CompletableFuture<Long> reader : readers) {
            assertEquals(-1, reader.get(30, TimeUnit.SECONDS));
        }
    }

    // ---- Newest only

    @Test
    void newestOnlyGivesTheNewestAndCountsTheOthersAsSkipped() throws InterruptedException {
        FrameQueue queue = queue(NEWEST);
        for (long id = 1; id <= 9; id++) {
            queue.put(filled(id), false);
        }
        assertEquals(9, take(queue, 0));
        assertEquals(-1, take(queue, 0));
        assertEquals(8, counters.get(Counter.FRAMES_SKIPPED));
        assertEquals(0, counters.snapshot().framesLost());
    }

    @Test
    void skippedFrameIsFreeAtOnceAndTheReceiverIsNotified() {
        FrameQueue queue = queue(NEWEST);
        AtomicLong returned = new AtomicLong();
        pool.onReturn(returned::incrementAndGet);
        FlowSet first = filled(1);
        queue.put(first, false);
        assertEquals(0, returned.get());
        queue.put(filled(2), false);
        assertEquals(FlowSet.State.FREE, first.state());
        assertEquals(1, returned.get());
        assertEquals(first, pool.take().orElseThrow());
    }

    @Test
    void frameThatANewerOneOvertookIsSkippedThoughItCameLater() throws InterruptedException {
        FrameQueue queue = queue(NEWEST);
        queue.put(filled(2), false);
        queue.put(filled(1), true);
        assertEquals(2, take(queue, 0));
        queue.put(filled(1), true);
        assertEquals(-1, take(queue, 0));
        assertEquals(2, counters.get(Counter.FRAMES_SKIPPED));
    }

    @Test
    void frameThatIsHeldIsNotTouchedByNewerOnes() throws InterruptedException {
        FrameQueue queue = queue(NEWEST);
        queue.put(filled(1), false);
        FlowSet held = queue.poll(0);
        queue.put(filled(2), false);
        queue.put(filled(3), false);
        assertEquals(1, held.block().blockId());
        assertEquals(FlowSet.State.LEASED, held.state());
        assertEquals(1, pool.leasedCount());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void noReaderGetsAFrameOlderThanTheNewestAtItsCall(int readerCount) throws Exception {
        FrameQueue queue = queue(NEWEST);
        AtomicLong newest = new AtomicLong();
        AtomicLong taken = new AtomicLong();
        List<CompletableFuture<Long>> readers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int reader = 0; reader < readerCount; reader++) {
            readers.add(other(
                    () -> {
                        long last = 0;
                        long id = 0;
                        while (id >= 0) {
                            long before = newest.get();
                            id = take(queue, LONG);
                            if (id > 0) {
                                assertTrue(id >= before, () -> "older than " + before);
                                assertTrue(id > last);
                                last = id;
                                taken.incrementAndGet();
                            }
                        }
                        return last;
                    },
                    threads));
        }
        for (long id = 1; id <= FRAMES; id++) {
            Optional<FlowSet> set = pool.take();
            while (set.isEmpty()) {
                set = pool.take();
            }
            set.get().beginFilling();
            set.get().finishFilling(new BlockInfo(id, 1, 0, 0, Optional.empty(), 0, Optional.empty(), 0));
            queue.put(set.get(), false);
            newest.set(id);
        }
        queue.end();
        for (CompletableFuture<Long> reader : readers) {
            reader.get(30, TimeUnit.SECONDS);
        }
        assertEquals(FRAMES, taken.get() + counters.get(Counter.FRAMES_SKIPPED));
    }

    // ---- The end of a wait

    @ParameterizedTest
    @ValueSource(ints = {0, 1000})
    void endLeavesWhatIsThereAndEndsWaits(int spinMillis) throws Exception {
        FrameQueue queue = queue(HandOff.DEFAULT.withSpin(Duration.ofMillis(spinMillis)));
        CompletableFuture<Long> waiter = other(() -> take(queue, LONG), new ArrayList<>());
        queue.end();
        assertEquals(-1, waiter.get(30, TimeUnit.SECONDS));
        queue.put(filled(1), false);
        assertEquals(1, take(queue, LONG));
        assertEquals(-1, take(queue, LONG));
    }

    @Test
    void afterAnAbortNothingIsTakenUntilItIsOpenedAgain() throws Exception {
        FrameQueue queue = queue(HandOff.DEFAULT);
        queue.put(filled(1), false);
        queue.abort();
        queue.end();
        assertNull(queue.poll(LONG));
        queue.open();
        assertEquals(1, take(queue, 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1000})
    void interruptEndsAWait(int spinMillis) throws Exception {
        FrameQueue queue = queue(HandOff.DEFAULT.withSpin(Duration.ofMillis(spinMillis)));
        List<Thread> threads = new ArrayList<>();
        CompletableFuture<Long> waiter = other(() -> take(queue, LONG), threads);
        threads.get(0).interrupt();
        ExecutionException e = assertThrows(ExecutionException.class, () -> waiter.get(30, TimeUnit.SECONDS));
        assertInstanceOf(InterruptedException.class, e.getCause());
    }

    @Test
    void waitIsOverInTimeThoughFramesGoToOthers() throws InterruptedException {
        FrameQueue queue = queue(HandOff.DEFAULT);
        assertEquals(-1, take(queue, TimeUnit.MILLISECONDS.toNanos(2)));
    }

    @Test
    void threadThatGaveUpIsNotWokenInPlaceOfOneThatWaits() throws Exception {
        FrameQueue queue = queue(HandOff.DEFAULT);
        List<Thread> threads = new ArrayList<>();
        CompletableFuture<Long> first = sleeper(queue, threads);
        CompletableFuture<Long> second = sleeper(queue, threads);
        threads.get(0).interrupt();
        assertThrows(ExecutionException.class, () -> first.get(30, TimeUnit.SECONDS));
        queue.put(filled(7), false);
        assertEquals(7, second.get(30, TimeUnit.SECONDS));
    }

    @Test
    void aThreadThatIsWokenEarlySleepsOnUntilTheFrameComes() throws Exception {
        FrameQueue queue = queue(HandOff.DEFAULT);
        List<Thread> threads = new ArrayList<>();
        CompletableFuture<Long> waiter = sleeper(queue, threads);
        wakeEarly(queue, threads.get(0));
        queue.put(filled(7), false);
        assertEquals(7, waiter.get(30, TimeUnit.SECONDS));
    }

    @Test
    void theThreadThatIsWokenEarlyIsTheOneThatTheFrameGoesTo() throws Exception {
        FrameQueue queue = queue(HandOff.DEFAULT);
        List<Thread> threads = new ArrayList<>();
        CompletableFuture<Long> first = sleeper(queue, threads);
        CompletableFuture<Long> second = sleeper(queue, threads);
        wakeEarly(queue, threads.get(0));
        queue.put(filled(7), false);
        assertEquals(7, first.get(30, TimeUnit.SECONDS));
        queue.end();
        assertEquals(-1, second.get(30, TimeUnit.SECONDS));
    }

    @Test
    void whereNoThreadWaitsNoneIsWokenEarly() throws Exception {
        FrameQueue queue = queue(HandOff.DEFAULT);
        queue.wakeEarly();
        queue.put(filled(7), false);
        assertEquals(7, take(queue, 0));
    }

    @Test
    void spinningIsBounded() {
        assertThrows(IllegalArgumentException.class, () -> HandOff.DEFAULT.withSpin(Duration.ofMillis(1001)));
        assertThrows(IllegalArgumentException.class, () -> HandOff.DEFAULT.withSpin(Duration.ofNanos(-1)));
    }

    @Test
    void aThreadSleepsWhenItHasSpunInVain() throws Exception {
        FrameQueue queue = queue(HandOff.DEFAULT.withSpin(Duration.ofMillis(1)));
        List<Thread> threads = new ArrayList<>();
        CompletableFuture<Long> waiter = sleeper(queue, threads);
        queue.put(filled(3), false);
        assertEquals(3, waiter.get(30, TimeUnit.SECONDS));
    }
}
