package io.peregrine.rocev2;

import io.peregrine.rdma.Completion.Operation;
import io.peregrine.rdma.Completion.Status;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaMemory;
import java.nio.ByteBuffer;

/**
 * The receiving half of a reliable connection: takes packets in order, places their bytes, and answers. Bytes go
 * nowhere but into a posted receive or into registered memory whose key and range were checked when the message began,
 * and come from nowhere but registered memory that the peer may read. Pure: no socket, no clock; guarded by the port's
 * lock.
 */
final class Responder {
    /** Wait that the sender is asked for when no receive is posted: 0.64 ms. */
    private static final int RNR_TIMER_CODE = 12;
    /** Answers to reads that leave at a time, before others get their turn. */
    static final int READ_BURST_PACKETS = 32;
    /** Longest message of the protocol. */
    private static final long MAX_MESSAGE_BYTES = 1L << 31;

    private static final int NOTHING = -1;

    private final QueuePair owner;
    private final MemoryTable regions;
    private final ReceiveRing receives;
    private final ReceiveRing.Taken receive = new ReceiveRing.Taken();
    private ReadReplies reads;
    private boolean receiveTaken;

    private int mtuBytes;
    private long expectedPsn;
    private int messageNumber;

    /** First opcode of the message that is under way, or NOTHING. */
    private int message = NOTHING;

    private long done;
    private long total;
    private MemoryTable.Region region;
    private long regionOffset;

    /** Set after an answer that asks to go back, until the expected packet comes. */
    private boolean nakSent;

    private boolean receiverNotReady;
    private long lastGapPsn;
    private int pendingSyndrome = NOTHING;
    private long pendingPsn;
    private long duplicates;
    private long gaps;

    Responder(QueuePair owner, MemoryTable regions, ReceiveRing receives) {
        this.owner = owner;
        this.regions = regions;
        this.receives = receives;
        reads = new ReadReplies(regions, owner.domain(), 0, 0);
    }

    void connect(int startingPsn, LinkTerms terms) {
        mtuBytes = terms.mtuBytes();
        reads = new ReadReplies(regions, owner.domain(), mtuBytes, terms.readsServed());
        expectedPsn = (1L << 32) + (startingPsn & Headers.MASK_24);
    }

    void post(long workId, RdmaMemory memory, long offset, int lengthBytes) {
        if (owner.sharesReceives()) {
            throw new RdmaException("This connection takes its receives from a shared queue: post them there");
        }
        receives.post(workId, memory, offset, lengthBytes);
    }

    /** Takes a request packet, well formed and of the right peer. */
    void onRequest(ByteBuffer packet, int at, int lengthBytes) {
        long psn = Headers.unwrap(Headers.psn(packet, at), expectedPsn);
        int opcode = Headers.opcode(packet, at);
        int payload = Headers.payloadBytes(packet, at, lengthBytes);
        if (psn < expectedPsn) {
            duplicates++;
            if (opcode == Opcode.READ_REQUEST) {
                readAgain(packet, at, payload, psn);
            } else if (pendingSyndrome == NOTHING) {
                // An answer that asks to go back acknowledges as much.
                answer(Headers.SYNDROME_ACK, expectedPsn - 1);
            }
            return;
        }
        if (psn > expectedPsn) {
            gap(psn);
            return;
        }
        boolean read = opcode == Opcode.READ_REQUEST;
        int status = read ? read(packet, at, payload) : execute(packet, at, opcode, payload);
        if (status == Headers.SYNDROME_RNR) {
            nakSent = true;
            receiverNotReady = true;
            answer(Headers.SYNDROME_RNR | RNR_TIMER_CODE, expectedPsn);
            return;
        }
        if (status != Headers.SYNDROME_ACK) {
            answer(status, expectedPsn);
            return;
        }
        nakSent = false;
        receiverNotReady = false;
        if (read) {
            // Its data acknowledges it, and all before it.
            pendingSyndrome = NOTHING;
            return;
        }
        expectedPsn++;
        if (Opcode.ends(opcode)) {
            messageNumber++;
        }
        if (Headers.ackRequest(packet, at) || pendingSyndrome != NOTHING) {
            answer(Headers.SYNDROME_ACK, expectedPsn - 1);
        }
    }

    private void gap(long psn) {
        gaps++;
        // Once for each time that the sender passes: when it comes round again, the packet was lost again.
        if (!nakSent || (!receiverNotReady && psn <= lastGapPsn)) {
            nakSent = true;
            answer(Headers.SYNDROME_SEQUENCE_ERROR, expectedPsn);
        }
        lastGapPsn = psn;
    }

