package io.peregrine.verbs;

import io.peregrine.nativeio.LibRdmaCm;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.rdma.Completion;
import io.peregrine.rdma.ConnectionRejectedException;
import io.peregrine.rdma.ConnectionSettings;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A connection by the connection manager of the library: made, ended, and closed together with its queue pair.
 *
 * <p>What is still in the completion queue when the connection is closed may be lost: disconnect and poll before.
 */
final class VerbsConnection implements RdmaConnection, CmEvent.Handler {
    private static final int MAX_REQUEST_DATA_BYTES = 56;
    private static final int MAX_REPLY_DATA_BYTES = 196;
    private static final int RESOLVE_TIMEOUT_MILLIS = 3_000;

    private final VerbsTransport transport;
    private final long id;
    private final InetSocketAddress remote;
    private final ConnectionSettings settings;
    private final VerbsQueuePair queuePair;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int step = -1;
    private byte[] answer = {};
    private volatile State state = State.PREPARED;
    private volatile Optional<RdmaException> failure = Optional.empty();

    private VerbsConnection(VerbsTransport transport, long id, InetSocketAddress remote, ConnectionSettings settings) {
        this.transport = transport;
        this.id = id;
        this.remote = remote;
        this.settings = settings;
        this.queuePair = new VerbsQueuePair(transport, id, settings);
    }

    /** A connection to make: finds the way to the other side, and has its queue pair ready for receives. */
    static VerbsConnection outgoing(VerbsTransport transport, InetSocketAddress remote, ConnectionSettings settings) {
        if (!(remote.getAddress() instanceof Inet4Address)) {
            throw new RdmaException("RDMA needs an IPv4 address, not " + remote);
        }
        return start(transport, transport.newId(), remote, settings, VerbsConnection::resolve);
    }

    /** A connection that was asked for: takes over the identifier of the request. */
    static VerbsConnection incoming(
            VerbsTransport transport, long id, InetSocketAddress remote, ConnectionSettings settings) {
        return start(transport, id, remote, settings, connection -> {});
    }

    private interface Step {
        void on(VerbsConnection connection);
    }

