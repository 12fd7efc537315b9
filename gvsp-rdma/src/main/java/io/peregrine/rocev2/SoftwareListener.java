package io.peregrine.rocev2;

import io.peregrine.rdma.ConnectionRequest;
import io.peregrine.rdma.RdmaListener;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;

/** Requests for connections, as they come. */
final class SoftwareListener implements RdmaListener, CmListener {
    private static final byte[] NOTHING = {};

    private final SoftwareTransport transport;
    private final Condition changed;
    private final ArrayDeque<SoftwareRequest> waiting = new ArrayDeque<>();
    private int port;
    private boolean closed;

    SoftwareListener(SoftwareTransport transport) {
        this.transport = transport;
        changed = transport.port().lock().newCondition();
    }

    void begin(int chosen) {
        port = chosen;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void requested(CmId id, CmRequest request) {
        waiting.add(new SoftwareRequest(transport, id, request));
        changed.signal();
    }

    @Override
    public void withdrawn(CmId id) {
        waiting.removeIf(request -> request.id().equals(id));
    }

    @Override
    public Optional<ConnectionRequest> next(Duration timeout) throws InterruptedException {
        long left = Deadlines.nanos(timeout);
        transport.port().lock().lockInterruptibly();
        try {
            while (waiting.isEmpty() && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            return Optional.ofNullable(waiting.poll());
        } finally {
            transport.port().lock().unlock();
        }
    }

    @Override
    public void close() {
        RocePort owner = transport.port();
        owner.lock().lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            owner.endpoint().connections().unlisten(port);
            for (SoftwareRequest request : waiting) {
                owner.endpoint().connections().reject(request.id(), NOTHING, System.nanoTime());
            }
            waiting.clear();
            changed.signalAll();
            transport.forget(this);
        } finally {
            owner.lock().unlock();
        }
        owner.wakeUp();
    }
}
