package io.peregrine.rocev2;

import io.peregrine.rocev2.CmConnection.State;
import io.peregrine.rocev2.CmCounters.Counter;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;

/** Sends the messages of connections, some until they are answered, and refusals, which are remembered. */
final class CmSender {
    private final long caGuid;
    private final CmTimers timers;
    private final CmCounters counters;
    private final CmConnections connections;
    private final CmOutput output;
    private final ByteBuffer mad = ByteBuffer.allocate(CmMessage.LENGTH_BYTES);

    CmSender(long caGuid, CmTimers timers, CmCounters counters, CmConnections connections, CmOutput output) {
        this.caGuid = caGuid;
        this.timers = Objects.requireNonNull(timers, "timers");
        this.counters = counters;
        this.connections = connections;
        this.output = Objects.requireNonNull(output, "output");
    }

    void send(int destination, CmMessage message) {
        counters.count(Counter.SENT);
        message.encode(mad, 0);
        output.sendMad(destination, mad.clear());
    }

    /** Sends a message, and has it sent again by {@link #again} until it is answered. */
    void untilAnswered(CmConnection connection, CmMessage message, long intervalNanos, long now) {
        connection.outstanding = Optional.of(message);
        connection.retries = 0;
        send(connection.remoteAddress, message);
        connections.arm(connection, now + intervalNanos);
    }

    /** Sends it once more: whether it may. */
    boolean again(CmConnection connection, long intervalNanos, long now) {
        if (connection.retries >= timers.maxRetries()) {
            counters.count(Counter.TIMEOUTS);
            return false;
        }
        connection.retries++;
        counters.count(Counter.RETRIES);
        send(connection.remoteAddress, connection.outstanding.orElseThrow());
        connections.arm(connection, now + intervalNanos);
        return true;
    }

    /** Refuses a request that became no connection. */
    void refuse(int source, CmReq req, CmRefusal refusal) {
        counters.count(Counter.REJECTS_SENT);
        long transactionId = req.header().transactionId();
        send(
                source,
                CmRej.of(
                        transactionId,
                        0,
                        req.localId(),
                        CmMessage.ABOUT_REQ,
                        refusal,
                        CmBytes.none(CmRej.PRIVATE_DATA_BYTES)));
    }

    /** Refuses a connection that is not made yet, without private data of the application. */
    void refuse(CmConnection connection, int reason, long now) {
        refuse(connection, reason, CmBytes.none(CmRej.PRIVATE_DATA_BYTES), now);
    }

    /** Refuses a connection that is not made yet, and remembers it in case the peer does not hear. */
    void refuse(CmConnection connection, int reason, CmBytes privateData, long now) {
        boolean unanswered = connection.state == State.DECIDING;
        connections.decided(connection, State.REJECTED);
        int about = CmMessage.ABOUT_OTHER;
        if (unanswered) {
            about = CmMessage.ABOUT_REQ;
        } else if (reason == CmMessage.REASON_STALE_CONNECTION) {
            about = CmMessage.ABOUT_REP;
        }
        CmRefusal why = reason == CmMessage.REASON_TIMEOUT
                ? CmRefusal.of(
                        reason, ByteBuffer.allocate(Long.BYTES).putLong(caGuid).array())
                : CmRefusal.of(reason);
        connections.end(connection, State.REJECTED, now + timers.timeWaitNanos());
        connection.outstanding = Optional.of(CmRej.of(
                connection.transactionId,
                unanswered ? 0 : connection.id.localId(),
                connection.remoteId,
                about,
                why,
                privateData));
        refuseAgain(connection);
    }

    /** Repeats a refusal. */
    void refuseAgain(CmConnection connection) {
        CmRej rej = (CmRej) connection.outstanding.orElseThrow();
        counters.count(Counter.REJECTS_SENT);
        send(connection.remoteAddress, rej.to(connection.remoteId));
    }
}
