package io.peregrine.device;

import io.peregrine.stream.engine.Threads;
import java.lang.ref.WeakReference;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What the thread does that gets a lost device back. Between two attempts it holds nothing of the device, so that one
 * that is forgotten meanwhile is let go.
 */
final class ReconnectWorker implements Runnable {
    private static final long JOIN_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final WeakReference<ConnectionLifecycle> life;
    private final Gate gate;
    private final ConnectionLifecycle.Attempts attempts;
    private final Optional<Thread> before;

    /**
     * Prepares to get a device back.
     *
     * @param before the thread that did so the last time, which may not have ended yet
     */
    ReconnectWorker(
            ConnectionLifecycle life, Gate gate, ConnectionLifecycle.Attempts attempts, Optional<Thread> before) {
        this.life = new WeakReference<>(life);
        this.gate = gate;
        this.attempts = attempts;
        this.before = before;
    }

    @Override
    public void run() {
        before.ifPresent(thread -> Threads.join(thread, JOIN_NANOS));
        long pause = attempt();
        while (pause >= 0 && gate.pause(pause)) {
            pause = attempt();
        }
    }

    /** Nanoseconds until the next one; negative when there is none. */
    private long attempt() {
        ConnectionLifecycle present = life.get();
        return present == null ? -1 : present.attempt(attempts);
    }
}
