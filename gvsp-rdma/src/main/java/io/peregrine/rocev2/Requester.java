package io.peregrine.rocev2;

import io.peregrine.rdma.Completion.Operation;
import io.peregrine.rdma.Completion.Status;
import io.peregrine.rdma.RdmaMemory;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * The sending half of a reliable connection: cuts messages into packets, keeps them until they are acknowledged, and
 * goes back to the first packet that is not (go-back-N). A read is a request that takes the sequence numbers of its
 * answers; what is missing of them is asked for again from the first on. Pure: no socket, no clock; guarded by the
 * port's lock.
 */
final class Requester {
    /** Packets that may be on their way without an acknowledgement, as long as none was lost or acknowledged. */
    static final int WINDOW_PACKETS = 128;
    /** The same as long as all goes well, and after losses: what is lost costs all that was sent after it. */
    private static final int MAX_WINDOW_PACKETS = 512;

    private static final int MIN_WINDOW_PACKETS = 64;
    /**
     * Answers that one request of a read asks for; a longer read is several requests. Keeps a burst within the buffers.
     */
    static final int READ_PACKETS = 64;
    /** An acknowledgement is asked for at least this often. */
    private static final int ACK_EVERY_PACKETS = 64;
    /** Sequence errors in a row without any progress after which a peer is taken as broken. */
    private static final int MAX_SEQUENCE_ERRORS = 64;
    /** A retry count that stands for any number. */
    private static final int ANY_NUMBER = 7;
    /** Longest pause between tries that is not of the peer's asking. */
    private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    static final long NEVER = Long.MAX_VALUE;

    private final QueuePair owner;
    private final SendRing work;

    private int mtuBytes;
    private long timeoutNanos;
    private int retryCount;
    private int rnrRetryCount;
    private long rnrLimitNanos;

    /** Work being sent. */
    private long cursor;

    /** Every sequence number below is acknowledged, and what was read has come. */
    private long acknowledgedPsn;
    /** Next to send. */
    private long cursorPsn;
    /** End of what was ever sent. */
    private long sentPsn;

    /** Ends of the outstanding requests to read, oldest first. */
    private long[] readEnds = {};

    private int firstRead;
    private int outstandingReads;

    private int windowPackets = WINDOW_PACKETS;
    private boolean packetsLost;

    private int retriesLeft;
    private int rnrRetriesLeft;
    private int sequenceErrors;
    /** Set from a lost answer on until the answers go on. */
    private boolean answerLost;
    /** The last answer that came too early. */
    private long earlyPsn;

    private long timeoutAt = NEVER;
    private long notBefore = NEVER;
    /** Since when the peer has no receive. */
    private long notReadySince = NEVER;

    private long retransmittedPackets;
    private long timeouts;
    private long rnrWaits;

    Requester(QueuePair owner, int depth) {
        this.owner = owner;
        work = new SendRing(depth);
    }

    void connect(int startingPsn, LinkTerms terms) {
        mtuBytes = terms.mtuBytes();
        timeoutNanos = 4096L << terms.ackTimeoutExponent();
        retryCount = terms.retryCount();
        rnrRetryCount = terms.rnrRetryCount();
        rnrLimitNanos = terms.rnrLimitNanos();
        readEnds = new long[terms.readsAsked()];
        retriesLeft = retryCount;
        rnrRetriesLeft = rnrRetryCount;
        // Well above zero, so that old numbers of the peer stay positive.
        acknowledgedPsn = (1L << 32) + (startingPsn & Headers.MASK_24);
        cursorPsn = acknowledgedPsn;
        sentPsn = acknowledgedPsn;
        work.connect(acknowledgedPsn, mtuBytes);
    }

    /** How long after sending an acknowledgement is missed. */
    long timeoutNanos() {
        return timeoutNanos;
    }

    /** Whether the peer serves reads. */
    boolean mayRead() {
        return readEnds.length > 0;
    }

    /** Queues a message or a read. The opcode is that of its only packet if it were short. */
    void post(
            int onlyOpcode,
            long workId,
            RdmaMemory memory,
            long offset,
            int lengthBytes,
            long remoteAddress,
            int remoteKey,
            int immediate) {
        work.post(onlyOpcode, workId, memory, offset, lengthBytes, remoteAddress, remoteKey, immediate);
    }

