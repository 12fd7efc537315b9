package io.peregrine.genapi;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** What a change of one node does to others: they forget what they know, and their listeners are notified (R8). */
final class Changes {
    private final AtomicLong count = new AtomicLong();
    private final Set<BaseNode> toTell = new LinkedHashSet<>();
    private final List<BaseNode> walk = new ArrayList<>();
    private final Freshness freshness;
    private int walks;

    Changes(Freshness freshness) {
        this.freshness = freshness;
    }

    /** Makes everything that depends on a node forget what it knows, and notes who is to be notified. */
    void changed(BaseNode start) {
        start.visit = begin();
        note(start, true);
        walk(true);
    }

    /** Does the same for a node and all that a write to it writes. */
    void changedBelow(BaseNode top) {
        begin();
        note(top, true);
        Links.reach(top, Links::written).forEach(node -> note(node, true));
        walk(true);
    }

    /** Makes everything that depends on a node forget what it knows, without telling: nothing was changed from here. */
    void forget(BaseNode start) {
        start.visit = begin();
        note(start, false);
        walk(false);
    }

    private int begin() {
        countOne();
        walk.clear();
        return ++walks;
    }

    /** The walk goes on from a node. */
    private void note(BaseNode node, boolean telling) {
        if (telling) {
            tell(node);
        }
        walk.add(node);
    }

    private void walk(boolean telling) {
        int visit = walks;
        while (!walk.isEmpty()) {
            BaseNode node = walk.remove(walk.size() - 1);
            for (BaseNode dependent : node.dependents) {
                if (dependent.visit != visit) {
                    dependent.visit = visit;
                    dependent.dropCache();
                    note(dependent, telling);
                }
            }
        }
    }

    /** Notes that the listeners of a node are to be notified. */
    void tell(BaseNode node) {
        List<Consumer<Node>> listeners = node.listeners;
        if (listeners != null && !listeners.isEmpty()) {
            toTell.add(node);
        }
    }

    boolean none() {
        return toTell.isEmpty();
    }

    /** Nodes whose listeners are to be notified; to be called under the lock. */
    List<BaseNode> take() {
        List<BaseNode> told = List.copyOf(toTell);
        toTell.clear();
        return told;
    }

    /** Notifies the listeners of nodes; to be called outside the lock. */
    static void tell(List<BaseNode> nodes) {
        for (BaseNode node : nodes) {
            List<Consumer<Node>> listeners = node.listeners;
            if (listeners != null) {
                listeners.forEach(listener -> call(listener, node, "A listener of node " + node.name + " failed"));
            }
        }
    }

    /** Calls a listener; one that fails hinders no other. */
    static void call(Consumer<Node> listener, Node node, String failure) {
        try {
            listener.accept(node);
        } catch (RuntimeException e) {
            log().log(System.Logger.Level.WARNING, failure, e);
        }
    }

    /** The logger of node maps, got when something is to be logged: to have one costs as much as to load many nodes. */
    static System.Logger log() {
        return System.getLogger("io.peregrine.genapi.NodeMap");
    }

    void countOne() {
        count.incrementAndGet();
        freshness.changed();
    }

    long count() {
        return count.get();
    }
}
