package io.peregrine.rdmatest;

import io.peregrine.rdma.Completion;
import io.peregrine.rdma.CompletionHandler;
import io.peregrine.rdma.CompletionQueue;
import io.peregrine.rdma.CompletionQueueSettings;
import io.peregrine.rdma.ConnectionSettings;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RdmaTransport;
import io.peregrine.rdma.RemoteAccess;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One side's end of the connection of a test, with its queue and its memory. For one thread. */
final class Link implements AutoCloseable {
    /** Reports under way in one direction. */
    static final int REPORTS = 4;

    private static final int MAX_POLL = 64;
    /** Peers that are gone are noticed within some seconds. */
    private static final int ACK_TIMEOUT_EXPONENT = 17;

    private final RdmaTransport transport;
    private final CompletionQueue completions;
    private final Duration timeout;
    private final int depth;
    private final List<MemoryRegion> regions = new ArrayList<>();
    private @Nullable RdmaConnection connection;

    Link(RdmaTransport transport, TestPlan plan, int completionVector, Duration timeout) {
        this.transport = transport;
        this.timeout = timeout;
        // Messages, the end mark and reports.
        depth = plan.depth() + 1 + REPORTS;
        completions = transport.completionQueue(new CompletionQueueSettings(2 * depth, completionVector, MAX_POLL));
    }

    MemoryRegion register(ByteBuffer memory, RemoteAccess access) {
        MemoryRegion region = transport.register(RdmaMemory.of(memory), access);
        regions.add(region);
        return region;
    }

    ConnectionSettings settings() {
        return ConnectionSettings.of(completions, depth, depth)
                .withRetries(ACK_TIMEOUT_EXPONENT, 7, 7)
                .withNotReadyLimit(timeout);
    }

    void use(RdmaConnection prepared) {
        connection = prepared;
    }

    RdmaConnection connection() {
        return Objects.requireNonNull(connection, "connection");
    }

    Duration timeout() {
        return timeout;
    }

    /** Posts a receive. That the other side has ended the connection shows where something is awaited. */
    void postReceive(int workId, MemoryRegion region, long offsetBytes, int lengthBytes) {
        try {
            connection().postReceive(workId, region, offsetBytes, lengthBytes);
        } catch (RdmaException e) {
            if (connection().state() != RdmaConnection.State.DISCONNECTED) {
                throw e;
            }
        }
    }

    /**
     * Hands over what is done; waits for it where nothing is.
     *
     * @throws RdmaException if nothing happens in time, the connection broke, or the other side ended it
     */
    void advance(CompletionHandler handler) {
        if (!advanceOrEnd(handler)) {
            throw new RdmaException(connection().remoteAddress() + " ended the connection before the test was over");
        }
    }

    /** The same; false if the other side has ended the connection in good order. */
    boolean advanceOrEnd(CompletionHandler handler) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            // Before polling: what arrived before the end is handed over first.
            boolean connected = connection().state() == RdmaConnection.State.CONNECTED;
            if (completions.poll(completion -> checked(completion, handler)) > 0) {
                return true;
            }
            if (!connected) {
                connection().failure().ifPresent(why -> {
                    throw why;
                });
                return false;
            }
            if (System.nanoTime() - deadline >= 0) {
                throw new RdmaException(
                        connection().remoteAddress() + " did not go on within " + timeout.toMillis() + " ms");
            }
            completions.await(deadline);
        }
    }

    private void checked(Completion completion, CompletionHandler handler) {
        if (completion.status() == Completion.Status.FLUSHED) {
            return;
        }
        if (completion.status() != Completion.Status.SUCCESS) {
            throw new RdmaException(completion.operation() + " with "
                    + connection().remoteAddress() + " failed: " + completion.status());
        }
        handler.onCompletion(completion);
    }

    @Override
    public void close() {
        if (connection != null) {
            connection.close();
        }
        regions.forEach(MemoryRegion::close);
        completions.close();
    }
}
