package io.peregrine.testing;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for something that happens outside of the test, until a deadline. */
public final class Await {
    private static final long STEP_NANOS = 5_000_000;

    private Await() {}

    /** Asks again and again until the answer is yes. */
    public static void until(String what, Duration limit, Callable<Boolean> condition) {
        until(what, limit, condition, () -> "");
    }

    /** Checks a condition repeatedly until it holds; reports what was seen if it never does. */
    public static void until(String what, Duration limit, Callable<Boolean> condition, Supplier<String> seen) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!ask(condition)) {
            if (System.nanoTime() - deadline >= 0) {
                throw new AssertionError(
                        "After " + limit.toMillis() + " ms there was still no " + what + ". " + seen.get());
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
    }

    private static boolean ask(Callable<Boolean> condition) {
        try {
            return condition.call();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
