package io.peregrine.stream.engine;

import io.peregrine.nativeio.Libc;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.nativeio.TimeSlice;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Where and how urgently a thread runs. What the system does not allow is not done, and the reason is reported.
 *
 * @param cpus numbers of the processors that the thread may run on; all when empty
 * @param nice from -20, most urgent, to 19; below 0 needs CAP_SYS_NICE or a limit that allows it. Unchanged when empty
 * @param realTimePriority priority 1 to 99 among real-time threads (SCHED_FIFO), which run before all others; needs
 *     CAP_SYS_NICE or a limit that allows it. Not a real-time thread when empty
 */
public record ThreadScheduling(List<Integer> cpus, OptionalInt nice, OptionalInt realTimePriority) {
    /** As the system schedules any thread. */
    public static final ThreadScheduling DEFAULT =
            new ThreadScheduling(List.of(), OptionalInt.empty(), OptionalInt.empty());

    private static final int MAX_CPUS = 1024;
    private static final int PRIO_PROCESS = 0;
    private static final int SCHED_FIFO = 1;
    private static final int PR_SET_TIMERSLACK = 29;

    /** Checks the ranges. */
    public ThreadScheduling {
        cpus = List.copyOf(cpus);
        for (int cpu : cpus) {
            check("CPU", cpu, 0, MAX_CPUS - 1);
        }
        nice.ifPresent(value -> check("nice", value, -20, 19));
        realTimePriority.ifPresent(value -> check("real-time priority", value, 1, 99));
    }

    private static void check(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " must be between " + least + " and " + most + ", not " + value);
        }
    }

    /**
     * Schedules the calling thread so, ends its sleeps in time, to which the system adds 50 µs for other threads, and
     * lets it run soon after each, however long others run at a time ({@link TimeSlice}).
     *
     * @return what the system did not allow, each with its reason; empty when all of it is in force
     */
    public List<String> apply() {
        String reason = Libc.problem();
        if (reason.isEmpty()) {
            Libc.prctl(PR_SET_TIMERSLACK, 1);
        }
        TimeSlice.askForShortest();
        if (equals(DEFAULT)) {
            return List.of();
        }
        if (!reason.isEmpty()) {
            return List.of("The receiver thread is scheduled as any other: " + reason);
        }
        List<String> problems = new ArrayList<>();
        if (!cpus.isEmpty()) {
            ByteBuffer mask = NativeMemory.allocate(MAX_CPUS / 8);
            for (int cpu : cpus) {
                // Words of the machine's byte order.
                int at = cpu / 64 * 8;
                mask.putLong(at, mask.getLong(at) | 1L << cpu % 64);
            }
            note(
                    problems,
                    Libc.sched_setaffinity(0, mask.capacity(), NativeMemory.address(mask)),
                    "may not run on CPU " + cpus + " alone",
                    "give CPUs that exist and that this process may use (taskset -p)");
        }
        if (nice.isPresent()) {
            note(
                    problems,
                    Libc.setpriority(PRIO_PROCESS, 0, nice.getAsInt()),
                    "does not get the nice value " + nice.getAsInt(),
                    "raise the limit (ulimit -e) or give CAP_SYS_NICE");
        }
        if (realTimePriority.isPresent()) {
            ByteBuffer parameter = NativeMemory.allocate(4).putInt(0, realTimePriority.getAsInt());
            note(
                    problems,
                    Libc.sched_setscheduler(0, SCHED_FIFO, NativeMemory.address(parameter)),
                    "does not get the real-time priority " + realTimePriority.getAsInt(),
                    "raise the limit (ulimit -r) or give CAP_SYS_NICE");
        }
        return List.copyOf(problems);
    }

    private static void note(List<String> problems, int result, String what, String remedy) {
        if (result < 0) {
            problems.add("The receiver thread " + what + ": " + Libc.text(Libc.errno()) + "; " + remedy);
        }
    }
}
