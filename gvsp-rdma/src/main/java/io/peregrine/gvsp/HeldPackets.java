package io.peregrine.gvsp;

import java.nio.ByteBuffer;

/**
 * Payload packets of a block whose place is not known yet: those of parts that came before their leader, and those of
 * H.264 that came before their turn. A bounded number; what does not fit is asked for again.
 */
final class HeldPackets {
    private static final int ENTRY_HEAD_BYTES = 8;
    private static final int MIN_BYTES = 1 << 14;
    private static final int MAX_BYTES = 1 << 18;
    private static final int MAX_PACKETS = 1024;

    private ByteBuffer bytes = ByteBuffer.allocate(0);
    private int end;
    private int count;

    void clear() {
        end = 0;
        count = 0;
    }

    /** Keeps a packet; false if there is no room. */
    boolean add(int packetId, ByteBuffer packet, int body, int bodyBytes) {
        int size = ENTRY_HEAD_BYTES + bodyBytes;
        if (count == MAX_PACKETS || size > MAX_BYTES - end) {
            return false;
        }
        if (size > bytes.capacity() - end) {
            int larger = Math.max(MIN_BYTES, bytes.capacity());
            while (larger < end + size) {
                larger *= 2;
            }
            bytes = ByteBuffer.allocate(larger).put(0, bytes, 0, end);
        }
        bytes.putInt(end, packetId);
        bytes.putInt(end + 4, bodyBytes);
        bytes.put(end + ENTRY_HEAD_BYTES, packet, body, bodyBytes);
        end += size;
        count++;
        return true;
    }

    /** The entry of a packet, -1 if it does not wait. */
    int find(int packetId) {
        for (int entry = 0; entry < end; entry = next(entry)) {
            if (packetId(entry) == packetId) {
                return entry;
            }
        }
        return -1;
    }

    // Entries are walked by their position: from 0, with next(), until it is not below end().

    int end() {
        return end;
    }

    int next(int entry) {
        return entry + ENTRY_HEAD_BYTES + bodyBytes(entry);
    }

    int packetId(int entry) {
        return bytes.getInt(entry);
    }

    int bodyBytes(int entry) {
        return bytes.getInt(entry + 4);
    }

    int body(int entry) {
        return entry + ENTRY_HEAD_BYTES;
    }

    ByteBuffer bytes() {
        return bytes;
    }
}
