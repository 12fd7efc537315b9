package io.peregrine.rocev2;

import io.peregrine.rocev2.CmConnection.Remote;
import io.peregrine.rocev2.CmConnection.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The connections and requests of one connection manager, those included that have ended but are remembered, with the
 * keys by which messages and packets find them, and their deadlines. Bounded. Not thread-safe.
 */
final class CmConnections {
    private final RandomGenerator random;
    private final int most;
    /** By local communication id, in order of their making. */
    private final Map<Integer, CmConnection> all = new LinkedHashMap<>();
    /** Those that were asked for, by the peer's communication id. */
    private final Map<Remote, CmConnection> byRequest = new HashMap<>();
    /** Those that are not over, by the peer's queue pair. */
    private final Map<Remote, CmConnection> byRemoteQueuePair = new HashMap<>();
    /** Those that wait for the peer to be ready, by the own queue pair. */
    private final Map<Integer, CmConnection> replied = new HashMap<>();

    private int deciding;
    private long nextDeadline = ConnectionManager.NO_DEADLINE;

    /**
     * Makes an empty one.
     *
     * @param random for communication ids, which must not come again soon
     * @param most how many there may be
     */
    CmConnections(RandomGenerator random, int most) {
        this.random = random;
        this.most = most;
    }

    /** The one of a message that names it by its own id; null if there is none. */
    @Nullable
    CmConnection find(int localId) {
        return all.get(localId);
    }

    /** The one that a peer asked for under its own id; null if there is none. */
    @Nullable
    CmConnection ofRequest(Remote request) {
        return byRequest.get(request);
    }

    /** The one that a peer refuses; null if there is none. */
    @Nullable
    CmConnection ofRefusal(int source, CmRej rej) {
        if (rej.remoteId() == 0 && rej.reason() == CmMessage.REASON_TIMEOUT && rej.informationBytes() >= Long.BYTES) {
            // A peer that gave up before any answer came does not know the id here.
            return byRequest.get(new Remote(source, rej.information().getLong(0), rej.localId()));
        }
        return all.get(rej.remoteId());
    }

    /** The one that is connected, or about to be, to a queue pair of a peer; null if there is none. */
    @Nullable
    CmConnection ofRemoteQueuePair(Remote queuePair) {
        return byRemoteQueuePair.get(queuePair);
    }

    /** The one with an own queue pair whose peer has not said yet that it is ready; null if there is none. */
    @Nullable
    CmConnection ofReplied(int queuePairNumber) {
        // Called for each packet: nothing may be allocated when there is nothing to do.
        return replied.isEmpty() ? null : replied.get(queuePairNumber);
    }

    Collection<CmConnection> all() {
        return all.values();
    }

    int size() {
        return all.size();
    }

    /** Requests that the application has not answered. */
    int deciding() {
        return deciding;
    }

    /** Entries of all tables but the connections themselves. */
    int indexSize() {
        return byRequest.size() + byRemoteQueuePair.size() + replied.size() + deciding;
    }

    /** An id that no connection has. */
    CmId freshId() {
        int id = random.nextInt();
        while (id == 0 || all.containsKey(id)) {
            id = random.nextInt();
        }
        return new CmId(id);
    }

    /** Whether one more connection fits, if need be in place of one that is only remembered. */
    boolean makeRoom() {
        if (all.size() < most) {
            return true;
        }
        // The oldest first.
        for (CmConnection connection : all.values()) {
            if (connection.state == State.TIME_WAIT || connection.state == State.REJECTED) {
                forget(connection);
                return true;
            }
        }
        return false;
    }

    /** Adds one, under the keys that it has. */
    void add(CmConnection connection) {
        all.put(connection.id.localId(), connection);
        connection.request.ifPresent(key -> byRequest.put(key, connection));
        connection.queuePair.ifPresent(key -> byRemoteQueuePair.put(key, connection));
        if (connection.state == State.DECIDING) {
            deciding++;
        }
    }

    /** The application has answered a request, or it is no more. */
    void decided(CmConnection connection, State next) {
        if (connection.state == State.DECIDING) {
            deciding--;
            connection.state = next;
        }
    }

    /** A request was accepted: the next packet to the own queue pair says that the peer is ready. */
    void accepted(CmConnection connection, CmLocal local) {
        decided(connection, State.REPLIED);
        connection.local = Optional.of(local);
        replied.put(local.queuePairNumber(), connection);
    }

    /** The queue pair of the peer is known. */
    void connect(CmConnection connection, Remote queuePair) {
        connection.queuePair = Optional.of(queuePair);
        byRemoteQueuePair.put(queuePair, connection);
    }

    /** Both sides agree. */
    void established(CmConnection connection) {
        removeReplied(connection);
        connection.state = State.ESTABLISHED;
        connection.outstanding = Optional.empty();
        connection.deadline = ConnectionManager.NO_DEADLINE;
    }

    /** What is left of it only answers repeated messages, until a deadline. */
    void end(CmConnection connection, State state, long deadline) {
        release(connection, state);
        arm(connection, deadline);
    }

    void forget(CmConnection connection) {
        release(connection, State.TIME_WAIT);
        connection.deadline = ConnectionManager.NO_DEADLINE;
        connection.request.ifPresent(key -> byRequest.remove(key, connection));
        all.remove(connection.id.localId(), connection);
    }

    private void release(CmConnection connection, State state) {
        connection.queuePair.ifPresent(key -> byRemoteQueuePair.remove(key, connection));
        connection.queuePair = Optional.empty();
        removeReplied(connection);
        connection.state = state;
        connection.outstanding = Optional.empty();
    }

    private void removeReplied(CmConnection connection) {
        connection.local.ifPresent(local -> replied.remove(local.queuePairNumber(), connection));
    }

    // ---- Deadlines

    /** Sets when it is due. */
    void arm(CmConnection connection, long deadline) {
        connection.deadline = deadline;
        noteDeadline(deadline);
    }

    /** When the first is due, or {@link ConnectionManager#NO_DEADLINE}. */
    long nextDeadlineNanos() {
        return nextDeadline;
    }

    /** Those that are due. */
    List<CmConnection> due(long now) {
        List<CmConnection> due = new ArrayList<>();
        for (CmConnection connection : all.values()) {
            if (isDue(connection.deadline, now)) {
                due.add(connection);
            }
        }
        return due;
    }

    /** Looks again when the first is due, after what was due was done. */
    void findNextDeadline() {
        nextDeadline = ConnectionManager.NO_DEADLINE;
        for (CmConnection connection : all.values()) {
            noteDeadline(connection.deadline);
        }
    }

    private void noteDeadline(long deadline) {
        if (deadline != ConnectionManager.NO_DEADLINE
                && (nextDeadline == ConnectionManager.NO_DEADLINE || deadline - nextDeadline < 0)) {
            nextDeadline = deadline;
        }
    }

    static boolean isDue(long deadline, long now) {
        return deadline != ConnectionManager.NO_DEADLINE && now - deadline >= 0;
    }
}
