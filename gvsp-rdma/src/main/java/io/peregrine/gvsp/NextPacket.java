package io.peregrine.gvsp;

import io.peregrine.stream.engine.FlowSet;
import org.jspecify.annotations.Nullable;

/** Which packet comes next, if nothing is lost. Filled again and again by {@link PacketSink#next}. */
public final class NextPacket {
    private @Nullable FlowSet set;
    private int packetId;

    /** None. */
    public NextPacket() {}

    /**
     * Finds it.
     *
     * @param newest the newest block, null if there is none
     * @param layout where the packets of the blocks before belonged
     * @return whether the block is under way and like those before
     */
    boolean look(@Nullable OpenBlock newest, BlockLayout layout) {
        if (newest == null || newest.finished() || newest.trailerSeen() || newest.flowSet() == null) {
            return false;
        }
        int id = newest.packets().scanEnd();
        if (id < 1 || !newest.payload().follows(layout)) {
            return false;
        }
        set = newest.flowSet();
        packetId = id;
        return true;
    }

    @Nullable
    FlowSet set() {
        return set;
    }

    int packetId() {
        return packetId;
    }
}
