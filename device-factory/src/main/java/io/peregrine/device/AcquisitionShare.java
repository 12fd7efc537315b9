package io.peregrine.device;

import java.util.HashSet;
import java.util.Set;

/** The acquisition of a device, which its streams share: the first starts it, the last ends it. */
final class AcquisitionShare {
    private final Set<Object> users = new HashSet<>();

    /** Starts, unless another stream has; also a start that fails is to be ended. */
    synchronized void begin(Object user, Runnable start) {
        boolean first = users.isEmpty();
        users.add(user);
        if (first) {
            start.run();
        }
    }

    /** Whether a stream has started it. */
    synchronized boolean running() {
        return !users.isEmpty();
    }

    /** Forgets a stream whose device is gone, and its acquisition with it. */
    synchronized void forget(Object user) {
        users.remove(user);
    }

    /** Ends, unless another stream goes on. */
    synchronized void end(Object user, Runnable end) {
        users.remove(user);
        if (users.isEmpty()) {
            end.run();
        }
    }
}
