package io.peregrine.genapi;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** The properties by which nodes refer to others. */
final class Links {
    private static final Set<String> WRITTEN = Set.of("pValue", "pValueCopy", "pValueIndexed", "pValueDefault");
    private static final Set<String> NOT_READ = Set.of("pInvalidator", "pPort");

    // What a property is for, if it is a link.

    static final int NO_LINK = 0;
    /** The node must forget what it knows when the other changes. */
    static final int DEPENDENCY = 1;
    /** The value of the node is made of the other's. */
    static final int VALUE = 2;
    /** The node needs the other for its value, its range, its access, or to hold it. */
    static final int NEED = 4;
    /** The other means something else when the node changes. */
    static final int SELECTION = 8;
    /** An entry of the node needs the other; of no property of the node itself. */
    static final int ENTRY = 16;

    private Links() {}

    /** What a property is for. */
    static int kind(String property) {
        return switch (property) {
            case "pValue",
                    "pVariable",
                    "pAddress",
                    "pIndex",
                    "pLength",
                    "pCommandValue",
                    "pValueIndexed",
                    "pValueDefault",
                    "pValueCopy" -> DEPENDENCY | VALUE | NEED;
            case "pMin",
                    "pMax",
                    "pInc",
                    "pIsImplemented",
                    "pIsAvailable",
                    "pIsLocked",
                    "pPort",
                    "pChunkID",
                    "pBlockPolling" -> DEPENDENCY | NEED;
            case "pInvalidator", "pOffset" -> DEPENDENCY;
            case "pError", "pFeature" -> NEED;
            case "pSelected" -> SELECTION;
            default -> NO_LINK;
        };
    }

    /** Whether a node forgets what it knows when the node changes that the property names. */
    static boolean isDependency(String property) {
        return (kind(property) & DEPENDENCY) != 0;
    }

    /** Nodes that a write to this one writes directly. */
    static Set<BaseNode> written(BaseNode node) {
        return targets(node, WRITTEN::contains);
    }

    /** Nodes of which the value of this one is made directly, with those that say where it is. */
    static Set<BaseNode> valued(BaseNode node) {
        return targets(node, property -> (kind(property) & VALUE) != 0);
    }

    /** Nodes that this one reads directly: for its value, its range, its address, its conditions. */
    static Set<BaseNode> read(BaseNode node) {
        return targets(node, property -> !NOT_READ.contains(property));
    }

    /** Nodes whose change makes this one forget what it knows, directly. */
    static Set<BaseNode> invalidating(BaseNode node) {
        return targets(node, property -> !property.equals("pPort"));
    }

    /** All nodes that can be reached, but for the start. */
    static Set<BaseNode> reach(BaseNode start, Function<BaseNode, Collection<BaseNode>> next) {
        Set<BaseNode> found = new LinkedHashSet<>();
        reach(start, next, found);
        found.remove(start);
        return found;
    }

    /**
     * The start and all nodes that can be reached from it without those that were seen before, which lead no further.
     *
     * @param seen gets what is found
     */
    static List<BaseNode> reach(BaseNode start, Function<BaseNode, Collection<BaseNode>> next, Set<BaseNode> seen) {
        List<BaseNode> found = new ArrayList<>();
        if (seen.add(start)) {
            found.add(start);
        }
        for (int i = 0; i < found.size(); i++) {
            for (BaseNode node : next.apply(found.get(i))) {
                if (seen.add(node)) {
                    found.add(node);
                }
            }
        }
        return found;
    }

    private static Set<BaseNode> targets(BaseNode node, Predicate<String> properties) {
        Set<BaseNode> found = new LinkedHashSet<>();
        addTargets(node.context.graph, node.element, properties, found);
        return found;
    }

    private static void addTargets(
            NodeGraph graph, Element element, Predicate<String> properties, Set<BaseNode> found) {
        for (Element child : element.children()) {
            if (isDependency(child.name()) && properties.test(child.name())) {
                add(graph, child.text(), found);
                child.attribute("pOffset").ifPresent(offset -> add(graph, offset, found));
            } else if (child.name().equals("IntSwissKnife")) {
                addTargets(graph, child, properties, found);
            }
        }
    }

    private static void add(NodeGraph graph, String name, Set<BaseNode> found) {
        BaseNode node = graph.node(name);
        if (node != null) {
            found.add(node);
        }
    }
}
