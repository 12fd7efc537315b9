package io.peregrine.rocev2;

import java.util.Optional;

/**
 * A connection, or the request for one: how far it is, who is at both ends, what it says, and who is notified.
 * {@link CmConnections} keeps its keys, state and deadline in step.
 */
final class CmConnection {
    /** How far a connection is; see {@link ConnectionManager}. */
    enum State {
        REQUESTING,
        DECIDING,
        REPLIED,
        ESTABLISHED,
        DISCONNECTING,
        REJECTED,
        TIME_WAIT
    }

    /** Time codes are powers of two, of 4.096 us: here 1.07 s. Drives how often Linux repeats its reply. */
    private static final int OWN_RESPONSE_TIMEOUT_CODE = 18;
    /** 4.3 s. */
    private static final int PEER_RESPONSE_TIMEOUT_CODE = 20;
    /** 4.3 s: the peer asks again while the request is remembered, should the answer be lost. */
    private static final int SERVICE_TIMEOUT_CODE = 20;

    private static final int ACK_DELAY_CODE = 15;
    private static final int MAX_RETRIES = 15;
    private static final int ANY_PARTITION = 0xFFFF;

    /** A communication id or a queue pair of a peer. */
    record Remote(int address, long caGuid, int number) {}

    final CmId id;
    final int remoteAddress;
    final boolean asking;
    final long transactionId;
    State state;
    long deadline = ConnectionManager.NO_DEADLINE;
    int remoteId;
    /** Key in the table of requests, of the asked side. */
    Optional<Remote> request = Optional.empty();
    /** Key in the table of queue pairs, while connecting or connected. */
    Optional<Remote> queuePair = Optional.empty();
    /** Who is notified, until the end was reported. */
    Optional<CmEvents> events = Optional.empty();

    Optional<CmListener> listener = Optional.empty();
    Optional<CmLocal> local = Optional.empty();
    Optional<CmPeer> peer = Optional.empty();
    /** What is sent again. */
    Optional<CmMessage> outstanding = Optional.empty();

    int retries;

    private CmConnection(CmId id, int remoteAddress, boolean asking, long transactionId, State state) {
        this.id = id;
        this.remoteAddress = remoteAddress;
        this.asking = asking;
        this.transactionId = transactionId;
        this.state = state;
    }

    /** One that is asked for here. */
    static CmConnection asking(CmId id, int remoteAddress, long transactionId, CmLocal local, CmEvents events) {
        CmConnection connection = new CmConnection(id, remoteAddress, true, transactionId, State.REQUESTING);
        connection.local = Optional.of(local);
        connection.events = Optional.of(events);
        return connection;
    }

    /** One that a peer asks for. */
    static CmConnection asked(CmId id, int source, CmReq req, CmListener listener) {
        CmConnection connection =
                new CmConnection(id, source, false, req.header().transactionId(), State.DECIDING);
        connection.remoteId = req.localId();
        connection.request = Optional.of(new Remote(source, req.caGuid(), req.localId()));
        connection.queuePair = Optional.of(new Remote(source, req.caGuid(), req.queuePairNumber()));
        connection.listener = Optional.of(listener);
        connection.peer = Optional.of(CmPeer.of(source, req));
        return connection;
    }

    /** Its peer, for people to read. */
    String peerText() {
        return CmGid.text(remoteAddress);
    }

    /** Whether it is far enough to be ended by who gave it this id. */
    boolean knows(int id) {
        return switch (state) {
            case REPLIED, ESTABLISHED, DISCONNECTING, TIME_WAIT -> remoteId == id && local.isPresent();
            case REQUESTING, DECIDING, REJECTED -> false;
        };
    }

    // ---- Messages

