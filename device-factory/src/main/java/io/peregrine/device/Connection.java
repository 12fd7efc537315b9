package io.peregrine.device;

import io.peregrine.genapi.Registration;
import io.peregrine.stream.End;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The connection to an open device: its state, its losses, its end. For any number of threads.
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
    public ConnectionState state() {
        return life.state();
    }

    /** Whether the device is connected and still answers. */
    public boolean connected() {
        return life.state() == ConnectionState.CONNECTED && alive.getAsBoolean();
    }

    /** How the connection ended; empty while it is established or may come back. */
    public Optional<End> end() {
        return life.end();
    }

    /**
     * Notifies a listener whenever the connection moves from one {@linkplain ConnectionState state} to the next, and
     * when there is a new reason why a lost device cannot be connected yet. Calls come one after another, on a separate
     * thread: a listener may take its time, and may close the device. What it throws is logged.
     *
     * @return ends the notification when it is closed
     */
    public Registration onState(Consumer<ConnectionEvent> listener) {
        return life.onEvent(listener);
    }

    /** Notifies a listener of the cause when the device is lost, also if it is lost already; on the same thread. */
    public void onLost(Consumer<Throwable> listener) {
        life.onLost(listener);
    }
}
