package io.peregrine.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Processor time of this process and of the machine. */
final class ProcessorTime {
    static final double TICKS_PER_SECOND = 100;

    private static final Path PROCESSORS = Path.of("/proc/stat");
    private static final Path THREADS = Path.of("/proc/self/task");

    private ProcessorTime() {}

    /** Processor time of this process, of all its threads and of the kernel on its behalf. */
    static double processSeconds() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                        .getProcessCpuTime()
                / 1e9;
    }

    /** Processor time of the threads that compile for the JVM, which end some time after a program's start. */
    static double compilerSeconds() throws IOException {
        long nanos = 0;
        try (Stream<Path> threads = Files.list(THREADS)) {
            for (Path thread : threads.toList()) {
                try {
                    if (Files.readString(thread.resolve("comm")).matches("C[12] Compiler.*\\s*")) {
                        nanos += Long.parseLong(
                                Files.readString(thread.resolve("schedstat")).split(" ", -1)[0]);
                    }
                } catch (IOException e) {
                    // It ended just now.
                }
            }
        }
        return nanos / 1e9;
    }

    /** What all processors together did since the start: the first line of {@code /proc/stat}, its name first. */
    static String[] processorTicks() throws IOException {
        return Files.readAllLines(PROCESSORS).get(0).split("\\s+", -1);
    }

    /** Time that all processors together were busy. */
    static double machineSeconds() throws IOException {
        String[] all = processorTicks();
        int idle = 4;
        int waiting = 5;
        int last = 8;
        long ticks = 0;
        for (int i = 1; i <= last; i++) {
            ticks += i == idle || i == waiting ? 0 : Long.parseLong(all[i]);
        }
        return ticks / TICKS_PER_SECOND;
    }
}
