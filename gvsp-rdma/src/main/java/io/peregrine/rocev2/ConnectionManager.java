package io.peregrine.rocev2;

import io.peregrine.rdma.RdmaException;
import io.peregrine.rocev2.CmConnection.Remote;
import io.peregrine.rocev2.CmConnection.State;
import io.peregrine.rocev2.CmCounters.Counter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The connection manager of one local IPv4 address: makes and ends reliable connections by messages between the queue
 * pairs 1, compatible with the RDMA connection manager of Linux. A pure state machine: messages, data and time come
 * from outside, and nothing here waits. For one thread at a time; {@link CmEvents} and {@link CmListener} are called
 * from within its methods and may call it back, {@link CmOutput} may not.
 *
 * <pre>
 * asking:  REQUESTING --REP, RTU sent--&gt; ESTABLISHED
 * asked:   DECIDING --accept, REP sent--&gt; REPLIED --RTU or data--&gt; ESTABLISHED
 * ending:  ESTABLISHED --DREQ sent--&gt; DISCONNECTING --DREP--&gt; TIME_WAIT --&gt; gone
 *          ESTABLISHED --DREQ, DREP sent--&gt; TIME_WAIT --&gt; gone
 * refused: any of the first three --REJ sent--&gt; REJECTED --&gt; gone
 * </pre>
 *
 * <p>REQ, REP and DREQ are sent again until they are answered. Everything else is sent again when a repeated message of
 * the peer shows that it was lost, which is why an ended or refused connection is remembered for a while.
 */
final class ConnectionManager {
    /** There is nothing to wait for. */
    static final long NO_DEADLINE = Long.MAX_VALUE;
    /** Most connections at a time, those included that have ended but are remembered. */
    static final int MAX_CONNECTIONS = 4096;
    /** Most requests at a time that the application has not answered. */
    static final int MAX_REQUESTS = 128;

    /** 137 s: the peer may not keep a request waiting for longer, whatever it says. Linux says 24. */
    private static final int MAX_SERVICE_TIMEOUT_CODE = 25;
    /** 0 and 1 belong to management. */
    private static final int FIRST_QUEUE_PAIR = 2;

    private static final byte[] NO_DATA = {};
    private static final int LARGEST_MTU_CODE = 5;

    private final int localAddress;
    private int trafficClass;
    private int pathMtuCode = LARGEST_MTU_CODE;
    private final long caGuid;
    private final CmTimers timers;
    private final int agent;
    private final CmCounters counters = new CmCounters();
    private final CmPorts ports;
    private final CmConnections connections;
    private final CmSender sender;

    /**
     * Makes a connection manager.
     *
     * @param localAddress own IPv4 address, which is the identity of the port
     * @param caGuid identity of the adapter; make it random, and new for each process
     * @param random for communication ids, which must not come again soon
     * @param timers how long to wait
     * @param output takes the messages to send
     */
    ConnectionManager(int localAddress, long caGuid, RandomGenerator random, CmTimers timers, CmOutput output) {
        this.localAddress = localAddress;
        this.caGuid = caGuid;
        this.timers = Objects.requireNonNull(timers, "timers");
        ports = new CmPorts(localAddress, random);
        connections = new CmConnections(random, MAX_CONNECTIONS);
        sender = new CmSender(caGuid, timers, counters, connections, output);
        agent = random.nextInt();
    }

    /**
     * Takes requests on a port.
     *
     * @param port port in the TCP port space, 0 for any free one
     * @param listener who answers
     * @return the port
     * @throws RdmaException if the port is in use
     */
    int listen(int port, CmListener listener) {
        return ports.listen(port, listener);
    }

    /** Takes no more requests on a port. Those that were taken stay until they are answered. */
    void unlisten(int port) {
        ports.unlisten(port);
    }

    /** Type of service that peers which are connected to from now on should give to their packets. */
    void trafficClass(int value) {
        trafficClass = value;
    }

    /** The largest path MTU that requests may ask for, from 1 for 256 bytes of payload a packet to 5 for 4096. */
    void pathMtuCode(int largest) {
        pathMtuCode = largest;
    }

