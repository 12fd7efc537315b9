package io.peregrine.rdma;

import io.peregrine.rdma.Completion.Operation;
import io.peregrine.rdma.Completion.Status;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Transports in memory that are connected to each other: no threads, no time, no loss. Work completes while it is posted;
 * what the peer has no receive for waits until it has.
 */
final class FakeFabric {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<InetSocketAddress, Consumer<Request>> listeners = new HashMap<>();
    private int nextKey = 0x1000;
    private long nextAddress = 0x7000_0000_0000L;

    Transport transport(String address) {
        return new Transport(address(address));
    }

    static Inet4Address address(String text) {
        try {
            return (Inet4Address) InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    final class Transport implements RdmaTransport {
        final Inet4Address address;
        final List<Region> regions = new ArrayList<>();
        final List<Connection> connections = new ArrayList<>();
        final List<Queue> queues = new ArrayList<>();
        final List<SharedQueue> sharedQueues = new ArrayList<>();
        boolean closed;

        private Transport(Inet4Address address) {
            this.address = address;
        }

        /** Registrations, connections and queues that are not closed. */
        int openObjects() {
            lock.lock();
            try {
                return regions.size() + connections.size() + queues.size() + sharedQueues.size();
            } finally {
                lock.unlock();
            }
        }

        int openRegions() {
            lock.lock();
            try {
                return regions.size();
            } finally {
                lock.unlock();
            }
        }

        /** Whoever connects to the port is handed over on the connecting thread, which waits for the answer. */
        InetSocketAddress onConnect(int port, Consumer<Request> handler) {
            InetSocketAddress endpoint = new InetSocketAddress(address, port);
            lock.lock();
            try {
                listeners.put(endpoint, handler);
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
        public MemoryRegion register(RdmaMemory memory, boolean remoteWrite) {
            lock.lock();
            try {
                Region region = new Region(this, memory, remoteWrite, nextAddress, nextKey++);
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
            throw new UnsupportedOperationException("use onConnect");
        }

        @Override
        public Map<String, Long> counters() {
            return Map.of();
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    final class Region implements MemoryRegion {
        private final Transport owner;
        private final RdmaMemory memory;
        private final boolean remoteWrite;
        private final long address;
        private final int key;

        Region(Transport owner, RdmaMemory memory, boolean remoteWrite, long address, int key) {
            this.owner = owner;
            this.memory = memory;
            this.remoteWrite = remoteWrite;
            this.address = address;
            this.key = key;
        }

        boolean remoteWrite() {
            return remoteWrite;
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
    final class Request implements ConnectionRequest {
        private final Connection asking;
        private final byte[] privateData;
        private Connection answering;
        private byte[] reply;
        private byte[] rejection;

        Request(Connection asking, byte[] privateData) {
            this.asking = asking;
            this.privateData = privateData;
        }

        @Override
        public InetSocketAddress remoteAddress() {
            return new InetSocketAddress(asking.owner.address, 1);
        }

        @Override
        public byte[] privateData() {
            return privateData.clone();
        }

        @Override
        public RdmaConnection prepare(ConnectionSettings settings) {
            throw new UnsupportedOperationException("use prepareOn");
        }

        Connection prepareOn(Transport transport, ConnectionSettings settings) {
            answering = transport.made(new Connection(transport, remoteAddress(), settings));
            answering.request = this;
            return answering;
        }

        @Override
        public void reject(byte[] data) {
            rejection = data.clone();
        }
    }

    private record Posted(long workId, MemoryRegion region, long offset, int length) {}

    private record Outgoing(long workId, MemoryRegion region, long offset, int length) {}

    final class SharedQueue implements SharedReceiveQueue {
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
                        connection.peer.retry();
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

    final class Connection implements RdmaConnection {
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
        int notReady() {
            lock.lock();
            try {
                return waiting.size();
            } finally {
                lock.unlock();
            }
        }

        /** Breaks the connection for both, as when retries are used up. */
        void fail(String reason) {
            lock.lock();
            try {
                end(State.FAILED, new RdmaException(reason));
            } finally {
                lock.unlock();
            }
        }

        /** The oldest receive of this side ends with an error, and the connection with it. */
        void failReceive(Status status) {
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
                complete(waiting.poll().workId, Operation.SEND, Status.FLUSHED, 0);
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
            Consumer<Request> listener;
            lock.lock();
            try {
                listener = listeners.get(remote);
            } finally {
                lock.unlock();
            }
            if (listener == null) {
                throw new ConnectionRejectedException(
                        "nobody listens at " + remote, ConnectionRejectedException.REASON_NO_LISTENER, new byte[0]);
            }
            // Padded as by the connection manager.
            Request asked = new Request(this, java.util.Arrays.copyOf(privateData, 56));
            listener.accept(asked);
            if (asked.rejection != null) {
                throw new ConnectionRejectedException(
                        "refused",
                        ConnectionRejectedException.REASON_BY_CONSUMER,
                        java.util.Arrays.copyOf(asked.rejection, 148));
            }
            if (asked.reply == null) {
                throw new RdmaException("No answer from " + remote);
            }
            return java.util.Arrays.copyOf(asked.reply, 196);
        }

        @Override
        public void accept(byte[] privateData, Duration timeout) {
            lock.lock();
            try {
                request.reply = privateData.clone();
                peer = request.asking;
                peer.peer = this;
                state = State.CONNECTED;
                peer.state = State.CONNECTED;
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
                    peer.retry();
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void postSend(long workId, MemoryRegion region, long offsetBytes, int lengthBytes) {
            lock.lock();
            try {
                if (state != State.CONNECTED) {
                    throw new RdmaException("The connection has ended");
                }
                waiting.add(new Outgoing(workId, region, offsetBytes, lengthBytes));
                retry();
            } finally {
                lock.unlock();
            }
        }

        private void retry() {
            while (state == State.CONNECTED
                    && !waiting.isEmpty()
                    && !peer.receives().isEmpty()) {
                Outgoing send = waiting.poll();
                Posted receive = peer.receives().poll();
                if (send.length > receive.length) {
                    peer.complete(receive.workId, Operation.RECEIVE, Status.LOCAL_ERROR, 0);
                    complete(send.workId, Operation.SEND, Status.REMOTE_INVALID_REQUEST, 0);
                    end(State.FAILED, new RdmaException("A message was too long"));
                    return;
                }
                ByteBuffer bytes = ByteBuffer.allocate(send.length);
                send.region.memory().get(send.offset, bytes, send.length);
                receive.region.memory().put(receive.offset, bytes.flip());
                peer.complete(receive.workId, Operation.RECEIVE, Status.SUCCESS, send.length);
                complete(send.workId, Operation.SEND, Status.SUCCESS, 0);
            }
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
            lock.lock();
            try {
                if (state != State.CONNECTED) {
                    throw new RdmaException("The connection has ended");
                }
                for (Region target : peer.owner.regions) {
                    long offset = remoteAddress - target.address;
                    if (target.key == remoteKey
                            && target.remoteWrite
                            && target.memory().contains(offset, lengthBytes)) {
                        ByteBuffer bytes = ByteBuffer.allocate(lengthBytes);
                        region.memory().get(offsetBytes, bytes, lengthBytes);
                        target.memory().put(offset, bytes.flip());
                        complete(workId, Operation.WRITE, Status.SUCCESS, 0);
                        return;
                    }
                }
                complete(workId, Operation.WRITE, Status.REMOTE_ACCESS_ERROR, 0);
                end(State.FAILED, new RdmaException("The peer did not allow a write"));
            } finally {
                lock.unlock();
            }
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

    final class Queue implements CompletionQueue {
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
