package io.peregrine.gvsp;

import io.peregrine.stream.engine.FlowSet;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which packet each receive takes that is posted next, if nothing is lost, and where its data belongs: in the flow set
 * of the block under way, and in those that are reserved for the blocks after it. Receives are posted long before
 * packets arrive; after a loss those posted already are off by as many packets, those posted from then on are right
 * again.
 */
final class PlaceForecast {
    private final Function<FlowSet, @Nullable TargetedSet> targets;
    private final BlockLayout layout = new BlockLayout();
    private final BlockLayout latest = new BlockLayout();
    private final ExpectedPackets next = ExpectedPackets.withShortLast();

    /** The flow sets of the block under way, or the last one, and of those after it. */
    private TargetedSet[] sets = new TargetedSet[16];

    private int count;

    /** Whether it is known which packet the receive takes that is posted next. */
    private boolean known;

    /** Its block, as an index of {@link #sets}, and its packet id. */
    private int block;

    private int packetId;

    // The place that was found last.
    private TargetedSet target;
    private long offset;
    private int lengthBytes;

    /**
     * Knows nothing.
     *
     * @param targets gives the flow sets that the adapter may write; null if it may not
     */
    PlaceForecast(Function<FlowSet, @Nullable TargetedSet> targets) {
        this.targets = targets;
    }

    /**
     * Compares with what has arrived.
     *
     * @param into knows which packet comes next
     * @param posted number of receives that are posted
     */
    void follow(PacketSink into, int posted) {
        if (!into.layout(latest)) {
            known = false;
            return;
        }
        if (layout.follow(latest)) {
            known = false;
            for (int i = 0; i < count; i++) {
                sets[i].shut();
            }
        }
        if (layout.packets() == 0 || !into.expect(next) || !next.of(layout)) {
            return;
        }
        int at = 0;
        while (at < count && sets[at].set() != next.set()) {
            at++;
        }
        if (at == count) {
            TargetedSet current = targets.apply(next.set());
            if (current == null) {
                known = false;
                return;
            }
            current.expected();
            // It came from the pool when nothing was reserved, and follows the last block.
            if (count == 0) {
                count = 1;
            }
            sets[0] = current;
            at = 0;
        }
        count -= at;
        System.arraycopy(sets, at, sets, 0, count);
        Arrays.fill(sets, count, count + at, null);
        dropUsed();
        int period = layout.packets() + 2;
        long position = next.place() / layout.dataBytes() + 1L + posted;
        block = (int) (position / period);
        packetId = (int) (position % period);
        known = true;
    }

    /** Those after the first that older blocks took, out of order: they are not for the blocks to come. */
    private void dropUsed() {
        int kept = Math.min(count, 1);
        for (int i = kept; i < count; i++) {
            if (sets[i].set().state() == FlowSet.State.QUEUED) {
                sets[kept++] = sets[i];
            }
        }
        Arrays.fill(sets, kept, count, null);
        count = kept;
    }

    private void add(TargetedSet more) {
        if (count == sets.length) {
            sets = Arrays.copyOf(sets, 2 * count);
        }
        sets[count++] = more;
    }

    /**
     * Goes to the next receive.
     *
     * @param into reserves flow sets
     * @return whether the data of its packet has a place: {@link #target}, {@link #offset}, {@link #lengthBytes}
     */
    boolean next(PacketSink into) {
        if (!known) {
            return false;
        }
        int inBlock = block;
        int id = packetId++;
        if (packetId == layout.packets() + 2) {
            packetId = 0;
            block++;
        }
        if (id == 0 || id > layout.packets() || !reserve(inBlock, into)) {
            return false;
        }
        target = sets[inBlock];
        offset = (id - 1L) * layout.dataBytes();
        lengthBytes = layout.dataBytes(id);
        return target.takes(offset, lengthBytes);
    }

    private boolean reserve(int inBlock, PacketSink into) {
        while (count <= inBlock) {
            FlowSet set = into.reserve();
            TargetedSet more = set == null ? null : targets.apply(set);
            if (more == null) {
                return false;
            }
            more.expected();
            add(more);
        }
        return true;
    }

    TargetedSet target() {
        return target;
    }

    long offset() {
        return offset;
    }

    int lengthBytes() {
        return lengthBytes;
    }

    /** Bytes of the GVSP header before the data. */
    int headBytes() {
        return layout.headBytes();
    }

    /** Nothing is posted any more, or it is unknown what the posted receives take. */
    void lost() {
        known = false;
    }

    /** The flow sets are no longer reserved. */
    void forget() {
        known = false;
        Arrays.fill(sets, 0, count, null);
        count = 0;
        layout.set(0, 0, 0, 0);
    }
}