    /** What asks for it. */
    CmReq req(int port, long caGuid, CmPath path, CmBytes privateData) {
        CmLocal own = local.orElseThrow();
        return new CmReq(
                CmHeader.of(CmMessage.ATTRIBUTE_REQ, transactionId),
                id.localId(),
                0,
                CmReq.TCP_PORT_SPACE | port,
                caGuid,
                0,
                0,
                own.queuePairNumber(),
                /* responderResources= */ own.maxReads(),
                0,
                /* initiatorDepth= */ own.maxReads(),
                0,
                PEER_RESPONSE_TIMEOUT_CODE,
                0,
                false,
                own.startingPsn(),
                OWN_RESPONSE_TIMEOUT_CODE,
                own.retryCount(),
                ANY_PARTITION,
                own.pathMtuCode(),
                false,
                own.rnrRetryCount(),
                MAX_RETRIES,
                own.sharedReceiveQueue(),
                0,
                path,
                CmPath.NONE,
                privateData);
    }

    /** What accepts it. */
    CmRep rep(long caGuid, CmBytes privateData) {
        CmLocal own = local.orElseThrow();
        CmPeer other = peer.orElseThrow();
        return new CmRep(
                CmHeader.of(CmMessage.ATTRIBUTE_REP, transactionId),
                id.localId(),
                remoteId,
                0,
                own.queuePairNumber(),
                0,
                0,
                own.startingPsn(),
                /* responderResources= */ Math.min(own.maxReads(), other.initiatorDepth()),
                /* initiatorDepth= */ Math.min(own.maxReads(), other.responderResources()),
                ACK_DELAY_CODE,
                0,
                false,
                own.rnrRetryCount(),
                own.sharedReceiveQueue(),
                0,
                caGuid,
                privateData);
    }

    /** For a request that is repeated while the application has not answered it. */
    CmMra mra(CmReq repeated) {
        return new CmMra(
                CmHeader.of(CmMessage.ATTRIBUTE_MRA, repeated.header().transactionId()),
                id.localId(),
                remoteId,
                CmMessage.ABOUT_REQ,
                SERVICE_TIMEOUT_CODE,
                0,
                CmBytes.none(CmMra.PRIVATE_DATA_BYTES));
    }

    /** What says that the asking side is ready. */
    CmRtu rtu() {
        return new CmRtu(
                CmHeader.of(CmMessage.ATTRIBUTE_RTU, transactionId),
                id.localId(),
                remoteId,
                CmBytes.none(CmPlain.PRIVATE_DATA_BYTES));
    }

    /** What asks to end it. */
    CmDreq dreq(long dreqTransactionId) {
        return new CmDreq(
                CmHeader.of(CmMessage.ATTRIBUTE_DREQ, dreqTransactionId),
                id.localId(),
                remoteId,
                peer.orElseThrow().queuePairNumber(),
                0,
                CmBytes.none(CmDreq.PRIVATE_DATA_BYTES));
    }

    // ---- Who is notified

    /** No one is notified any more. */
    void forgetWatchers() {
        events = Optional.empty();
        listener = Optional.empty();
    }

    void tellEstablished(byte[] privateData) {
        events.ifPresent(told -> told.established(peer.orElseThrow(), privateData));
    }

    void tellFailed(String why) {
        takeEvents().ifPresent(told -> told.failed(why));
    }

    void tellRejected(CmRej rej) {
        int possible = smallerMtu(rej);
        takeEvents().ifPresent(told -> {
            if (possible > 0) {
                told.pathMtuTooLarge(possible);
            } else {
                told.rejected(rej.reason(), rej.privateData().toArray());
            }
        });
    }

    void tellDisconnected() {
        takeEvents().ifPresent(CmEvents::disconnected);
    }

    void tellWithdrawn() {
        Optional<CmListener> asked = listener;
        listener = Optional.empty();
        asked.ifPresent(told -> told.withdrawn(id));
    }

    private Optional<CmEvents> takeEvents() {
        Optional<CmEvents> told = events;
        events = Optional.empty();
        return told;
    }

    /** The path MTU that the peer names instead of a larger one; 0 if it does not. */
    private int smallerMtu(CmRej rej) {
        if (!asking || rej.reason() != CmMessage.REASON_INVALID_MTU || rej.informationBytes() < 1) {
            return 0;
        }
        int code = rej.information().toArray()[0];
        return code > 0 && code < local.orElseThrow().pathMtuCode() ? code : 0;
    }
}
