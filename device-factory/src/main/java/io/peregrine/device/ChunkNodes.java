package io.peregrine.device;

import io.peregrine.composite.ChunkItem;
import io.peregrine.genapi.NodeMap;
import org.jspecify.annotations.Nullable;

/**
 * The chunk features of one frame: a separate node map over the frame's memory, for example
 * {@code chunks.nodes().floating("ChunkExposureTime").value()}. Other frames, and the features of the device, are not
 * touched.
 *
 * <p>Close it before or with the composite, so that its node map can serve another frame. Once the composite is closed,
 * reading fails. Features that do not come with the frame are read from the device as it is now.
 *
 * <p>Not thread-safe: one thread at a time reads its features and closes it.
 */
public final class ChunkNodes implements AutoCloseable {
    private final ChunkNodesPool pool;
    private final ChunkItem item;
    private final NodeMap.ChunkEnding ending;
    private ChunkNodesPool.@Nullable Idle taken;

    ChunkNodes(ChunkNodesPool pool, ChunkItem item, ChunkNodesPool.Idle taken, NodeMap.ChunkEnding ending) {
        this.pool = pool;
        this.item = item;
        this.taken = taken;
        this.ending = ending;
    }

    /**
     * The features.
     *
     * @throws IllegalStateException if this is closed
     */
    public synchronized NodeMap nodes() {
        if (taken == null) {
            throw new IllegalStateException("The chunk features are closed: ask the device for those of another frame");
        }
        return taken.nodes();
    }

    /** The item of the composite that the features come from. */
    public ChunkItem item() {
        return item;
    }

    /** How far the chunk data could be understood. Features of chunks found until then can be read. */
    public NodeMap.ChunkEnding ending() {
        return ending;
    }

    /** Gives the node map back for another frame. Do not use nodes of it any longer. */
    @Override
    public void close() {
        ChunkNodesPool.Idle used;
        synchronized (this) {
            used = taken;
            taken = null;
        }
        if (used != null) {
            pool.giveBack(used);
        }
    }
}
