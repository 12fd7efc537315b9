package io.peregrine.verbs;

import io.peregrine.nativeio.LibIbverbs;
import io.peregrine.nativeio.LibRdmaCm;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.nativeio.PreparedCall;
import io.peregrine.nativeio.VerbsOps;
import io.peregrine.rdma.Completion;
import io.peregrine.rdma.CompletionQueue;
import io.peregrine.rdma.ConnectionRejectedException;
import io.peregrine.rdma.ConnectionSettings;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.SharedReceiveQueue;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A queue pair and its identifier of the connection manager. The queue pair is led through its states here and not by
 * the library, because only so the time that a peer waits when there is no receive can be set before the first message.
 *
 * <p>What is still in the completion queue when the connection is closed may be lost: disconnect and poll before.
 */
final class VerbsConnection implements RdmaConnection, CmEvent.Handler {
    private static final int MAX_REQUEST_DATA_BYTES = 56;
    private static final int MAX_REPLY_DATA_BYTES = 196;
    private static final int RESOLVE_TIMEOUT_MILLIS = 3_000;
    /** 0.64 ms (InfiniBand, table "RNR NAK timer field"); the kernel's default of 0 means 655 ms. */
    private static final byte MIN_RNR_TIMER = 12;

    private final VerbsTransport transport;
    private final long id;
    private final InetSocketAddress remote;
    private final ConnectionSettings settings;
    private final VerbsCompletionQueue completions;
    private final Optional<VerbsSharedReceiveQueue> sharedReceives;
    private final WorkSlots sends;
    private final WorkSlots receives;
    private final SendWork sendWork = new SendWork();
    private final ReceiveWork receiveWork = new ReceiveWork();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long queuePair;
    private int queuePairNumber;
    private Optional<PreparedCall> sendCall = Optional.empty();
    private Optional<PreparedCall> receiveCall = Optional.empty();
    private int pathMtuBytes;
    /** Reads at a time, at most those of the settings and the device, and once connected those of the peer. */
    private int readsServed;

    private int readsAsked;
    private int step = -1;
    private byte[] answer = {};
    private volatile State state = State.PREPARED;
    private volatile Optional<RdmaException> failure = Optional.empty();

    private VerbsConnection(VerbsTransport transport, long id, InetSocketAddress remote, ConnectionSettings settings) {
        this.transport = transport;
        this.id = id;
        this.remote = remote;
        this.settings = settings;
        this.completions = own(settings.completions(), transport);
        this.sharedReceives = settings.sharedReceives().map(queue -> own(queue, transport));
        this.pathMtuBytes = transport.activeMtuBytes();
        this.readsServed = Math.min(settings.maxReads(), transport.maxReadsServed());
        this.readsAsked = Math.min(settings.maxReads(), transport.maxReadsAsked());
        this.sends = new WorkSlots(settings.sendDepth());
        this.receives = new WorkSlots(sharedReceives.isPresent() ? 0 : settings.receiveDepth());
        if (Math.max(settings.sendDepth(), settings.receiveDepth()) > transport.maxWork()) {
            throw new RdmaException(
                    "Queues on " + transport.deviceName() + " hold at most " + transport.maxWork() + " requests");
        }
    }

    private static VerbsCompletionQueue own(CompletionQueue queue, VerbsTransport transport) {
        if (queue instanceof VerbsCompletionQueue own && own.transport() == transport) {
            return own;
        }
        throw new RdmaException("The completion queue is of another transport");
    }