    /** Carries a packet out. The syndrome of the answer; nothing has changed unless it is an acknowledgement. */
    private int execute(ByteBuffer packet, int at, int opcode, int payload) {
        boolean begins = Opcode.begins(opcode);
        boolean ends = Opcode.ends(opcode);
        boolean send = Opcode.send(opcode);
        if (!send && !Opcode.write(opcode)) {
            return broken(Headers.SYNDROME_INVALID_REQUEST, "a request that this side does not serve");
        }
        if (begins != (message == NOTHING) || (!begins && send != Opcode.send(message))) {
            return broken(Headers.SYNDROME_INVALID_REQUEST, "packets of a message out of order");
        }
        if (ends ? payload > mtuBytes || (!begins && payload == 0) : payload != mtuBytes) {
            return broken(Headers.SYNDROME_INVALID_REQUEST, "a packet of the wrong length");
        }
        return send ? send(packet, at, opcode, payload) : write(packet, at, opcode, payload);
    }

    private int send(ByteBuffer packet, int at, int opcode, int payload) {
        if (Opcode.begins(opcode)) {
            if (owner.pretendsNotReady() || !receives.take(receive)) {
                return Headers.SYNDROME_RNR;
            }
            receiveTaken = true;
            message = opcode;
            done = 0;
        }
        if (payload > receive.length - done) {
            message = NOTHING;
            receiveTaken = false;
            owner.completed(receive.workId, Operation.RECEIVE, Status.LOCAL_ERROR, done, false, 0);
            return broken(Headers.SYNDROME_INVALID_REQUEST, "a message longer than its receive");
        }
        int from = at + Headers.BTH_BYTES + Opcode.extensionBytes(opcode);
        Headers.getPayload(packet, from, payload, receive.memory, receive.offset + done);
        done += payload;
        if (Opcode.ends(opcode)) {
            message = NOTHING;
            receiveTaken = false;
            boolean immediate = Opcode.hasImmediate(opcode);
            int value = immediate ? packet.getInt(from - Headers.IMMEDIATE_BYTES) : 0;
            owner.completed(receive.workId, Operation.RECEIVE, Status.SUCCESS, done, immediate, value);
        }
        return Headers.SYNDROME_ACK;
    }

    private int write(ByteBuffer packet, int at, int opcode, int payload) {
        boolean begins = Opcode.begins(opcode);
        boolean ends = Opcode.ends(opcode);
        boolean immediate = Opcode.hasImmediate(opcode);
        long start = begins ? 0 : done;
        long length = total;
        MemoryTable.Region target = region;
        long targetOffset = regionOffset;
        if (begins) {
            int reth = at + Headers.BTH_BYTES;
            long address = packet.getLong(reth);
            length = Integer.toUnsignedLong(packet.getInt(reth + 12));
            target = null;
            if (length > 0) {
                target = regions.writable(packet.getInt(reth + 8), address, length, owner.domain());
                if (target == null) {
                    return broken(Headers.SYNDROME_REMOTE_ACCESS, "a write that no registered memory allows");
                }
                targetOffset = address - target.address();
            }
        }
        if (ends ? start + payload != length : start + payload >= length) {
            return broken(Headers.SYNDROME_INVALID_REQUEST, "a write whose packets do not add up to its length");
        }
        if (immediate && (receives.isEmpty() || owner.pretendsNotReady())) {
            return Headers.SYNDROME_RNR;
        }
        int from = at + Headers.BTH_BYTES + Opcode.extensionBytes(opcode);
        if (payload > 0) {
            // The registration may have ended since the message began.
            if (regions.writable(target.key(), target.address() + targetOffset + start, payload, owner.domain())
                    != target) {
                return broken(Headers.SYNDROME_REMOTE_ACCESS, "a write into memory that is no longer registered");
            }
            Headers.getPayload(packet, from, payload, target.memory(), targetOffset + start);
        }
        message = ends ? NOTHING : begins ? opcode : message;
        done = start + payload;
        total = length;
        region = ends ? null : target;
        regionOffset = targetOffset;
        if (immediate) {
            receives.take(receive);
            int value = packet.getInt(from - Headers.IMMEDIATE_BYTES);
            owner.completed(receive.workId, Operation.RECEIVE_WRITE, Status.SUCCESS, length, true, value);
        }
        return Headers.SYNDROME_ACK;
    }

