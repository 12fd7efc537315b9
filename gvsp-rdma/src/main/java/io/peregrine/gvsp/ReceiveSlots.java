package io.peregrine.gvsp;

import io.peregrine.nativeio.NativeMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The memory of the receives of a raw packet queue, and what each of them was posted with. A packet without a place
 * goes to its slot as a whole; of one with a place the headers go to a head, the data to its place, and what is too
 * long to its slot, right where it belongs if the rest is put before it.
 */
final class ReceiveSlots {
    /** From one head to the next. */
    static final int HEAD_STRIDE = 128;

    private final RawPacketQueue queue;
    private final int slotBytes;
    private final ByteBuffer heads;
    private final ByteBuffer slots;
    private final long headsAddress;
    private final long slotsAddress;
    private final int headsKey;
    private final int slotsKey;

    private final TargetedSet[] target;
    private final int[] headBytes;
    private final int[] flow;
    private final long[] offset;
    private final int[] length;
    /** Uses of a slot that has ended: it is free at 0. */
    private final int[] uses;

    private final int[] free;
    private int freeFrom;
    private int freeCount;
    private int posted;

    /**
     * All slots are free.
     *
     * @param count number of slots
     * @param maxDataBytes largest packet, without its headers
     */
    ReceiveSlots(RawPacketQueue queue, int count, int maxDataBytes) {
        this.queue = queue;
        slotBytes = RawUdp.HEADER_BYTES + maxDataBytes;
        // A packet is as long as its head and its data, which is elsewhere.
        heads = NativeMemory.allocate(count * HEAD_STRIDE + slotBytes).order(ByteOrder.BIG_ENDIAN);
        slots = NativeMemory.allocate(count * slotBytes).order(ByteOrder.BIG_ENDIAN);
        headsAddress = NativeMemory.address(heads);
        slotsAddress = NativeMemory.address(slots);
        headsKey = queue.register(headsAddress, heads.capacity());
        slotsKey = queue.register(slotsAddress, slots.capacity());
        target = new TargetedSet[count];
        headBytes = new int[count];
        flow = new int[count];
        offset = new long[count];
        length = new int[count];
        uses = new int[count];
        free = new int[count];
        for (int i = 0; i < count; i++) {
            free[i] = i;
        }
        freeCount = count;
    }

    /** Number of slots that can be posted. */
    int free() {
        return freeCount;
    }

    /** Number of slots that are posted. */
    int posted() {
        return posted;
    }

    private int take() {
        int slot = free[freeFrom];
        freeFrom = freeFrom + 1 == free.length ? 0 : freeFrom + 1;
        freeCount--;
        posted++;
        return slot;
    }

    /** Posts a receive of a whole packet. */
    void post() {
        int slot = take();
        target[slot] = null;
        queue.post(slot);
        queue.piece(slotsAddress + (long) slot * slotBytes, slotBytes, slotsKey);
    }

    /** Posts a receive of a packet whose data has a place. */
    void post(TargetedSet into, int gvspHeadBytes, int placeFlow, long place, int placeBytes) {
        int slot = take();
        int head = RawUdp.HEADER_BYTES + gvspHeadBytes;
        target[slot] = into;
        headBytes[slot] = head;
        flow[slot] = placeFlow;
        offset[slot] = place;
        length[slot] = placeBytes;
        queue.post(slot);
        queue.piece(headsAddress + (long) slot * HEAD_STRIDE, head, headsKey);
        queue.piece(into.address(placeFlow, place), placeBytes, into.key(placeFlow));
        int rest = slotBytes - head - placeBytes;
        if (rest > 0) {
            queue.piece(slotsAddress + (long) slot * slotBytes + head + placeBytes, rest, slotsKey);
        }
        into.posted(placeFlow, place, placeBytes);
    }

    /** Whether the data of a slot's packet has a place at this address, after headers of this size. */
    boolean placed(int slot, long address, int gvspHeadBytes) {
        TargetedSet into = target[slot];
        return into != null
                && !into.hasDeferred()
                && headBytes[slot] == RawUdp.HEADER_BYTES + gvspHeadBytes
                && into.address(flow[slot], offset[slot]) == address;
    }

    /** Whether the data of a slot's packet has a place. */
    boolean hasPlace(int slot) {
        return target[slot] != null;
    }

    /** Bytes of the place of a slot's data. */
    int placeBytes(int slot) {
        return length[slot];
    }

    /** A receive ended: its place is not written any more. The slot is in use until it is {@link #release}d. */
    void ended(int slot) {
        posted--;
        uses[slot] = 1;
        TargetedSet into = target[slot];
        if (into != null) {
            into.ended(flow[slot], offset[slot], length[slot]);
            target[slot] = null;
        }
    }

    /** Puts a packet together in its slot that was spread over several places. */
    void gather(int slot, int packetBytes) {
        TargetedSet into = target[slot];
        if (into == null) {
            return;
        }
        int head = gatherHead(slot, packetBytes);
        int data = Math.min(packetBytes - head, length[slot]);
        if (data > 0) {
            into.set().segment(flow[slot]).get(offset[slot], slots, slot * slotBytes + head, data);
        }
    }

    /** Puts the headers of a packet in its slot; returns their bytes. */
    private int gatherHead(int slot, int packetBytes) {
        int head = Math.min(headBytes[slot], packetBytes);
        slots.put(slot * slotBytes, heads, slot * HEAD_STRIDE, head);
        return head;
    }

    /**
     * Leaves the data of a packet in its place, and puts only the headers in its slot, where the data is what the place
     * is for.
     *
     * @param packetBytes bytes of the packet from its Ethernet header on
     * @param data takes where the data lies
     * @return whether that was done
     */
    boolean separate(int slot, int packetBytes, PlacedData data) {
        TargetedSet into = target[slot];
        if (into == null
                || into.hasDeferred()
                || packetBytes <= headBytes[slot]
                || packetBytes > headBytes[slot] + length[slot]
                || BlockLayout.headBytes(heads, slot * HEAD_STRIDE + RawUdp.HEADER_BYTES)
                        != headBytes[slot] - RawUdp.HEADER_BYTES) {
            return false;
        }
        int head = gatherHead(slot, packetBytes);
        data.set(into.set(), flow[slot], offset[slot], packetBytes - head, slots, slot * slotBytes + head);
        return true;
    }

    /** The slot is used once more. */
    void keep(int slot) {
        uses[slot]++;
    }

    /** A use of the slot ended; after the last one it can be posted again. */
    void release(int slot) {
        if (--uses[slot] == 0) {
            int at = freeFrom + freeCount++;
            free[at < free.length ? at : at - free.length] = slot;
        }
    }

    /** The heads, big-endian, each {@link #HEAD_STRIDE} after the one before. */
    ByteBuffer heads() {
        return heads;
    }

    /** The slots, big-endian. */
    ByteBuffer slots() {
        return slots;
    }

    /** Where a slot begins. */
    int at(int slot) {
        return slot * slotBytes;
    }

    /** Bytes of all slots. */
    int sizeBytes() {
        return slots.capacity();
    }
}
