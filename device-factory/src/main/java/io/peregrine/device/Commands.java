package io.peregrine.device;

import io.peregrine.genapi.CommandNode;
import io.peregrine.stream.engine.Timeouts;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Commands of a device that take their time. */
final class Commands {
    private static final long PAUSE_NANOS = 1_000_000;

    private Commands() {}

    /**
     * Executes a command and waits until the device has done it.
     *
     * @throws DeviceException if it takes longer than the limit, or the thread is interrupted
     */
    static void executeAndAwait(CommandNode command, Duration limit) {
        command.execute();
        long deadline = System.nanoTime() + Timeouts.nanos(limit);
        while (!command.isDone()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new DeviceException("The thread was interrupted while the device did " + command.name());
            }
            if (System.nanoTime() - deadline >= 0) {
                throw new DeviceException("The device has not done " + command.name() + " within " + limit.toMillis()
                        + " ms: it may still be busy with it");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
