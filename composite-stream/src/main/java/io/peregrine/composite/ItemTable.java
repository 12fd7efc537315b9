package io.peregrine.composite;

import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What {@link CompositeMapper} decided about one frame: a slot for each item, and after it one for each of its planes
 * that is a separate part. It belongs to the memory of the frame and is used again with it, so that a steady stream
 * allocates nothing. A reader holds the memory, or another frame is written into it meanwhile.
 */
final class ItemTable {
    /**
     * Slots that are kept from frame to frame: more than devices need, and far less than one that plays tricks can
     * have.
     */
    private static final int MAX_KEPT = 256;

    private static final ItemValues[] NONE = {};

    private ItemValues[] slots = NONE;
    private int count;

    /** Container id of a GenDC container, block id of other payloads. */
    long id;

    CompositePurpose purpose = CompositePurpose.CUSTOM;
    /** Says why the frame is not complete; null when it is. Refers to nothing that changes. */
    @Nullable
    Supplier<String> incomplete;
    /** Size of the GenDC descriptor at the start of flow 0; 0 when there is none. */
    int descriptorBytes;

    void clear() {
        if (slots.length > MAX_KEPT) {
            slots = NONE;
        }
        // What they refer to is released.
        for (int i = 0; i < count && i < slots.length; i++) {
            slots[i].clear();
        }
        count = 0;
        id = 0;
        purpose = CompositePurpose.CUSTOM;
        incomplete = null;
        descriptorBytes = 0;
    }

    /** A clear slot after the others. */
    ItemValues add() {
        if (count == slots.length) {
            slots = Arrays.copyOf(slots, Math.max(4, 2 * count));
        }
        ItemValues slot = slots[count];
        if (slot == null) {
            slot = new ItemValues();
            slots[count] = slot;
        }
        count++;
        return slot;
    }

    /** Slots in use, those of planes included. */
    int count() {
        return count;
    }

    /** Slots that need no memory. */
    int capacity() {
        return slots.length;
    }

    ItemValues get(int slot) {
        return slots[slot];
    }

    /** The slot of the next item. */
    int after(int slot) {
        return slot + 1 + slots[slot].separatePlanes;
    }

    /** Takes over what another table holds. */
    void set(ItemTable other) {
        clear();
        slots = new ItemValues[other.count];
        for (int i = 0; i < other.count; i++) {
            slots[i] = other.slots[i].copy();
        }
        count = other.count;
        id = other.id;
        purpose = other.purpose;
        incomplete = other.incomplete;
        descriptorBytes = other.descriptorBytes;
    }
}
