package io.peregrine.virtualcamera;

import io.peregrine.rdma.ConnectionRequest;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaListener;
import io.peregrine.rdma.RdmaTransport;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Takes RDMA connections on its own thread, one at a time, and holds it. Thread-safe. */
final class RdmaAcceptor implements AutoCloseable {
    /** Decides which connections to admit. */
    interface Gate {
        /** The GEV status for a greeting, 0 for welcome. */
        int judge(RdmaGreeting greeting);

        /** A connection was admitted: another with the same greeting is not. */
        void admitted();

        /** The container that would be sent now. */
        GenDcLayout container();
    }

    /** Notified of what happens to the connection. */
    interface Listener {
        /** There is a connection, or there is none any more. */
        void changed();

        /** There is a new one. */
        void connected();

        /** A block ended on it, whole or not. */
        void blockEnded(boolean whole);
    }

    private static final System.Logger LOGGER = System.getLogger(RdmaAcceptor.class.getName());
    private static final Duration ACCEPT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration POLL_PERIOD = Duration.ofSeconds(1);
    private static final long MAX_ENDING_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long ENDING_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final RdmaTransport transport;
    private final RdmaListener listener;
    private final Gate gate;
    private final Listener owner;
    private final Counters counters;
    private final Thread thread;
    private final Object linkChange = new Object();
    private final AtomicInteger dismissals = new AtomicInteger();
    private volatile @Nullable RdmaLink link;
    private volatile boolean open = true;

    RdmaAcceptor(RdmaEndpoint.Open endpoint, String address, Gate gate, Listener owner, Counters counters) {
        this.transport = endpoint.transport();
        this.listener = endpoint.listener();
        this.gate = gate;
        this.owner = owner;
        this.counters = counters;
        thread = new Thread(this::run, "peregrine-camera-rdma-listen-" + address);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Whether connections are taken. */
    boolean open() {
        return open;
    }

    /** The port where connections are taken; 0 when none are. */
    int port() {
        return open ? listener.port() : 0;
    }

    /** The connection, established or about to be; null if there is none. */
    @Nullable
    RdmaLink link() {
        return link;
    }

    /** Ends the connection, soon. Does not wait. */
    void dismiss() {
        dismissals.incrementAndGet();
        RdmaLink current = link;
        if (current != null) {
            current.requestEnd();
        }
    }

    /** There is no connection any more. */
    void forget() {
        synchronized (linkChange) {
            link = null;
            linkChange.notifyAll();
        }
        owner.changed();
    }

    private void run() {
        while (open) {
            try {
                listener.next(POLL_PERIOD).ifPresent(this::answer);
            } catch (InterruptedException e) {
                return;
            } catch (RdmaException e) {
                if (open) {
                    LOGGER.log(System.Logger.Level.WARNING, "The camera takes no RDMA connections any more", e);
                }
                open = false;
            }
        }
    }

    private void answer(ConnectionRequest request) {
        try {
            int before = dismissals.get();
            RdmaGreeting greeting = RdmaGreeting.parse(request.privateData());
            int status = gate.judge(greeting);
            if (status == Gvcp.SUCCESS && !linkIsFree()) {
                status = Gvcp.BUSY;
            }
            if (status != Gvcp.SUCCESS) {
                counters.rdmaRefusals.increment();
                request.reject(RdmaGreeting.refusal(status));
                return;
            }
            gate.admitted();
            welcome(request, greeting, before);
        } catch (RuntimeException e) {
            // The host knows why, or it is unknown and must not fill the log with warnings.
            LOGGER.log(System.Logger.Level.INFO, "An RDMA connection was not established", e);
        }
    }

    /** Whether there is no connection; waits until one that is ending has ended. */
    private boolean linkIsFree() {
        long deadline = System.nanoTime() + MAX_ENDING_NANOS;
        synchronized (linkChange) {
            RdmaLink current = link;
            while (current != null && current.over() && open) {
                long remaining = deadline - System.nanoTime();
                if (remaining <= 0) {
                    return false;
                }
                current.wakeUp();
                try {
                    TimeUnit.NANOSECONDS.timedWait(linkChange, Math.min(remaining, ENDING_POLL_NANOS));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
                current = link;
            }
            return current == null;
        }
    }

    private void welcome(ConnectionRequest request, RdmaGreeting greeting, int dismissalsBefore) {
        GenDcLayout container = gate.container();
        RdmaLink made = new RdmaLink(transport, request, greeting, container.flowRanges(), owner::blockEnded);
        // Known before it is accepted: the host may start the acquisition as soon as it has the answer.
        link = made;
        try {
            made.accept(RdmaGreeting.welcome(container.blockBytes()), ACCEPT_TIMEOUT);
        } catch (RdmaException e) {
            made.close();
            forget();
            throw e;
        }
        counters.rdmaConnections.increment();
        owner.connected();
        if (dismissals.get() != dismissalsBefore) {
            made.requestEnd();
        }
        owner.changed();
    }

    /** Takes no connections any more; the one that there is stays. */
    @Override
    public void close() {
        open = false;
        listener.close();
    }

    Thread thread() {
        return thread;
    }
}
