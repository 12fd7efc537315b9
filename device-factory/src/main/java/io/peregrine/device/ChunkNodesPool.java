package io.peregrine.device;

import io.peregrine.composite.ChunkItem;
import io.peregrine.composite.Composite;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Port;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Node maps for the chunk features of frames, made from one description and used again. Safe for several threads. */
final class ChunkNodesPool {
    private static final int MAX_IDLE = 64;

    /** A node map, and the state that the device had when the node map began to read from it. */
    record Idle(NodeMap nodes, long changes) {}

    private final NodeMap device;
    private final Port port;
    private final Deque<Idle> idle = new ArrayDeque<>();

    ChunkNodesPool(NodeMap device, Port port) {
        this.device = device;
        this.port = new ReadOnly(port);
    }

    ChunkNodes attach(Composite composite, ChunkItem item) {
        ByteBuffer data = item.chunkData();
        Idle taken = take();
        NodeMap.ChunkEnding ending = taken.nodes.attachChunks(data, () -> !composite.closed());
        return new ChunkNodes(this, item, taken, ending);
    }

    private Idle take() {
        long changes = device.changeCount();
        @Nullable Idle free;
        synchronized (idle) {
            free = idle.pollFirst();
        }
        if (free == null) {
            return new Idle(device.description().nodeMap(port), changes);
        }
        if (free.changes == changes) {
            return free;
        }
        free.nodes.invalidateAll();
        return new Idle(free.nodes, changes);
    }

    void giveBack(Idle used) {
        used.nodes.detachChunks();
        synchronized (idle) {
            if (idle.size() < MAX_IDLE) {
                idle.addFirst(used);
            }
        }
    }

    /** The device, which must not be changed by looking at a frame. */
    private record ReadOnly(Port device) implements Port {
        @Override
        public void read(long address, ByteBuffer destination) {
            device.read(address, destination);
        }

        @Override
        public void write(long address, ByteBuffer source) {
            throw new DeviceException("The node map of a frame does not write to the device: use the device's own");
        }
    }
}
