package io.peregrine.genapi;

import java.util.HashSet;
import java.util.Set;

/**
 * Makes nodes forget what the device changed by itself: what their values are made of, and what depends on them. For
 * several nodes at one time; what they have in common forgets once.
 */
final class Refresh {
    private final Changes changes;
    private final Set<BaseNode> below = new HashSet<>();
    private final Set<BaseNode> above = new HashSet<>();

    Refresh(Changes changes) {
        this.changes = changes;
    }

    /** Makes a node forget; to be called under the lock. */
    void forget(BaseNode node) {
        changes.countOne();
        Links.reach(node, Links::valued, below).forEach(BaseNode::dropCache);
        for (BaseNode one : Links.reach(node, next -> next.dependents, above)) {
            if (one != node) {
                one.dropCache();
            }
            changes.tell(one);
        }
    }
}
