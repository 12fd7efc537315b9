package io.peregrine.browser.http;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Connections on which no request with a session came yet. They have few places, apart from the others, and little
 * time, so that a host that holds them takes nothing from pages with a session. Safe for use by several threads.
 */
final class Strangers implements Connection.Listener {
    /** Places; the oldest connection makes room. */
    static final int MAX_STRANGERS = 32;

    /** How long a connection may stay; a page is loaded and logs in much sooner. */
    static final Duration STAY = Duration.ofSeconds(10);

    private final Scheduler scheduler;
    private final Duration stay;
    /** What ends each, the oldest first. */
    private final Map<Connection, Scheduler.Task> waiting = new LinkedHashMap<>();

    Strangers(Scheduler scheduler, Duration stay) {
        this.scheduler = scheduler;
        this.stay = stay;
    }

    @Override
    public void onOpened(Connection connection) {
        Connection oldest = null;
        synchronized (waiting) {
            if (waiting.size() >= MAX_STRANGERS) {
                oldest = waiting.keySet().iterator().next();
            }
            waiting.put(
                    connection, scheduler.schedule(() -> expel(connection), stay.toMillis(), TimeUnit.MILLISECONDS));
        }
        if (oldest != null) {
            expel(oldest);
        }
    }

    @Override
    public void onClosed(Connection connection) {
        remove(connection);
    }

    /** A request with a session came. */
    void known(Connection connection) {
        remove(connection);
    }

    /** Closes it if it still is one of them. */
    private void expel(Connection connection) {
        if (remove(connection)) {
            connection.getEndPoint().close();
        }
    }

    private boolean remove(Connection connection) {
        synchronized (waiting) {
            Scheduler.@Nullable Task end = waiting.remove(connection);
            if (end != null) {
                end.cancel();
            }
            return end != null;
        }
    }
}
