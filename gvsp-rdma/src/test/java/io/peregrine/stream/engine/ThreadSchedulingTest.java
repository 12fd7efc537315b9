package io.peregrine.stream.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peregrine.nativeio.Libc;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.nativeio.TimeSlice;
import io.peregrine.testing.Needs;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ThreadSchedulingTest {
    /** Runs on a thread of its own, so that no other test is scheduled so. */
    private static <T> T onThread(Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "scheduled");
        thread.start();
        T result = task.get();
        thread.join();
        return result;
    }

    private static ThreadScheduling on(int... cpus) {
        return new ThreadScheduling(
                java.util.Arrays.stream(cpus).boxed().toList(), OptionalInt.empty(), OptionalInt.empty());
    }

    /** Processors of the calling thread, as bits. */
    private static long affinity() {
        ByteBuffer mask = NativeMemory.allocate(128);
        assertEquals(0, Libc.sched_getaffinity(0, 128, NativeMemory.address(mask)), "sched_getaffinity");
        return mask.getLong(0);
    }

    @Test
    void threadRunsOnItsProcessorAlone() throws Exception {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        int cpu = Long.numberOfTrailingZeros(affinity());
        Needs.that(cpu < 64, "a processor below 64");
        long before = affinity();
        long then = onThread(() -> {
            assertEquals(List.of(), on(cpu).apply());
            return affinity();
        });
        assertEquals(1L << cpu, then);
        assertEquals(before, affinity(), "other threads are as before");
    }

    @Test
    void processorThatIsNotThereIsToldAndHarmless() throws Exception {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        List<String> problems = onThread(() -> on(1023).apply());
        assertEquals(1, problems.size());
        assertTrue(
                problems.get(0).startsWith("The receiver thread may not run on CPU [1023] alone: "),
                problems::toString);
    }

    @Test
    void threadIsMoreModestWhenItsNiceValueIsHigher() throws Exception {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        ThreadScheduling modest = new ThreadScheduling(List.of(), OptionalInt.of(19), OptionalInt.empty());
        int nice = onThread(() -> {
            assertEquals(List.of(), modest.apply());
            return Libc.getpriority(0, 0);
        });
        assertEquals(19, nice);
    }

    @Test
    void realTimePriorityIsInForceOrItsReasonIsTold() throws Exception {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        ThreadScheduling urgent = new ThreadScheduling(List.of(), OptionalInt.empty(), OptionalInt.of(1));
        onThread(() -> {
            List<String> problems = urgent.apply();
            int policy = Libc.sched_getscheduler(0);
            assertEquals(problems.isEmpty(), policy == 1, problems::toString);
            assertTrue(problems.isEmpty() || problems.get(0).contains("CAP_SYS_NICE"), problems::toString);
            return null;
        });
    }

    @Test
    void sleepsEndInTime() throws Exception {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        int getTimerSlack = 30;
        int before = Libc.prctl(getTimerSlack, 0);
        int slack = onThread(() -> {
            assertEquals(List.of(), ThreadScheduling.DEFAULT.apply());
            return Libc.prctl(getTimerSlack, 0);
        });
        assertEquals(1, slack, "nanoseconds");
        assertEquals(before, Libc.prctl(getTimerSlack, 0), "other threads are as before");
    }

    @Test
    void doesNotWaitForTheEndOfOthersSlices() throws Exception {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        Duration before = TimeSlice.current();
        assumeTrue(!before.isZero(), "slices that a thread may ask for, of Linux 6.12 or later");
        Duration slice = onThread(() -> {
            assertEquals(List.of(), ThreadScheduling.DEFAULT.apply());
            return TimeSlice.current();
        });
        assertEquals(TimeSlice.SHORTEST, slice);
        assertEquals(before, TimeSlice.current(), "other threads are as before");
    }

    @Test
    void theNiceValueStaysWithAShortSlice() throws Exception {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        assumeTrue(!TimeSlice.current().isZero(), "slices that a thread may ask for, of Linux 6.12 or later");
        ThreadScheduling modest = new ThreadScheduling(List.of(), OptionalInt.of(7), OptionalInt.empty());
        Duration slice = onThread(() -> {
            assertEquals(List.of(), modest.apply());
            assertEquals(7, Libc.getpriority(0, 0));
            return TimeSlice.current();
        });
        assertEquals(TimeSlice.SHORTEST, slice);
    }

    @Test
    void valuesOutOfRangeAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> on(-1));
        assertThrows(IllegalArgumentException.class, () -> on(1024));
        assertThrows(
                IllegalArgumentException.class,
                () -> new ThreadScheduling(List.of(), OptionalInt.of(20), OptionalInt.empty()));
        assertThrows(
                IllegalArgumentException.class,
                () -> new ThreadScheduling(List.of(), OptionalInt.empty(), OptionalInt.of(0)));
    }
}
