package io.peregrine.rocev2;

import java.nio.ByteBuffer;

/**
 * Reads of the peer that are not answered to the end yet, in the order of their sequence numbers. No more of them than
 * was agreed on, and what they read is looked up again for each packet: the registration may end meanwhile. Pure;
 * guarded by the port's lock.
 */
final class ReadReplies {
    private final MemoryTable regions;
    private final Object domain;
    private final int mtuBytes;
    private final int capacity;
    private final long[] firstPsns;
    private final long[] nextPsns;
    private final long[] endPsns;
    private final long[] addresses;
    private final long[] lefts;
    private final int[] keys;
    private final int[] messageNumbers;
    private final boolean[] repeated;
    private int first;
    private int count;

    ReadReplies(MemoryTable regions, Object domain, int mtuBytes, int capacity) {
        this.regions = regions;
        this.domain = domain;
        this.mtuBytes = mtuBytes;
        this.capacity = capacity;
        firstPsns = new long[capacity];
        nextPsns = new long[capacity];
        endPsns = new long[capacity];
        addresses = new long[capacity];
        lefts = new long[capacity];
        keys = new int[capacity];
        messageNumbers = new int[capacity];
        repeated = new boolean[capacity];
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Takes a new read. False if there are as many as was agreed on. */
    boolean add(long psn, long endPsn, long address, int key, long lengthBytes, int messageNumber) {
        if (count == capacity && count > 0 && repeated[first]) {
            // The peer has that answer, or it would have no room for this read.
            dropFirst();
        }
        if (count == capacity) {
            return false;
        }
        set(slot(count), psn, endPsn, address, key, lengthBytes, messageNumber, false);
        count++;
        return true;
    }

    /**
     * Takes a read that was answered already, wholly or in part: the peer misses its answers from here on. Nothing
     * happens if it will be answered anyway, or if there is no room: the peer asks once more.
     */
    void repeat(long psn, long endPsn, long address, int key, long lengthBytes, int messageNumber) {
        int place = 0;
        while (place < count && firstPsns[slot(place)] < endPsn) {
            int slot = slot(place);
            if (psn < endPsns[slot]) {
                if (psn >= firstPsns[slot] && endPsn <= endPsns[slot] && psn < nextPsns[slot]) {
                    set(slot, psn, endPsn, address, key, lengthBytes, messageNumber, repeated[slot]);
                }
                return;
            }
            place++;
        }
        if (count < capacity) {
            for (int i = count; i > place; i--) {
                move(slot(i - 1), slot(i));
            }
            set(slot(place), psn, endPsn, address, key, lengthBytes, messageNumber, true);
            count++;
        }
    }

    private int slot(int place) {
        return (first + place) % capacity;
    }

    private void move(int from, int to) {
        set(
                to,
                firstPsns[from],
                endPsns[from],
                addresses[from],
                keys[from],
                lefts[from],
                messageNumbers[from],
                repeated[from]);
        nextPsns[to] = nextPsns[from];
    }

    private void set(
            int slot,
            long psn,
            long endPsn,
            long address,
            int key,
            long lengthBytes,
            int messageNumber,
            boolean isRepeated) {
        firstPsns[slot] = psn;
        nextPsns[slot] = psn;
        endPsns[slot] = endPsn;
        addresses[slot] = address;
        lefts[slot] = lengthBytes;
        keys[slot] = key;
        messageNumbers[slot] = messageNumber;
        repeated[slot] = isRepeated;
    }

    private void dropFirst() {
        first = (first + 1) % capacity;
        count--;
    }

    void clear() {
        count = 0;
    }

    /** Sequence number of the next answer. */
    long nextPsn() {
        return nextPsns[first];
    }

    /** Whether what the next answer reads may still be read. */
    boolean allowed() {
        return lefts[first] == 0 || regions.readable(keys[first], addresses[first], nextBytes(), domain) != null;
    }

    private int nextBytes() {
        return (int) Math.min(mtuBytes, lefts[first]);
    }

    /** Sends the next answer, which must be allowed. False when the output had no room. */
    boolean transmitOne(PacketOutput output, int destination, int queuePair) {
        long psn = nextPsns[first];
        int payload = nextBytes();
        int pad = -payload & 3;
        boolean last = psn + 1 == endPsns[first];
        int opcode = opcode(psn == firstPsns[first], last);
        int headers = Headers.BTH_BYTES + Opcode.extensionBytes(opcode);
        if (!output.begin(destination, headers + payload + pad + Headers.ICRC_BYTES)) {
            return false;
        }
        ByteBuffer packet = output.buffer();
        int at = output.at();
        Headers.putBth(packet, at, opcode, false, pad, queuePair, false, (int) psn);
        if (Opcode.hasAeth(opcode)) {
            Headers.putAeth(packet, at + Headers.BTH_BYTES, Headers.SYNDROME_ACK, messageNumbers[first]);
        }
        if (payload > 0) {
            MemoryTable.Region region = regions.readable(keys[first], addresses[first], payload, domain);
            Headers.putPayload(
                    packet, at + headers, region.memory(), addresses[first] - region.address(), payload, pad);
        }
        output.commit();
        nextPsns[first]++;
        addresses[first] += payload;
        lefts[first] -= payload;
        if (last) {
            dropFirst();
        }
        return true;
    }

    private static int opcode(boolean begins, boolean ends) {
        if (begins) {
            return ends ? Opcode.READ_RESPONSE_ONLY : Opcode.READ_RESPONSE_FIRST;
        }
        return ends ? Opcode.READ_RESPONSE_LAST : Opcode.READ_RESPONSE_MIDDLE;
    }
}