    private static VerbsSharedReceiveQueue own(SharedReceiveQueue queue, VerbsTransport transport) {
        if (queue instanceof VerbsSharedReceiveQueue own && own.transport() == transport) {
            return own;
        }
        throw new RdmaException("The shared receive queue is of another transport");
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
            ByteBuffer attributes = NativeMemory.allocate(VerbsLayout.QP_INIT_BYTES)
                    .putLong(VerbsLayout.QP_INIT_SEND_CQ, completions.queue())
                    .putLong(VerbsLayout.QP_INIT_RECV_CQ, completions.queue())
                    .putInt(VerbsLayout.QP_INIT_MAX_SEND_WR, settings.sendDepth())
                    .putInt(VerbsLayout.QP_INIT_MAX_SEND_SGE, 1)
                    .putInt(VerbsLayout.QP_INIT_QP_TYPE, VerbsLayout.QPT_RC)
                    .putInt(VerbsLayout.QP_INIT_SQ_SIG_ALL, 1);
            if (sharedReceives.isPresent()) {
                attributes.putLong(VerbsLayout.QP_INIT_SRQ, sharedReceives.get().queue());
            } else {
                attributes.putInt(VerbsLayout.QP_INIT_MAX_RECV_WR, settings.receiveDepth());
                attributes.putInt(VerbsLayout.QP_INIT_MAX_RECV_SGE, 1);
            }
            queuePair = Errors.checkPointer(
                    LibIbverbs.ibv_create_qp(transport.domain(), NativeMemory.address(attributes)),
                    "Making a queue pair for " + settings.sendDepth() + " sends and " + settings.receiveDepth()
                            + " receives");
            ByteBuffer fields = NativeMemory.buffer(queuePair, VerbsLayout.QP_BYTES_READ);
            if (fields.getLong(VerbsLayout.QP_CONTEXT) != context
                    || fields.getLong(VerbsLayout.QP_PD) != transport.domain()) {
                throw VerbsTransport.unknownLayout("ibv_qp");
            }
            queuePairNumber = fields.getInt(VerbsLayout.QP_NUM);
            sendCall = Optional.of(VerbsOps.postSend(context, queuePair, sendWork.address(), sendWork.badAddress()));
            receiveCall = Optional.of(
                    VerbsOps.postReceive(context, queuePair, receiveWork.address(), receiveWork.badAddress()));
            modify(VerbsLayout.QPS_INIT);
            completions.add(queuePairNumber, this);
            VerbsEvents.handleQueuePair(queuePair, this::onDeviceEvent);
        } finally {
            lock.unlock();
        }
    }

    /** Takes the queue pair to a state, with the connection manager's attributes where it has none. */
    private void modify(int target) {
        ByteBuffer attributes = NativeMemory.allocate(VerbsLayout.QP_ATTR_BYTES + 8);
        long address = NativeMemory.address(attributes);
        int mask = VerbsLayout.QP_STATE_MASK;
        attributes.putInt(VerbsLayout.QP_ATTR_STATE, target);
        if (target != VerbsLayout.QPS_ERR) {
            Errors.check(
                    LibRdmaCm.rdma_init_qp_attr(id, address, address + VerbsLayout.QP_ATTR_BYTES),
                    "Reading the queue pair's attributes");
            mask = attributes.getInt(VerbsLayout.QP_ATTR_BYTES);
        }
        if (target == VerbsLayout.QPS_RTR) {
            pathMtuBytes = VerbsLayout.mtuBytes(attributes.getInt(VerbsLayout.QP_ATTR_PATH_MTU));
            readsServed = limit(attributes, VerbsLayout.QP_ATTR_MAX_DEST_RD_ATOMIC, readsServed);
            attributes.put(VerbsLayout.QP_ATTR_MIN_RNR_TIMER, MIN_RNR_TIMER);
            mask |= VerbsLayout.QP_MIN_RNR_TIMER_MASK;
        } else if (target == VerbsLayout.QPS_RTS) {
            readsAsked = limit(attributes, VerbsLayout.QP_ATTR_MAX_RD_ATOMIC, readsAsked);
            attributes.put(VerbsLayout.QP_ATTR_TIMEOUT, (byte) settings.ackTimeoutExponent());
            attributes.put(VerbsLayout.QP_ATTR_RETRY_CNT, (byte) settings.retryCount());
            attributes.put(VerbsLayout.QP_ATTR_RNR_RETRY, (byte) settings.rnrRetryCount());
            mask |= VerbsLayout.QP_TIMEOUT_MASK | VerbsLayout.QP_RETRY_CNT_MASK | VerbsLayout.QP_RNR_RETRY_MASK;
        }
        Errors.checkNumber(LibIbverbs.ibv_modify_qp(queuePair, address, mask), "Changing the state of the queue pair");
    }

    /** Lowers an attribute, which comes from the peer, to what is possible here. */
    private static int limit(ByteBuffer attributes, int offset, int most) {
        int value = Math.min(Byte.toUnsignedInt(attributes.get(offset)), most);
        attributes.put(offset, (byte) value);
        return value;
    }

    private void becomeReady() {
        // Once more: the access rights are known only now.
        modify(VerbsLayout.QPS_INIT);
        modify(VerbsLayout.QPS_RTR);
        modify(VerbsLayout.QPS_RTS);
    }

    private ByteBuffer parameters(byte[] privateData, int limitBytes) {
        if (privateData.length > limitBytes) {
            throw new RdmaException("Private data may have " + limitBytes + " bytes here, not " + privateData.length);
        }
        ByteBuffer memory = NativeMemory.allocate(VerbsLayout.CONN_BYTES + limitBytes);
        memory.put(VerbsLayout.CONN_BYTES, privateData);
        return memory.putLong(VerbsLayout.CONN_PRIVATE_DATA, NativeMemory.address(memory) + VerbsLayout.CONN_BYTES)
                .put(VerbsLayout.CONN_PRIVATE_DATA_LEN, (byte) privateData.length)
                .put(VerbsLayout.CONN_RESPONDER_RESOURCES, (byte) readsServed)
                .put(VerbsLayout.CONN_INITIATOR_DEPTH, (byte) readsAsked)
                .put(VerbsLayout.CONN_RETRY_COUNT, (byte) settings.retryCount())
                .put(VerbsLayout.CONN_RNR_RETRY_COUNT, (byte) settings.rnrRetryCount())
                .put(VerbsLayout.CONN_SRQ, (byte) (sharedReceives.isPresent() ? 1 : 0))
                .putInt(VerbsLayout.CONN_QP_NUM, queuePairNumber);
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
            becomeReady();
            Errors.check(LibRdmaCm.rdma_establish(id), "Telling " + remote + " that the connection is ready");
            state = State.CONNECTED;
            return answer.clone();
        } catch (RdmaException e) {
            end(State.FAILED, Optional.of(e));
            throw e;
        } finally {
            lock.unlock();
            completions.wakeUp();
        }
    }

    @Override
    public void accept(byte[] privateData, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        ByteBuffer parameters = parameters(privateData, MAX_REPLY_DATA_BYTES);
        lock.lock();
        try {
            checkStart(-1);
            becomeReady();
            parameters
                    .put(VerbsLayout.CONN_RESPONDER_RESOURCES, (byte) readsServed)
                    .put(VerbsLayout.CONN_INITIATOR_DEPTH, (byte) readsAsked);
            Errors.check(
                    LibRdmaCm.rdma_accept(id, NativeMemory.address(parameters)), "Accepting the request of " + remote);
            awaitStep(CmEvent.ESTABLISHED, deadline);
        } catch (RdmaException e) {
            end(State.FAILED, Optional.of(e));
            throw e;
        } finally {
            lock.unlock();
            completions.wakeUp();
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
        completions.wakeUp();
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
        if (WorkSlots.operation(number) != WorkSlots.RECEIVE) {
            return sends.release(number);
        }
        return sharedReceives.isPresent() ? sharedReceives.get().workEnded(number) : receives.release(number);
    }

    private void fail(RdmaException cause) {
        lock.lock();
        try {
            end(State.FAILED, Optional.of(cause));
        } finally {
            lock.unlock();
        }
        completions.wakeUp();
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
        if (queuePair != 0) {
            try {
                modify(VerbsLayout.QPS_ERR);
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
        completions.wakeUp();
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
            if (queuePair != 0) {
                VerbsEvents.forgetQueuePair(queuePair);
                LibIbverbs.ibv_destroy_qp(queuePair);
                queuePair = 0;
            }
            transport.events().forget(id);
            LibRdmaCm.rdma_destroy_id(id);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        completions.wakeUp();
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
        return queuePairNumber;
    }

    @Override
    public int pathMtuBytes() {
        lock.lock();
        try {
            return pathMtuBytes;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void postReceive(long workId, MemoryRegion region, long offsetBytes, int lengthBytes) {
        VerbsMemoryRegion own = VerbsMemoryRegion.of(region, transport, offsetBytes, lengthBytes);
        lock.lock();
        try {
            checkNotEnded();
            if (sharedReceives.isPresent()) {
                throw new RdmaException("The connection takes its receives from a shared queue: post there");
            }
            long number = receives.take(workId, WorkSlots.RECEIVE);
            if (number < 0) {
                throw new RdmaException("The receive queue is full");
            }
            receiveWork.fill(number, own.address() + offsetBytes, lengthBytes, own.localKey());
            int error = receiveCall.orElseThrow().invoke();
            if (error != 0) {
                receives.release(number);
                throw Errors.failed("Posting a receive", Math.abs(error));
            }
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
        VerbsMemoryRegion own = VerbsMemoryRegion.of(region, transport, offsetBytes, lengthBytes);
        lock.lock();
        try {
            if (state != State.CONNECTED) {
                checkNotEnded();
                throw new RdmaException("The connection with " + remote + " is not connected yet");
            }
            if (operation == WorkSlots.READ && readsAsked == 0) {
                throw new RdmaException("No reads were agreed on with " + remote
                        + ": it serves none, or maxReads is 0 in the settings of this connection");
            }
            long number = sends.take(workId, operation);
            if (number < 0) {
                throw new RdmaException("The send queue is full");
            }
            sendWork.fill(number, opcode, own.address() + offsetBytes, lengthBytes, own.localKey());
            sendWork.immediate(immediate);
            sendWork.target(remoteAddress, remoteKey);
            int error = sendCall.orElseThrow().invoke();
            if (error != 0) {
                sends.release(number);
                throw Errors.failed("Posting a send", Math.abs(error));
            }
        } finally {
            lock.unlock();
        }
    }
}
