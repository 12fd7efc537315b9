package io.peregrine.gvcp;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The thread that shows the device regularly that the application is alive, and notices when the device is not. Each
 * beat reads registers as a {@link HeartbeatWatch} says.
 */
final class Heartbeat {
    private static final System.Logger LOGGER = System.getLogger(Heartbeat.class.getName());

    private final RegisterAccess registers;
    private final LongSupplier lastAnswerNanos;
    private final LongAdder beats;
    private final Consumer<ConnectionLostException> onLost;

    private final ReentrantLock waiting = new ReentrantLock();
    private final Condition changed = waiting.newCondition();
    private final Thread thread;
    private volatile HeartbeatWatch watch;
    private volatile boolean stopped;

    /**
     * Prepares a heartbeat; {@link #start} starts its thread.
     *
     * @param watch what to ask and how often
     * @param registers asks it
     * @param lastAnswerNanos when the device last answered any command
     * @param beats counts the answered beats
     * @param onLost notified that the device is lost, again if it fails; without any lock held
     */
    Heartbeat(
            HeartbeatWatch watch,
            RegisterAccess registers,
            LongSupplier lastAnswerNanos,
            LongAdder beats,
            Consumer<ConnectionLostException> onLost) {
        this.watch = watch;
        this.registers = registers;
        this.lastAnswerNanos = lastAnswerNanos;
        this.beats = beats;
        this.onLost = onLost;
        thread = new Thread(this::run, "gvcp-heartbeat-" + watch.device());
        thread.setDaemon(true);
    }

    HeartbeatWatch watch() {
        return watch;
    }

    void start() {
        thread.start();
    }

    /** Ends the thread soon, see {@link #join}. */
    void stop() {
        stopped = true;
        wake();
    }

    /** Beats as often as another timeout of the device needs. */
    void retime(Duration timeout) {
        watch = watch.withTimeout(timeout);
        wake();
    }

    private void wake() {
        waiting.lock();
        try {
            changed.signalAll();
        } finally {
            waiting.unlock();
        }
    }

    /** Waits for the end of the thread, unless that is the one that calls. */
    void join() {
        Threads.join(thread);
    }

    private void run() {
        boolean goesOn = true;
        while (goesOn) {
            try {
                goesOn = turn();
            } catch (InterruptedException e) {
                LOGGER.log(System.Logger.Level.DEBUG, "heartbeat of {0} interrupted", watch.device());
                return;
            } catch (RuntimeException | Error e) {
                // Memory is full, for example. A heartbeat that ended would notice no loss any more.
                LockSupport.parkNanos(watch.periodNanos());
            }
        }
    }

    /** Waits for the next beat and does it; false when there is none any more. */
    private boolean turn() throws InterruptedException {
        if (!pause()) {
            return false;
        }
        Optional<ConnectionLostException> reason = beat();
        if (reason.isEmpty() || stopped) {
            return true;
        }
        onLost.accept(reason.get());
        return false;
    }

    /** Waits for the next beat, or for another timeout; false when there is none any more. */
    private boolean pause() throws InterruptedException {
        long start = System.nanoTime();
        waiting.lockInterruptibly();
        try {
            while (!stopped) {
                long remainingNanos = start + watch.periodNanos() - System.nanoTime();
                if (remainingNanos <= 0) {
                    return true;
                }
                changed.awaitNanos(remainingNanos);
            }
            return false;
        } finally {
            waiting.unlock();
        }
    }

    private Optional<ConnectionLostException> beat() {
        HeartbeatWatch present = watch;
        try {
            int[] values = registers.readRegisters(present.registers());
            beats.increment();
            return present.onValues(values);
        } catch (GvcpException e) {
            return present.onFailure(e, silentNanos());
        } catch (RuntimeException | Error e) {
            return present.onFailure(new GvcpException("The heartbeat failed: " + e, e), silentNanos());
        }
    }

    private long silentNanos() {
        return System.nanoTime() - lastAnswerNanos.getAsLong();
    }
}
