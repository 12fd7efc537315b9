package io.peregrine.cli;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Runs a command of this program in a separate process, and starts it again when it ends unasked. */
final class Supervisor {
    private static final Duration TURN = Duration.ofMillis(100);
    /** A command that is asked to end is cut off after that; less than this process waits for. */
    private static final long MAX_END_SECONDS = 9;

    private final List<String> command;
    private final String restartsOption;
    private final Consumer<String> say;
    private final RestartDelay delay = new RestartDelay();

    /**
     * Makes a supervisor.
     *
     * @param arguments what the command line of this program was
     * @param restartsOption option by which the command hears how often it was started again
     * @param say takes what the user should know
     */
    Supervisor(List<String> arguments, String restartsOption, Consumer<String> say) {
        this.command = new ArrayList<>(thisProgram());
        this.command.addAll(arguments);
        this.restartsOption = restartsOption;
        this.say = say;
    }

    private static List<String> thisProgram() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        if (System.getProperty("jdk.module.main", "").isEmpty()) {
            // The manifest of a jar counts only where it is started by it.
            command.addAll(List.of("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"));
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), PeregrineMain.class.getName()));
        } else {
            Optional.ofNullable(System.getProperty("jdk.module.path"))
                    .ifPresent(path -> command.addAll(List.of("-p", path)));
            command.addAll(List.of("-m", "io.peregrine.cli/" + PeregrineMain.class.getName()));
        }
        return command;
    }

    /**
     * Keeps it running until this process is asked to end.
     *
     * @return exit status of the last run
     * @throws CliException if it cannot be started
     */
    int run(UntilEnded untilEnded) {
        int restarts = 0;
        while (true) {
            long begin = System.nanoTime();
            int status = runOnce(restarts, untilEnded);
            Duration lived = Duration.ofNanos(System.nanoTime() - begin);
            if (untilEnded.ended() || status == ExitCodes.OK) {
                return status;
            }
            Optional<Duration> wait = delay.after(status, lived);
            // A signal to both of them arrives meanwhile.
            if (wait.isEmpty() || untilEnded.await(wait.get())) {
                return status;
            }
            restarts++;
            say.accept("ended with status " + status + " after " + lived.toSeconds()
                    + " s, and is started again (restart " + restarts + ")");
        }
    }

    private int runOnce(int restarts, UntilEnded untilEnded) {
        List<String> now = new ArrayList<>(command);
        now.add(restartsOption + "=" + restarts);
        try {
            Process process = new ProcessBuilder(now).inheritIO().start();
            while (process.isAlive() && !untilEnded.await(TURN)) {
                // Goes on.
            }
            if (process.isAlive()) {
                process.destroy();
                if (!process.waitFor(MAX_END_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            }
            return process.waitFor();
        } catch (IOException e) {
            throw new CliException(ExitCodes.FAILED, "cannot be started as a separate process: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCodes.FAILED;
        }
    }
}
