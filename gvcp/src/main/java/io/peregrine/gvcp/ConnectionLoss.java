package io.peregrine.gvcp;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Whether and why a device is lost, and who is notified of it. Thread-safe. */
final class ConnectionLoss {
    private static final System.Logger LOGGER = System.getLogger(ConnectionLoss.class.getName());

    private final AtomicReference<Optional<ConnectionLostException>> reason = new AtomicReference<>(Optional.empty());
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    Optional<ConnectionLostException> reason() {
        return reason.get();
    }

    /** Declares the device lost and notifies each listener; only the first reason counts. */
    void declare(ConnectionLostException why) {
        Optional<ConnectionLostException> none = reason.get();
        if (none.isEmpty() && reason.compareAndSet(none, Optional.of(why))) {
            LOGGER.log(System.Logger.Level.DEBUG, why::getMessage);
        }
        // Also when it was declared before: an error may have come between that and the last listener.
        reason.get().ifPresent(first -> listeners.forEach(listener -> listener.notify(first)));
    }

    /** Adds a listener; it is notified at once if the device is lost already. */
    void onLost(Consumer<GvcpException> listener) {
        Listener added = new Listener(listener);
        listeners.add(added);
        reason.get().ifPresent(added::notify);
    }

    /** Notified once, though two threads may try. */
    private static final class Listener {
        private final Consumer<GvcpException> target;
        private final AtomicBoolean notified = new AtomicBoolean();

        Listener(Consumer<GvcpException> target) {
            this.target = target;
        }

        void notify(GvcpException why) {
            if (notified.compareAndSet(false, true)) {
                try {
                    target.accept(why);
                } catch (RuntimeException | Error e) {
                    LOGGER.log(System.Logger.Level.WARNING, "a listener for the loss of a device failed", e);
                }
            }
        }
    }
}
