package io.peregrine.rocev2;

import io.peregrine.rdma.Completion.Operation;
import io.peregrine.rdma.Completion.Status;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaMemory;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The sending half of a reliable connection: cuts messages into packets, keeps them until they are acknowledged, and goes
 * back to the first packet that is not (go-back-N). Pure: no socket, no clock; guarded by the port's lock.
 */
final class Requester {
    /** Packets that may be on their way without an acknowledgement. */
    static final int WINDOW_PACKETS = 128;
    /** An acknowledgement is asked for at least this often. */
    private static final int ACK_EVERY_PACKETS = 32;
    /** Sequence errors in a row without any progress after which a peer is taken as broken. */
    private static final int MOST_SEQUENCE_ERRORS = 64;

    static final long NEVER = Long.MAX_VALUE;

    private final QueuePair owner;
    private final int depth;
    private final int mask;
    private final long[] workIds;
    private final int[] opcodes;
    private final RdmaMemory[] memories;
    private final long[] offsets;
    private final int[] lengths;
    private final long[] remoteAddresses;
    private final int[] remoteKeys;
    private final int[] immediates;
    private final long[] firstPsns;

    private int mtuBytes;
    private long timeoutNanos;
    private int retryCount;
    private int rnrRetryCount;

    /** Oldest work that is not acknowledged, work being sent, end of the queue. */
    private long head;

    private long cursor;
    private long tail;

    /** Every sequence number below is acknowledged. */
    private long acknowledgedPsn;
    /** Next to send. */
    private long cursorPsn;
    /** End of what was ever sent. */
    private long sentPsn;
    /** End of what is posted. */
    private long postedPsn;

    private int retriesLeft;
    private int rnrRetriesLeft;
    private int sequenceErrors;
    private long timeoutAt = NEVER;
    private long notBefore = NEVER;
    private long retransmittedPackets;
    private long timeouts;
    private long rnrWaits;

    Requester(QueuePair owner, int depth) {
        this.owner = owner;
        this.depth = depth;
        int capacity = Integer.highestOneBit(Math.max(1, depth - 1)) << 1;
        mask = capacity - 1;
        workIds = new long[capacity];
        opcodes = new int[capacity];
        memories = new RdmaMemory[capacity];
        offsets = new long[capacity];
        lengths = new int[capacity];
        remoteAddresses = new long[capacity];
        remoteKeys = new int[capacity];
        immediates = new int[capacity];
        firstPsns = new long[capacity];
    }

    void connect(int startingPsn, int mtu, int ackTimeoutExponent, int retries, int rnrRetries) {
        mtuBytes = mtu;
        timeoutNanos = 4096L << ackTimeoutExponent;
        retryCount = retries;
        rnrRetryCount = rnrRetries;
        retriesLeft = retries;
        rnrRetriesLeft = rnrRetries;
        // Well above zero, so that old numbers of the peer stay positive.
        acknowledgedPsn = (1L << 32) + (startingPsn & Headers.MASK_24);
        cursorPsn = acknowledgedPsn;
        sentPsn = acknowledgedPsn;
        postedPsn = acknowledgedPsn;
    }

    /** Queues a message. The opcode is that of its only packet if it were short. */
    void post(
            int onlyOpcode,
            long workId,
            RdmaMemory memory,
            long offset,
            int lengthBytes,
            long remoteAddress,
            int remoteKey,
            int immediate) {
        if (tail - head >= depth) {
            throw new RdmaException("The send queue is full: " + depth + " messages are posted");
        }
        int i = (int) tail & mask;
        workIds[i] = workId;
        opcodes[i] = onlyOpcode;
        memories[i] = memory;
        offsets[i] = offset;
        lengths[i] = lengthBytes;
        remoteAddresses[i] = remoteAddress;
        remoteKeys[i] = remoteKey;
        immediates[i] = immediate;
        firstPsns[i] = postedPsn;
        postedPsn += packets(lengthBytes);
        tail++;
    }

    private long packets(int lengthBytes) {
        return Math.max(1, ((long) lengthBytes + mtuBytes - 1) / mtuBytes);
    }

    private long endPsn(long work) {
        return work + 1 == tail ? postedPsn : firstPsns[(int) (work + 1) & mask];
    }

    /** Sends what may be sent now. False when the output had no room for more. */
    boolean transmit(PacketOutput output, long nowNanos) {
        if (notBefore != NEVER) {
            if (nowNanos - notBefore < 0) {
                return true;
            }
            notBefore = NEVER;
        }
        while (cursor < tail && cursorPsn - acknowledgedPsn < WINDOW_PACKETS) {
            if (!transmitOne(output)) {
                return false;
            }
            if (timeoutAt == NEVER) {
                timeoutAt = nowNanos + timeoutNanos;
            }
        }
        return true;
    }

