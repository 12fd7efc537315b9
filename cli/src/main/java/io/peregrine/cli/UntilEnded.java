package io.peregrine.cli;

import io.peregrine.device.DeviceFactory;
import io.peregrine.genapi.Registration;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command end in order when the process is asked to terminate. While it is open, a signal only raises a flag.
 */
final class UntilEnded implements AutoCloseable {
    /** A command that takes longer than this to end is cut off. */
    private static final long MAX_END_SECONDS = 10;

    /** What is printed when the command is over is waited for no longer than this. */
    private static final long MAX_PRINT_SECONDS = 1;

    /** Open while the program has something to say yet. */
    private static volatile CountDownLatch program = new CountDownLatch(0);

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::endProcess, "peregrine-end");

    private final Registration devicesLater = DeviceFactory.beforeDevicesClose(this::awaitDone);

    UntilEnded() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** The command closes its devices itself. */
    private void awaitDone() {
        try {
            if (!done.await(MAX_END_SECONDS, TimeUnit.SECONDS)) {
                Runtime.getRuntime().halt(ExitCodes.FAILED);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets a command that is asked to terminate say why it ended, before the process does. */
    static void holdProcess() {
        program = new CountDownLatch(1);
    }

    /** Everything is said. */
    static void releaseProcess() {
        program.countDown();
    }

    private void endProcess() {
        asked.countDown();
        awaitDone();
        try {
            program.await(MAX_PRINT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the process, or this thread, was asked to terminate. */
    boolean ended() {
        return asked.getCount() == 0 || Thread.currentThread().isInterrupted();
    }

    /** Waits until the process, or this thread, is asked to terminate. */
    void await() {
        try {
            asked.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The same, but no longer than a time; whether it was asked. */
    boolean await(Duration limit) {
        try {
            return asked.await(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    @Override
    public void close() {
        done.countDown();
        devicesLater.close();
        if (asked.getCount() > 0) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The process ends already; the hook returns by itself.
                asked.countDown();
            }
        }
    }
}
