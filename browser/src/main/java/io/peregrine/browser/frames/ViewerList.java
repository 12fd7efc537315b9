package io.peregrine.browser.frames;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The viewers of a camera; they stay while streams start and stop. Safe for use by several threads. */
public final class ViewerList {
    /** Viewers of one camera at a time. */
    public static final int MAX_VIEWERS = 16;

    private final List<Viewer> viewers = new CopyOnWriteArrayList<>();
    private final FramePool pool = new FramePool();

    /**
     * Adds a viewer.
     *
     * @return false if there are too many
     */
    public synchronized boolean add(Viewer viewer) {
        return viewers.size() < MAX_VIEWERS && viewers.add(viewer);
    }

    /** Closes a viewer and forgets it. */
    public synchronized void remove(Viewer viewer) {
        viewers.remove(viewer);
        viewer.close();
        pool.trim();
    }

    /** Whether no one watches. */
    public boolean isEmpty() {
        return viewers.isEmpty();
    }

    /** How many watch. */
    public int size() {
        return viewers.size();
    }

    FramePool pool() {
        return pool;
    }

    void offer(FrameCopy copy) {
        for (Viewer viewer : viewers) {
            viewer.offer(copy);
        }
    }
}
