package io.peregrine.fabric;

import io.peregrine.rdma.Completion.Operation;
import io.peregrine.rdma.Completion.Status;
import io.peregrine.rdma.Completion;
import io.peregrine.rdma.CompletionHandler;
import io.peregrine.rdma.CompletionQueue;
import io.peregrine.rdma.CompletionQueueSettings;
import io.peregrine.rdma.ConnectionRejectedException;
import io.peregrine.rdma.ConnectionRequest;
import io.peregrine.rdma.ConnectionSettings;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaListener;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RdmaTransport;
import io.peregrine.rdma.RemoteAccess;
import io.peregrine.rdma.SharedReceiveQueue;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Transports in memory that are connected to each other: no threads, no time, no loss. Work completes in its order
 * while it is posted; what the peer has no receive for waits until it has. The rules of reliable connections hold:
 * order, keys, bounds, flushes.
 */
public final class FakeFabric {
    private static final Duration HELD_WORK_LIMIT = Duration.ofSeconds(10);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<InetSocketAddress, Consumer<Request>> handlers = new HashMap<>();
    private final Map<InetSocketAddress, Listener> listeners = new HashMap<>();
    private final List<Transport> transports = new CopyOnWriteArrayList<>();
    private boolean held;
    private boolean heldWork;
    private int nextKey = 0x1000;
    private long nextAddress = 0x7000_0000_0000L;

