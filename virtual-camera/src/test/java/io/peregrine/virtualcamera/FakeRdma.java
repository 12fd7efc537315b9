package io.peregrine.virtualcamera;

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
import io.peregrine.rdma.SharedReceiveQueue;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * RDMA without a network: work completes as soon as it is posted, or once the other side has a receive for it. The
 * rules of reliable connections hold: order, keys, bounds, flushes.
 */
final class FakeRdma {
    private final Map<Integer, Listener> listeners = new HashMap<>();
    private final Map<Integer, Region> regions = new HashMap<>();
    private final Set<Region> registered = new HashSet<>();
    private int nextNumber = 0x100;
    private boolean held;
    private boolean heldWork;

    /** A transport of this network. */
    RdmaTransport transport(String address) throws UnknownHostException {
        return new Transport((Inet4Address) InetAddress.getByName(address));
    }

    /** Lets nothing that is posted complete any more. */
    synchronized void hold() {
        held = true;
    }

    /** Waits until something is posted that does not complete. */
    synchronized void awaitHeldWork() throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!heldWork && deadline - System.nanoTime() > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, TimeUnit.SECONDS.toNanos(1));
        }
    }

    /** Memory still registered. */
    synchronized int registrations() {
        return registered.size();
    }

    private final class Transport implements RdmaTransport {
        private final Inet4Address address;
        private final Set<Connection> connections = new HashSet<>();
        private final Set<Listener> own = new HashSet<>();

        Transport(Inet4Address address) {
            this.address = address;
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
            return 4096;
        }

        @Override
        public MemoryRegion register(RdmaMemory memory, boolean remoteWrite) {
            synchronized (FakeRdma.this) {
                Region region = new Region(memory, remoteWrite, nextNumber++);
                regions.put(region.key, region);
                registered.add(region);
                return region;
            }
        }

        @Override
        public CompletionQueue completionQueue(CompletionQueueSettings settings) {
            return new Queue(settings.maxPoll());
        }

        @Override
        public SharedReceiveQueue sharedReceiveQueue(int depth) {
            throw new RdmaException("No shared receive queues here");
        }

        @Override
        public RdmaConnection prepare(InetSocketAddress remote, ConnectionSettings settings) {
            return connection(remote, settings);
        }

        private Connection connection(InetSocketAddress remote, ConnectionSettings settings) {
            synchronized (FakeRdma.this) {
                Connection made = new Connection(this, remote, (Queue) settings.completions(), nextNumber++);
                connections.add(made);
                return made;
            }
        }

        @Override
        public RdmaListener listen(int port) {
            synchronized (FakeRdma.this) {
                int taken = port == 0 ? nextNumber++ : port;
                if (listeners.containsKey(taken)) {
                    throw new RdmaException("Port " + taken + " is in use");
                }
                Listener listener = new Listener(this, taken);
                listeners.put(taken, listener);
                own.add(listener);
                return listener;
            }
        }

        @Override
        public Map<String, Long> counters() {
            return Map.of();
        }

        @Override
        public void close() {
            synchronized (FakeRdma.this) {
                own.forEach(Listener::close);
                Set.copyOf(connections).forEach(Connection::close);
            }
        }
    }

    private final class Region implements MemoryRegion {
        private final RdmaMemory memory;
        private final boolean remoteWrite;
        private final int key;

        Region(RdmaMemory memory, boolean remoteWrite, int key) {
            this.memory = memory;
            this.remoteWrite = remoteWrite;
            this.key = key;
        }

        @Override
        public RdmaMemory memory() {
            return memory;
        }

        @Override
        public long remoteAddress() {
            return 0x7F00_0000_0000L + ((long) key << 32);
        }

        @Override
        public int remoteKey() {
            return key;
        }

        @Override
        public void close() {
            synchronized (FakeRdma.this) {
                registered.remove(this);
            }
        }
    }

    private record Done(long workId, Status status, Operation operation, RdmaConnection connection, long lengthBytes)
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

    private final class Queue implements CompletionQueue {
        private final ArrayDeque<Done> done = new ArrayDeque<>();
        private final int maxPoll;
        private boolean woken;

        Queue(int maxPoll) {
            this.maxPoll = maxPoll;
        }

        void add(Done completion) {
            done.add(completion);
            FakeRdma.this.notifyAll();
        }

        @Override
        public int poll(CompletionHandler handler) {
            int count = 0;
            while (count < maxPoll) {
                Done next;
                synchronized (FakeRdma.this) {
                    next = done.poll();
                }
                if (next == null) {
                    break;
                }
                handler.onCompletion(next);
                count++;
            }
            return count;
        }

        @Override
        public void await(long deadlineNanos) {
            synchronized (FakeRdma.this) {
                try {
                    long left = deadlineNanos - System.nanoTime();
                    while (done.isEmpty() && !woken && left > 0) {
                        TimeUnit.NANOSECONDS.timedWait(FakeRdma.this, left);
                        left = deadlineNanos - System.nanoTime();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                woken = false;
            }
        }

        @Override
        public void wakeUp() {
            synchronized (FakeRdma.this) {
                woken = true;
                FakeRdma.this.notifyAll();
            }
        }

        @Override
        public void close() {
            // Nothing to release.
        }
    }

    private record Work(long id, boolean write, Region region, long offset, int length, long address, int key) {}

    private final class Connection implements RdmaConnection {
        private final Transport transport;
        private final InetSocketAddress remote;
        private final Queue queue;
        private final int number;
        private final ArrayDeque<Work> receives = new ArrayDeque<>();
        private final ArrayDeque<Work> sends = new ArrayDeque<>();
        private Request request;
        private Connection peer;
        private State state = State.PREPARED;

        Connection(Transport transport, InetSocketAddress remote, Queue queue, int number) {
            this.transport = transport;
            this.remote = remote;
            this.queue = queue;
            this.number = number;
        }

        @Override
        public State state() {
            synchronized (FakeRdma.this) {
                return state;
            }
        }

        @Override
        public Optional<RdmaException> failure() {
            return state() == State.FAILED ? Optional.of(new RdmaException("The peer refused")) : Optional.empty();
        }

        @Override
        public InetSocketAddress remoteAddress() {
            return remote;
        }

        @Override
        public int queuePairNumber() {
            return number;
        }

        @Override
        public int pathMtuBytes() {
            return 4096;
        }

        @Override
        public byte[] connect(byte[] privateData, Duration timeout) {
            Request asked = new Request(this, Arrays.copyOf(privateData, 56));
            synchronized (FakeRdma.this) {
                Listener listener = listeners.get(remote.getPort());
                if (listener == null) {
                    throw new ConnectionRejectedException(
                            "Nobody listens", ConnectionRejectedException.REASON_NO_LISTENER, new byte[0]);
                }
                listener.requests.add(asked);
                FakeRdma.this.notifyAll();
            }
            try {
                return asked.answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException e) {
                throw (RdmaException) e.getCause();
            } catch (TimeoutException e) {
                throw new RdmaException("No answer", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RdmaException("Interrupted", e);
            }
        }

        @Override
        public void accept(byte[] privateData, Duration timeout) {
            synchronized (FakeRdma.this) {
                peer = request.asking;
                peer.peer = this;
                state = State.CONNECTED;
                peer.state = State.CONNECTED;
                request.answer.complete(Arrays.copyOf(privateData, 196));
            }
        }

        @Override
        public void postReceive(long workId, MemoryRegion region, long offsetBytes, int lengthBytes) {
            synchronized (FakeRdma.this) {
                if (state != State.PREPARED && state != State.CONNECTED) {
                    throw new RdmaException("The connection is " + state);
                }
                receives.add(new Work(workId, false, (Region) region, offsetBytes, lengthBytes, 0, 0));
                if (peer != null) {
                    peer.work();
                }
            }
        }

        @Override
        public void postSend(long workId, MemoryRegion region, long offsetBytes, int lengthBytes) {
            post(new Work(workId, false, (Region) region, offsetBytes, lengthBytes, 0, 0));
        }

        @Override
        public void postSendWithImmediate(
                long workId, MemoryRegion region, long offsetBytes, int lengthBytes, int immediate) {
            throw new RdmaException("No immediate data in this mapping");
        }

        @Override
        public void postWrite(
                long workId,
                MemoryRegion region,
                long offsetBytes,
                int lengthBytes,
                long remoteAddress,
                int remoteKey) {
            post(new Work(workId, true, (Region) region, offsetBytes, lengthBytes, remoteAddress, remoteKey));
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
            throw new RdmaException("No immediate data in this mapping");
        }

        private void post(Work work) {
            synchronized (FakeRdma.this) {
                if (state != State.CONNECTED) {
                    throw new RdmaException("The connection is " + state);
                }
                sends.add(work);
                work();
            }
        }

        private void work() {
            if (held && !sends.isEmpty()) {
                heldWork = true;
                FakeRdma.this.notifyAll();
            }
            while (!held && state == State.CONNECTED && !sends.isEmpty()) {
                Work work = sends.peek();
                if (!(work.write ? write(work) : send(work))) {
                    return;
                }
            }
        }

        private boolean write(Work work) {
            sends.remove();
            Region target = regions.get(work.key);
            long offset = target == null ? -1 : work.address - target.remoteAddress();
            if (target == null
                    || !registered.contains(target)
                    || !target.remoteWrite
                    || !target.memory.contains(offset, work.length)) {
                complete(work, Completion.Operation.WRITE, Completion.Status.REMOTE_ACCESS_ERROR, 0);
                end(State.FAILED);
                return false;
            }
            copy(work, target.memory, offset);
            complete(work, Completion.Operation.WRITE, Completion.Status.SUCCESS, 0);
            return true;
        }

        private boolean send(Work work) {
            if (peer.receives.isEmpty()) {
                return false;
            }
            sends.remove();
            Work receive = peer.receives.remove();
            if (receive.length < work.length) {
                peer.complete(receive, Completion.Operation.RECEIVE, Completion.Status.LOCAL_ERROR, 0);
                complete(work, Completion.Operation.SEND, Completion.Status.REMOTE_INVALID_REQUEST, 0);
                end(State.FAILED);
                return false;
            }
            copy(work, receive.region.memory, receive.offset);
            peer.complete(receive, Completion.Operation.RECEIVE, Completion.Status.SUCCESS, work.length);
            complete(work, Completion.Operation.SEND, Completion.Status.SUCCESS, 0);
            return true;
        }

        private void copy(Work work, RdmaMemory target, long offset) {
            ByteBuffer bytes = ByteBuffer.allocate(work.length);
            work.region.memory.get(work.offset, bytes, work.length);
            target.put(offset, bytes.flip());
        }

        private void complete(Work work, Completion.Operation operation, Completion.Status status, long length) {
            queue.add(new Done(work.id, status, operation, this, length));
        }

        private void end(State ending) {
            Connection other = peer;
            finish(ending);
            if (other != null) {
                other.finish(ending);
            }
        }

        private void finish(State ending) {
            if (state == State.PREPARED || state == State.CONNECTED) {
                state = ending;
                sends.forEach(w -> complete(w, Completion.Operation.SEND, Completion.Status.FLUSHED, 0));
                receives.forEach(w -> complete(w, Completion.Operation.RECEIVE, Completion.Status.FLUSHED, 0));
                sends.clear();
                receives.clear();
                queue.wakeUp();
            }
        }

        @Override
        public void disconnect() {
            synchronized (FakeRdma.this) {
                end(State.DISCONNECTED);
            }
        }

        @Override
        public void close() {
            synchronized (FakeRdma.this) {
                disconnect();
                state = State.CLOSED;
                transport.connections.remove(this);
            }
        }
    }

    private static final class Request implements ConnectionRequest {
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
            return new InetSocketAddress(asking.transport.address, 49152);
        }

        @Override
        public byte[] privateData() {
            return privateData.clone();
        }

        @Override
        public RdmaConnection prepare(ConnectionSettings settings) {
            Connection made = listening.connection(remoteAddress(), settings);
            made.request = this;
            return made;
        }

        @Override
        public void reject(byte[] data) {
            answer.completeExceptionally(new ConnectionRejectedException(
                    "Refused", ConnectionRejectedException.REASON_BY_CONSUMER, Arrays.copyOf(data, 148)));
        }
    }

    private final class Listener implements RdmaListener {
        private final Transport transport;
        private final int port;
        private final ArrayDeque<Request> requests = new ArrayDeque<>();
        private boolean closed;

        Listener(Transport transport, int port) {
            this.transport = transport;
            this.port = port;
        }

        @Override
        public int port() {
            return port;
        }

        @Override
        public Optional<ConnectionRequest> next(Duration timeout) throws InterruptedException {
            synchronized (FakeRdma.this) {
                long deadline = System.nanoTime() + timeout.toNanos();
                long left = timeout.toNanos();
                while (requests.isEmpty() && !closed && left > 0) {
                    TimeUnit.NANOSECONDS.timedWait(FakeRdma.this, left);
                    left = deadline - System.nanoTime();
                }
                Request next = requests.poll();
                if (next != null) {
                    next.listening = transport;
                }
                return Optional.ofNullable(next);
            }
        }

        @Override
        public void close() {
            synchronized (FakeRdma.this) {
                closed = true;
                listeners.remove(port, this);
                requests.forEach(r -> r.reject(new byte[0]));
                requests.clear();
                FakeRdma.this.notifyAll();
            }
        }
    }
}
