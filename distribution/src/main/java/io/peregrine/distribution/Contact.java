package io.peregrine.distribution;

/**
 * Where consumers can speak to a publisher.
 *
 * @param reachable whether they can at all
 * @param shared whether each frame goes to only one of them, which has to ask for its part there
 * @param port UDP port at the publisher; 0 for shared memory
 */
record Contact(boolean reachable, boolean shared, int port) {
    /** None: a publisher of an earlier version. */
    static final Contact NONE = new Contact(false, false, 0);

    private static final int REACHABLE = 1;
    private static final int SHARED = 2;

    /** As in announcements. */
    int flags() {
        return (reachable ? REACHABLE : 0) | (shared ? SHARED : 0);
    }

    static Contact of(int flags, int port) {
        return new Contact((flags & REACHABLE) != 0, (flags & SHARED) != 0, port);
    }
}
