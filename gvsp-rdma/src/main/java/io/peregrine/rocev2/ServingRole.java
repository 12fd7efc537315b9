package io.peregrine.rocev2;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Who serves a port. Of the threads that wait for their work to be done, the first one does, so that no other must be
 * woken for what arrives for it; the port's thread does while none waits. When the one that served has something to
 * handle and no other waits, no one serves for a moment: it is about to come back, and if it does not, the port's
 * thread takes over. Pure: no thread, no clock; guarded by the port's lock.
 */
final class ServingRole {
    /** How long no one may serve. */
    static final long MAX_ABSENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    /** How often the port's thread looks whether someone serves. */
    static final long WATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** A thread that waits. */
    interface Waiter {
        /** Makes it look again, since it serves now. */
        void wake();
    }

    /** In the order of their arrival; the first one serves, unless the port's thread does. */
    private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();

    private boolean portServes = true;
    private long absentSince;

    /**
     * A thread begins to wait. It serves at once if no one does.
     *
     * @return whether the port's thread serves, and must be woken to {@linkplain #handOver hand over}
     */
    boolean arrive(Waiter waiter) {
        waiters.add(waiter);
        return portServes;
    }

    /** Whether a thread that waits serves. */
    boolean serves(Waiter waiter) {
        return !portServes && waiter == waiters.peek();
    }

    /**
     * A thread ends waiting.
     *
     * @return the one that serves now instead of it, to be woken; null if that did not change, or no one serves
     */
    @Nullable
    Waiter leave(Waiter waiter, long nowNanos) {
        boolean served = serves(waiter);
        waiters.remove(waiter);
        absentSince = nowNanos;
        return served ? waiters.peek() : null;
    }

    /**
     * The port's thread has nothing to do: a thread that waits may serve in its place.
     *
     * @return that thread, to be woken; null if none waits, and the port's thread serves on
     */
    @Nullable
    Waiter handOver() {
        portServes = waiters.isEmpty();
        return waiters.peek();
    }

    /** How long the port's thread may sleep before it asks again; 0 if it serves, which it may do from now on. */
    long restNanos(long nowNanos) {
        if (!portServes && !waiters.isEmpty()) {
            return WATCH_NANOS;
        }
        long left = portServes ? 0 : absentSince + MAX_ABSENCE_NANOS - nowNanos;
        portServes = left <= 0;
        return Math.max(0, left);
    }

    /**
     * There is something to do at once: if no one serves, the port's thread does.
     *
     * @return whether it must be woken
     */
    boolean recall() {
        boolean absent = !portServes && waiters.isEmpty();
        portServes |= absent;
        return absent;
    }
}
