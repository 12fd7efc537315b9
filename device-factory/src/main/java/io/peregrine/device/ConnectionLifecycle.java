package io.peregrine.device;

import io.peregrine.genapi.Registration;
import io.peregrine.rdma.ReconnectPolicy;
import io.peregrine.stream.End;
import io.peregrine.stream.engine.Threads;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The states of a connection and the way from one to the next: listeners are notified of a loss, and where that is
 * wanted a thread tries to get it back until it succeeds, its time is over, or the device is closed.
 */
final class ConnectionLifecycle implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(ConnectionLifecycle.class.getName());
    private static final ReconnectPolicy BACKOFF =
            new ReconnectPolicy(0, Duration.ofMillis(100), Duration.ofSeconds(2));
    private static final long JOIN_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** What is done to the device on the way. */
    interface Steps {
        /** Everything that runs waits for the device to come back. Called by the heartbeat's thread: never blocks. */
        void suspend();

        /** Lets go of what is left of the lost connection. */
        void detach();

        /**
         * Tries to connect once, and to make everything as it was.
         *
         * @return what could not be made as it was
         * @throws RuntimeException if the device cannot be connected now
         */
        List<String> connect();

        /** Makes a {@link #connect} under way end soon and fail. */
        void abandon();

        /** Whether the connection is good. */
        boolean alive();

        /** Ends everything that runs, for good, as the connection has ended. Never blocks. */
        void endWith(End how);
    }

    private final String name;
    private final ControlParameters parameters;
    private final Steps steps;
    private final ListenerThread<Connection.Event> listeners;

    private final ReentrantLock lock = new ReentrantLock();
    private final Gate gate = new Gate();
    private volatile Connection.State state = Connection.State.CONNECTED;
    private volatile Optional<Throwable> cause = Optional.empty();
    private volatile Optional<End> end = Optional.empty();
    private Optional<Thread> worker = Optional.empty();

    /**
     * A connection that is there.
     *
     * @param name of the device, for threads
     * @param holdings get the threads
     */
    ConnectionLifecycle(String name, ControlParameters parameters, Steps steps, Holdings holdings) {
        this.name = name;
        this.parameters = parameters;
        this.steps = steps;
        listeners = new ListenerThread<>("peregrine-connection-" + name, holdings);
        holdings.put("reconnection", gate);
    }

    Connection.State state() {
        return state;
    }

    /** Why the device is not connected; empty while it is, and when the user closed it. */
    Optional<Throwable> cause() {
        return cause;
    }

    /** How it ended for good. */
    Optional<End> end() {
        return end;
    }

    Registration onEvent(Consumer<Connection.Event> listener) {
        return listeners.add(listener);
    }

    /** Calls a listener with the cause whenever the device is lost, also when it is already. */
    void onLost(Consumer<Throwable> listener) {
        Consumer<Connection.Event> lost = event -> {
            if (event.state() == Connection.State.LOST) {
                event.cause().ifPresent(listener);
            }
        };
        lock.lock();
        try {
            listeners.add(lost);
            cause.ifPresent(why -> listeners.tell(
                    lost, new Connection.Event(Connection.State.LOST, Optional.of(why), List.of(), end)));
        } finally {
            lock.unlock();
        }
    }

    /** The device was lost. Called by the thread that watches it: never waits. */
    void lost(Throwable why) {
        lock.lock();
        try {
            // While it is being connected again, the worker sees it.
            if (gate.closed() || state != Connection.State.CONNECTED) {
                return;
            }
            if (!parameters.reconnect()) {
                lostForGood(DeviceException.of(
                        why.getMessage()
                                + ": open it again when it answers and no other application controls it, or open it"
                                + " with Reconnect=1, which does so by itself",
                        why));
                return;
            }
            try {
                steps.suspend();
                move(Connection.State.LOST, Optional.of(why), List.of());
                startWorker(why);
            } catch (RuntimeException | Error e) {
                // There may be no more threads. Without a worker nothing would ever end what waits for the device.
                lostForGood(failed(e));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Holds {@link #lock}. */
    private void startWorker(Throwable why) {
        Thread started =
                new Thread(new ReconnectWorker(this, gate, new Attempts(why), worker), "peregrine-reconnect-" + name);
        started.setDaemon(true);
        started.start();
        worker = Optional.of(started);
    }

    private static DeviceException failed(Throwable how) {
        return DeviceException.of("The device was lost, and connecting it again failed: " + how, how);
    }

    /** One way back from a loss, attempt after attempt. */
    static final class Attempts {
        private final Throwable why;
        private final long start = System.nanoTime();
        private int made;
        private String told = "";

        private Attempts(Throwable why) {
            this.why = why;
        }
    }

    /**
     * Tries once to get the device back; the first time, what is left of the lost connection is let go before.
     *
     * @return nanoseconds until it is to be tried again; negative when it is not
     */
    long attempt(Attempts attempts) {
        try {
            return attemptOnce(attempts);
        } catch (Error e) {
            // Memory is full, or a class is missing: streams and listeners must not wait for what no longer runs.
            LOGGER.log(System.Logger.Level.ERROR, "The attempts to connect " + name + " end", e);
            giveUp(failed(e));
            return -1;
        }
    }

    private long attemptOnce(Attempts attempts) {
        if (attempts.made == 0) {
            if (!goOn(attempts.why)) {
                return -1;
            }
            detach();
        }
        Throwable trouble;
        try {
            List<String> problems = steps.connect();
            if (arrived(problems)) {
                return -1;
            }
            trouble = attempts.why;
        } catch (RuntimeException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "No connection to " + name + " yet", e);
            trouble = e;
        }
        detach();
        long left = Long.MAX_VALUE;
        if (!parameters.reconnectLimit().isZero()) {
            left = attempts.start + parameters.reconnectLimit().toNanos() - System.nanoTime();
            if (left <= 0) {
                giveUp(attempts.why, trouble);
                return -1;
            }
        }
        String text = String.valueOf(trouble.getMessage());
        if (!text.equals(attempts.told)) {
            attempts.told = text;
            if (!goOn(trouble)) {
                return -1;
            }
        }
        return Math.min(left, BACKOFF.delay(attempts.made++).toNanos());
    }

    private void detach() {
        try {
            steps.detach();
        } catch (RuntimeException e) {
            LOGGER.log(System.Logger.Level.WARNING, "What was left of the connection to " + name + " makes trouble", e);
        }
    }

    private boolean goOn(Throwable why) {
        lock.lock();
        try {
            if (!gate.closed()) {
                move(Connection.State.RECONNECTING, Optional.of(why), List.of());
            }
            return !gate.closed();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the connection still holds now that everything is as it was, or the device is being closed. */
    private boolean arrived(List<String> problems) {
        lock.lock();
        try {
            if (gate.closed()) {
                return true;
            }
            if (!steps.alive()) {
                return false;
            }
            move(Connection.State.CONNECTED, Optional.empty(), problems);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void giveUp(Throwable why, Throwable trouble) {
        DeviceException given = new DeviceLostException(
                "The device was lost and not connected again within "
                        + parameters.reconnectLimit().toMillis() + " ms: " + trouble.getMessage(),
                why);
        if (trouble != why) {
            given.addSuppressed(trouble);
        }
        giveUp(given);
    }

    private void giveUp(DeviceException given) {
        lock.lock();
        try {
            if (!gate.closed()) {
                lostForGood(given);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * A program that sees a stream end finds the reason here, and listeners find that streams have ended. Holds
     * {@link #lock}.
     */
    private void lostForGood(Throwable why) {
        End how = new End.Failed(why);
        end = Optional.of(how);
        state = Connection.State.LOST;
        cause = Optional.of(why);
        steps.endWith(how);
        move(Connection.State.LOST, Optional.of(why), List.of());
    }

    /** Holds {@link #lock}. */
    private void move(Connection.State to, Optional<Throwable> why, List<String> problems) {
        state = to;
        cause = why;
        LOGGER.log(
                switch (to) {
                    case LOST -> System.Logger.Level.WARNING;
                    case CLOSED -> System.Logger.Level.DEBUG;
                    default -> System.Logger.Level.INFO;
                },
                () -> "Connection to " + name + ": " + to
                        + why.map(reason -> ", " + reason.getMessage()).orElse("")
                        + (problems.isEmpty() ? "" : ", " + problems));
        listeners.tell(new Connection.Event(to, why, problems, end));
    }

    /** Whether a thread tries to connect again, or calls the listeners: {@link #close} waits for it. */
    boolean uses(Thread thread) {
        lock.lock();
        try {
            return worker.filter(thread::equals).isPresent() || listeners.runsOn(thread);
        } finally {
            lock.unlock();
        }
    }

    /** Ends attempts to connect again. From now on nothing happens by itself. */
    void stop() {
        Optional<Thread> running;
        boolean connecting;
        lock.lock();
        try {
            gate.close();
            running = worker;
            connecting = state == Connection.State.RECONNECTING;
        } finally {
            lock.unlock();
        }
        if (connecting) {
            steps.abandon();
        }
        running.filter(thread -> thread != Thread.currentThread()).ifPresent(thread -> {
            if (!Threads.join(thread, JOIN_NANOS)) {
                LOGGER.log(System.Logger.Level.WARNING, "The attempt to connect {0} does not end", name);
            }
        });
    }

    /** Notifies the listeners of the end. */
    @Override
    public void close() {
        stop();
        lock.lock();
        try {
            if (state != Connection.State.CLOSED) {
                end = end.or(() -> Optional.of(new End.Closed()));
                move(Connection.State.CLOSED, Optional.empty(), List.of());
            }
        } finally {
            lock.unlock();
        }
        listeners.close();
    }
}