    /** Sends what may be sent now. False when the output had no room for more. */
    boolean transmit(PacketOutput output, long nowNanos) {
        if (notBefore != NEVER) {
            if (nowNanos - notBefore < 0) {
                return true;
            }
            notBefore = NEVER;
        }
        while (cursor < work.tail() && cursorPsn - acknowledgedPsn < window()) {
            boolean read = work.isRead(cursor);
            if (read && outstandingReads == readEnds.length) {
                return true;
            }
            if (!(read ? transmitRead(output) : transmitOne(output))) {
                return false;
            }
            if (timeoutAt == NEVER) {
                timeoutAt = nowNanos + timeoutNanos;
            }
        }
        return true;
    }

    /** A peer that has no receive gets one packet at a time to try. */
    private int window() {
        return notReadySince == NEVER ? windowPackets : 1;
    }

    private boolean transmitOne(PacketOutput output) {
        int length = work.lengthBytes(cursor);
        long within = (cursorPsn - work.firstPsn(cursor)) * mtuBytes;
        int payload = (int) Math.min(mtuBytes, length - within);
        boolean last = within + payload == length;
        int opcode = piece(work.opcode(cursor), within == 0, last);
        int pad = -payload & 3;
        int packetBytes = Headers.BTH_BYTES + Opcode.extensionBytes(opcode) + payload + pad + Headers.ICRC_BYTES;
        if (!output.begin(owner.remoteAddress(), packetBytes)) {
            return false;
        }
        ByteBuffer packet = output.buffer();
        int at = output.at();
        boolean ask = last || cursorPsn % ACK_EVERY_PACKETS == 0 || cursorPsn + 1 - acknowledgedPsn >= window();
        Headers.putBth(packet, at, opcode, false, pad, owner.remoteNumber(), ask, (int) cursorPsn);
        int next = at + Headers.BTH_BYTES;
        if (Opcode.hasReth(opcode)) {
            Headers.putReth(packet, next, work.remoteAddress(cursor), work.remoteKey(cursor), length);
            next += Headers.RETH_BYTES;
        }
        if (Opcode.hasImmediate(opcode)) {
            packet.putInt(next, work.immediate(cursor));
            next += Headers.IMMEDIATE_BYTES;
        }
        Headers.putPayload(packet, next, work.memory(cursor), work.offset(cursor) + within, payload, pad);
        output.commit();
        sentUpTo(cursorPsn + 1);
        return true;
    }

    private boolean transmitRead(PacketOutput output) {
        int packetBytes = Headers.BTH_BYTES + Headers.RETH_BYTES + Headers.ICRC_BYTES;
        if (!output.begin(owner.remoteAddress(), packetBytes)) {
            return false;
        }
        ByteBuffer packet = output.buffer();
        int at = output.at();
        long packetsBefore = cursorPsn - work.firstPsn(cursor);
        long within = packetsBefore * mtuBytes;
        long end = Math.min(work.endPsn(cursor), cursorPsn + READ_PACKETS - packetsBefore % READ_PACKETS);
        long bytes = Math.min(work.lengthBytes(cursor) - within, (end - cursorPsn) * mtuBytes);
        Headers.putBth(packet, at, Opcode.READ_REQUEST, false, 0, owner.remoteNumber(), true, (int) cursorPsn);
        Headers.putReth(
                packet, at + Headers.BTH_BYTES, work.remoteAddress(cursor) + within, work.remoteKey(cursor), (int)
                        bytes);
        output.commit();
        readEnds[(firstRead + outstandingReads++) % readEnds.length] = end;
        sentUpTo(end);
        return true;
    }

    private void sentUpTo(long end) {
        if (cursorPsn < sentPsn) {
            retransmittedPackets++;
        }
        cursorPsn = end;
        sentPsn = Math.max(sentPsn, end);
        if (work.endPsn(cursor) == end) {
            cursor++;
        }
    }

    /** The opcode of a piece of a message whose only packet would have the given one. */
    private static int piece(int only, boolean first, boolean last) {
        if (first && last) {
            return only;
        }
        boolean send = Opcode.send(only);
        if (first) {
            return send ? Opcode.SEND_FIRST : Opcode.WRITE_FIRST;
        }
        if (!last) {
            return send ? Opcode.SEND_MIDDLE : Opcode.WRITE_MIDDLE;
        }
        if (Opcode.hasImmediate(only)) {
            return send ? Opcode.SEND_LAST_IMM : Opcode.WRITE_LAST_IMM;
        }
        return send ? Opcode.SEND_LAST : Opcode.WRITE_LAST;
    }

