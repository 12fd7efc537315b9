package io.peregrine.device;

import io.peregrine.genapi.Registration;
import io.peregrine.stream.End;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The connection to an open device: its state, its losses, its end. Thread-safe.
 *
 * @see Device#connection()
 */
public final class Connection {
    private final ConnectionLifecycle life;
    private final BooleanSupplier alive;

    Connection(ConnectionLifecycle life, BooleanSupplier alive) {
        this.life = life;
        this.alive = alive;
    }

    /** State of the connection. */
    public State state() {
        return life.state();
    }

    /** Whether the device is connected and still answers. */
    public boolean connected() {
        return life.state() == State.CONNECTED && alive.getAsBoolean();
    }

    /** How the connection ended; empty while it is established or may come back. */
    public Optional<End> end() {
        return life.end();
    }

    /**
     * Notifies a listener whenever the connection moves from one {@linkplain State state} to the next, and when there
     * is a new reason why a lost device cannot be connected yet. Calls come one after another, on a separate thread: a
     * listener may take its time, and may close the device. What it throws is logged.
     *
     * @return ends the notification when it is closed
     */
    public Registration onState(Consumer<Event> listener) {
        return life.onEvent(listener);
    }

    /** Notifies a listener of the cause when the device is lost, also if it is lost already; on the same thread. */
    public void onLost(Consumer<Throwable> listener) {
        life.onLost(listener);
    }

    /** Where the connection to a device is in its life. */
    public enum State {
        /** The device answers and is under control, or watched by a monitor. */
        CONNECTED,
        /**
         * The device does not answer any longer, or control went to somebody else; for good unless it is found again.
         */
        LOST,
        /** The device is being looked for and taken under control again. */
        RECONNECTING,
        /** The user closed the device. */
        CLOSED
    }

    /**
     * What happened to the connection to a device.
     *
     * @param state where the connection is from now on; the same as before when only the reason is new
     * @param cause why the device was lost, or why it could not be connected again yet; empty when it is connected or
     *     closed
     * @param problems settings that a device that came back did not take, one sentence each; empty when all is as it
     *     was
     * @param end how the connection ended for good: {@link End.Failed} or {@link End.Closed}; empty while it may come
     *     back
     */
    public record Event(Connection.State state, Optional<Throwable> cause, List<String> problems, Optional<End> end) {
        /** Makes an event. */
        public Event {
            Objects.requireNonNull(state, "state");
            Objects.requireNonNull(cause, "cause");
            Objects.requireNonNull(end, "end");
            problems = List.copyOf(problems);
        }
    }
}
