package io.peregrine.conformance.softroce;

import io.peregrine.rdma.Completion;
import io.peregrine.rdma.CompletionQueue;
import io.peregrine.rdma.CompletionQueueSettings;
import io.peregrine.rdma.ConnectionRequest;
import io.peregrine.rdma.ConnectionSettings;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaListener;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RdmaProviders;
import io.peregrine.rdma.RdmaTransport;
import io.peregrine.rdma.RemoteAccess;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One end of a test: a transport, a completion queue, and memory that the other end may write and read. */
final class RdmaPeer implements AutoCloseable {
    static final Duration LIMIT = Duration.ofSeconds(20);
    static final int MEMORY_BYTES = 2 << 20;
    static final int DEPTH = 32;

    final RdmaTransport transport;
    final CompletionQueue completions;
    final ByteBuffer memory;
    final MemoryRegion region;
    private final Deque<Ended> ended = new ArrayDeque<>();

    /** A completion, kept. */
    record Ended(
            RdmaConnection connection,
            long workId,
            Completion.Operation operation,
            Completion.Status status,
            long lengthBytes,
            Optional<Integer> immediate) {}

    private RdmaPeer(RdmaTransport transport, CompletionQueueSettings settings) {
        this.transport = transport;
        completions = transport.completionQueue(settings);
        memory = ByteBuffer.allocateDirect(MEMORY_BYTES);
        region = transport.register(RdmaMemory.of(memory), RemoteAccess.READ_WRITE);
    }

    static RdmaPeer open(String provider, String address) {
        return open(provider, address, CompletionQueueSettings.of(4 * DEPTH));
    }

    static RdmaPeer open(String provider, String address, CompletionQueueSettings settings) {
        return new RdmaPeer(RdmaProviders.open(provider, ipv4(address)).transport(), settings);
    }

    static Inet4Address ipv4(String text) {
        try {
            return (Inet4Address) InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    ConnectionSettings settings() {
        return ConnectionSettings.of(completions, DEPTH, DEPTH);
    }

    InetSocketAddress at(RdmaListener listener) {
        return new InetSocketAddress(transport.localAddress(), listener.port());
    }

    /** Two connections that are the ends of one. */
    record Link(RdmaConnection active, RdmaConnection passive) {}

    /** Connects to another peer; both ends have room for work but nothing posted. */
    Link connectTo(RdmaPeer other) {
        return connectTo(other, settings(), other.settings());
    }

    Link connectTo(RdmaPeer other, ConnectionSettings own, ConnectionSettings others) {
        try (RdmaListener listener = other.transport.listen(0)) {
            RdmaConnection active = transport.prepare(other.at(listener), own);
            CompletableFuture<byte[]> reply = inBackground(() -> active.connect(new byte[0], LIMIT));
            ConnectionRequest request = next(listener);
            RdmaConnection passive = request.prepare(others);
            passive.accept(new byte[0], LIMIT);
            result(reply);
            return new Link(active, passive);
        }
    }

    static ConnectionRequest next(RdmaListener listener) {
        try {
            return listener.next(LIMIT).orElseThrow(() -> new AssertionError("nobody asked to connect"));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    interface Task<T> {
        T run();
    }

    static <T> CompletableFuture<T> inBackground(Task<T> task) {
        return CompletableFuture.supplyAsync(task::run, command -> new Thread(command, "test-background").start());
    }

    static <T> T result(CompletableFuture<T> future) {
        try {
            return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new AssertionError(e);
        }
    }

    /** The next thing that ended; fails when nothing does. */
    Ended next() {
        return next(LIMIT).orElseThrow(() -> new AssertionError("nothing ended within " + LIMIT));
    }

    Optional<Ended> next(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (ended.isEmpty()) {
            if (completions.poll(this::keep) == 0) {
                if (System.nanoTime() - deadline >= 0) {
                    return Optional.empty();
                }
                completions.await(deadline);
            }
        }
        return Optional.of(ended.remove());
    }

    List<Ended> next(int count) {
        List<Ended> all = new ArrayList<>();
        while (all.size() < count) {
            all.add(next());
        }
        return all;
    }

    private void keep(Completion completion) {
        ended.add(new Ended(
                completion.connection(),
                completion.workId(),
                completion.operation(),
                completion.status(),
                completion.lengthBytes(),
                completion.hasImmediate() ? Optional.of(completion.immediate()) : Optional.empty()));
    }

    /** Polls until a connection is in a state. */
    void awaitState(RdmaConnection connection, RdmaConnection.State wanted) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (connection.state() != wanted) {
            if (System.nanoTime() - deadline >= 0) {
                throw new AssertionError(
                        "state is " + connection.state() + ", not " + wanted + ": " + connection.failure());
            }
            if (completions.poll(this::keep) == 0) {
                completions.await(deadline);
            }
        }
    }

    void fill(int offset, int length, int seed) {
        for (int i = 0; i < length; i++) {
            memory.put(offset + i, (byte) (i * 31 + (i >> 8) + seed));
        }
    }

    ByteBuffer bytes(int offset, int length) {
        return memory.slice(offset, length);
    }

    @Override
    public void close() {
        transport.close();
    }
}
