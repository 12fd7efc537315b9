package io.peregrine.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A program that a test started: its output is kept, and its life ends with the test or after a limit. */
public final class ChildProcess implements AutoCloseable {
    /** No program of a test may run longer, unless the test says so. */
    public static final Duration LIFE_LIMIT = Duration.ofMinutes(3);

    private static final Set<ChildProcess> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(ChildProcess::kill), "end children"));
    }

    private final List<String> command;
    private final Process process;
    private final Duration lifeLimit;
    private final Thread reader;
    private final List<String> lines = new ArrayList<>();
    private boolean ended;

    private ChildProcess(List<String> command, Process process, Duration lifeLimit) {
        this.lifeLimit = lifeLimit;
        this.command = command;
        this.process = process;
        this.reader = new Thread(this::read, "output of " + command.get(0));
        reader.setDaemon(true);
    }

    /** Starts a program; its standard output and error are read as one. */
    public static ChildProcess start(List<String> command) {
        return start(command, LIFE_LIMIT);
    }

    /** The same with a custom limit. */
    public static ChildProcess start(List<String> command, Duration lifeLimit) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .start();
            ChildProcess child = new ChildProcess(List.copyOf(command), process, lifeLimit);
            RUNNING.add(child);
            child.reader.start();
            Thread guard = new Thread(child::endAfterLimit, "limit of " + command.get(0));
            guard.setDaemon(true);
            guard.start();
            return child;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + command, e);
        }
    }

    /** Starts a program and waits for its end, which must be a success. */
    public static String run(Duration limit, String... command) {
        return runToEnd(limit, Arrays.asList(command));
    }

    /** Starts a program and waits for its end, which must be a success. */
    public static String runToEnd(Duration limit, List<String> command) {
        try (ChildProcess child = start(command)) {
            return child.succeeds(limit);
        }
    }

    /** The command line that runs a main class of this class path. */
    public static List<String> java(List<String> options, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // Without native access, newer machines mix a warning into what the program says; the export is for Aeron.
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--add-exports",
                "java.base/jdk.internal.misc=ALL-UNNAMED"));
        command.addAll(options);
        command.add("-cp");
        command.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }

    private void read() {
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                synchronized (lines) {
                    lines.add(line);
                    lines.notifyAll();
                }
            }
        } catch (IOException e) {
            synchronized (lines) {
                lines.add("(output ended: " + e.getMessage() + ")");
            }
        }
        synchronized (lines) {
            ended = true;
            lines.notifyAll();
        }
    }

    private void endAfterLimit() {
        try {
            if (!process.waitFor(lifeLimit.toSeconds(), TimeUnit.SECONDS)) {
                kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            RUNNING.remove(this);
        }
    }

    /** Waits for a line of output. */
    public String awaitLine(String what, Duration limit, Predicate<String> wanted) {
        long deadline = System.nanoTime() + limit.toNanos();
        int next = 0;
        synchronized (lines) {
            while (true) {
                for (; next < lines.size(); next++) {
                    if (wanted.test(lines.get(next))) {
                        return lines.get(next);
                    }
                }
                long leftMillis = (deadline - System.nanoTime()) / 1_000_000;
                if (ended || leftMillis <= 0) {
                    throw new AssertionError("No " + what + " in the output of " + this);
                }
                waitForOutput(leftMillis);
            }
        }
    }

    private void waitForOutput(long millis) {
        try {
            lines.wait(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for " + command, e);
        }
    }

    /** Waits for the end, which must be exit status 0. */
    public String succeeds(Duration limit) {
        int status = awaitEnd(limit);
        if (status != 0) {
            throw new AssertionError("Exit status " + status + " of " + this);
        }
        return output();
    }

    /** Waits for the end. */
    public int awaitEnd(Duration limit) {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("Still running after " + limit.toSeconds() + " s: " + this);
            }
            reader.join(5_000);
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for " + command, e);
        }
    }

    /** All output so far. */
    public String output() {
        synchronized (lines) {
            return String.join("\n", lines);
        }
    }

    /** Whether it has not ended yet. */
    public boolean alive() {
        return process.isAlive();
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** Ends it as kill -9 does. */
    public void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /**
     * Asks it to end as the interrupt key does. A JVM does not hear it when these tests run in the background of a
     * script.
     */
    public void interrupt() {
        signal("-INT");
    }

    /** Asks it to end as a system that shuts down does. */
    public void terminate() {
        signal("-TERM");
    }

    /** Has it stand still, as on a host that is held up. */
    public void suspend() {
        signal("-STOP");
    }

    /** Lets it go on after {@link #suspend}. */
    public void resume() {
        signal("-CONT");
    }

    /** By kill, since {@link Process#destroy} closes what is read from the process. */
    private void signal(String option) {
        run(Duration.ofSeconds(5), "kill", option, Long.toString(process.pid()));
    }

    /** Asks it to end, and ends it if it does not. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(1500, TimeUnit.MILLISECONDS)) {
                kill();
                process.waitFor(5, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        String line = String.join(" ", command);
        return (line.length() > 400 ? line.substring(0, 60) + " ... " + line.substring(line.length() - 330) : line)
                + ":\n" + output();
    }
}