    /** Lets nothing that is posted complete any more. */
    public void hold() {
        lock.lock();
        try {
            held = true;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until something is posted that does not complete. */
    public void awaitHeldWork() throws InterruptedException {
        lock.lock();
        try {
            long left = HELD_WORK_LIMIT.toNanos();
            while (!heldWork && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Memory still registered, by any end. */
    public int openRegions() {
        return transports.stream().mapToInt(Transport::openRegions).sum();
    }

    /** A new end of the network. */
    public Transport transport(String address) {
        Transport made = new Transport(address(address));
        transports.add(made);
        return made;
    }

    public static Inet4Address address(String text) {
        try {
            return (Inet4Address) InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    public final class Transport implements RdmaTransport {
        public final Inet4Address address;
        public final List<Region> regions = new ArrayList<>();
        public final List<Connection> connections = new ArrayList<>();
        final List<Queue> queues = new ArrayList<>();
        final List<SharedQueue> sharedQueues = new ArrayList<>();
        private final Map<String, Long> losses = new HashMap<>();
        boolean closed;

        private Transport(Inet4Address address) {
            this.address = address;
        }

        /** Registrations, connections and queues that are not closed. */
        public int openObjects() {
            lock.lock();
            try {
                return regions.size() + connections.size() + queues.size() + sharedQueues.size();
            } finally {
                lock.unlock();
            }
        }

        public int openRegions() {
            lock.lock();
            try {
                return regions.size();
            } finally {
                lock.unlock();
            }
        }

        /** Whoever connects to the port is handed over on the connecting thread, which waits for the answer. */
        public InetSocketAddress onConnect(int port, Consumer<Request> handler) {
            InetSocketAddress endpoint = new InetSocketAddress(address, port);
            lock.lock();
            try {
                handlers.put(endpoint, handler);
            } finally {
                lock.unlock();
            }
            return endpoint;
        }

        @Override
        public String provider() {
            return "fake";
        }

        @Override
        public String deviceName() {
            return "memory";
        }

        @Override
        public Inet4Address localAddress() {
            return address;
        }

        @Override
        public String gid() {
            return "::ffff:" + address.getHostAddress();
        }

        @Override
        public int activeMtuBytes() {
            return 1024;
        }

        @Override
        public MemoryRegion register(RdmaMemory memory, RemoteAccess access) {
            lock.lock();
            try {
                Region region = new Region(this, memory, access, nextAddress, nextKey++);
                nextAddress += memory.lengthBytes() + 4096;
                regions.add(region);
                return region;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public CompletionQueue completionQueue(CompletionQueueSettings settings) {
            Queue queue = new Queue(this, settings.maxPoll());
            queues.add(queue);
            return queue;
        }

        @Override
        public SharedReceiveQueue sharedReceiveQueue(int depth) {
            SharedQueue queue = new SharedQueue(this, depth);
            sharedQueues.add(queue);
            return queue;
        }

        @Override
        public RdmaConnection prepare(InetSocketAddress remote, ConnectionSettings settings) {
            return made(new Connection(this, remote, settings));
        }

        private Connection made(Connection connection) {
            lock.lock();
            try {
                connections.add(connection);
                return connection;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public RdmaListener listen(int port) {
            lock.lock();
            try {
                InetSocketAddress endpoint = new InetSocketAddress(address, port == 0 ? nextKey++ : port);
                if (listeners.containsKey(endpoint)) {
                    throw new RdmaException("Port " + endpoint.getPort() + " is in use");
                }
                Listener listener = new Listener(this, endpoint);
                listeners.put(endpoint, listener);
                return listener;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public Map<String, Long> counters() {
            return packetLosses();
        }

        @Override
        public Map<String, Long> packetLosses() {
            return Map.copyOf(losses);
        }

        /** Sets a counter of packets that were lost. */
        public void packetLosses(String name, long count) {
            losses.put(name, count);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    public final class Region implements MemoryRegion {
        private final Transport owner;
        private final RdmaMemory memory;
        private final RemoteAccess access;
        private final long address;
        private final int key;

        Region(Transport owner, RdmaMemory memory, RemoteAccess access, long address, int key) {
            this.owner = owner;
            this.memory = memory;
            this.access = access;
            this.address = address;
            this.key = key;
        }

        public boolean remoteWrite() {
            return access.writes();
        }

        @Override
        public RdmaMemory memory() {
            return memory;
        }

        @Override
        public long remoteAddress() {
            return address;
        }

        @Override
        public int remoteKey() {
            return key;
        }

        @Override
        public void close() {
            lock.lock();
            try {
                owner.regions.remove(this);
            } finally {
                lock.unlock();
            }
        }
    }

    /** A connection request that waits for an answer. */
    public final class Request implements ConnectionRequest {
        private final Connection asking;
        private final byte[] privateData;
        private final CompletableFuture<byte[]> answer = new CompletableFuture<>();
        private Transport listening;

        Request(Connection asking, byte[] privateData) {
            this.asking = asking;
            this.privateData = privateData;
        }

        @Override
        public InetSocketAddress remoteAddress() {
            return new InetSocketAddress(asking.owner.address, 49152);
        }

        @Override
        public byte[] privateData() {
            return privateData.clone();
        }

        @Override
        public RdmaConnection prepare(ConnectionSettings settings) {
            return prepareOn(listening, settings);
        }

        /** The connection that answers, for requests that come to a handler. */
        public Connection prepareOn(Transport transport, ConnectionSettings settings) {
            Connection made = transport.made(new Connection(transport, remoteAddress(), settings));
            made.request = this;
            return made;
        }

        @Override
        public void reject(byte[] data) {
            // Padded as by the connection manager.
            answer.completeExceptionally(new ConnectionRejectedException(
                    "refused", ConnectionRejectedException.REASON_BY_CONSUMER, Arrays.copyOf(data, 148)));
        }

        private byte[] await(Duration timeout) {
            try {
                return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException e) {
                throw (RdmaException) e.getCause();
            } catch (TimeoutException e) {
                throw new RdmaException("No answer from " + asking.remote, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RdmaException("Interrupted", e);
            }
        }
    }

    private final class Listener implements RdmaListener {
        private final Transport owner;
        private final InetSocketAddress endpoint;
        private final ArrayDeque<Request> requests = new ArrayDeque<>();
        private boolean closed;

        Listener(Transport owner, InetSocketAddress endpoint) {
            this.owner = owner;
            this.endpoint = endpoint;
        }

        @Override
        public int port() {
            return endpoint.getPort();
        }

        @Override
        public Optional<ConnectionRequest> next(Duration timeout) throws InterruptedException {
            lock.lock();
            try {
                long left = timeout.toNanos();
                while (requests.isEmpty() && !closed && left > 0) {
                    left = changed.awaitNanos(left);
                }
                Request next = requests.poll();
                if (next != null) {
                    next.listening = owner;
                }
                return Optional.ofNullable(next);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                closed = true;
                listeners.remove(endpoint, this);
                requests.forEach(request -> request.reject(new byte[0]));
                requests.clear();
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private record Posted(long workId, MemoryRegion region, long offset, int length) {}

    private record Outgoing(
            long workId,
            Operation operation,
            MemoryRegion region,
            long offset,
            int length,
            long remoteAddress,
            int remoteKey) {}

    public final class SharedQueue implements SharedReceiveQueue {
        private final ArrayDeque<Posted> receives = new ArrayDeque<>();
        private final Transport owner;
        private final int depth;

        SharedQueue(Transport owner, int depth) {
            this.owner = owner;
            this.depth = depth;
        }

        @Override
        public void postReceive(long workId, MemoryRegion region, long offsetBytes, int lengthBytes) {
            lock.lock();
            try {
                if (receives.size() >= depth) {
                    throw new RdmaException("The shared receive queue is full");
                }
                receives.add(new Posted(workId, region, offsetBytes, lengthBytes));
                for (Connection connection : List.copyOf(owner.connections)) {
                    if (connection.peer != null) {
                        connection.peer.progress();
                    }
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            receives.clear();
            owner.sharedQueues.remove(this);
        }
    }

    public final class Connection implements RdmaConnection {
        private final Transport owner;
        private final InetSocketAddress remote;
        private final ConnectionSettings settings;
        private final ArrayDeque<Posted> ownReceives = new ArrayDeque<>();
        private final ArrayDeque<Outgoing> waiting = new ArrayDeque<>();
        private Request request;
        private Connection peer;
        private State state = State.PREPARED;
        private RdmaException failure;

        Connection(Transport owner, InetSocketAddress remote, ConnectionSettings settings) {
            this.owner = owner;
            this.remote = remote;
            this.settings = settings;
        }

        private ArrayDeque<Posted> receives() {
            return settings.sharedReceives().isPresent()
                    ? ((SharedQueue) settings.sharedReceives().get()).receives
                    : ownReceives;
        }

        private Queue queue() {
            return (Queue) settings.completions();
        }

        /** Sends that wait for a receive of the peer. */
        public int notReady() {
            lock.lock();
            try {
                return waiting.size();
            } finally {
                lock.unlock();
            }
        }

        /** Breaks the connection for both, as when retries are used up. */
        public void fail(String reason) {
            lock.lock();
            try {
                end(State.FAILED, new RdmaException(reason));
            } finally {
                lock.unlock();
            }
        }

        /** The oldest receive of this side ends with an error, and the connection with it. */
        public void failReceive(Status status) {
            lock.lock();
            try {
                Posted receive = receives().poll();
                complete(receive.workId, Operation.RECEIVE, status, 0);
                end(State.FAILED, new RdmaException("injected"));
            } finally {
                lock.unlock();
            }
        }

        private void end(State how, RdmaException why) {
            for (Connection side : peer == null ? List.of(this) : List.of(this, peer)) {
                if (side.state == State.CONNECTED || (side == this && side.state == State.PREPARED)) {
                    side.state = how;
                    side.failure = why;
                    side.queue().woken = true;
                    side.flush();
                }
            }
            changed.signalAll();
        }

        private void flush() {
            while (!waiting.isEmpty()) {
                Outgoing work = waiting.poll();
                complete(work.workId, work.operation, Status.FLUSHED, 0);
            }
            while (!ownReceives.isEmpty()) {
                complete(ownReceives.poll().workId, Operation.RECEIVE, Status.FLUSHED, 0);
            }
        }

        private void complete(long workId, Operation operation, Status status, long length) {
            queue().entries.add(new Entry(this, workId, operation, status, length));
            changed.signalAll();
        }

        @Override
        public State state() {
            lock.lock();
            try {
                return state;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public Optional<RdmaException> failure() {
            lock.lock();
            try {
                return Optional.ofNullable(failure);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public InetSocketAddress remoteAddress() {
            return remote;
        }

        @Override
        public int queuePairNumber() {
            return 17;
        }

        @Override
        public int pathMtuBytes() {
            return 1024;
        }

        @Override
        public byte[] connect(byte[] privateData, Duration timeout) {
            // Padded as by the connection manager.
            Request asked = new Request(this, Arrays.copyOf(privateData, 56));
            Consumer<Request> handler;
            lock.lock();
            try {
                handler = handlers.get(remote);
                Listener listener = listeners.get(remote);
                if (handler == null && listener == null) {
                    throw new ConnectionRejectedException(
                            "nobody listens at " + remote, ConnectionRejectedException.REASON_NO_LISTENER, new byte[0]);
                }
                if (listener != null) {
                    listener.requests.add(asked);
                    changed.signalAll();
                }
            } finally {
                lock.unlock();
            }
            if (handler != null) {
                handler.accept(asked);
                return asked.await(Duration.ZERO);
            }
            return asked.await(timeout);
        }

        @Override
        public void accept(byte[] privateData, Duration timeout) {
            lock.lock();
            try {
                peer = request.asking;
                peer.peer = this;
                state = State.CONNECTED;
                peer.state = State.CONNECTED;
                request.answer.complete(Arrays.copyOf(privateData, 196));
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void postReceive(long workId, MemoryRegion region, long offsetBytes, int lengthBytes) {
            lock.lock();
            try {
                if (state != State.PREPARED && state != State.CONNECTED) {
                    throw new RdmaException("The connection has ended");
                }
                if (ownReceives.size() >= settings.receiveDepth()) {
                    throw new RdmaException("The receive queue is full");
                }
                if (!region.memory().contains(offsetBytes, lengthBytes)) {
                    throw new RdmaException("Outside the region");
                }
                ownReceives.add(new Posted(workId, region, offsetBytes, lengthBytes));
                if (peer != null) {
                    peer.progress();
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void postSend(long workId, MemoryRegion region, long offsetBytes, int lengthBytes) {
            post(new Outgoing(workId, Operation.SEND, region, offsetBytes, lengthBytes, 0, 0));
        }

        private void post(Outgoing work) {
            lock.lock();
            try {
                if (state != State.CONNECTED) {
                    throw new RdmaException("The connection has ended");
                }
                waiting.add(work);
                progress();
            } finally {
                lock.unlock();
            }
        }

        private void progress() {
            if (held && !waiting.isEmpty()) {
                heldWork = true;
                changed.signalAll();
            }
            while (!held && state == State.CONNECTED && !waiting.isEmpty()) {
                if (waiting.peek().operation != Operation.SEND) {
                    access(waiting.poll());
                } else if (peer.receives().isEmpty()) {
                    return;
                } else {
                    send(waiting.poll(), peer.receives().poll());
                }
            }
        }

        private void send(Outgoing send, Posted receive) {
            if (send.length > receive.length) {
                peer.complete(receive.workId, Operation.RECEIVE, Status.LOCAL_ERROR, 0);
                complete(send.workId, Operation.SEND, Status.REMOTE_INVALID_REQUEST, 0);
                end(State.FAILED, new RdmaException("A message was too long"));
                return;
            }
            copy(send.region.memory(), send.offset, receive.region.memory(), receive.offset, send.length);
            peer.complete(receive.workId, Operation.RECEIVE, Status.SUCCESS, send.length);
            complete(send.workId, Operation.SEND, Status.SUCCESS, 0);
        }

        private void access(Outgoing work) {
            boolean write = work.operation == Operation.WRITE;
            for (Region target : peer.owner.regions) {
                long offset = work.remoteAddress - target.address;
                if (target.key == work.remoteKey
                        && (write ? target.access.writes() : target.access.reads())
                        && target.memory().contains(offset, work.length)) {
                    RdmaMemory own = work.region.memory();
                    if (write) {
                        copy(own, work.offset, target.memory(), offset, work.length);
                    } else {
                        copy(target.memory(), offset, own, work.offset, work.length);
                    }
                    complete(work.workId, work.operation, Status.SUCCESS, 0);
                    return;
                }
            }
            complete(work.workId, work.operation, Status.REMOTE_ACCESS_ERROR, 0);
            end(State.FAILED, new RdmaException("The peer did not allow a " + (write ? "write" : "read")));
        }

        private static void copy(RdmaMemory from, long fromOffset, RdmaMemory to, long toOffset, int length) {
            ByteBuffer bytes = ByteBuffer.allocate(length);
            from.get(fromOffset, bytes, length);
            to.put(toOffset, bytes.flip());
        }

        @Override
        public void postSendWithImmediate(
                long workId, MemoryRegion region, long offsetBytes, int lengthBytes, int immediate) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void postWrite(
                long workId,
                MemoryRegion region,
                long offsetBytes,
                int lengthBytes,
                long remoteAddress,
                int remoteKey) {
            post(new Outgoing(workId, Operation.WRITE, region, offsetBytes, lengthBytes, remoteAddress, remoteKey));
        }

        @Override
        public void postRead(
                long workId,
                MemoryRegion region,
                long offsetBytes,
                int lengthBytes,
                long remoteAddress,
                int remoteKey) {
            post(new Outgoing(workId, Operation.READ, region, offsetBytes, lengthBytes, remoteAddress, remoteKey));
        }

        @Override
        public void postWriteWithImmediate(
                long workId,
                MemoryRegion region,
                long offsetBytes,
                int lengthBytes,
                long remoteAddress,
                int remoteKey,
                int immediate) {
            lock.lock();
            try {
                Posted receive = peer.receives().poll();
                peer.complete(receive.workId, Operation.RECEIVE_WRITE, Status.SUCCESS, 0);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void disconnect() {
            lock.lock();
            try {
                end(State.DISCONNECTED, null);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                end(State.DISCONNECTED, null);
                state = State.CLOSED;
                owner.connections.remove(this);
            } finally {
                lock.unlock();
            }
        }
    }

    private record Entry(RdmaConnection connection, long workId, Operation operation, Status status, long lengthBytes)
            implements Completion {
        @Override
        public boolean hasImmediate() {
            return false;
        }

        @Override
        public int immediate() {
            return 0;
        }
    }

    public final class Queue implements CompletionQueue {
        private final Transport owner;
        private final ArrayDeque<Entry> entries = new ArrayDeque<>();
        private final int maxPoll;
        private boolean woken;

        Queue(Transport owner, int maxPoll) {
            this.owner = owner;
            this.maxPoll = maxPoll;
        }

        @Override
        public int poll(CompletionHandler handler) {
            List<Entry> taken = new ArrayList<>();
            lock.lock();
            try {
                while (taken.size() < maxPoll && !entries.isEmpty()) {
                    taken.add(entries.poll());
                }
            } finally {
                lock.unlock();
            }
            taken.forEach(handler::onCompletion);
            return taken.size();
        }

        @Override
        public void await(long deadlineNanos) {
            lock.lock();
            try {
                long left = deadlineNanos - System.nanoTime();
                while (entries.isEmpty() && !woken && left > 0) {
                    left = changed.awaitNanos(left);
                }
                woken = false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void wakeUp() {
            lock.lock();
            try {
                woken = true;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            owner.queues.remove(this);
        }
    }
}