    /**
     * Asks a peer for a connection.
     *
     * @param remoteAddress IPv4 address of the peer
     * @param port port in the TCP port space
     * @param local the own side; its receives should be posted
     * @param privateData what to tell the listening application, up to 56 bytes
     * @param events notified of the outcome, never before this returns
     * @param nowNanos time
     * @return names the connection
     * @throws IllegalArgumentException if the private data is too long
     * @throws RdmaException if there are too many connections
     */
    CmId connect(int remoteAddress, int port, CmLocal local, byte[] privateData, CmEvents events, long nowNanos) {
        CmMessage.check("port", port, 16);
        Objects.requireNonNull(events, "events");
        CmBytes data =
                CmAddress.ipv4(ports.ephemeral(), localAddress, remoteAddress).with(privateData);
        if (!connections.makeRoom()) {
            throw new RdmaException("There are " + connections.size() + " RDMA connections: close some");
        }
        CmId id = connections.freshId();
        CmConnection connection = CmConnection.asking(id, remoteAddress, transactionId(id), local, events);
        connections.add(connection);
        CmPath path = CmPath.ipv4(localAddress, remoteAddress, trafficClass, local.ackTimeoutExponent());
        CmReq req = connection.req(port, caGuid, path, data);
        sender.untilAnswered(connection, req, timers.requestRetryNanos(), nowNanos);
        return id;
    }

    /**
     * Accepts a request. The queue pair must be ready to receive and to send: the peer may use it before
     * {@link CmEvents#established}.
     *
     * @param id names the request
     * @param local the own side
     * @param privateData what to tell the asking application, up to 196 bytes
     * @param events notified of the outcome
     * @param nowNanos time
     * @return false if the request is no more, and nothing was done
     * @throws IllegalArgumentException if the private data is too long
     */
    boolean accept(CmId id, CmLocal local, byte[] privateData, CmEvents events, long nowNanos) {
        Objects.requireNonNull(events, "events");
        CmBytes data = CmBytes.padded(privateData, CmRep.PRIVATE_DATA_BYTES);
        CmConnection connection = connections.find(id.localId());
        if (connection == null || connection.state != State.DECIDING) {
            return false;
        }
        connections.accepted(connection, local);
        connection.events = Optional.of(events);
        CmRep rep = connection.rep(caGuid, data);
        sender.untilAnswered(connection, rep, timers.replyRetryNanos(), nowNanos);
        return true;
    }

    /**
     * Refuses a request. Does nothing if the request is no more.
     *
     * @param id names the request
     * @param privateData what to tell the asking application, up to 148 bytes
     * @param nowNanos time
     * @throws IllegalArgumentException if the private data is too long
     */
    void reject(CmId id, byte[] privateData, long nowNanos) {
        CmBytes data = CmBytes.padded(privateData, CmRej.PRIVATE_DATA_BYTES);
        CmConnection connection = connections.find(id.localId());
        if (connection != null && connection.state == State.DECIDING) {
            sender.refuse(connection, CmMessage.REASON_CONSUMER, data, nowNanos);
        }
    }

    /**
     * Ends a connection, or the try to make one, whatever its state. No event follows. Idempotent.
     *
     * @param id names the connection
     * @param nowNanos time
     */
    void disconnect(CmId id, long nowNanos) {
        CmConnection connection = connections.find(id.localId());
        if (connection == null) {
            return;
        }
        connection.forgetWatchers();
        switch (connection.state) {
            case REQUESTING -> sender.refuse(connection, CmMessage.REASON_TIMEOUT, nowNanos);
            case DECIDING, REPLIED -> sender.refuse(connection, CmMessage.REASON_CONSUMER, nowNanos);
            case ESTABLISHED -> requestDisconnect(connection, nowNanos);
            case DISCONNECTING, REJECTED, TIME_WAIT -> {
                // It is ending already.
            }
        }
    }

    /**
     * Notifies every peer, once, that its connection is over, and forgets all. No event follows.
     *
     * @param nowNanos time
     */
    void close(long nowNanos) {
        ports.unlistenAll();
        for (CmConnection connection : new ArrayList<>(connections.all())) {
            disconnect(connection.id, nowNanos);
            connections.forget(connection);
        }
        connections.findNextDeadline();
    }

    /** Notes that a valid request packet came to a connection: its peer is ready, even if the message was lost. */
    void onData(CmId id) {
        CmConnection connection = connections.find(id.localId());
        if (connection != null && connection.state == State.REPLIED) {
            establish(connection, NO_DATA);
        }
    }

    /** Notes that a valid request packet came to a queue pair: its peer is ready, even if the message was lost. */
    void onData(int queuePairNumber) {
        CmConnection connection = connections.ofReplied(queuePairNumber);
        if (connection != null) {
            establish(connection, NO_DATA);
        }
    }

