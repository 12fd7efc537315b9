package io.peregrine.rocev2;

import io.peregrine.rdma.Completion.Operation;
import io.peregrine.rdma.Completion.Status;
import io.peregrine.rdma.ConnectionRejectedException;
import io.peregrine.rdma.ConnectionSettings;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaMemory;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/** A connection of the software provider: its queue pair and what the connection manager says of it. */
final class SoftwareConnection implements RdmaConnection, WorkSink, CmEvents {
    private static final int MAX_REQUEST_DATA_BYTES = 56;
    private static final int MAX_REPLY_DATA_BYTES = 196;
    /** Longest that finished work waits for more to be announced with it. */
    private static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final SoftwareTransport transport;
    private final RocePort port;
    private final InetSocketAddress remote;
    private final ConnectionSettings settings;
    private final SoftwareCompletionQueue completions;
    private final Optional<SoftwareRequest> request;
    private final Condition changed;

    // Guarded by the port's lock.
    private QueuePair queuePair;
    private int ownStartingPsn;
    private Optional<CmId> id = Optional.empty();
    private byte[] question = {};
    private byte[] answer = {};
    private int rejection;
    private RdmaException failed;
    private boolean answered;
    /** Whether work was done that is not announced yet, when the first of it was, and whether something came. */
    private boolean finished;

    private long finishedAt;
    private boolean received;
    private volatile State state = State.PREPARED;

    SoftwareConnection(
            SoftwareTransport transport,
            InetSocketAddress remote,
            ConnectionSettings settings,
            SoftwareCompletionQueue completions,
            Optional<SoftwareRequest> request) {
        this.transport = transport;
        port = transport.port();
        this.remote = remote;
        this.settings = settings;
        this.completions = completions;
        this.request = request;
        changed = port.lock().newCondition();
    }

    void attach(QueuePair made) {
        queuePair = made;
        ownStartingPsn = port.endpoint().randomPsn();
    }

    @Override
    public State state() {
        return state;
    }

    @Override
    public Optional<RdmaException> failure() {
        port.lock().lock();
        try {
            return Optional.ofNullable(failed);
        } finally {
            port.lock().unlock();
        }
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
        port.lock().lock();
        try {
            return queuePair.mtuBytes();
        } finally {
            port.lock().unlock();
        }
    }

    // ---- connecting

    @Override
    public byte[] connect(byte[] privateData, Duration timeout) {
        if (request.isPresent()) {
            throw new RdmaException("This connection answers a request: accept it");
        }
        checkPrivateData(privateData, MAX_REQUEST_DATA_BYTES);
        port.lock().lock();
        try {
            checkPrepared();
            question = privateData.clone();
            ask(Headers.mtuCode(port.pathMtuBytes()));
            port.wakeUp();
            await(timeout, "did not answer the request to connect");
            return answer.clone();
        } finally {
            port.lock().unlock();
        }
    }

    private void ask(int pathMtuCode) {
        id = Optional.of(port.endpoint()
                .connections()
                .connect(
                        SoftwareTransport.ipv4((Inet4Address) remote.getAddress()),
                        remote.getPort(),
                        local(pathMtuCode),
                        question,
                        this,
                        System.nanoTime()));
    }

    @Override
    public void accept(byte[] privateData, Duration timeout) {
        SoftwareRequest asked =
                request.orElseThrow(() -> new RdmaException("This connection was not asked for: connect it"));
        checkPrivateData(privateData, MAX_REPLY_DATA_BYTES);
        port.lock().lock();
        try {
            checkPrepared();
            CmPeer peer = asked.peer();
            if (peer.trafficClass() != 0) {
                port.typeOfService(peer.trafficClass());
            }
            join(peer);
            id = Optional.of(asked.id());
            if (!port.endpoint()
                    .connections()
                    .accept(asked.id(), local(peer.pathMtuCode()), privateData, this, System.nanoTime())) {
                breakWith(new RdmaException("The request of " + remote + " was withdrawn"));
            }
            port.wakeUp();
            await(timeout, "did not confirm the connection");
        } finally {
            port.lock().unlock();
        }
    }

    static void checkPrivateData(byte[] privateData, int most) {
        if (privateData.length > most) {
            throw new RdmaException(
                    "Private data of " + privateData.length + " bytes is too long: up to " + most + " fit");
        }
    }

    private CmLocal local(int pathMtuCode) {
        return new CmLocal(
                queuePair.number(),
                ownStartingPsn,
                pathMtuCode,
                settings.ackTimeoutExponent(),
                settings.retryCount(),
                settings.rnrRetryCount(),
                settings.sharedReceives().isPresent(),
                settings.maxReads());
    }

