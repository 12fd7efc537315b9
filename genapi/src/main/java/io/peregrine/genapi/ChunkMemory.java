package io.peregrine.genapi;

import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The chunk data that is attached to a node map, found but not copied. */
final class ChunkMemory {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final ChunkLayout layout = new ChunkLayout();
    private ByteBuffer data = NONE;
    private int base;
    private @Nullable BooleanSupplier valid;
    private boolean attached;

    NodeMap.ChunkEnding attach(ByteBuffer chunkData, BooleanSupplier stillValid) {
        data = chunkData;
        base = chunkData.position();
        valid = stillValid;
        attached = true;
        return layout.walk(chunkData);
    }

    void detach() {
        data = NONE;
        valid = null;
        attached = false;
        layout.clear();
    }

    boolean attached() {
        return attached;
    }

    ChunkLayout layout() {
        return layout;
    }

    /** Number of the chunk in the attached data, or -1. */
    int find(long id) {
        return layout.find(id);
    }

    void check() {
        if (valid != null && !valid.getAsBoolean()) {
            throw new GenApiAccessException(
                    "The chunk data is gone: its frame was closed. Read chunk features before the"
                            + " frame is closed");
        }
    }

    /** Reads from a chunk; a negative address counts from the end of the chunk. */
    void read(int chunk, String port, long address, ByteBuffer destination) {
        check();
        int size = layout.lengthBytes(chunk);
        int length = destination.remaining();
        long first = address < 0 ? address + size : address;
        if (first < 0 || first > (long) size - length) {
            throw new GenApiAccessException("The chunk of port " + port + " has " + size + " bytes: there are no "
                    + length + " bytes at " + address);
        }
        int at = base + layout.offsetBytes(chunk) + (int) first;
        while (destination.hasRemaining()) {
            destination.put(data.get(at++));
        }
        // The bytes may have been another frame's by then.
        check();
    }
}