    /** Takes an acknowledgement or a refusal of the peer. */
    void onAcknowledge(int wirePsn, int syndrome, long nowNanos) {
        long psn = Headers.unwrap(wirePsn, acknowledgedPsn);
        if (psn < acknowledgedPsn || psn >= sentPsn) {
            // Old news, or what was never sent.
            return;
        }
        switch (syndrome >> 5) {
            case 0 -> {
                acknowledgeBelow(psn + 1, nowNanos);
                if (acknowledgedPsn <= psn) {
                    answersMissing(psn, nowNanos);
                }
            }
            case 1 -> {
                acknowledgeBelow(psn, nowNanos);
                if (acknowledgedPsn < psn) {
                    answersMissing(psn, nowNanos);
                } else {
                    receiverNotReady(syndrome, nowNanos);
                }
            }
            case 3 -> {
                acknowledgeBelow(psn, nowNanos);
                if (syndrome == Headers.SYNDROME_SEQUENCE_ERROR) {
                    sequenceError(nowNanos);
                } else {
                    refused(syndrome);
                }
            }
            default -> owner.count(QueuePair.Count.MALFORMED);
        }
    }

    /** Takes a well-formed answer to a read. */
    void onReadResponse(ByteBuffer packet, int at, int lengthBytes, long nowNanos) {
        int opcode = Headers.opcode(packet, at);
        if (Opcode.hasAeth(opcode) && packet.get(at + Headers.BTH_BYTES) >> 5 != 0) {
            owner.count(QueuePair.Count.MALFORMED);
            return;
        }
        long psn = Headers.unwrap(Headers.psn(packet, at), acknowledgedPsn);
        if (psn < acknowledgedPsn || psn >= sentPsn) {
            // It came already, or was never asked for.
            return;
        }
        // It acknowledges what was sent before the read.
        acknowledgeBelow(psn, nowNanos);
        if (acknowledgedPsn < psn) {
            answersMissing(psn, nowNanos);
            return;
        }
        long head = work.head();
        if (!work.isRead(head)) {
            owner.count(QueuePair.Count.MALFORMED);
            return;
        }
        long within = (psn - work.firstPsn(head)) * mtuBytes;
        int expected = (int) Math.min(mtuBytes, work.lengthBytes(head) - within);
        int payload = Headers.payloadBytes(packet, at, lengthBytes);
        if (payload != expected) {
            owner.fail(
                    Status.OTHER_ERROR,
                    "The peer answered a read with " + payload + " bytes in a packet instead of " + expected);
            return;
        }
        int from = at + Headers.BTH_BYTES + Opcode.extensionBytes(opcode);
        Headers.getPayload(packet, from, payload, work.memory(head), work.offset(head) + within);
        advanceTo(psn + 1, nowNanos);
    }

    /** An answer came that shows that those before it are lost. */
    private void answersMissing(long psn, long nowNanos) {
        // Once for each time that the peer passes: when it comes round again, the answer was lost again.
        boolean known = answerLost && psn > earlyPsn;
        earlyPsn = psn;
        if (!known) {
            answerLost = true;
            sequenceError(nowNanos);
        }
    }

    private void receiverNotReady(int syndrome, long nowNanos) {
        if (notBefore != NEVER) {
            return;
        }
        rnrWaits++;
        if (notReadySince == NEVER) {
            notReadySince = nowNanos;
        }
        long waited = nowNanos - notReadySince;
        if ((rnrRetryCount != ANY_NUMBER && rnrRetriesLeft-- <= 0) || waited >= rnrLimitNanos) {
            owner.fail(
                    Status.RECEIVER_NOT_READY,
                    "The peer had no receive posted for a message for " + TimeUnit.NANOSECONDS.toMillis(waited)
                            + " ms");
            return;
        }
        goBack();
        // A quarter of the time waited so far is little more to wait, and makes the tries rare.
        notBefore = nowNanos + Math.max(Headers.rnrWaitNanos(syndrome), Math.min(waited / 4, MAX_PAUSE_NANOS));
        timeoutAt = NEVER;
    }

    private void sequenceError(long nowNanos) {
        if (notBefore != NEVER) {
            // The packets behind the one that the peer was not ready for.
            return;
        }
        if (++sequenceErrors > MAX_SEQUENCE_ERRORS) {
            owner.fail(Status.RETRIES_EXCEEDED, "The same packet is lost again and again");
            return;
        }
        narrow();
        goBack();
        timeoutAt = nowNanos + timeoutNanos;
    }

