package io.peregrine.composite;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * One received frame with all its items. It is a lease on memory of the stream: close it as soon as its data is no longer
 * needed, or the stream runs out of flow sets. Closing twice does no harm; using items or data after that throws.
 */
public final class Composite implements AutoCloseable, Iterable<Item> {
    private final Lease lease;
    private final long id;
    private final long blockId;
    private final long timestamp;
    private final CompositePurpose purpose;
    private final Optional<String> incompleteReason;
    private final List<Item> items;

    Composite(
            Lease lease,
            long id,
            long blockId,
            long timestamp,
            CompositePurpose purpose,
            Optional<String> incompleteReason,
            List<Item> items) {
        this.lease = lease;
        this.id = id;
        this.blockId = blockId;
        this.timestamp = timestamp;
        this.purpose = purpose;
        this.incompleteReason = incompleteReason;
        this.items = List.copyOf(items);
    }

    /** Container id of a GenDC container, block id of other payloads. */
    public long id() {
        return id;
    }

    /** Block id of the stream channel. */
    public long blockId() {
        return blockId;
    }

    /** Time of the frame in ticks of the device's clock, 0 when it did not arrive. */
    public long timestamp() {
        return timestamp;
    }

    /** What the items are to each other. */
    public CompositePurpose purpose() {
        return purpose;
    }

    /**
     * Whether the frame arrived whole and could be understood. Single items can be complete when the composite is not;
     * and a component that the device itself marked as invalid does not make the composite incomplete.
     */
    public boolean complete() {
        return incompleteReason.isEmpty();
    }

    /** Why {@link #complete()} is false. */
    public Optional<String> incompleteReason() {
        return incompleteReason;
    }

    /**
     * The items, in the order of the device.
     *
     * @throws IllegalStateException if the composite is closed
     */
    public List<Item> items() {
        lease.check();
        return items;
    }

    @Override
    public Iterator<Item> iterator() {
        return items().iterator();
    }

    /** Whether {@link #close()} was called. */
    public boolean closed() {
        return lease.ended();
    }

    /** Gives the memory back to the stream. */
    @Override
    public void close() {
        lease.end();
    }

    /** Id, purpose, state and items in one line. */
    @Override
    public String toString() {
        return "Composite[" + Long.toUnsignedString(id) + ", " + purpose + ", "
                + incompleteReason.map(reason -> "incomplete: " + reason).orElse("complete")
                + (closed() ? ", closed" : "") + ", " + items + "]";
    }
}
