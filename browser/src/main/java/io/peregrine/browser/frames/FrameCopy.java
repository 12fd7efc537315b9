package io.peregrine.browser.frames;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The messages of one frame, for all viewers. It counts who uses it; the memory goes back to the pool after the last.
 */
final class FrameCopy {
    private final FramePool pool;
    private final List<ByteBuffer> memory = new ArrayList<>();
    private String layout = "";
    private int layers;
    private int users;

    FrameCopy(FramePool pool) {
        this.pool = pool;
    }

    /** Memory for a layer; empty at first. */
    ByteBuffer memory(int layer) {
        while (memory.size() <= layer) {
            memory.add(ByteBuffer.allocate(0));
        }
        return memory.get(layer);
    }

    /** Puts a message into its place. */
    void set(int layer, ByteBuffer message) {
        memory(layer);
        memory.set(layer, message);
        layers = layer + 1;
    }

    /** Begins another frame. */
    void begin() {
        layers = 0;
        layout = "";
    }

    /** What the items are, in JSON; the same object as long as it does not change. */
    String layout() {
        return layout;
    }

    void layout(String json) {
        layout = json;
    }

    int layers() {
        return layers;
    }

    /** A message, to be read by one more thread. */
    ByteBuffer message(int layer) {
        return memory.get(layer).duplicate();
    }

    /** One more user. */
    void use() {
        synchronized (pool) {
            users++;
        }
    }

    /** One user less. */
    void release() {
        synchronized (pool) {
            if (--users == 0) {
                pool.put(this);
            }
        }
    }
}
