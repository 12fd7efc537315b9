package io.peregrine.nativeio;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Receives one datagram, or one run of them, in pieces: of each the first bytes to a place for heads, the rest to
 * memory of the caller. What does not fit there goes to a place for the rest.
 */
final class SplitReceive {
    /** Longest head of a datagram. */
    static final int MAX_HEAD_BYTES = 64;

    // A datagram may be said to be longer than its head.
    private final ByteBuffer heads = NativeMemory.allocate(
                    DatagramRuns.MAX_DATAGRAMS * MAX_HEAD_BYTES + MessageVector.SLOT_BYTES)
            .order(ByteOrder.BIG_ENDIAN);
    private final long headsAddress = NativeMemory.address(heads);
    private final ByteBuffer slab;
    private final int restOffset;
    private final long restAddress;
    private final MessageVector vector;
    private int vectors;

    /**
     * Makes a place for heads.
     *
     * @param slab big-endian memory; its last slot is for the rest, and what is gathered goes to its begin
     */
    SplitReceive(ByteBuffer slab) {
        this.slab = slab;
        restOffset = slab.capacity() - MessageVector.SLOT_BYTES;
        restAddress = NativeMemory.address(slab) + restOffset;
        vector = new MessageVector(1, slab, 2 * DatagramRuns.MAX_DATAGRAMS + 1);
    }

    /** The message that was received. */
    MessageVector message() {
        return vector;
    }

    /** The heads, big-endian, each {@link #MAX_HEAD_BYTES} after the one before. */
    ByteBuffer heads() {
        return heads;
    }

    /** Number of datagrams that there was room for. */
    int room() {
        return vectors / 2;
    }

    /** Says where the pieces go; see {@link MmsgSocket#receiveApart}. */
    void prepare(int headBytes, int dataBytes, long address, int roomBytes, int maxDatagrams) {
        int room = roomBytes;
        int count = 0;
        int most = 2 * Math.min(maxDatagrams, DatagramRuns.MAX_DATAGRAMS);
        while (room > 0 && count < most && count / 2 * dataBytes < MessageVector.MAX_RUN_BYTES) {
            int bytes = Math.min(dataBytes, room);
            vector.vector(count, headsAddress + count / 2 * (long) MAX_HEAD_BYTES, headBytes);
            vector.vector(count + 1, address + roomBytes - room, bytes);
            count += 2;
            room -= bytes;
        }
        vector.vector(count, restAddress, MessageVector.SLOT_BYTES);
        vector.vectors(count + 1);
        vectors = count;
    }

    /**
     * Puts what was received together again, at the begin of the slab.
     *
     * @param fromDatagram first datagram to put there
     * @param memory the memory that the data of the datagrams went to
     * @param offset where that of the first one went
     */
    void gather(int fromDatagram, ByteBuffer memory, int offset) {
        int left = vector.lengthBytes(0);
        int to = 0;
        int data = offset;
        for (int i = 0; i <= vectors && left > 0; i++) {
            int bytes = (int) Math.min(left, vector.vectorBytes(i));
            if (i / 2 >= fromDatagram) {
                if (i == vectors) {
                    slab.put(to, slab, restOffset, bytes);
                } else if (i % 2 == 0) {
                    slab.put(to, heads, i / 2 * MAX_HEAD_BYTES, bytes);
                } else {
                    slab.put(to, memory, data, bytes);
                }
                to += bytes;
            }
            if (i % 2 == 1) {
                data += bytes;
            }
            left -= bytes;
        }
    }
}