    /**
     * Takes a message that came to queue pair 1.
     *
     * @param sourceAddress IPv4 address that it came from
     * @param packet holds the message, and anything else
     * @param offset first byte of the message
     * @param lengthBytes length of the message
     * @param nowNanos time
     */
    void onMad(int sourceAddress, ByteBuffer packet, int offset, int lengthBytes, long nowNanos) {
        counters.count(Counter.RECEIVED);
        if (!CmMessage.fits(packet, offset, lengthBytes)) {
            counters.count(Counter.MALFORMED);
            return;
        }
        Optional<CmMessage> decoded = CmMessage.decode(packet, offset);
        if (decoded.isEmpty()) {
            counters.count(Counter.UNSUPPORTED);
            return;
        }
        CmMessage message = decoded.get();
        if (message instanceof CmReq req) {
            onReq(sourceAddress, req, nowNanos);
        } else if (message instanceof CmDreq dreq) {
            onDreq(sourceAddress, dreq, nowNanos);
        } else {
            onAnswer(sourceAddress, message, nowNanos);
        }
    }

    private void onAnswer(int source, CmMessage message, long now) {
        CmConnection connection;
        if (message instanceof CmRej rej) {
            counters.count(Counter.REJECTS_RECEIVED);
            connection = connections.ofRefusal(source, rej);
        } else {
            connection = connections.find(message.remoteId());
        }
        if (!isOf(connection, source)) {
            return;
        }
        if (message instanceof CmRep rep) {
            onRep(connection, rep, now);
        } else if (message instanceof CmRtu rtu) {
            onRtu(connection, rtu);
        } else if (message instanceof CmRej rej) {
            onRej(connection, rej, now);
        } else if (message instanceof CmMra mra) {
            onMra(connection, mra, now);
        } else if (message instanceof CmDrep drep) {
            onDrep(connection, drep, now);
        }
    }

    /**
     * Does what is due.
     *
     * @param nowNanos time
     * @return when to call again, or {@link #NO_DEADLINE}
     */
    long onTime(long nowNanos) {
        if (CmConnections.isDue(connections.nextDeadlineNanos(), nowNanos)) {
            for (CmConnection connection : connections.due(nowNanos)) {
                // An event of one may have changed another.
                if (CmConnections.isDue(connection.deadline, nowNanos)) {
                    onDeadline(connection, nowNanos);
                }
            }
            connections.findNextDeadline();
        }
        return connections.nextDeadlineNanos();
    }

    /** When {@link #onTime} has something to do, or {@link #NO_DEADLINE}. */
    long nextDeadlineNanos() {
        return connections.nextDeadlineNanos();
    }

    /** Counters by name, for people to read. */
    Map<String, Long> counters() {
        return counters.byName();
    }

    /** Value of a counter. */
    long get(Counter counter) {
        return counters.get(counter);
    }

    /** Whether no farewell of ours waits for its answer. */
    boolean settled() {
        return connections.all().stream().noneMatch(each -> each.state == State.DISCONNECTING);
    }

    /** Connections and requests, those included that have ended but are remembered. */
    int connectionCount() {
        return connections.size();
    }

    /** Entries of all tables but the connections themselves. */
    int indexSize() {
        return connections.indexSize();
    }

    private void onReq(int source, CmReq req, long now) {
        CmConnection known = connections.ofRequest(new Remote(source, req.caGuid(), req.localId()));
        if (known != null) {
            onRepeatedReq(known, req);
            return;
        }
        if (req.queuePairNumber() < FIRST_QUEUE_PAIR) {
            counters.count(Counter.MALFORMED);
            return;
        }
        Optional<CmConnection> stale = stale(new Remote(source, req.caGuid(), req.queuePairNumber()), now);
        if (stale.isPresent()) {
            sender.refuse(source, req, CmRefusal.of(CmMessage.REASON_STALE_CONNECTION));
            onStale(stale.get(), now);
            return;
        }
        Optional<CmListener> listener = ports.listener(req);
        if (listener.isEmpty()) {
            sender.refuse(source, req, CmRefusal.of(CmMessage.REASON_INVALID_SERVICE_ID));
            return;
        }
        Optional<CmRefusal> refusal = CmRefusal.of(req, localAddress, source, pathMtuCode);
        if (refusal.isPresent()) {
            sender.refuse(source, req, refusal.get());
        } else if (connections.deciding() >= MAX_REQUESTS || !connections.makeRoom()) {
            counters.count(Counter.NO_ROOM);
            sender.refuse(source, req, CmRefusal.of(CmMessage.REASON_NO_RESOURCES));
        } else {
            admit(source, req, listener.get(), now);
        }
    }