    private void refused(int syndrome) {
        switch (syndrome) {
            case Headers.SYNDROME_REMOTE_ACCESS ->
                owner.fail(Status.REMOTE_ACCESS_ERROR, "The peer does not allow this access to its memory");
            case Headers.SYNDROME_REMOTE_OPERATION ->
                owner.fail(Status.REMOTE_OPERATION_ERROR, "The peer could not carry out the request");
            default -> owner.fail(Status.REMOTE_INVALID_REQUEST, "The peer found the request invalid");
        }
    }

    /** Everything below a number is acknowledged, but for answers to reads that have not come. */
    private void acknowledgeBelow(long psn, long nowNanos) {
        advanceTo(Math.min(psn, firstMissingAnswer()), nowNanos);
    }

    private long firstMissingAnswer() {
        for (long each = work.head(); work.reads() > 0 && each < work.tail(); each++) {
            if (work.isRead(each)) {
                return Math.max(acknowledgedPsn, work.firstPsn(each));
            }
        }
        return Long.MAX_VALUE;
    }

    private void advanceTo(long psn, long nowNanos) {
        if (psn <= acknowledgedPsn) {
            return;
        }
        long step = packetsLost ? 1 : psn - acknowledgedPsn;
        windowPackets = (int) Math.min(MAX_WINDOW_PACKETS, windowPackets + step);
        acknowledgedPsn = psn;
        retriesLeft = retryCount;
        rnrRetriesLeft = rnrRetryCount;
        sequenceErrors = 0;
        answerLost = false;
        notReadySince = NEVER;
        if (cursorPsn < psn) {
            cursorPsn = psn;
            notBefore = NEVER;
        }
        timeoutAt = acknowledgedPsn < cursorPsn ? nowNanos + timeoutNanos : NEVER;
        while (outstandingReads > 0 && readEnds[firstRead] <= psn) {
            firstRead = (firstRead + 1) % readEnds.length;
            outstandingReads--;
        }
        while (work.head() < work.tail() && work.endPsn(work.head()) <= psn) {
            complete(Status.SUCCESS);
        }
        cursor = Math.max(cursor, work.head());
        while (cursor < work.tail() && work.endPsn(cursor) <= cursorPsn) {
            cursor++;
        }
    }

    private void complete(Status status) {
        long head = work.head();
        long workId = work.workId(head);
        Operation operation = operation(work.opcode(head));
        work.remove();
        owner.completed(workId, operation, status, 0, false, 0);
    }

    private static Operation operation(int opcode) {
        if (opcode == Opcode.READ_REQUEST) {
            return Operation.READ;
        }
        return Opcode.send(opcode) ? Operation.SEND : Operation.WRITE;
    }

    /** Something was lost: fewer packets are sent at a time, and their number grows slowly from then on. */
    private void narrow() {
        packetsLost = true;
        windowPackets = Math.max(MIN_WINDOW_PACKETS, windowPackets / 2);
    }

    /** To the first packet that is not acknowledged. */
    private void goBack() {
        cursorPsn = acknowledgedPsn;
        cursor = work.head();
        outstandingReads = 0;
    }

    /** Lets time pass. */
    void onTime(long nowNanos) {
        if (timeoutAt != NEVER && nowNanos - timeoutAt >= 0) {
            timeouts++;
            if (retriesLeft-- <= 0) {
                owner.fail(Status.RETRIES_EXCEEDED, "The peer does not answer");
                return;
            }
            narrow();
            goBack();
            timeoutAt = nowNanos + timeoutNanos;
        }
    }

    /** When {@link #onTime} or {@link #transmit} wants to be called next. */
    long nextDeadlineNanos() {
        return notBefore != NEVER ? notBefore : timeoutAt;
    }

    /** Ends all work: the oldest with the cause if it is of the sender's doing, the others as flushed. */
    void flush(Status cause) {
        Status status = cause;
        while (work.head() < work.tail()) {
            complete(status);
            status = Status.FLUSHED;
        }
        cursor = work.tail();
        timeoutAt = NEVER;
        notBefore = NEVER;
        work.clear();
    }

    /** Whether nothing is acknowledged any more though it was sent again twice. */
    boolean struggling() {
        return work.head() < work.tail() && retriesLeft <= retryCount - 2;
    }

    /** Whether everything posted is acknowledged. */
    boolean idle() {
        return work.head() == work.tail();
    }

    long retransmittedPackets() {
        return retransmittedPackets;
    }

    long timeouts() {
        return timeouts;
    }

    long rnrWaits() {
        return rnrWaits;
    }
}
