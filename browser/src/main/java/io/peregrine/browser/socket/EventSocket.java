package io.peregrine.browser.socket;

import io.peregrine.browser.cameras.Events;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.jspecify.annotations.Nullable;

/**
 * Notifies one page of changes. A page that does not read gets no more than {@link #MAX_WAITING} messages later, and
 * then one that asks it to read everything again.
 */
public final class EventSocket extends Session.Listener.AbstractAutoDemanding {
    private static final System.Logger LOGGER = System.getLogger(EventSocket.class.getName());

    static final int MAX_WAITING = 256;

    private static final String READ_AGAIN = "{\"type\":\"overflow\"}";

    private final Events events;
    private final Consumer<String> listener = this::add;
    private final Deque<String> waiting = new ArrayDeque<>();
    private @Nullable Session session;
    private boolean sending;

    /** Creates the endpoint of one connection. */
    public EventSocket(Events events) {
        this.events = events;
    }

    @Override
    public void onWebSocketOpen(Session opened) {
        super.onWebSocketOpen(opened);
        synchronized (this) {
            session = opened;
        }
        events.add(listener);
    }

    /** A page that went away; the connection is closed after this. */
    @Override
    public void onWebSocketError(Throwable cause) {
        LOGGER.log(System.Logger.Level.DEBUG, "The connection to a page failed", cause);
    }

    @Override
    public void onWebSocketClose(int statusCode, String reason, Callback callback) {
        events.remove(listener);
        callback.succeed();
    }

    private void add(String text) {
        synchronized (this) {
            if (waiting.size() >= MAX_WAITING) {
                waiting.clear();
                waiting.add(READ_AGAIN);
            } else {
                waiting.add(text);
            }
        }
        pump();
    }

    private void pump() {
        Session to;
        String text;
        synchronized (this) {
            to = session;
            if (sending || to == null || waiting.isEmpty()) {
                return;
            }
            sending = true;
            text = waiting.remove();
        }
        to.sendText(text, Callback.from(this::sent, failure -> events.remove(listener)));
    }

    private void sent() {
        synchronized (this) {
            sending = false;
        }
        pump();
    }
}
