package io.peregrine.browser.frames;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One page that watches a camera. It gets the newest frame when it has drawn the last one, so that a slow page slows
 * only itself: it holds at most the frame that is being sent and the newest one. Safe for use by several threads.
 */
public final class Viewer {
    /** Messages that a page may have on their way and not drawn when another frame begins. */
    public static final int MAX_AHEAD = 4;

    /** Where messages go. One is sent at a time; the memory of a message must be left alone until it is done. */
    public interface Sink {
        /** Sends pixels. */
        void send(ByteBuffer message, Runnable done, Consumer<Throwable> failed);

        /** Sends JSON that describes the messages after it. */
        void send(String text, Runnable done, Consumer<Throwable> failed);
    }

    private final Sink sink;
    private Optional<Set<Integer>> wanted = Optional.empty();
    private @Nullable FrameCopy newest;
    private @Nullable FrameCopy sending;
    private int nextLayer;
    private int notDrawn;
    private int ahead;
    private String layoutSent = "";
    private boolean closed;

    /** Creates a viewer that gets all items of each frame. */
    public Viewer(Sink sink) {
        this.sink = sink;
    }

    /**
     * Chooses what is sent from the next frame on.
     *
     * @param items indexes in the frame; empty for all
     */
    public synchronized void want(Optional<Set<Integer>> items) {
        wanted = items.map(Set::copyOf);
    }

    /**
     * Chooses how early the next frame is sent. The later, the less is on its way, so that what is drawn is newer; the
     * earlier, the less a fast line waits for answers.
     *
     * @param messages how many may be not drawn yet, 0 at first; at most {@link #MAX_AHEAD}
     */
    public synchronized void ahead(int messages) {
        ahead = Math.max(0, Math.min(MAX_AHEAD, messages));
    }

    /** Gives the viewer a frame, in place of one that waits. */
    void offer(FrameCopy frame) {
        synchronized (this) {
            if (closed) {
                return;
            }
            frame.use();
            if (newest != null) {
                newest.release();
            }
            newest = frame;
        }
        pump();
    }

    /** The page has drawn a message. */
    public void drawn() {
        synchronized (this) {
            if (notDrawn > 0) {
                notDrawn--;
            }
        }
        pump();
    }

    /** Ends it; what is being sent is released when that is over. */
    public synchronized void close() {
        closed = true;
        if (newest != null) {
            newest.release();
            newest = null;
        }
    }

    private void pump() {
        ByteBuffer message;
        String layout;
        synchronized (this) {
            if (closed || sending != null || notDrawn > ahead || newest == null) {
                return;
            }
            sending = newest;
            newest = null;
            nextLayer = 0;
            layout = sending.layout();
            if (!layout.equals(layoutSent)) {
                layoutSent = layout;
                message = null;
            } else {
                message = next(sending);
                if (message == null) {
                    sending.release();
                    sending = null;
                    return;
                }
            }
        }
        if (message == null) {
            sink.send(layout, this::sent, this::failed);
        } else {
            sink.send(message, this::sent, this::failed);
        }
    }

    /** The next wanted message; null after the last. */
    private @Nullable ByteBuffer next(FrameCopy frame) {
        while (nextLayer < frame.layers()) {
            ByteBuffer message = frame.message(nextLayer++);
            int item = message.order(java.nio.ByteOrder.LITTLE_ENDIAN).getShort(20);
            if (wanted.isEmpty() || wanted.get().contains(item)) {
                notDrawn++;
                return message;
            }
        }
        return null;
    }

    private void sent() {
        ByteBuffer message;
        synchronized (this) {
            FrameCopy frame = sending;
            if (frame == null) {
                return;
            }
            message = closed ? null : next(frame);
            if (message == null) {
                sending = null;
                frame.release();
            }
        }
        if (message == null) {
            pump();
        } else {
            sink.send(message, this::sent, this::failed);
        }
    }

    private synchronized void failed(Throwable reason) {
        close();
        if (sending != null) {
            sending.release();
            sending = null;
        }
    }
}
