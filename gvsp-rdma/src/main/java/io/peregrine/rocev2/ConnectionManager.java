package io.peregrine.rocev2;

import io.peregrine.rdma.RdmaException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The connection manager of one local IPv4 address: makes and ends reliable connections by messages between the queue
 * pairs 1, compatible with the RDMA connection manager of Linux. A pure state machine: messages, data and time come
 * from outside, and nothing here waits. For one thread at a time; {@link Events} and {@link Listener} are called from
 * within its methods and may call it back, {@link Output} may not.
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

    /**
     * Timeouts in seconds are two to the code divided by 244140: here 1.07 s. Drives how often Linux repeats its reply.
     */
    private static final int OWN_RESPONSE_TIMEOUT_CODE = 18;
    /** 4.3 s. */
    private static final int PEER_RESPONSE_TIMEOUT_CODE = 20;
    /** 4.3 s: the peer asks again while the request is remembered, should the answer be lost. */
    private static final int SERVICE_TIMEOUT_CODE = 20;
    /** 137 s: the peer may not keep a request waiting for longer, whatever it says. Linux says 24. */
    private static final int MAX_SERVICE_TIMEOUT_CODE = 25;

    private static final int ACK_DELAY_CODE = 15;
    private static final int MAX_CM_RETRIES = 15;
    private static final int ANY_PARTITION = 0xFFFF;
    private static final int PARTITION_MASK = 0x7FFF;
    /** 0 and 1 belong to management. */
    private static final int FIRST_QUEUE_PAIR = 2;

    private static final int FIRST_EPHEMERAL_PORT = 49152;
    private static final int LAST_PORT = 65535;
    private static final byte[] NO_DATA = {};
    private static final int LARGEST_MTU_CODE = 5;

    /** Takes the messages to send. */
    interface Output {
        /**
         * Sends a message to queue pair 1 of an address.
         *
         * @param destinationAddress IPv4 address
         * @param mad256 the 256 bytes, from position to limit; reused after the call
         */
        void sendMad(int destinationAddress, ByteBuffer mad256);
    }

    /**
     * What happens to a connection. After {@link #established}, or instead of it, comes one of the others, once;
     * nothing comes any more after {@link ConnectionManager#disconnect}.
     */
    interface Events {
        /**
         * Both sides agree. The asking side must make its queue pair ready to receive and to send before this returns:
         * the peer is notified then.
         *
         * @param peer the other side
         * @param privateData what the peer's application said, zero padded; may be empty on the asked side
         */
        void established(CmPeer peer, byte[] privateData);

        /**
         * The peer refused.
         *
         * @param reason rejection reason
         * @param privateData what the peer's application said, zero padded
         */
        void rejected(int reason, byte[] privateData);

        /**
         * The peer refused because it cannot receive packets of the path MTU that was asked for.
         *
         * @param pathMtuCode the largest that it can, less than what was asked for
         */
        default void pathMtuTooLarge(int pathMtuCode) {
            rejected(CmMessage.REASON_INVALID_MTU, NO_DATA);
        }

        /** The peer ended the connection. */
        void disconnected();

        /**
         * The connection could not be made, or broke.
         *
         * @param why for people to read
         */
        void failed(String why);
    }

    /** Who answers requests on a port. */
    interface Listener {
        /**
         * Somebody wants to connect. Answer with {@link ConnectionManager#accept} or {@link ConnectionManager#reject},
         * now or later.
         *
         * @param id names the request, and the connection that becomes of it
         * @param request who asks for what
         */
        void requested(CmId id, CmRequest request);

        /** The asking side gave up, or the answer took too long: the request is no more. */
        default void withdrawn(CmId id) {}
    }

    /** What is counted. */
    enum Counter {
        /** Messages that arrived. */
        RECEIVED("cmReceived"),
        /** Messages that were sent. */
        SENT("cmSent"),
        /** Of these, REQ, REP and DREQ again because no answer came. */
        RETRIES("cmRetries"),
        /** Messages that are not of this protocol, or contradict it. */
        MALFORMED("cmMalformed"),
        /** Messages of the protocol that nothing here needs. */
        UNSUPPORTED("cmUnsupported"),
        /** Messages to a connection from another address than its peer's. */
        WRONG_SOURCE("cmWrongSource"),
        /** Messages to no connection. */
        UNKNOWN("cmUnknown"),
        /** Messages that the connection has no use for, or had already. */
        UNEXPECTED("cmUnexpected"),
        /** Requests for a queue pair that is connected already. */
        STALE("cmStale"),
        /** Requests refused for lack of room. */
        NO_ROOM("cmNoRoom"),
        /** Refusals sent. */
        REJECTS_SENT("cmRejectsSent"),
        /** Refusals received. */
        REJECTS_RECEIVED("cmRejectsReceived"),
        /** Messages given up because no answer came. */
        TIMEOUTS("cmTimeouts"),
        /** Connections made. */
        ESTABLISHED("cmEstablished"),
        /** Connections ended in good order, by either side. */
        DISCONNECTED("cmDisconnected");

        private final String label;

        Counter(String label) {
            this.label = label;
        }
    }

    private enum State {
        REQUESTING,
        DECIDING,
        REPLIED,
        ESTABLISHED,
        DISCONNECTING,
        REJECTED,
        TIME_WAIT
    }

    /** A communication id or a queue pair of a peer. */
    private record Remote(int address, long caGuid, int number) {}

    private static final class Connection {
        final CmId id;
        final int remoteAddress;
        final boolean asking;
        final long transactionId;
        State state;
        long deadline = NO_DEADLINE;
        int remoteId;
        /** Key in the table of requests, of the asked side. */
        Optional<Remote> request = Optional.empty();
        /** Key in the table of queue pairs, while connecting or connected. */
        Optional<Remote> queuePair = Optional.empty();
        /** Who is notified, until the end was reported. */
        Optional<Events> events = Optional.empty();

        Optional<Listener> listener = Optional.empty();
        Optional<CmLocal> local = Optional.empty();
        Optional<CmPeer> peer = Optional.empty();
        /** What is sent again. */
        Optional<CmMessage> outstanding = Optional.empty();

        int retries;

        Connection(CmId id, int remoteAddress, boolean asking, long transactionId, State state) {
            this.id = id;
            this.remoteAddress = remoteAddress;
            this.asking = asking;
            this.transactionId = transactionId;
            this.state = state;
        }

        /** Its peer, for people to read. */
        String peerText() {
            return CmGid.text(remoteAddress);
        }
    }

    private final int localAddress;
    private int trafficClass;
    private int pathMtuCode = LARGEST_MTU_CODE;
    private final long caGuid;
    private final RandomGenerator random;
    private final CmTimers timers;
    private final Output output;
    private final int agent;
    private final ByteBuffer mad = ByteBuffer.allocate(CmMessage.LENGTH_BYTES);
    private final long[] counters = new long[Counter.values().length];
    private final Map<Integer, Listener> listeners = new HashMap<>();
    /** By local communication id, in order of their making. */
    private final Map<Integer, Connection> connections = new LinkedHashMap<>();
    /** Those that were asked for, by the peer's communication id. */
    private final Map<Remote, Connection> byRequest = new HashMap<>();
    /** Those that are not over, by the peer's queue pair. */
    private final Map<Remote, Connection> byRemoteQueuePair = new HashMap<>();
    /** Those that wait for the peer to be ready, by the own queue pair. */
    private final Map<Integer, Connection> replied = new HashMap<>();

    private int deciding;
    private long nextDeadline = NO_DEADLINE;

    /**
     * Makes a connection manager.
     *
     * @param localAddress own IPv4 address, which is the identity of the port
     * @param caGuid identity of the adapter; make it random, and new for each process
     * @param random for communication ids, which must not come again soon
     * @param timers how long to wait
     * @param output takes the messages to send
     */
    ConnectionManager(int localAddress, long caGuid, RandomGenerator random, CmTimers timers, Output output) {
        this.localAddress = localAddress;
        this.caGuid = caGuid;
        this.random = Objects.requireNonNull(random, "random");
        this.timers = Objects.requireNonNull(timers, "timers");
        this.output = Objects.requireNonNull(output, "output");
        this.agent = random.nextInt();
    }

    /**
     * Takes requests on a port.
     *
     * @param port port in the TCP port space, 0 for any free one
     * @param listener who answers
     * @return the port
     * @throws RdmaException if the port is in use
     */
    int listen(int port, Listener listener) {
        CmMessage.check("port", port, 16);
        Objects.requireNonNull(listener, "listener");
        int chosen = port;
        if (port == 0) {
            int first = ephemeralPort();
            chosen = first;
            while (listeners.containsKey(chosen)) {
                chosen = chosen == LAST_PORT ? FIRST_EPHEMERAL_PORT : chosen + 1;
                if (chosen == first) {
                    throw new RdmaException(
                            "Every port of " + CmGid.text(localAddress) + " is listened to: close some");
                }
            }
        }
        if (listeners.putIfAbsent(chosen, listener) != null) {
            throw new RdmaException("RDMA port " + chosen + " of " + CmGid.text(localAddress)
                    + " is listened to already: choose another, or 0 for any");
        }
        return chosen;
    }

    /** Takes no more requests on a port. Those that were taken stay until they are answered. */
    void unlisten(int port) {
        listeners.remove(port);
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
    CmId connect(int remoteAddress, int port, CmLocal local, byte[] privateData, Events events, long nowNanos) {
        CmMessage.check("port", port, 16);
        Objects.requireNonNull(events, "events");
        CmBytes data =
                CmAddress.ipv4(ephemeralPort(), localAddress, remoteAddress).with(privateData);
        if (!makeRoom()) {
            throw new RdmaException("There are " + connections.size() + " RDMA connections: close some");
        }
        CmId id = freshId();
        Connection connection = new Connection(id, remoteAddress, true, transactionId(id), State.REQUESTING);
        connection.local = Optional.of(local);
        connection.events = Optional.of(events);
        connections.put(id.localId(), connection);
        CmReq req = new CmReq(
                CmHeader.of(CmMessage.ATTRIBUTE_REQ, connection.transactionId),
                id.localId(),
                0,
                CmReq.TCP_PORT_SPACE | port,
                caGuid,
                0,
                0,
                local.queuePairNumber(),
                /* responderResources= */ local.maxReads(),
                0,
                /* initiatorDepth= */ local.maxReads(),
                0,
                PEER_RESPONSE_TIMEOUT_CODE,
                0,
                false,
                local.startingPsn(),
                OWN_RESPONSE_TIMEOUT_CODE,
                local.retryCount(),
                ANY_PARTITION,
                local.pathMtuCode(),
                false,
                local.rnrRetryCount(),
                MAX_CM_RETRIES,
                local.sharedReceiveQueue(),
                0,
                CmPath.ipv4(localAddress, remoteAddress, trafficClass, local.ackTimeoutExponent()),
                CmPath.NONE,
                data);
        sendUntilAnswered(connection, req, timers.requestRetryNanos(), nowNanos);
        return id;
    }

    /**
     * Accepts a request. The queue pair must be ready to receive and to send: the peer may use it before
     * {@link Events#established}.
     *
     * @param id names the request
     * @param local the own side
     * @param privateData what to tell the asking application, up to 196 bytes
     * @param events notified of the outcome
     * @param nowNanos time
     * @return false if the request is no more, and nothing was done
     * @throws IllegalArgumentException if the private data is too long
     */
    boolean accept(CmId id, CmLocal local, byte[] privateData, Events events, long nowNanos) {
        Objects.requireNonNull(events, "events");
        CmBytes data = CmBytes.padded(privateData, CmRep.PRIVATE_DATA_BYTES);
        Connection connection = connections.get(id.localId());
        if (connection == null || connection.state != State.DECIDING) {
            return false;
        }
        decided(connection, State.REPLIED);
        connection.local = Optional.of(local);
        connection.events = Optional.of(events);
        replied.put(local.queuePairNumber(), connection);
        CmPeer peer = connection.peer.orElseThrow();
        CmRep rep = new CmRep(
                CmHeader.of(CmMessage.ATTRIBUTE_REP, connection.transactionId),
                id.localId(),
                connection.remoteId,
                0,
                local.queuePairNumber(),
                0,
                0,
                local.startingPsn(),
                /* responderResources= */ Math.min(local.maxReads(), peer.initiatorDepth()),
                /* initiatorDepth= */ Math.min(local.maxReads(), peer.responderResources()),
                ACK_DELAY_CODE,
                0,
                false,
                local.rnrRetryCount(),
                local.sharedReceiveQueue(),
                0,
                caGuid,
                data);
        sendUntilAnswered(connection, rep, timers.replyRetryNanos(), nowNanos);
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
        Connection connection = connections.get(id.localId());
        if (connection != null && connection.state == State.DECIDING) {
            refuse(connection, CmMessage.REASON_CONSUMER, data, nowNanos);
        }
    }

    /**
     * Ends a connection, or the try to make one, whatever its state. No event follows. Idempotent.
     *
     * @param id names the connection
     * @param nowNanos time
     */
    void disconnect(CmId id, long nowNanos) {
        Connection connection = connections.get(id.localId());
        if (connection == null) {
            return;
        }
        connection.events = Optional.empty();
        connection.listener = Optional.empty();
        switch (connection.state) {
            case REQUESTING -> refuse(connection, CmMessage.REASON_TIMEOUT, noRejectData(), nowNanos);
            case DECIDING, REPLIED -> refuse(connection, CmMessage.REASON_CONSUMER, noRejectData(), nowNanos);
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
        listeners.clear();
        for (Connection connection : new ArrayList<>(connections.values())) {
            disconnect(connection.id, nowNanos);
            forget(connection);
        }
        nextDeadline = NO_DEADLINE;
    }

    /** Notes that a valid request packet came to a connection: its peer is ready, even if the message was lost. */
    void onData(CmId id) {
        Connection connection = connections.get(id.localId());
        if (connection != null && connection.state == State.REPLIED) {
            establish(connection, NO_DATA);
        }
    }

    /** Notes that a valid request packet came to a queue pair: its peer is ready, even if the message was lost. */
    void onData(int queuePairNumber) {
        // Called for each packet: nothing may be allocated when there is nothing to do.
        if (!replied.isEmpty()) {
            Connection connection = replied.get(queuePairNumber);
            if (connection != null) {
                establish(connection, NO_DATA);
            }
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
        count(Counter.RECEIVED);
        if (!CmMessage.fits(packet, offset, lengthBytes)) {
            count(Counter.MALFORMED);
            return;
        }
        Optional<CmMessage> decoded = CmMessage.decode(packet, offset);
        if (decoded.isEmpty()) {
            count(Counter.UNSUPPORTED);
            return;
        }
        CmMessage message = decoded.get();
        if (message instanceof CmReq req) {
            onReq(sourceAddress, req, nowNanos);
        } else if (message instanceof CmRep rep) {
            onRep(sourceAddress, rep, nowNanos);
        } else if (message instanceof CmRtu rtu) {
            onRtu(sourceAddress, rtu);
        } else if (message instanceof CmRej rej) {
            onRej(sourceAddress, rej, nowNanos);
        } else if (message instanceof CmMra mra) {
            onMra(sourceAddress, mra, nowNanos);
        } else if (message instanceof CmDreq dreq) {
            onDreq(sourceAddress, dreq, nowNanos);
        } else if (message instanceof CmDrep drep) {
            onDrep(sourceAddress, drep, nowNanos);
        }
    }

    /**
     * Does what is due.
     *
     * @param nowNanos time
     * @return when to call again, or {@link #NO_DEADLINE}
     */
    long onTime(long nowNanos) {
        if (!isDue(nextDeadline, nowNanos)) {
            return nextDeadline;
        }
        List<Connection> due = new ArrayList<>();
        for (Connection connection : connections.values()) {
            if (isDue(connection.deadline, nowNanos)) {
                due.add(connection);
            }
        }
        for (Connection connection : due) {
            // An event of one may have changed another.
            if (isDue(connection.deadline, nowNanos)) {
                onDeadline(connection, nowNanos);
            }
        }
        nextDeadline = NO_DEADLINE;
        for (Connection connection : connections.values()) {
            noteDeadline(connection.deadline);
        }
        return nextDeadline;
    }

    /** When {@link #onTime} has something to do, or {@link #NO_DEADLINE}. */
    long nextDeadlineNanos() {
        return nextDeadline;
    }

    /** Counters by name, for people to read. */
    Map<String, Long> counters() {
        Map<String, Long> result = new LinkedHashMap<>();
        for (Counter counter : Counter.values()) {
            result.put(counter.label, get(counter));
        }
        return result;
    }

    /** Value of a counter. */
    long get(Counter counter) {
        return counters[counter.ordinal()];
    }

    /** Whether no farewell of ours waits for its answer. */
    boolean settled() {
        return connections.values().stream().noneMatch(each -> each.state == State.DISCONNECTING);
    }

    /** Connections and requests, those included that have ended but are remembered. */
    int connectionCount() {
        return connections.size();
    }

    /** Entries of all tables but the connections themselves. */
    int indexSize() {
        return byRequest.size() + byRemoteQueuePair.size() + replied.size() + deciding;
    }

    private void onReq(int source, CmReq req, long now) {
        Remote request = new Remote(source, req.caGuid(), req.localId());
        Connection known = byRequest.get(request);
        if (known != null) {
            onRepeatedReq(known, req);
            return;
        }
        if (req.queuePairNumber() < FIRST_QUEUE_PAIR) {
            count(Counter.MALFORMED);
            return;
        }
        Remote queuePair = new Remote(source, req.caGuid(), req.queuePairNumber());
        Optional<Connection> stale = stale(queuePair, now);
        if (stale.isPresent()) {
            refuse(source, req, CmMessage.REASON_STALE_CONNECTION, NO_DATA);
            onStale(stale.get(), now);
            return;
        }
        Listener listener = req.isTcpPort() ? listeners.get(req.port()) : null;
        if (listener == null) {
            refuse(source, req, CmMessage.REASON_INVALID_SERVICE_ID, NO_DATA);
        } else if (req.transportType() != 0) {
            refuse(source, req, CmMessage.REASON_INVALID_TRANSPORT, NO_DATA);
        } else if ((req.partitionKey() & PARTITION_MASK) != PARTITION_MASK
                || !req.primary().remoteGid().isIpv4(localAddress)
                || !req.primary().localGid().isIpv4(source)) {
            CmGid own = CmGid.ofIpv4(localAddress);
            byte[] information = ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(own.high())
                    .putLong(own.low())
                    .array();
            refuse(source, req, CmMessage.REASON_INVALID_GID, information);
        } else if (req.pathMtuCode() < 1 || req.pathMtuCode() > pathMtuCode) {
            refuse(source, req, CmMessage.REASON_INVALID_MTU, new byte[] {(byte) pathMtuCode});
        } else if (!req.address().isIpv4() || req.address().destinationIpv4() != localAddress) {
            refuse(source, req, CmMessage.REASON_CONSUMER, NO_DATA);
        } else if (deciding >= MAX_REQUESTS || !makeRoom()) {
            count(Counter.NO_ROOM);
            refuse(source, req, CmMessage.REASON_NO_RESOURCES, NO_DATA);
        } else {
            admit(source, req, request, queuePair, listener, now);
        }
    }

    private void admit(int source, CmReq req, Remote request, Remote queuePair, Listener listener, long now) {
        CmId id = freshId();
        Connection connection = new Connection(id, source, false, req.header().transactionId(), State.DECIDING);
        connection.remoteId = req.localId();
        connection.request = Optional.of(request);
        connection.queuePair = Optional.of(queuePair);
        connection.listener = Optional.of(listener);
        CmPeer peer = new CmPeer(
                source,
                req.queuePairNumber(),
                req.startingPsn(),
                req.pathMtuCode(),
                req.primary().ackTimeoutExponent(),
                req.retryCount(),
                req.rnrRetryCount(),
                req.responderResources(),
                req.initiatorDepth(),
                req.primary().trafficClass());
        connection.peer = Optional.of(peer);
        connections.put(id.localId(), connection);
        byRequest.put(request, connection);
        byRemoteQueuePair.put(queuePair, connection);
        deciding++;
        arm(connection, now + timers.decisionNanos());
        listener.requested(
                id,
                new CmRequest(
                        peer,
                        req.port(),
                        req.address().sourcePort(),
                        req.sharedReceiveQueue(),
                        CmBytes.padded(req.userData(), CmReq.USER_DATA_BYTES)));
    }

    /** The answer to the request was lost, or is not decided yet. */
    private void onRepeatedReq(Connection connection, CmReq req) {
        if (connection.peer.orElseThrow().queuePairNumber() != req.queuePairNumber()) {
            count(Counter.UNEXPECTED);
            return;
        }
        switch (connection.state) {
            case DECIDING ->
                send(
                        connection.remoteAddress,
                        new CmMra(
                                CmHeader.of(
                                        CmMessage.ATTRIBUTE_MRA, req.header().transactionId()),
                                connection.id.localId(),
                                connection.remoteId,
                                CmMessage.ABOUT_REQ,
                                SERVICE_TIMEOUT_CODE,
                                0,
                                CmBytes.padded(NO_DATA, CmMra.PRIVATE_DATA_BYTES)));
            case REPLIED -> send(connection.remoteAddress, connection.outstanding.orElseThrow());
            case REJECTED -> refuseAgain(connection);
            default -> count(Counter.UNEXPECTED);
        }
    }

    private void onRep(int source, CmRep rep, long now) {
        Connection connection = connections.get(rep.remoteId());
        if (!isOf(connection, source)) {
            return;
        }
        if (!connection.asking) {
            count(Counter.UNEXPECTED);
        } else if (connection.state == State.REQUESTING) {
            onFirstRep(connection, rep, now);
        } else if (connection.state == State.ESTABLISHED && connection.remoteId == rep.localId()) {
            sendRtu(connection);
        } else if (connection.state == State.REJECTED) {
            // The peer did not know its own id to be refused before.
            connection.remoteId = rep.localId();
            refuseAgain(connection);
        } else {
            count(Counter.UNEXPECTED);
        }
    }

    private void onFirstRep(Connection connection, CmRep rep, long now) {
        if (rep.queuePairNumber() < FIRST_QUEUE_PAIR) {
            count(Counter.MALFORMED);
            return;
        }
        connection.remoteId = rep.localId();
        Remote queuePair = new Remote(connection.remoteAddress, rep.caGuid(), rep.queuePairNumber());
        Optional<Connection> stale = stale(queuePair, now);
        if (stale.isPresent()) {
            refuse(connection, CmMessage.REASON_STALE_CONNECTION, noRejectData(), now);
            onStale(stale.get(), now);
            tellFailed(
                    connection,
                    connection.peerText() + " replied with a queue pair that is connected already: connect again");
            return;
        }
        connection.queuePair = Optional.of(queuePair);
        byRemoteQueuePair.put(queuePair, connection);
        CmLocal local = connection.local.orElseThrow();
        connection.peer = Optional.of(new CmPeer(
                connection.remoteAddress,
                rep.queuePairNumber(),
                rep.startingPsn(),
                local.pathMtuCode(),
                local.ackTimeoutExponent(),
                local.retryCount(),
                rep.rnrRetryCount(),
                rep.responderResources(),
                rep.initiatorDepth()));
        establish(connection, rep.privateData().toArray());
        if (connection.state == State.ESTABLISHED) {
            sendRtu(connection);
        }
    }

    private void onRtu(int source, CmRtu rtu) {
        Connection connection = connections.get(rtu.remoteId());
        if (!isOf(connection, source)) {
            return;
        }
        if (connection.asking || connection.remoteId != rtu.localId()) {
            count(Counter.UNEXPECTED);
        } else if (connection.state == State.REPLIED) {
            establish(connection, rtu.privateData().toArray());
        } else if (connection.state == State.REJECTED) {
            refuseAgain(connection);
        } else {
            count(Counter.UNEXPECTED);
        }
    }

    private void onRej(int source, CmRej rej, long now) {
        count(Counter.REJECTS_RECEIVED);
        Connection connection = refused(source, rej);
        if (!isOf(connection, source)) {
            return;
        }
        if (connection.state != State.REQUESTING && connection.remoteId != rej.localId()) {
            count(Counter.UNEXPECTED);
            return;
        }
        switch (connection.state) {
            case REQUESTING -> {
                forget(connection);
                tellRejected(connection, rej);
            }
            case DECIDING -> {
                decided(connection, State.TIME_WAIT);
                end(connection, State.TIME_WAIT, now);
                tellWithdrawn(connection);
            }
            case REPLIED -> {
                end(connection, State.TIME_WAIT, now);
                tellRejected(connection, rej);
            }
            case ESTABLISHED -> {
                end(connection, State.TIME_WAIT, now);
                tellFailed(
                        connection,
                        connection.peerText() + " gave the connection up (rejection reason " + rej.reason() + ")");
            }
            case DISCONNECTING -> end(connection, State.TIME_WAIT, now);
            case REJECTED, TIME_WAIT -> count(Counter.UNEXPECTED);
        }
    }

    private Connection refused(int source, CmRej rej) {
        if (rej.remoteId() == 0 && rej.reason() == CmMessage.REASON_TIMEOUT && rej.informationBytes() >= Long.BYTES) {
            // Who gave up before any answer came does not know the id here.
            return byRequest.get(new Remote(source, rej.information().getLong(0), rej.localId()));
        }
        return connections.get(rej.remoteId());
    }

    private void onMra(int source, CmMra mra, long now) {
        Connection connection = connections.get(mra.remoteId());
        if (!isOf(connection, source)) {
            return;
        }
        long service = CmMessage.nanosOfCode(Math.min(mra.serviceTimeout(), MAX_SERVICE_TIMEOUT_CODE));
        if (connection.state == State.REQUESTING && mra.about() == CmMessage.ABOUT_REQ) {
            arm(connection, now + service + timers.requestRetryNanos());
        } else if (connection.state == State.REPLIED
                && mra.about() == CmMessage.ABOUT_REP
                && connection.remoteId == mra.localId()) {
            arm(connection, now + service + timers.replyRetryNanos());
        } else {
            count(Counter.UNEXPECTED);
        }
    }

    private void onDreq(int source, CmDreq dreq, long now) {
        Connection connection = connections.get(dreq.remoteId());
        if (connection == null || !knows(connection, dreq.localId())) {
            // As Linux does: whoever asks has what it wants.
            count(Counter.UNKNOWN);
            sendDrep(source, dreq);
            return;
        }
        if (!isOf(connection, source)) {
            return;
        }
        if (connection.local.orElseThrow().queuePairNumber() != dreq.remoteQueuePairNumber()) {
            count(Counter.UNEXPECTED);
            return;
        }
        sendDrep(source, dreq);
        if (connection.state != State.TIME_WAIT) {
            end(connection, State.TIME_WAIT, now);
            count(Counter.DISCONNECTED);
            tellDisconnected(connection);
        }
    }

    private void onDrep(int source, CmDrep drep, long now) {
        Connection connection = connections.get(drep.remoteId());
        if (!isOf(connection, source)) {
            return;
        }
        if (connection.state == State.DISCONNECTING && connection.remoteId == drep.localId()) {
            end(connection, State.TIME_WAIT, now);
            count(Counter.DISCONNECTED);
        } else {
            count(Counter.UNEXPECTED);
        }
    }

    private void onDeadline(Connection connection, long now) {
        switch (connection.state) {
            case REQUESTING -> {
                if (!retry(connection, timers.requestRetryNanos(), now)) {
                    refuse(connection, CmMessage.REASON_TIMEOUT, noRejectData(), now);
                    tellFailed(
                            connection,
                            "No answer from " + connection.peerText() + " after " + (connection.retries + 1)
                                    + " requests: is RoCEv2 (UDP port 4791) open there?");
                }
            }
            case DECIDING -> {
                refuse(connection, CmMessage.REASON_CONSUMER, noRejectData(), now);
                count(Counter.TIMEOUTS);
                tellWithdrawn(connection);
            }
            case REPLIED -> {
                if (!retry(connection, timers.replyRetryNanos(), now)) {
                    refuse(connection, CmMessage.REASON_TIMEOUT, noRejectData(), now);
                    tellFailed(
                            connection,
                            connection.peerText() + " did not say that it is ready: " + (connection.retries + 1)
                                    + " replies were sent");
                }
            }
            case DISCONNECTING -> {
                if (!retry(connection, timers.disconnectRetryNanos(), now)) {
                    end(connection, State.TIME_WAIT, now);
                }
            }
            case REJECTED, TIME_WAIT -> forget(connection);
            case ESTABLISHED -> connection.deadline = NO_DEADLINE;
        }
    }

    /** Whether there was a retry left. */
    private boolean retry(Connection connection, long intervalNanos, long now) {
        if (connection.retries >= timers.maxRetries()) {
            count(Counter.TIMEOUTS);
            return false;
        }
        connection.retries++;
        count(Counter.RETRIES);
        send(connection.remoteAddress, connection.outstanding.orElseThrow());
        arm(connection, now + intervalNanos);
        return true;
    }

    private void establish(Connection connection, byte[] privateData) {
        connection.local.ifPresent(local -> replied.remove(local.queuePairNumber(), connection));
        connection.state = State.ESTABLISHED;
        connection.outstanding = Optional.empty();
        connection.deadline = NO_DEADLINE;
        count(Counter.ESTABLISHED);
        connection.events.ifPresent(told -> told.established(connection.peer.orElseThrow(), privateData));
    }

    /** Who is connected to a queue pair of a peer, and must not be if the peer connects it again. */
    private Optional<Connection> stale(Remote queuePair, long now) {
        Connection connection = byRemoteQueuePair.get(queuePair);
        if (connection != null && connection.state == State.DISCONNECTING) {
            // The new use of the queue pair is as good as the answer.
            end(connection, State.TIME_WAIT, now);
            return Optional.empty();
        }
        return Optional.ofNullable(connection);
    }

    /** The peer uses the queue pair for something new: it has lost this connection. */
    private void onStale(Connection connection, long now) {
        count(Counter.STALE);
        if (connection.state == State.ESTABLISHED) {
            requestDisconnect(connection, now);
            tellDisconnected(connection);
        }
    }

    private void requestDisconnect(Connection connection, long now) {
        connection.state = State.DISCONNECTING;
        CmDreq dreq = new CmDreq(
                CmHeader.of(CmMessage.ATTRIBUTE_DREQ, transactionId(connection.id)),
                connection.id.localId(),
                connection.remoteId,
                connection.peer.orElseThrow().queuePairNumber(),
                0,
                CmBytes.padded(NO_DATA, CmDreq.PRIVATE_DATA_BYTES));
        sendUntilAnswered(connection, dreq, timers.disconnectRetryNanos(), now);
    }

    private static Optional<Events> takeEvents(Connection connection) {
        Optional<Events> events = connection.events;
        connection.events = Optional.empty();
        return events;
    }

    private static void tellFailed(Connection connection, String why) {
        takeEvents(connection).ifPresent(told -> told.failed(why));
    }

    private static void tellRejected(Connection connection, CmRej rej) {
        int possible = smallerMtu(connection, rej);
        takeEvents(connection).ifPresent(told -> {
            if (possible > 0) {
                told.pathMtuTooLarge(possible);
            } else {
                told.rejected(rej.reason(), rej.privateData().toArray());
            }
        });
    }

    /** The path MTU that the peer names instead of a larger one; 0 if it does not. */
    private static int smallerMtu(Connection connection, CmRej rej) {
        if (!connection.asking || rej.reason() != CmMessage.REASON_INVALID_MTU || rej.informationBytes() < 1) {
            return 0;
        }
        int code = rej.information().toArray()[0];
        return code > 0 && code < connection.local.orElseThrow().pathMtuCode() ? code : 0;
    }

    private static void tellDisconnected(Connection connection) {
        takeEvents(connection).ifPresent(Events::disconnected);
    }

    private static void tellWithdrawn(Connection connection) {
        Optional<Listener> listener = connection.listener;
        connection.listener = Optional.empty();
        listener.ifPresent(told -> told.withdrawn(connection.id));
    }

    private void decided(Connection connection, State next) {
        if (connection.state == State.DECIDING) {
            deciding--;
            connection.state = next;
        }
    }

    /** Refuses a request that became no connection. */
    private void refuse(int source, CmReq req, int reason, byte[] information) {
        count(Counter.REJECTS_SENT);
        send(
                source,
                rej(
                        req.header().transactionId(),
                        0,
                        req.localId(),
                        CmMessage.ABOUT_REQ,
                        reason,
                        information,
                        noRejectData()));
    }

    /** Refuses a connection that is not made yet, and remembers it in case the peer does not hear. */
    private void refuse(Connection connection, int reason, CmBytes privateData, long now) {
        boolean unanswered = connection.state == State.DECIDING;
        decided(connection, State.REJECTED);
        int about = CmMessage.ABOUT_OTHER;
        if (unanswered) {
            about = CmMessage.ABOUT_REQ;
        } else if (reason == CmMessage.REASON_STALE_CONNECTION) {
            about = CmMessage.ABOUT_REP;
        }
        byte[] information = reason == CmMessage.REASON_TIMEOUT
                ? ByteBuffer.allocate(Long.BYTES).putLong(caGuid).array()
                : NO_DATA;
        end(connection, State.REJECTED, now);
        connection.outstanding = Optional.of(rej(
                connection.transactionId,
                unanswered ? 0 : connection.id.localId(),
                connection.remoteId,
                about,
                reason,
                information,
                privateData));
        refuseAgain(connection);
    }

    private void refuseAgain(Connection connection) {
        CmRej rej = (CmRej) connection.outstanding.orElseThrow();
        count(Counter.REJECTS_SENT);
        send(
                connection.remoteAddress,
                new CmRej(
                        rej.header(),
                        rej.localId(),
                        connection.remoteId,
                        rej.about(),
                        rej.reason(),
                        0,
                        rej.informationBytes(),
                        rej.information(),
                        rej.privateData()));
    }

    private static CmRej rej(
            long transactionId,
            int localId,
            int remoteId,
            int about,
            int reason,
            byte[] information,
            CmBytes privateData) {
        return new CmRej(
                CmHeader.of(CmMessage.ATTRIBUTE_REJ, transactionId),
                localId,
                remoteId,
                about,
                reason,
                0,
                information.length,
                CmBytes.padded(information, CmRej.INFORMATION_BYTES),
                privateData);
    }

    private void sendRtu(Connection connection) {
        send(
                connection.remoteAddress,
                new CmRtu(
                        CmHeader.of(CmMessage.ATTRIBUTE_RTU, connection.transactionId),
                        connection.id.localId(),
                        connection.remoteId,
                        CmBytes.padded(NO_DATA, CmRtu.PRIVATE_DATA_BYTES)));
    }

    private void sendDrep(int destination, CmDreq dreq) {
        send(
                destination,
                new CmDrep(
                        CmHeader.of(CmMessage.ATTRIBUTE_DREP, dreq.header().transactionId()),
                        /* localId= */ dreq.remoteId(),
                        /* remoteId= */ dreq.localId(),
                        CmBytes.padded(NO_DATA, CmDrep.PRIVATE_DATA_BYTES)));
    }

    private void sendUntilAnswered(Connection connection, CmMessage message, long intervalNanos, long now) {
        connection.outstanding = Optional.of(message);
        connection.retries = 0;
        send(connection.remoteAddress, message);
        arm(connection, now + intervalNanos);
    }

    private void send(int destination, CmMessage message) {
        count(Counter.SENT);
        message.encode(mad, 0);
        output.sendMad(destination, mad.clear());
    }

    /** What is left of a connection only answers repeated messages, for a while. */
    private void end(Connection connection, State state, long now) {
        release(connection, state);
        arm(connection, now + timers.timeWaitNanos());
    }

    private void forget(Connection connection) {
        release(connection, State.TIME_WAIT);
        connection.deadline = NO_DEADLINE;
        connection.request.ifPresent(key -> byRequest.remove(key, connection));
        connections.remove(connection.id.localId(), connection);
    }

    private void release(Connection connection, State state) {
        connection.queuePair.ifPresent(key -> byRemoteQueuePair.remove(key, connection));
        connection.queuePair = Optional.empty();
        connection.local.ifPresent(local -> replied.remove(local.queuePairNumber(), connection));
        connection.state = state;
        connection.outstanding = Optional.empty();
    }

    /** Whether one more connection fits, if need be in place of one that is only remembered. */
    private boolean makeRoom() {
        if (connections.size() < MAX_CONNECTIONS) {
            return true;
        }
        Iterator<Connection> oldestFirst = connections.values().iterator();
        while (oldestFirst.hasNext()) {
            Connection connection = oldestFirst.next();
            if (connection.state == State.TIME_WAIT || connection.state == State.REJECTED) {
                forget(connection);
                return true;
            }
        }
        return false;
    }

    /** Whether a message from an address may speak to a connection; counts why not. */
    private boolean isOf(Connection connection, int source) {
        if (connection == null) {
            count(Counter.UNKNOWN);
            return false;
        }
        if (connection.remoteAddress != source) {
            count(Counter.WRONG_SOURCE);
            return false;
        }
        return true;
    }

    /** Whether a connection is far enough to be ended by who gave it this id. */
    private static boolean knows(Connection connection, int remoteId) {
        return switch (connection.state) {
            case REPLIED, ESTABLISHED, DISCONNECTING, TIME_WAIT ->
                connection.remoteId == remoteId && connection.local.isPresent();
            case REQUESTING, DECIDING, REJECTED -> false;
        };
    }

    private CmId freshId() {
        int id = random.nextInt();
        while (id == 0 || connections.containsKey(id)) {
            id = random.nextInt();
        }
        return new CmId(id);
    }

    private long transactionId(CmId id) {
        return (long) agent << Integer.SIZE | Integer.toUnsignedLong(id.localId());
    }

    private int ephemeralPort() {
        return FIRST_EPHEMERAL_PORT + random.nextInt(LAST_PORT - FIRST_EPHEMERAL_PORT + 1);
    }

    private void arm(Connection connection, long deadline) {
        connection.deadline = deadline;
        noteDeadline(deadline);
    }

    private void noteDeadline(long deadline) {
        if (deadline != NO_DEADLINE && (nextDeadline == NO_DEADLINE || deadline - nextDeadline < 0)) {
            nextDeadline = deadline;
        }
    }

    private static boolean isDue(long deadline, long now) {
        return deadline != NO_DEADLINE && now - deadline >= 0;
    }

    private static CmBytes noRejectData() {
        return CmBytes.padded(NO_DATA, CmRej.PRIVATE_DATA_BYTES);
    }

    private void count(Counter counter) {
        counters[counter.ordinal()]++;
    }
}
