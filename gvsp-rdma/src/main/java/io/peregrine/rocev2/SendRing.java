package io.peregrine.rocev2;

import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaMemory;
import java.util.Arrays;

/**
 * Posted sends, writes and reads, in order, each with the sequence numbers that it takes. Guarded by the port's lock.
 */
final class SendRing {
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
    private long postedPsn;
    private long head;
    private long tail;
    private int reads;

    SendRing(int depth) {
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

    void connect(long startingPsn, int mtu) {
        postedPsn = startingPsn;
        mtuBytes = mtu;
    }

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
        postedPsn += Headers.packets(lengthBytes, mtuBytes);
        reads += onlyOpcode == Opcode.READ_REQUEST ? 1 : 0;
        tail++;
    }

    /** Takes the oldest out. */
    void remove() {
        int i = (int) head & mask;
        memories[i] = null;
        reads -= opcodes[i] == Opcode.READ_REQUEST ? 1 : 0;
        head++;
    }

    /** Forgets the memory of what was taken out. */
    void clear() {
        Arrays.fill(memories, null);
    }

    /** Number of the oldest. */
    long head() {
        return head;
    }

    /** Number after the newest. */
    long tail() {
        return tail;
    }

    /** How many of them are reads. */
    int reads() {
        return reads;
    }

    long workId(long work) {
        return workIds[(int) work & mask];
    }

    /** The opcode of its only packet if it were short. */
    int opcode(long work) {
        return opcodes[(int) work & mask];
    }

    boolean isRead(long work) {
        return opcode(work) == Opcode.READ_REQUEST;
    }

    RdmaMemory memory(long work) {
        return memories[(int) work & mask];
    }

    long offset(long work) {
        return offsets[(int) work & mask];
    }

    int lengthBytes(long work) {
        return lengths[(int) work & mask];
    }

    long remoteAddress(long work) {
        return remoteAddresses[(int) work & mask];
    }

    int remoteKey(long work) {
        return remoteKeys[(int) work & mask];
    }

    int immediate(long work) {
        return immediates[(int) work & mask];
    }

    long firstPsn(long work) {
        return firstPsns[(int) work & mask];
    }

    /** The sequence number after its last. */
    long endPsn(long work) {
        return work + 1 == tail ? postedPsn : firstPsn(work + 1);
    }
}
