package io.peregrine.genapi;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

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
        spread(node, below, Links::valued, BaseNode::dropCache);
        spread(node, above, one -> one.dependents, one -> {
            if (one != node) {
                one.dropCache();
            }
            changes.tell(one);
        });
    }

    private static void spread(
            BaseNode start,
            Set<BaseNode> seen,
            Function<BaseNode, Collection<BaseNode>> next,
            Consumer<BaseNode> action) {
        Deque<BaseNode> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty()) {
            BaseNode node = open.remove();
            if (seen.add(node)) {
                action.accept(node);
                open.addAll(next.apply(node));
            }
        }
    }
}
