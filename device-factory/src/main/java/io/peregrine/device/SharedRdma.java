package io.peregrine.device;

import io.peregrine.rdma.GvrspMapping;
import io.peregrine.rdma.RdmaSelection;
import io.peregrine.rdma.RdmaStreamGroup;
import io.peregrine.rdma.RdmaStreamSettings;
import io.peregrine.stream.engine.Failures;
import io.peregrine.stream.engine.ThreadScheduling;
import java.net.Inet4Address;
import java.util.HashMap;
import java.util.Map;

/**
 * A transport and a group that devices of this process on the same local interface share. There as long as one of them
 * is open.
 */
final class SharedRdma implements AutoCloseable {
    /** Flow sets of all devices together; more devices complete on their own. */
    private static final int FLOW_SETS = 1024;
    /** Flow sets of more flows complete on their own. */
    private static final int FLOWS = 64;

    private record Key(
            RdmaLink.Opener opener,
            String provider,
            Inet4Address address,
            int vector,
            int maxPoll,
            ThreadScheduling thread) {}

    private static final Map<Key, SharedRdma> OPEN = new HashMap<>();

    private final Key key;
    private final RdmaSelection selection;
    private final RdmaStreamGroup group;
    private int users;

    private SharedRdma(Key key, RdmaSelection selection, RdmaStreamGroup group) {
        this.key = key;
        this.selection = selection;
        this.group = group;
    }

    /** Opens what there is not yet. Each user closes it once. */
    static SharedRdma open(
            RdmaLink.Opener opener, RdmaStreamSettings settings, Inet4Address address, GvrspMapping mapping) {
        Key key = new Key(
                opener,
                settings.provider(),
                address,
                settings.completionVector(),
                settings.maxPoll(),
                settings.thread());
        synchronized (OPEN) {
            SharedRdma shared = OPEN.get(key);
            if (shared == null) {
                shared = make(key, settings, mapping);
                OPEN.put(key, shared);
            }
            shared.users++;
            return shared;
        }
    }

    private static SharedRdma make(Key key, RdmaStreamSettings settings, GvrspMapping mapping) {
        RdmaSelection selection = key.opener().open(key.provider(), key.address());
        boolean done = false;
        try {
            RdmaStreamGroup group = RdmaStreamGroup.open(
                    key.address().getHostAddress(), selection.transport(), settings, FLOW_SETS, mapping, FLOWS);
            done = true;
            return new SharedRdma(key, selection, group);
        } finally {
            if (!done) {
                selection.transport().close();
            }
        }
    }

    RdmaSelection selection() {
        return selection;
    }

    RdmaStreamGroup group() {
        return group;
    }

    @Override
    public void close() {
        synchronized (OPEN) {
            users--;
            if (users > 0) {
                return;
            }
            OPEN.remove(key);
            Failures failures = new Failures();
            failures.attempt(group::close);
            failures.attempt(selection.transport()::close);
            failures.throwIfAny();
        }
    }
}
