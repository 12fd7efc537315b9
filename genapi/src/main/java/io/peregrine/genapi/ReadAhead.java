package io.peregrine.genapi;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Fetches what is needed to read nodes in as few transfers as their ports can. */
final class ReadAhead {
    private static final int MAX_ROUNDS = 64;

    private final NodeContext context;

    ReadAhead(NodeContext context) {
        this.context = context;
    }

    /** Fetches what is needed to read nodes, with access mode and range; gives the number of registers fetched. */
    int fetch(Collection<? extends Node> wanted) {
        MissingLines missing = context.missing;
        missing.forgetUnreadable();
        List<BaseNode> open = new ArrayList<>();
        wanted.forEach(node -> open.add((BaseNode) node));
        int fetched = 0;
        for (int round = 0; round < MAX_ROUNDS && !open.isEmpty(); round++) {
            int more = missing.fetchFor(() -> open.removeIf(this::known));
            fetched += more;
            if (more == 0) {
                break;
            }
        }
        return fetched;
    }

    /** Whether a node can be read without asking the device; notes what is missing. */
    private boolean known(BaseNode node) {
        boolean known = true;
        for (Runnable part : node.parts()) {
            context.operations.restartWork();
            known &= MissingLines.known(part);
        }
        return known;
    }
}
