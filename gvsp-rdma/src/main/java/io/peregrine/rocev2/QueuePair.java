package io.peregrine.rocev2;

import io.peregrine.rdma.Completion.Operation;
import io.peregrine.rdma.Completion.Status;
import io.peregrine.rdma.RdmaMemory;
import java.nio.ByteBuffer;
import java.util.Optional;

/** One end of a reliable connection: both halves, and their common end. Guarded by the port's lock. */
final class QueuePair {

    /** What a queue pair counts besides its halves. */
    enum Count {
        /** Answers with an unknown syndrome. */
        MALFORMED
    }

    private enum State {
        /** Takes receives, has no peer yet. */
        PREPARED,
        CONNECTED,
        /** Answers once more, then is broken. */
        BREAKING,
        BROKEN
    }

    private final int number;
    private final Object domain;
    private final boolean sharesReceives;
    private final WorkSink sink;
    private final Requester requester;
    private final Responder responder;
    private State state = State.PREPARED;
    private int remoteAddress;
    private int remoteNumber;
    private int mtuBytes;
    private Status breaking;
    private String breakingText;
    private long malformed;
    private boolean requested;
    private boolean requestSeen;

    /**
     * Creates a queue pair that is not connected.
     *
     * @param number its number, 24 bit
     * @param domain what it shares registered memory with
     * @param sharedReceives the shared receive queue; empty for a separate one
     */
    QueuePair(
            int number,
            Object domain,
            MemoryTable regions,
            int sendDepth,
            int receiveDepth,
            Optional<ReceiveRing> sharedReceives,
            WorkSink sink) {
        this.number = number;
        this.domain = domain;
        this.sink = sink;
        sharesReceives = sharedReceives.isPresent();
        requester = new Requester(this, sendDepth);
        responder = new Responder(this, regions, sharedReceives.orElseGet(() -> new ReceiveRing(receiveDepth)));
    }

    int number() {
        return number;
    }

    Object domain() {
        return domain;
    }

    boolean sharesReceives() {
        return sharesReceives;
    }

    int remoteAddress() {
        return remoteAddress;
    }

    int remoteNumber() {
        return remoteNumber;
    }

    int mtuBytes() {
        return mtuBytes;
    }

    Requester requester() {
        return requester;
    }

    Responder responder() {
        return responder;
    }

    boolean connected() {
        return state == State.CONNECTED;
    }

    boolean broken() {
        return state == State.BROKEN || state == State.BREAKING;
    }

    /**
     * Connects.
     *
     * @param sendPsn first sequence number to send, which the peer named
     * @param receivePsn first sequence number to expect, which we named
     */
    void connect(int peerAddress, int peerNumber, int sendPsn, int receivePsn, LinkTerms terms) {
        if (state != State.PREPARED) {
            return;
        }
        remoteAddress = peerAddress;
        remoteNumber = peerNumber;
        mtuBytes = terms.mtuBytes();
        requester.connect(sendPsn, terms);
        responder.connect(receivePsn, terms);
        state = State.CONNECTED;
    }

    void postReceive(long workId, RdmaMemory memory, long offset, int lengthBytes) {
        responder.post(workId, memory, offset, lengthBytes);
    }

    /** Takes a well-formed packet that is addressed to this queue pair. False if it is not from the peer. */
    boolean onPacket(int source, ByteBuffer packet, int at, int lengthBytes, long nowNanos) {
        if (state != State.CONNECTED || source != remoteAddress) {
            return false;
        }
        int opcode = Headers.opcode(packet, at);
        if (opcode == Opcode.ACKNOWLEDGE) {
            int aeth = packet.getInt(at + Headers.BTH_BYTES);
            requester.onAcknowledge(Headers.psn(packet, at), aeth >>> 24, nowNanos);
            return true;
        }
        if (opcode >= Opcode.READ_RESPONSE_FIRST && opcode <= Opcode.READ_RESPONSE_ONLY) {
            requester.onReadResponse(packet, at, lengthBytes, nowNanos);
            return true;
        }
        if (opcode > Opcode.READ_REQUEST) {
            // Datagrams.
            return false;
        }
        requested = true;
        responder.onRequest(packet, at, lengthBytes);
        return true;
    }

    /** Whether the first request of the peer came since the last call: it is connected for sure then. */
    boolean firstData() {
        boolean first = requested && !requestSeen;
        requestSeen |= requested;
        return first;
    }

    /** Sends what is due. False when the output had no room for more. */
    boolean transmit(PacketOutput output, long nowNanos) {
        if (state != State.CONNECTED && state != State.BREAKING) {
            return true;
        }
        if (!responder.transmit(output)) {
            return false;
        }
        if (state == State.CONNECTED) {
            return requester.transmit(output, nowNanos);
        }
        if (!responder.answering()) {
            fail(breaking, breakingText);
        }
        return true;
    }

    /** Sends answers that are due, as far as the output has room. */
    void transmitAnswers(PacketOutput output) {
        if (state == State.CONNECTED) {
            responder.transmit(output);
        }
    }

    /** Whether there is more to send at once, which only waits for its turn. */
    boolean answering() {
        return responder.answering();
    }

    /** Whether a message of the peer has begun and not ended. */
    boolean receiving() {
        return state == State.CONNECTED && responder.receiving();
    }

    /** Whether work of this side is not done yet. */
    boolean sending() {
        return state == State.CONNECTED && !requester.idle();
    }

    void onTime(long nowNanos) {
        if (state == State.CONNECTED) {
            requester.onTime(nowNanos);
        }
    }

    long nextDeadlineNanos() {
        return state == State.CONNECTED ? requester.nextDeadlineNanos() : Requester.NEVER;
    }

    /** Whether to tell the peer that it must wait although there is a receive: a fault on purpose. */
    boolean pretendsNotReady() {
        return sink.pretendsNotReady();
    }

    void completed(
            long workId, Operation operation, Status status, long lengthBytes, boolean hasImmediate, int immediate) {
        sink.completed(this, workId, operation, status, lengthBytes, hasImmediate, immediate);
    }

    /** Breaks after the answer that gives the peer the reason. */
    void failAfterAnswer(Status status, String text) {
        state = State.BREAKING;
        breaking = status;
        breakingText = text;
    }

    /** Breaks now. */
    void fail(Status status, String text) {
        if (state == State.BROKEN) {
            return;
        }
        state = State.BROKEN;
        sink.broke(this, status, text);
        requester.flush(status == Status.LOCAL_ERROR ? Status.FLUSHED : status);
        responder.flush();
    }

    /** Ends in good order: everything posted comes back as flushed. */
    void end() {
        if (state == State.BROKEN) {
            return;
        }
        state = State.BROKEN;
        requester.flush(Status.FLUSHED);
        responder.flush();
    }

    void count(Count count) {
        if (count == Count.MALFORMED) {
            malformed++;
        }
    }

    long malformed() {
        return malformed;
    }
}
