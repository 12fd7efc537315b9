package io.peregrine.device;

import io.peregrine.stream.engine.Timeouts;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Looks for a device until it is there. An attempt that fails at once, because the device's host refuses or the network
 * is not up yet, is not repeated before a while is over: it would take a whole processor.
 */
final class Attempts {
    /** From the start of one attempt to that of the next, at least. */
    private static final Duration INTERVAL = Duration.ofMillis(50);

    private final LongSupplier nanoTime;
    private final LongConsumer sleep;

    Attempts(LongSupplier nanoTime, LongConsumer sleep) {
        this.nanoTime = nanoTime;
        this.sleep = sleep;
    }

    /** Lets nanoseconds pass; an interrupt is kept for the caller, as it is during a search. */
    static void sleep(long nanos) {
        long end = System.nanoTime() + nanos;
        boolean interrupted = false;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Returns what the first attempt that succeeds finds.
     *
     * @throws DeviceNotFoundException of the last attempt, if the timeout is over after it
     */
    <T> T find(Supplier<T> attempt, Duration timeout) {
        long deadline = nanoTime.getAsLong() + Timeouts.nanos(timeout);
        while (true) {
            long start = nanoTime.getAsLong();
            try {
                return attempt.get();
            } catch (DeviceNotFoundException e) {
                long now = nanoTime.getAsLong();
                if (now - deadline >= 0) {
                    throw e;
                }
                long untilNext = Math.min(start + INTERVAL.toNanos(), deadline) - now;
                if (untilNext > 0) {
                    sleep.accept(untilNext);
                }
            }
        }
    }
}
