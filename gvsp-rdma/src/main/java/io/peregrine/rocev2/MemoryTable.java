package io.peregrine.rocev2;

import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RemoteAccess;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * The registered memory of a port, by remote key. A key is the slot and random bits, so that a key of memory that is no
 * longer registered is not valid again soon. Guarded by the port's lock.
 */
final class MemoryTable {
    private static final int SLOT_BITS = 14;
    private static final int SLOTS = 1 << SLOT_BITS;
    /** Far enough apart that a range which leaves its region meets no other. */
    private static final int ADDRESS_SHIFT = 46;

    private final RandomGenerator random;
    private Region[] regions = new Region[16];
    private int count;

    MemoryTable(RandomGenerator random) {
        this.random = random;
    }

    /** Registers memory. */
    Region register(RdmaMemory memory, RemoteAccess access, Object owner) {
        int slot = 0;
        while (slot < regions.length && regions[slot] != null) {
            slot++;
        }
        if (slot == SLOTS) {
            throw new RdmaException("No more than " + SLOTS + " memory regions can be registered");
        }
        if (slot == regions.length) {
            regions = Arrays.copyOf(regions, slot * 2);
        }
        int key = (random.nextInt() << SLOT_BITS) | slot;
        regions[slot] = new Region(memory, access, key, (slot + 1L) << ADDRESS_SHIFT, owner);
        count++;
        return regions[slot];
    }

    /** Takes a registration back. */
    void remove(Region region) {
        int slot = region.key & (SLOTS - 1);
        if (slot < regions.length && regions[slot] == region) {
            regions[slot] = null;
            count--;
        }
    }

    int count() {
        return count;
    }

    /**
     * Finds what a peer may write.
     *
     * @return the region, or null if the key is not known or the range is not within it or not writable
     */
    Region writable(int key, long address, long lengthBytes, Object owner) {
        Region region = find(key, address, lengthBytes, owner);
        return region != null && region.access.writes() ? region : null;
    }

    /**
     * Finds what a peer may read.
     *
     * @return the region, or null if the key is not known or the range is not within it or not readable
     */
    Region readable(int key, long address, long lengthBytes, Object owner) {
        Region region = find(key, address, lengthBytes, owner);
        return region != null && region.access.reads() ? region : null;
    }

    private Region find(int key, long address, long lengthBytes, Object owner) {
        int slot = key & (SLOTS - 1);
        Region region = slot < regions.length ? regions[slot] : null;
        if (region == null
                || region.key != key
                || region.owner != owner
                || !region.memory.contains(address - region.address, lengthBytes)) {
            return null;
        }
        return region;
    }

    /** One registration. */
    static final class Region {
        private final RdmaMemory memory;
        private final RemoteAccess access;
        private final int key;
        private final long address;
        private final Object owner;

        private Region(RdmaMemory memory, RemoteAccess access, int key, long address, Object owner) {
            this.memory = memory;
            this.access = access;
            this.key = key;
            this.address = address;
            this.owner = owner;
        }

        RdmaMemory memory() {
            return memory;
        }

        int key() {
            return key;
        }

        long address() {
            return address;
        }
    }

    /** The memory behind a registration of this transport. */
    static RdmaMemory checked(MemoryRegion region, long offset, int lengthBytes) {
        RdmaMemory memory = region.memory();
        if (!memory.contains(offset, lengthBytes)) {
            throw new RdmaException("Bytes " + offset + " to " + (offset + lengthBytes) + " are not within a region of "
                    + memory.lengthBytes() + " bytes");
        }
        return memory;
    }
}
