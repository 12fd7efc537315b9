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
    /** What is known of the receive that is posted next. */
    enum Receive {
        /** The data of its packet has a place. */
        PLACED,
        /** It takes a whole packet. */
        WHOLE,
        /** The data of its packet would have a place if a flow set were free. */
        NO_FLOW_SET
    }

    private final Function<FlowSet, @Nullable TargetedSet> targets;
    private final BlockLayout layout = new BlockLayout();
    private final BlockLayout latest = new BlockLayout();
    private final NextPacket next = new NextPacket();

    /** The flow sets of the block under way, or the last one, and of those after it. */
    private TargetedSet[] sets = new TargetedSet[16];

    private int count;

    /** Whether it is known which packet the receive takes that is posted next. */
    private boolean known;

    /** Its block, as an index of {@link #sets}, and its packet id. */
    private int block;

    private int packetId;

    /** The run of the packet that was asked for last, and the ids from there to its end; negative if unknown. */
    private int run = -1;

    private int runFrom;
    private int runEnd;

    // The place that was found last.
    private TargetedSet target;
    private int flow;
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
            run = -1;
            for (int i = 0; i < count; i++) {
                sets[i].shut();
            }
        }
        if (layout.packets() == 0 || !into.next(next)) {
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
        long position = (long) next.packetId() + posted;
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
     * Goes to the next receive, unless the flow set of its block is missing.
     *
     * @param into reserves flow sets
     * @return what is known of it; if {@link Receive#PLACED}, the place: {@link #target}, {@link #flow},
     *     {@link #offset}, {@link #lengthBytes}
     */
    Receive next(PacketSink into) {
        if (!known) {
            return Receive.WHOLE;
        }
        boolean payload = packetId > 0 && packetId <= layout.packets();
        if (payload && !reserve(block, into)) {
            return Receive.NO_FLOW_SET;
        }
        int inBlock = block;
        int id = packetId;
        skip();
        return payload && place(inBlock, id) ? Receive.PLACED : Receive.WHOLE;
    }

    /** Goes past the next receive, which takes a whole packet. */
    void skip() {
        packetId++;
        if (packetId == layout.packets() + 2) {
            packetId = 0;
            block++;
        }
    }

    private boolean place(int inBlock, int id) {
        if (run < 0 || id < runFrom || id >= runEnd) {
            run = layout.run(id);
            runFrom = id;
            runEnd = layout.end(run);
        }
        flow = layout.flow(run);
        if (flow == BlockLayout.NO_FLOW) {
            return false;
        }
        target = sets[inBlock];
        offset = layout.offset(run, id);
        lengthBytes = layout.dataBytes(run);
        return target.takes(flow, offset, lengthBytes);
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

    int flow() {
        return flow;
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
        run = -1;
        layout.unknown();
    }
}
