package io.peregrine.browser.frames;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeException;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.Item;
import io.peregrine.composite.WaitResult;
import io.peregrine.export.ExportException;
import io.peregrine.pfnc.PixelFormatException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Takes the frames of a running stream on a separate thread and copies each for the viewers at once, so that no memory
 * of the stream waits for a page. {@link #close} ends the thread; the stream belongs to the caller.
 */
public final class FrameSource implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(FrameSource.class.getName());
    private static final Duration WAIT = Duration.ofMillis(100);
    private static final Duration END = Duration.ofSeconds(5);

    private final CompositeStream stream;
    private final ViewerList viewers;
    private final List<Consumer<Composite>> takers = new CopyOnWriteArrayList<>();
    private final LayerEncoder encoder = new LayerEncoder();
    private final FrameLayout layout = new FrameLayout();
    private final Consumer<Optional<Throwable>> onEnd;
    private final Thread thread;
    private volatile boolean closed;
    private volatile String problem = "";

    /**
     * Starts to take frames.
     *
     * @param name of the thread
     * @param stream a started stream
     * @param viewers who gets them
     * @param onEnd called on the thread when the stream ended by itself, with the cause if there is one
     */
    public FrameSource(String name, CompositeStream stream, ViewerList viewers, Consumer<Optional<Throwable>> onEnd) {
        this.stream = stream;
        this.viewers = viewers;
        this.onEnd = onEnd;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Adds one that gets every frame on the receiving thread, before the viewers. It must not take long, and may use
     * the frame only during the call.
     *
     * @return removes it
     */
    public Runnable addTaker(Consumer<Composite> taker) {
        takers.add(taker);
        return () -> takers.remove(taker);
    }

    /** Why the last frame could not be shown; empty text if it could. */
    public String problem() {
        return problem;
    }

    private void run() {
        while (!closed) {
            WaitResult result = stream.waitFor(WAIT);
            if (result instanceof WaitResult.Ok ok) {
                try (Composite composite = ok.composite()) {
                    take(composite);
                }
            } else if (result instanceof WaitResult.Abort abort) {
                if (!closed) {
                    onEnd.accept(abort.cause());
                }
                return;
            }
        }
    }

    private void take(Composite composite) {
        for (Consumer<Composite> taker : takers) {
            try {
                taker.accept(composite);
            } catch (RuntimeException | Error e) {
                // Without memory for a copy, for example: the next frame may fit.
                LOGGER.log(System.Logger.Level.WARNING, "A frame could not be processed", e);
            }
        }
        if (viewers.isEmpty()) {
            return;
        }
        FrameCopy copy = viewers.pool().take();
        try {
            copy(composite, copy);
            problem = "";
            if (copy.layers() > 0) {
                viewers.offer(copy);
            }
        } catch (ExportException | PixelFormatException | CompositeException | ArithmeticException e) {
            problem = String.valueOf(e.getMessage());
        } catch (RuntimeException | Error e) {
            problem = e.toString();
            LOGGER.log(System.Logger.Level.WARNING, "A frame could not be shown", e);
        } finally {
            copy.release();
        }
    }

    private void copy(Composite composite, FrameCopy copy) {
        List<Item> items = composite.items();
        List<Integer> shown = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            if (LayerEncoder.showable(items.get(i))) {
                shown.add(i);
            }
        }
        for (int layer = 0; layer < shown.size(); layer++) {
            int index = shown.get(layer);
            boolean last = layer == shown.size() - 1;
            copy.set(layer, encoder.encode(composite, items.get(index), index, last, copy.memory(layer)));
        }
        copy.layout(layout.of(composite, shown));
    }

    /** Takes no more frames; what ends the stream from now on is not reported. */
    public void finish() {
        closed = true;
    }

    /** Ends the thread. */
    @Override
    public void close() {
        finish();
        if (Thread.currentThread() != thread) {
            try {
                thread.join(END.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