    private void admit(int source, CmReq req, CmListener listener, long now) {
        CmConnection connection = CmConnection.asked(connections.freshId(), source, req, listener);
        connections.add(connection);
        connections.arm(connection, now + timers.decisionNanos());
        listener.requested(connection.id, CmRequest.of(connection.peer.orElseThrow(), req));
    }

    /** The answer to the request was lost, or is not decided yet. */
    private void onRepeatedReq(CmConnection connection, CmReq req) {
        if (connection.peer.orElseThrow().queuePairNumber() != req.queuePairNumber()) {
            counters.count(Counter.UNEXPECTED);
            return;
        }
        switch (connection.state) {
            case DECIDING -> sender.send(connection.remoteAddress, connection.mra(req));
            case REPLIED -> sender.send(connection.remoteAddress, connection.outstanding.orElseThrow());
            case REJECTED -> sender.refuseAgain(connection);
            default -> counters.count(Counter.UNEXPECTED);
        }
    }

    private void onRep(CmConnection connection, CmRep rep, long now) {
        if (!connection.asking) {
            counters.count(Counter.UNEXPECTED);
        } else if (connection.state == State.REQUESTING) {
            onFirstRep(connection, rep, now);
        } else if (connection.state == State.ESTABLISHED && connection.remoteId == rep.localId()) {
            sender.send(connection.remoteAddress, connection.rtu());
        } else if (connection.state == State.REJECTED) {
            // The peer did not know its own id to be refused before.
            connection.remoteId = rep.localId();
            sender.refuseAgain(connection);
        } else {
            counters.count(Counter.UNEXPECTED);
        }
    }

    private void onFirstRep(CmConnection connection, CmRep rep, long now) {
        if (rep.queuePairNumber() < FIRST_QUEUE_PAIR) {
            counters.count(Counter.MALFORMED);
            return;
        }
        connection.remoteId = rep.localId();
        Remote queuePair = new Remote(connection.remoteAddress, rep.caGuid(), rep.queuePairNumber());
        Optional<CmConnection> stale = stale(queuePair, now);
        if (stale.isPresent()) {
            sender.refuse(connection, CmMessage.REASON_STALE_CONNECTION, now);
            onStale(stale.get(), now);
            connection.tellFailed(
                    connection.peerText() + " replied with a queue pair that is connected already: connect again");
            return;
        }
        connections.connect(connection, queuePair);
        connection.peer = Optional.of(CmPeer.of(connection.remoteAddress, rep, connection.local.orElseThrow()));
        establish(connection, rep.privateData().toArray());
        if (connection.state == State.ESTABLISHED) {
            sender.send(connection.remoteAddress, connection.rtu());
        }
    }

    private void onRtu(CmConnection connection, CmRtu rtu) {
        if (connection.asking || connection.remoteId != rtu.localId()) {
            counters.count(Counter.UNEXPECTED);
        } else if (connection.state == State.REPLIED) {
            establish(connection, rtu.privateData().toArray());
        } else if (connection.state == State.REJECTED) {
            sender.refuseAgain(connection);
        } else {
            counters.count(Counter.UNEXPECTED);
        }
    }

    private void onRej(CmConnection connection, CmRej rej, long now) {
        if (connection.state != State.REQUESTING && connection.remoteId != rej.localId()) {
            counters.count(Counter.UNEXPECTED);
            return;
        }
        switch (connection.state) {
            case REQUESTING -> {
                connections.forget(connection);
                connection.tellRejected(rej);
            }
            case DECIDING -> {
                connections.decided(connection, State.TIME_WAIT);
                end(connection, State.TIME_WAIT, now);
                connection.tellWithdrawn();
            }
            case REPLIED -> {
                end(connection, State.TIME_WAIT, now);
                connection.tellRejected(rej);
            }
            case ESTABLISHED -> {
                end(connection, State.TIME_WAIT, now);
                connection.tellFailed(
                        connection.peerText() + " gave the connection up (rejection reason " + rej.reason() + ")");
            }
            case DISCONNECTING -> end(connection, State.TIME_WAIT, now);
            case REJECTED, TIME_WAIT -> counters.count(Counter.UNEXPECTED);
        }
    }

    private void onMra(CmConnection connection, CmMra mra, long now) {
        long service = CmMessage.nanosOfCode(Math.min(mra.serviceTimeout(), MAX_SERVICE_TIMEOUT_CODE));
        if (connection.state == State.REQUESTING && mra.about() == CmMessage.ABOUT_REQ) {
            connections.arm(connection, now + service + timers.requestRetryNanos());
        } else if (connection.state == State.REPLIED
                && mra.about() == CmMessage.ABOUT_REP
                && connection.remoteId == mra.localId()) {
            connections.arm(connection, now + service + timers.replyRetryNanos());
        } else {
            counters.count(Counter.UNEXPECTED);
        }
    }