    /** Begins to answer a read. The syndrome of the refusal, or of an acknowledgement. */
    private int read(ByteBuffer packet, int at, int payload) {
        int reth = at + Headers.BTH_BYTES;
        long address = packet.getLong(reth);
        int key = packet.getInt(reth + 8);
        long length = Integer.toUnsignedLong(packet.getInt(reth + 12));
        if (message != NOTHING || payload != 0 || length > MAX_MESSAGE_BYTES) {
            return broken(Headers.SYNDROME_INVALID_REQUEST, "a malformed request to read");
        }
        if (length > 0 && regions.readable(key, address, length, owner.domain()) == null) {
            return broken(Headers.SYNDROME_REMOTE_ACCESS, "a read that no registered memory allows");
        }
        long end = expectedPsn + Headers.packets(length, mtuBytes);
        if (!reads.add(expectedPsn, end, address, key, length, messageNumber + 1)) {
            return broken(Headers.SYNDROME_INVALID_REQUEST, "more reads at a time than were agreed on");
        }
        expectedPsn = end;
        messageNumber++;
        return Headers.SYNDROME_ACK;
    }

    /**
     * The peer misses answers. What it asks for is checked as if it were new; what is wrong with it is not answered.
     */
    private void readAgain(ByteBuffer packet, int at, int payload, long psn) {
        int reth = at + Headers.BTH_BYTES;
        long address = packet.getLong(reth);
        int key = packet.getInt(reth + 8);
        long length = Integer.toUnsignedLong(packet.getInt(reth + 12));
        long end = psn + Headers.packets(length, mtuBytes);
        if (payload == 0
                && end <= expectedPsn
                && (length == 0 || regions.readable(key, address, length, owner.domain()) != null)) {
            reads.repeat(psn, end, address, key, length, messageNumber);
        }
    }

    private int broken(int syndrome, String what) {
        owner.failAfterAnswer(Status.LOCAL_ERROR, "The peer sent " + what);
        return syndrome;
    }

    private void answer(int syndrome, long psn) {
        pendingSyndrome = syndrome;
        pendingPsn = psn;
    }

    /**
     * Sends answers that are due, in order, but only a limited number of those to reads at a time: {@link #answering()}
     * says then that there are more. False when the output had no room.
     */
    boolean transmit(PacketOutput output) {
        for (int sent = 0; !reads.isEmpty(); sent++) {
            if (sent == READ_BURST_PACKETS) {
                return true;
            }
            if (!reads.allowed()) {
                long psn = reads.nextPsn();
                reads.clear();
                answer(broken(Headers.SYNDROME_REMOTE_ACCESS, "a read of memory that is no longer registered"), psn);
            } else if (!reads.transmitOne(output, owner.remoteAddress(), owner.remoteNumber())) {
                return false;
            }
        }
        if (pendingSyndrome == NOTHING) {
            return true;
        }
        int length = Headers.BTH_BYTES + Headers.AETH_BYTES + Headers.ICRC_BYTES;
        if (!output.begin(owner.remoteAddress(), length)) {
            return false;
        }
        ByteBuffer packet = output.buffer();
        int at = output.at();
        Headers.putBth(packet, at, Opcode.ACKNOWLEDGE, false, 0, owner.remoteNumber(), false, (int) pendingPsn);
        Headers.putAeth(packet, at + Headers.BTH_BYTES, pendingSyndrome, messageNumber);
        output.commit();
        pendingSyndrome = NOTHING;
        return true;
    }

    /** Whether a message has begun and not ended. */
    boolean receiving() {
        return message != NOTHING;
    }

    /** Whether reads of the peer are not answered to the end. */
    boolean answering() {
        return !reads.isEmpty();
    }

    /** Gives back every receive of this queue pair as flushed. */
    void flush() {
        if (receiveTaken) {
            receiveTaken = false;
            owner.completed(receive.workId, Operation.RECEIVE, Status.FLUSHED, done, false, 0);
        }
        message = NOTHING;
        region = null;
        reads.clear();
        while (!owner.sharesReceives() && receives.take(receive)) {
            owner.completed(receive.workId, Operation.RECEIVE, Status.FLUSHED, 0, false, 0);
        }
        receive.memory = null;
    }

    long duplicates() {
        return duplicates;
    }

    long gaps() {
        return gaps;
    }
}
