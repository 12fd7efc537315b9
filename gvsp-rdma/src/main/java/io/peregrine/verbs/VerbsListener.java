package io.peregrine.verbs;

import io.peregrine.nativeio.LibRdmaCm;
import io.peregrine.rdma.ConnectionRequest;
import io.peregrine.rdma.RdmaListener;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Listens with an identifier of the connection manager. */
final class VerbsListener implements RdmaListener, CmEvent.Handler {
    /** Requests that may wait for the application; more are refused. */
    static final int BACKLOG = 64;

    private final VerbsTransport transport;
    private final long id;
    private final int port;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<VerbsConnectionRequest> waiting = new ArrayDeque<>();
    private boolean closed;

    VerbsListener(VerbsTransport transport, long id, int port) {
        this.transport = transport;
        this.id = id;
        this.port = port;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void onEvent(CmEvent event) {
        if (event.type() != CmEvent.CONNECT_REQUEST) {
            return;
        }
        VerbsConnectionRequest request = new VerbsConnectionRequest(transport, event.id(), event.privateData());
        lock.lock();
        try {
            if (!closed && waiting.size() < BACKLOG && transport.keep(request)) {
                transport.events().handle(event.id(), request);
                waiting.add(request);
                changed.signal();
                return;
            }
        } finally {
            lock.unlock();
        }
        LibRdmaCm.rdma_destroy_id(event.id());
    }

    @Override
    public Optional<ConnectionRequest> next(Duration timeout) throws InterruptedException {
        long left = timeout.toNanos();
        lock.lockInterruptibly();
        try {
            while (waiting.isEmpty()) {
                if (closed || left <= 0) {
                    return Optional.empty();
                }
                left = changed.awaitNanos(left);
            }
            return Optional.of(waiting.remove());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        List<VerbsConnectionRequest> refused;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            refused = new ArrayList<>(waiting);
            waiting.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        transport.forget(this);
        refused.forEach(VerbsConnectionRequest::close);
        transport.events().forget(id);
        LibRdmaCm.rdma_destroy_id(id);
    }
}