    private boolean transmitOne(PacketOutput output) {
        int i = (int) cursor & mask;
        long within = (cursorPsn - firstPsns[i]) * mtuBytes;
        int payload = (int) Math.min(mtuBytes, lengths[i] - within);
        boolean first = within == 0;
        boolean last = within + payload == lengths[i];
        int opcode = piece(opcodes[i], first, last);
        int pad = -payload & 3;
        int header = Headers.BTH_BYTES + Opcode.extensionBytes(opcode);
        int length = header + payload + pad + Headers.ICRC_BYTES;
        if (!output.begin(owner.remoteAddress(), length)) {
            return false;
        }
        ByteBuffer packet = output.buffer();
        int at = output.at();
        boolean ask = last || cursorPsn % ACK_EVERY_PACKETS == 0 || cursorPsn + 1 - acknowledgedPsn == WINDOW_PACKETS;
        Headers.putBth(packet, at, opcode, false, pad, owner.remoteNumber(), ask, (int) cursorPsn);
        int next = at + Headers.BTH_BYTES;
        if (Opcode.hasReth(opcode)) {
            Headers.putReth(packet, next, remoteAddresses[i], remoteKeys[i], lengths[i]);
            next += Headers.RETH_BYTES;
        }
        if (Opcode.hasImmediate(opcode)) {
            packet.putInt(next, immediates[i]);
            next += Headers.IMMEDIATE_BYTES;
        }
        packet.position(next);
        memories[i].get(offsets[i] + within, packet, payload);
        for (int p = 0; p < pad; p++) {
            packet.put((byte) 0);
        }
        output.commit();
        if (cursorPsn < sentPsn) {
            retransmittedPackets++;
        }
        cursorPsn++;
        sentPsn = Math.max(sentPsn, cursorPsn);
        if (last) {
            cursor++;
        }
        return true;
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

    /** Takes an answer of the peer. */
    void onAcknowledge(int wirePsn, int syndrome, long nowNanos) {
        long psn = Headers.unwrap(wirePsn, acknowledgedPsn);
        if (psn < acknowledgedPsn || psn >= sentPsn) {
            // Old news, or what was never sent.
            return;
        }
        switch (syndrome >> 5) {
            case 0 -> acknowledgeBelow(psn + 1, nowNanos);
            case 1 -> {
                acknowledgeBelow(psn, nowNanos);
                receiverNotReady(psn, syndrome, nowNanos);
            }
            case 3 -> {
                acknowledgeBelow(psn, nowNanos);
                if (syndrome == Headers.SYNDROME_SEQUENCE_ERROR) {
                    sequenceError(psn, nowNanos);
                } else {
                    refused(syndrome);
                }
            }
            default -> owner.count(QueuePair.Count.MALFORMED);
        }
    }

    private void receiverNotReady(long psn, int syndrome, long nowNanos) {
        if (notBefore != NEVER && cursorPsn == psn) {
            return;
        }
        rnrWaits++;
        if (rnrRetryCount < 7 && rnrRetriesLeft-- <= 0) {
            owner.fail(Status.RECEIVER_NOT_READY, "The peer posted no receive in time");
            return;
        }
        goBackTo(psn);
        notBefore = nowNanos + Headers.rnrWaitNanos(syndrome);
        timeoutAt = NEVER;
    }

    private void sequenceError(long psn, long nowNanos) {
        if (notBefore != NEVER) {
            // The packets behind the one that the peer was not ready for.
            return;
        }
        if (++sequenceErrors > MOST_SEQUENCE_ERRORS) {
            owner.fail(Status.RETRIES_EXCEEDED, "The peer asks for the same packet again and again");
            return;
        }
        goBackTo(psn);
        timeoutAt = nowNanos + timeoutNanos;
    }

    private void refused(int syndrome) {
        switch (syndrome) {
            case Headers.SYNDROME_REMOTE_ACCESS ->
                owner.fail(Status.REMOTE_ACCESS_ERROR, "The peer does not allow this write");
            case Headers.SYNDROME_REMOTE_OPERATION ->
                owner.fail(Status.REMOTE_OPERATION_ERROR, "The peer could not carry out the request");
            default -> owner.fail(Status.REMOTE_INVALID_REQUEST, "The peer found the request invalid");
        }
    }

    private void acknowledgeBelow(long psn, long nowNanos) {
        if (psn <= acknowledgedPsn) {
            return;
        }
        acknowledgedPsn = psn;
        retriesLeft = retryCount;
        rnrRetriesLeft = rnrRetryCount;
        sequenceErrors = 0;
        if (cursorPsn < psn) {
            cursorPsn = psn;
            notBefore = NEVER;
        }
        timeoutAt = acknowledgedPsn < cursorPsn ? nowNanos + timeoutNanos : NEVER;
        while (head < tail && endPsn(head) <= psn) {
            complete(Status.SUCCESS);
        }
        cursor = Math.max(cursor, head);
        while (cursor < tail && endPsn(cursor) <= cursorPsn) {
            cursor++;
        }
    }

    private void complete(Status status) {
        int i = (int) head & mask;
        memories[i] = null;
        head++;
        Operation operation = Opcode.send(opcodes[i]) ? Operation.SEND : Operation.WRITE;
        owner.completed(workIds[i], operation, status, 0, false, 0);
    }

    private void goBackTo(long psn) {
        cursorPsn = psn;
        cursor = head;
        while (cursor < tail && endPsn(cursor) <= psn) {
            cursor++;
        }
    }

    /** Lets time pass. */
    void onTime(long nowNanos) {
        if (timeoutAt != NEVER && nowNanos - timeoutAt >= 0) {
            timeouts++;
            if (retriesLeft-- <= 0) {
                owner.fail(Status.RETRIES_EXCEEDED, "The peer does not answer");
                return;
            }
            goBackTo(acknowledgedPsn);
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
        while (head < tail) {
            complete(status);
            status = Status.FLUSHED;
        }
        cursor = tail;
        timeoutAt = NEVER;
        notBefore = NEVER;
        Arrays.fill(memories, null);
    }

    /** Whether nothing is acknowledged any more though it was sent again twice. */
    boolean struggling() {
        return head < tail && retriesLeft <= retryCount - 2;
    }

    /** Whether everything posted is acknowledged. */
    boolean idle() {
        return head == tail;
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