    private void onDreq(int source, CmDreq dreq, long now) {
        CmConnection connection = connections.find(dreq.remoteId());
        if (connection == null || !connection.knows(dreq.localId())) {
            // As Linux does: whoever asks has what it wants.
            counters.count(Counter.UNKNOWN);
            sender.send(source, CmDrep.to(dreq));
            return;
        }
        if (!isOf(connection, source)) {
            return;
        }
        if (connection.local.orElseThrow().queuePairNumber() != dreq.remoteQueuePairNumber()) {
            counters.count(Counter.UNEXPECTED);
            return;
        }
        sender.send(source, CmDrep.to(dreq));
        if (connection.state != State.TIME_WAIT) {
            end(connection, State.TIME_WAIT, now);
            counters.count(Counter.DISCONNECTED);
            connection.tellDisconnected();
        }
    }

    private void onDrep(CmConnection connection, CmDrep drep, long now) {
        if (connection.state == State.DISCONNECTING && connection.remoteId == drep.localId()) {
            end(connection, State.TIME_WAIT, now);
            counters.count(Counter.DISCONNECTED);
        } else {
            counters.count(Counter.UNEXPECTED);
        }
    }

    private void onDeadline(CmConnection connection, long now) {
        switch (connection.state) {
            case REQUESTING -> {
                if (!sender.again(connection, timers.requestRetryNanos(), now)) {
                    sender.refuse(connection, CmMessage.REASON_TIMEOUT, now);
                    connection.tellFailed("No answer from " + connection.peerText() + " after "
                            + (connection.retries + 1) + " requests: is RoCEv2 (UDP port 4791) open there?");
                }
            }
            case DECIDING -> {
                sender.refuse(connection, CmMessage.REASON_CONSUMER, now);
                counters.count(Counter.TIMEOUTS);
                connection.tellWithdrawn();
            }
            case REPLIED -> {
                if (!sender.again(connection, timers.replyRetryNanos(), now)) {
                    sender.refuse(connection, CmMessage.REASON_TIMEOUT, now);
                    connection.tellFailed(connection.peerText() + " did not say that it is ready: "
                            + (connection.retries + 1) + " replies were sent");
                }
            }
            case DISCONNECTING -> {
                if (!sender.again(connection, timers.disconnectRetryNanos(), now)) {
                    end(connection, State.TIME_WAIT, now);
                }
            }
            case REJECTED, TIME_WAIT -> connections.forget(connection);
            case ESTABLISHED -> connection.deadline = NO_DEADLINE;
        }
    }

    private void establish(CmConnection connection, byte[] privateData) {
        connections.established(connection);
        counters.count(Counter.ESTABLISHED);
        connection.tellEstablished(privateData);
    }

    /** Who is connected to a queue pair of a peer, and must not be if the peer connects it again. */
    private Optional<CmConnection> stale(Remote queuePair, long now) {
        CmConnection connection = connections.ofRemoteQueuePair(queuePair);
        if (connection != null && connection.state == State.DISCONNECTING) {
            // The new use of the queue pair is as good as the answer.
            end(connection, State.TIME_WAIT, now);
            return Optional.empty();
        }
        return Optional.ofNullable(connection);
    }

    /** The peer uses the queue pair for something new: it has lost this connection. */
    private void onStale(CmConnection connection, long now) {
        counters.count(Counter.STALE);
        if (connection.state == State.ESTABLISHED) {
            requestDisconnect(connection, now);
            connection.tellDisconnected();
        }
    }

    private void requestDisconnect(CmConnection connection, long now) {
        connection.state = State.DISCONNECTING;
        CmDreq dreq = connection.dreq(transactionId(connection.id));
        sender.untilAnswered(connection, dreq, timers.disconnectRetryNanos(), now);
    }

    /** What is left of a connection only answers repeated messages, for a while. */
    private void end(CmConnection connection, State state, long now) {
        connections.end(connection, state, now + timers.timeWaitNanos());
    }

    /** Whether a message from an address may speak to a connection; counts why not. */
    private boolean isOf(@Nullable CmConnection connection, int source) {
        if (connection == null) {
            counters.count(Counter.UNKNOWN);
            return false;
        }
        if (connection.remoteAddress != source) {
            counters.count(Counter.WRONG_SOURCE);
            return false;
        }
        return true;
    }

    private long transactionId(CmId id) {
        return (long) agent << Integer.SIZE | Integer.toUnsignedLong(id.localId());
    }
}
