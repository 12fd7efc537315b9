package io.peregrine.composite;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Frames until an orderly end.
 *
 * @param <T> what a frame is
 */
final class FrameIterator<T> implements Iterator<T> {
    /**
     * Waits a moment for the next frame.
     *
     * @param <T> what a frame is
     */
    interface Source<T> {
        /**
         * Waits once.
         *
         * @param frame takes the frame, if one came
         * @return whether more frames may come; false after an orderly end
         * @throws RuntimeException if it ended otherwise
         */
        boolean await(Consumer<T> frame);
    }

    private final Source<T> source;
    private final String atEnd;
    private @Nullable T next;
    private boolean ended;

    /**
     * Begins.
     *
     * @param source where frames come from
     * @param atEnd message for {@link #next()} after the end
     */
    FrameIterator(Source<T> source, String atEnd) {
        this.source = source;
        this.atEnd = atEnd;
    }

    @Override
    public boolean hasNext() {
        while (next == null && !ended) {
            ended = !source.await(frame -> next = frame);
        }
        return next != null;
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException(atEnd);
        }
        T frame = next;
        next = null;
        return frame;
    }
}
