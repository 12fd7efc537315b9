package io.peregrine.browser.cameras;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** What pages are notified of, as JSON with the property {@code type}. Safe for use by several threads. */
public final class Events {
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();

    /** Adds a listener, which must not block. */
    public void add(Consumer<String> listener) {
        listeners.add(listener);
    }

    /** Removes a listener. */
    public void remove(Consumer<String> listener) {
        listeners.remove(listener);
    }

    /** Whether no page listens. */
    public boolean isEmpty() {
        return listeners.isEmpty();
    }

    /** Notifies all pages. */
    public void publish(ObjectNode event) {
        if (listeners.isEmpty()) {
            return;
        }
        String text = event.toString();
        listeners.forEach(listener -> listener.accept(text));
    }
}
