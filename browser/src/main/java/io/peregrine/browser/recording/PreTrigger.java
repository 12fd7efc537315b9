package io.peregrine.browser.recording;

import io.peregrine.composite.Composite;
import io.peregrine.composite.Item;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The frames of the last seconds, as copies that hold nothing of the stream, and no more than a number of bytes. Time
 * is passed in. Not safe for use by several threads.
 */
final class PreTrigger {
    private final long spanNanos;
    private final long maxBytes;
    private final Deque<Held> frames = new ArrayDeque<>();
    private long bytes;
    private boolean limited;

    /**
     * A frame that is kept.
     *
     * @param composite the copy
     * @param cameNanos when it came
     * @param bytes its size
     */
    record Held(Composite composite, long cameNanos, long bytes) {}

    PreTrigger(Duration span, long maxBytes) {
        spanNanos = span.toNanos();
        this.maxBytes = maxBytes;
    }

    /** Keeps a copy of a frame, and drops those that are too old, or too many for the memory. */
    void add(Composite composite, long nowNanos) {
        long size = composite.parts().stream().mapToLong(Item::sizeBytes).sum();
        while (!frames.isEmpty() && nowNanos - frames.peek().cameNanos() > spanNanos) {
            drop();
        }
        while (!frames.isEmpty() && bytes + size > maxBytes) {
            drop();
            limited = true;
        }
        if (size > maxBytes) {
            limited = true;
            return;
        }
        frames.add(new Held(composite.copy(), nowNanos, size));
        bytes += size;
    }

    private void drop() {
        Held oldest = frames.remove();
        bytes -= oldest.bytes();
        oldest.composite().close();
    }

    /** Gives all frames, oldest first, and keeps none. */
    List<Held> take() {
        List<Held> taken = List.copyOf(frames);
        frames.clear();
        bytes = 0;
        return taken;
    }

    int count() {
        return frames.size();
    }

    long bytes() {
        return bytes;
    }

    /** Whether frames were dropped for lack of memory. */
    boolean limited() {
        return limited;
    }

    /** Time between the first and the last frame. */
    Duration span() {
        return frames.isEmpty()
                ? Duration.ZERO
                : Duration.ofNanos(
                        frames.getLast().cameNanos() - frames.getFirst().cameNanos());
    }
}