    private static VerbsConnection start(
            VerbsTransport transport, long id, InetSocketAddress remote, ConnectionSettings settings, Step way) {
        VerbsConnection connection;
        try {
            connection = new VerbsConnection(transport, id, remote, settings);
        } catch (RuntimeException e) {
            transport.events().forget(id);
            LibRdmaCm.rdma_destroy_id(id);
            throw e;
        }
        try {
            transport.events().handle(id, connection);
            if (!transport.keep(connection)) {
                throw new RdmaException("The transport is closed");
            }
            way.on(connection);
            connection.makeQueuePair();
            return connection;
        } catch (RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private void resolve() {
        long deadline = System.nanoTime()
                + Duration.ofMillis(2L * RESOLVE_TIMEOUT_MILLIS).toNanos();
        ByteBuffer source = SocketAddresses.write(transport.localAddress(), 0);
        ByteBuffer destination = SocketAddresses.write((Inet4Address) remote.getAddress(), remote.getPort());
        lock.lock();
        try {
            checkNotEnded();
            if (transport.typeOfService() != 0) {
                ByteBuffer service = NativeMemory.allocate(1).put(0, (byte) transport.typeOfService());
                Errors.check(
                        LibRdmaCm.rdma_set_option(
                                id,
                                VerbsLayout.OPTION_LEVEL_ID,
                                VerbsLayout.OPTION_TOS,
                                NativeMemory.address(service),
                                1),
                        "Setting the class of service " + transport.typeOfService());
            }
            Errors.check(
                    LibRdmaCm.rdma_resolve_addr(
                            id,
                            NativeMemory.address(source),
                            NativeMemory.address(destination),
                            RESOLVE_TIMEOUT_MILLIS),
                    "Finding the way from " + transport.localAddress().getHostAddress() + " to " + remote);
            awaitStep(CmEvent.ADDR_RESOLVED, deadline);
            // Tells the other side's adapter; an old kernel does not know the option.
            ByteBuffer ackTimeout = NativeMemory.allocate(1).put(0, (byte) settings.ackTimeoutExponent());
            LibRdmaCm.rdma_set_option(
                    id,
                    VerbsLayout.OPTION_LEVEL_ID,
                    VerbsLayout.OPTION_ACK_TIMEOUT,
                    NativeMemory.address(ackTimeout),
                    1);
            Errors.check(LibRdmaCm.rdma_resolve_route(id, RESOLVE_TIMEOUT_MILLIS), "Finding the route to " + remote);
            awaitStep(CmEvent.ROUTE_RESOLVED, deadline);
        } finally {
            lock.unlock();
        }
    }

    private void makeQueuePair() {
        lock.lock();
        try {
            checkNotEnded();
            long context = NativeMemory.buffer(id, VerbsLayout.CM_ID_BYTES_READ).getLong(VerbsLayout.CM_ID_VERBS);
            if (context != transport.context()) {
                throw new RdmaException("The way to " + remote + " is not through " + transport.deviceName()
                        + ": open the transport on the interface of that way");
            }
            queuePair.make();
            queuePair.completions().add(queuePair.number(), this);
            VerbsEvents.handleQueuePair(queuePair.address(), this::onDeviceEvent);
        } finally {
            lock.unlock();
        }
    }

    private ByteBuffer parameters(byte[] privateData, int limitBytes) {
        if (privateData.length > limitBytes) {
            throw new RdmaException("Private data may have " + limitBytes + " bytes here, not " + privateData.length);
        }
        ByteBuffer memory = NativeMemory.allocate(VerbsLayout.CONN_BYTES + limitBytes);
        memory.put(VerbsLayout.CONN_BYTES, privateData);
        return memory.putLong(VerbsLayout.CONN_PRIVATE_DATA, NativeMemory.address(memory) + VerbsLayout.CONN_BYTES)
                .put(VerbsLayout.CONN_PRIVATE_DATA_LEN, (byte) privateData.length)
                .put(VerbsLayout.CONN_RESPONDER_RESOURCES, (byte) queuePair.readsServed())
                .put(VerbsLayout.CONN_INITIATOR_DEPTH, (byte) queuePair.readsAsked())
                .put(VerbsLayout.CONN_RETRY_COUNT, (byte) settings.retryCount())
                .put(VerbsLayout.CONN_RNR_RETRY_COUNT, (byte) settings.rnrRetryCount())
                .put(VerbsLayout.CONN_SRQ, (byte) (queuePair.sharesReceives() ? 1 : 0))
                .putInt(VerbsLayout.CONN_QP_NUM, queuePair.number());
    }

    @Override
    public byte[] connect(byte[] privateData, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        ByteBuffer parameters = parameters(privateData, MAX_REQUEST_DATA_BYTES);
        lock.lock();
        try {
            checkStart(CmEvent.ROUTE_RESOLVED);
            Errors.check(
                    LibRdmaCm.rdma_connect(id, NativeMemory.address(parameters)), "Asking " + remote + " to connect");
            awaitStep(CmEvent.CONNECT_RESPONSE, deadline);
            queuePair.becomeReady();
            Errors.check(LibRdmaCm.rdma_establish(id), "Telling " + remote + " that the connection is ready");
            state = State.CONNECTED;
            return answer.clone();
        } catch (RdmaException e) {
            end(State.FAILED, Optional.of(e));
            throw e;
        } finally {
            lock.unlock();
            queuePair.completions().wakeUp();
        }
    }

    @Override
    public void accept(byte[] privateData, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        ByteBuffer parameters = parameters(privateData, MAX_REPLY_DATA_BYTES);
        lock.lock();
        try {
            checkStart(-1);
            queuePair.becomeReady();
            parameters
                    .put(VerbsLayout.CONN_RESPONDER_RESOURCES, (byte) queuePair.readsServed())
                    .put(VerbsLayout.CONN_INITIATOR_DEPTH, (byte) queuePair.readsAsked());
            Errors.check(
                    LibRdmaCm.rdma_accept(id, NativeMemory.address(parameters)), "Accepting the request of " + remote);
            awaitStep(CmEvent.ESTABLISHED, deadline);
        } catch (RdmaException e) {
            end(State.FAILED, Optional.of(e));
            throw e;
        } finally {
            lock.unlock();
            queuePair.completions().wakeUp();
        }
    }

    private void checkStart(int expectedStep) {
        checkNotEnded();
        if (state != State.PREPARED || step != expectedStep) {
            throw new RdmaException(
                    "The connection with " + remote + " is connected already, or was not made this way");
        }
    }

    private void checkNotEnded() {
        if (failure.isPresent()) {
            throw failure.get();
        }
        if (state != State.PREPARED && state != State.CONNECTED) {
            throw new RdmaException("The connection with " + remote + " has ended");
        }
    }

    private void awaitStep(int wanted, long deadlineNanos) {
        while (step != wanted) {
            checkNotEnded();
            long left = deadlineNanos - System.nanoTime();
            if (left <= 0) {
                throw new RdmaException(remote + " did not answer in time (" + CmEvent.name(wanted) + ")");
            }
            try {
                // The loop looks at the clock itself.
                long unused = changed.awaitNanos(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RdmaException("Interrupted while connecting with " + remote, e);
            }
        }
    }

    @Override
    public void onEvent(CmEvent event) {
        lock.lock();
        try {
            switch (event.type()) {
                case CmEvent.ADDR_RESOLVED, CmEvent.ROUTE_RESOLVED -> step = event.type();
                case CmEvent.CONNECT_RESPONSE -> {
                    answer = event.privateData();
                    step = event.type();
                }
                case CmEvent.ESTABLISHED -> {
                    if (state == State.PREPARED) {
                        state = State.CONNECTED;
                    }
                    step = event.type();
                }
                case CmEvent.DISCONNECTED -> end(State.DISCONNECTED, Optional.empty());
                case CmEvent.REJECTED -> end(State.FAILED, Optional.of(rejected(event)));
                case CmEvent.ADDR_ERROR,
                        CmEvent.ROUTE_ERROR,
                        CmEvent.CONNECT_ERROR,
                        CmEvent.UNREACHABLE,
                        CmEvent.DEVICE_REMOVAL ->
                    end(
                            State.FAILED,
                            Optional.of(new RdmaException("The connection with " + remote + " failed: "
                                    + CmEvent.name(event.type()) + " (status " + event.status() + ")")));
                default -> {
                    // Nothing that changes the connection.
                }
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        queuePair.completions().wakeUp();
    }

    private RdmaException rejected(CmEvent event) {
        String why = switch (event.status()) {
            case ConnectionRejectedException.REASON_NO_LISTENER -> "no one listens on that port";
            case ConnectionRejectedException.REASON_BY_CONSUMER -> "the application refused";
            default -> "rejected with reason " + event.status();
        };
        return new ConnectionRejectedException(
                "No connection with " + remote + ": " + why, event.status(), event.privateData());
    }

    private void onDeviceEvent(int type) {
        lock.lock();
        try {
            if (state == State.CLOSED) {
                return;
            }
            if (type == VerbsLayout.EVENT_COMM_EST) {
                // Data came before the message that ends the handshake: that is as good.
                LibRdmaCm.rdma_notify(id, type);
                return;
            }
        } finally {
            lock.unlock();
        }
        fail(new RdmaException("The queue pair of the connection with " + remote + " broke: " + deviceEvent(type)));
    }

    private static String deviceEvent(int type) {
        return switch (type) {
            case VerbsLayout.EVENT_QP_REQ_ERR -> "the peer sent an invalid request";
            case VerbsLayout.EVENT_QP_ACCESS_ERR -> "the peer accessed memory that it may not access";
            case VerbsLayout.EVENT_DEVICE_FATAL -> "the device failed";
            default -> "fatal error";
        };
    }

    /** Looks at work that did not end well, on the polling thread. */
    void workFailed(WorkCompletions work) {
        if (state != State.CONNECTED) {
            return;
        }
        String what = work.status() == Completion.Status.FLUSHED
                ? "its queue pair went into the error state"
                : work.operation() + " ended with " + work.status() + " (ibv_wc_status " + work.rawStatus()
                        + ", vendor error " + work.vendorError() + ")";
        fail(new RdmaException("The connection with " + remote + " broke: " + what));
    }

    /** Gives back the slot of work that ended, on the polling thread. */
    long workEnded(long number) {
        return queuePair.workEnded(number);
    }

    private void fail(RdmaException cause) {
        lock.lock();
        try {
            end(State.FAILED, Optional.of(cause));
        } finally {
            lock.unlock();
        }
        queuePair.completions().wakeUp();
    }

    /** Ends the connection; work that is posted is flushed. Under the lock. */
    private void end(State how, Optional<RdmaException> cause) {
        if (state != State.PREPARED && state != State.CONNECTED) {
            return;
        }
        state = how;
        failure = cause;
        // Fails when there was no connection yet, or none any more.
        LibRdmaCm.rdma_disconnect(id);
        if (queuePair.exists()) {
            try {
                queuePair.flush();
            } catch (RdmaException e) {
                failure.ifPresent(first -> first.addSuppressed(e));
            }
        }
        changed.signalAll();
    }

    @Override
    public void disconnect() {
        lock.lock();
        try {
            end(State.DISCONNECTED, Optional.empty());
        } finally {
            lock.unlock();
        }
        queuePair.completions().wakeUp();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (state == State.CLOSED) {
                return;
            }
            end(State.DISCONNECTED, Optional.empty());
            state = State.CLOSED;
            transport.forget(this);
            if (queuePair.exists()) {
                VerbsEvents.forgetQueuePair(queuePair.address());
                queuePair.destroy();
            }
            transport.events().forget(id);
            LibRdmaCm.rdma_destroy_id(id);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        queuePair.completions().wakeUp();
    }

    boolean closed() {
        return state == State.CLOSED;
    }

    @Override
    public State state() {
        return state;
    }

    @Override
    public Optional<RdmaException> failure() {
        return failure;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return remote;
    }

    @Override
    public int queuePairNumber() {
        return queuePair.number();
    }

    @Override
    public int pathMtuBytes() {
        lock.lock();
        try {
            return queuePair.pathMtuBytes();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void postReceive(long workId, MemoryRegion region, long offsetBytes, int lengthBytes) {
        lock.lock();
        try {
            checkNotEnded();
            queuePair.postReceive(workId, region, offsetBytes, lengthBytes);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void postSend(long workId, MemoryRegion region, long offsetBytes, int lengthBytes) {
        post(VerbsLayout.WR_SEND, WorkSlots.SEND, workId, region, offsetBytes, lengthBytes, 0, 0, 0);
    }

    @Override
    public void postSendWithImmediate(
            long workId, MemoryRegion region, long offsetBytes, int lengthBytes, int immediate) {
        post(VerbsLayout.WR_SEND_WITH_IMM, WorkSlots.SEND, workId, region, offsetBytes, lengthBytes, 0, 0, immediate);
    }

    @Override
    public void postWrite(
            long workId, MemoryRegion region, long offsetBytes, int lengthBytes, long remoteAddress, int remoteKey) {
        post(
                VerbsLayout.WR_RDMA_WRITE,
                WorkSlots.WRITE,
                workId,
                region,
                offsetBytes,
                lengthBytes,
                remoteAddress,
                remoteKey,
                0);
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
        post(
                VerbsLayout.WR_RDMA_WRITE_WITH_IMM,
                WorkSlots.WRITE,
                workId,
                region,
                offsetBytes,
                lengthBytes,
                remoteAddress,
                remoteKey,
                immediate);
    }

    @Override
    public void postRead(
            long workId, MemoryRegion region, long offsetBytes, int lengthBytes, long remoteAddress, int remoteKey) {
        post(
                VerbsLayout.WR_RDMA_READ,
                WorkSlots.READ,
                workId,
                region,
                offsetBytes,
                lengthBytes,
                remoteAddress,
                remoteKey,
                0);
    }

    private void post(
            int opcode,
            int operation,
            long workId,
            MemoryRegion region,
            long offsetBytes,
            int lengthBytes,
            long remoteAddress,
            int remoteKey,
            int immediate) {
        lock.lock();
        try {
            if (state != State.CONNECTED) {
                checkNotEnded();
                throw new RdmaException("The connection with " + remote + " is not connected yet");
            }
            if (operation == WorkSlots.READ && queuePair.readsAsked() == 0) {
                throw new RdmaException("No reads were agreed on with " + remote
                        + ": it serves none, or maxReads is 0 in the settings of this connection");
            }
            queuePair.post(
                    opcode, operation, workId, region, offsetBytes, lengthBytes, remoteAddress, remoteKey, immediate);
        } finally {
            lock.unlock();
        }
    }
}