    private void join(CmPeer peer) {
        queuePair.connect(
                peer.remoteAddress(),
                peer.queuePairNumber(),
                peer.startingPsn(),
                ownStartingPsn,
                new LinkTerms(
                        Headers.mtuBytes(peer.pathMtuCode()),
                        peer.ackTimeoutExponent(),
                        peer.retryCount(),
                        peer.rnrRetryCount(),
                        Deadlines.nanos(settings.notReadyLimit()),
                        Math.min(settings.maxReads(), peer.responderResources()),
                        Math.min(settings.maxReads(), peer.initiatorDepth())));
    }

    private void checkPrepared() {
        if (state != State.PREPARED || id.isPresent()) {
            throw new RdmaException("The connection to " + remote + " is " + state + " and cannot be connected again");
        }
    }

    /** Waits for the peer, with the port's lock. */
    private void await(Duration timeout, String complaint) {
        long left = Deadlines.nanos(timeout);
        boolean interrupted = false;
        while (!answered && state == State.PREPARED && left > 0 && !interrupted) {
            try {
                left = changed.awaitNanos(left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (state == State.CONNECTED) {
            return;
        }
        if (!answered && state == State.PREPARED) {
            breakWith(new RdmaException(
                    interrupted
                            ? "Interrupted while connecting to " + remote
                            : remote + " " + complaint + " within " + timeout.toMillis() + " ms"));
            id.ifPresent(known -> port.endpoint().connections().disconnect(known, System.nanoTime()));
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (rejection != 0) {
            throw new ConnectionRejectedException(failed.getMessage(), rejection, answer);
        }
        throw failed != null ? failed : new RdmaException("The connection to " + remote + " was closed");
    }

    // ---- what the connection manager says, with the port's lock

    @Override
    public void established(CmPeer peer, byte[] privateData) {
        if (state != State.PREPARED) {
            return;
        }
        if (request.isEmpty()) {
            join(peer);
        }
        answer = privateData.clone();
        answered = true;
        state = State.CONNECTED;
        changed.signalAll();
        completions.wakeUp();
    }

    @Override
    public void rejected(int reason, byte[] privateData) {
        rejection = reason;
        answer = privateData.clone();
        answered = true;
        String why = reason == ConnectionRejectedException.REASON_NO_LISTENER
                ? "no one listens there"
                : reason == ConnectionRejectedException.REASON_BY_CONSUMER
                        ? "the application there refused"
                        : reason == CmMessage.REASON_INVALID_MTU
                                ? "it cannot receive packets of " + port.pathMtuBytes()
                                        + " bytes: set the same MTU at the interfaces of both"
                                : "rejection reason " + reason;
        breakWith(new RdmaException(remote + " refused the connection: " + why));
    }

    @Override
    public void pathMtuTooLarge(int pathMtuCode) {
        if (state != State.PREPARED) {
            return;
        }
        try {
            ask(pathMtuCode);
        } catch (RdmaException e) {
            answered = true;
            breakWith(e);
        }
    }

    @Override
    public void disconnected() {
        if (state == State.CONNECTED || state == State.PREPARED) {
            state = State.DISCONNECTED;
            answered = true;
            queuePair.end();
            changed.signalAll();
            completions.wakeUp();
        }
    }

    @Override
    public void failed(String why) {
        answered = true;
        breakWith(new RdmaException("Connection to " + remote + ": " + why));
    }

    private void breakWith(RdmaException why) {
        if (state == State.PREPARED || state == State.CONNECTED) {
            failed = why;
            state = State.FAILED;
            queuePair.end();
            changed.signalAll();
            completions.wakeUp();
        }
    }

    // ---- what the queue pair says, with the port's lock

    @Override
    public void completed(
            QueuePair source,
            long workId,
            Operation operation,
            Status status,
            long lengthBytes,
            boolean hasImmediate,
            int immediate) {
        completions.add(this, workId, operation, status, lengthBytes, hasImmediate, immediate);
        received |= operation == Operation.RECEIVE || operation == Operation.RECEIVE_WRITE;
        if (!finished) {
            finished = true;
            finishedAt = System.nanoTime();
            port.finished(this);
        }
    }

    /**
     * Makes known what is done, unless more is about to follow: every waking costs more than a packet.
     *
     * @return until when to wait for more; {@link Long#MIN_VALUE} when it is known
     */
    long announce(long nowNanos) {
        boolean more = received ? queuePair.receiving() : queuePair.sending();
        if (more && nowNanos - finishedAt < HOLD_NANOS) {
            return finishedAt + HOLD_NANOS;
        }
        finished = false;
        received = false;
        completions.announce();
        return Long.MIN_VALUE;
    }

    @Override
    public void broke(QueuePair source, Status cause, String text) {
        if (state == State.PREPARED || state == State.CONNECTED) {
            failed = new RdmaException("Connection to " + remote + " broke: " + text + " (" + cause + ")");
            state = State.FAILED;
            id.ifPresent(known -> port.endpoint().connections().disconnect(known, System.nanoTime()));
            changed.signalAll();
            completions.wakeUp();
        }
    }

    @Override
    public boolean pretendsNotReady() {
        return port.pretendsNotReady();
    }

    // ---- work

    @Override
    public void postReceive(long workId, MemoryRegion region, long offsetBytes, int lengthBytes) {
        RdmaMemory memory = MemoryTable.checked(region, offsetBytes, lengthBytes);
        port.lock().lock();
        try {
            if (state != State.PREPARED && state != State.CONNECTED) {
                throw ended();
            }
            queuePair.postReceive(workId, memory, offsetBytes, lengthBytes);
        } finally {
            port.lock().unlock();
        }
    }

    @Override
    public void postSend(long workId, MemoryRegion region, long offsetBytes, int lengthBytes) {
        post(Opcode.SEND_ONLY, workId, region, offsetBytes, lengthBytes, 0, 0, 0);
    }

    @Override
    public void postSendWithImmediate(
            long workId, MemoryRegion region, long offsetBytes, int lengthBytes, int immediate) {
        post(Opcode.SEND_ONLY_IMM, workId, region, offsetBytes, lengthBytes, 0, 0, immediate);
    }

    @Override
    public void postWrite(
            long workId, MemoryRegion region, long offsetBytes, int lengthBytes, long remoteAddress, int remoteKey) {
        post(Opcode.WRITE_ONLY, workId, region, offsetBytes, lengthBytes, remoteAddress, remoteKey, 0);
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
        post(Opcode.WRITE_ONLY_IMM, workId, region, offsetBytes, lengthBytes, remoteAddress, remoteKey, immediate);
    }

    @Override
    public void postRead(
            long workId, MemoryRegion region, long offsetBytes, int lengthBytes, long remoteAddress, int remoteKey) {
        post(Opcode.READ_REQUEST, workId, region, offsetBytes, lengthBytes, remoteAddress, remoteKey, 0);
    }

    private void post(
            int opcode,
            long workId,
            MemoryRegion region,
            long offset,
            int lengthBytes,
            long remoteAddress,
            int remoteKey,
            int immediate) {
        RdmaMemory memory = MemoryTable.checked(region, offset, lengthBytes);
        boolean wake;
        port.lock().lock();
        try {
            if (state != State.CONNECTED || !queuePair.connected()) {
                throw ended();
            }
            if (opcode == Opcode.READ_REQUEST && !queuePair.requester().mayRead()) {
                throw new RdmaException("No reads were agreed on with " + remote
                        + ": it serves none, or maxReads is 0 in the settings of this connection");
            }
            queuePair
                    .requester()
                    .post(opcode, workId, memory, offset, lengthBytes, remoteAddress, remoteKey, immediate);
            wake = port.sendNow();
        } finally {
            port.lock().unlock();
        }
        if (wake) {
            port.wakeUp();
        }
    }

    private RdmaException ended() {
        return failed != null
                ? new RdmaException(failed.getMessage(), failed)
                : new RdmaException("The connection to " + remote + " is " + state);
    }

    @Override
    public void disconnect() {
        port.lock().lock();
        try {
            if (state == State.PREPARED || state == State.CONNECTED) {
                state = State.DISCONNECTED;
                endWithPeer();
            }
        } finally {
            port.lock().unlock();
        }
        port.wakeUp();
    }

    private void endWithPeer() {
        // Else the peer would take what came for lost.
        port.sendAnswers(queuePair);
        if (id.isPresent()) {
            port.endpoint().connections().disconnect(id.get(), System.nanoTime());
        } else {
            request.ifPresent(
                    asked -> port.endpoint().connections().reject(asked.id(), new byte[0], System.nanoTime()));
        }
        queuePair.end();
        changed.signalAll();
        completions.wakeUp();
    }

    @Override
    public void close() {
        port.lock().lock();
        try {
            if (state == State.CLOSED) {
                return;
            }
            boolean alive = state == State.PREPARED || state == State.CONNECTED;
            state = State.CLOSED;
            if (alive) {
                endWithPeer();
            }
            port.endpoint().remove(queuePair);
            transport.forget(this);
        } finally {
            port.lock().unlock();
        }
        port.wakeUp();
    }

    @Override
    public String toString() {
        return "connection to " + remote + ", " + state;
    }
}
