package io.peregrine.browser.frames;

import java.util.ArrayDeque;
import java.util.Deque;

/** Copies of frames to use again. There are at most two for each viewer, and two. */
final class FramePool {
    private final Deque<FrameCopy> free = new ArrayDeque<>();
    private int made;

    /** A copy with one user. */
    synchronized FrameCopy take() {
        FrameCopy copy = free.isEmpty() ? make() : free.pop();
        copy.begin();
        copy.use();
        return copy;
    }

    private FrameCopy make() {
        made++;
        return new FrameCopy(this);
    }

    synchronized void put(FrameCopy copy) {
        free.push(copy);
    }

    /** Forgets memory that no one uses. */
    synchronized void trim() {
        made -= free.size();
        free.clear();
    }

    /** How many copies there are. */
    synchronized int made() {
        return made;
    }
}
