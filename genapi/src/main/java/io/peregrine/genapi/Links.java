package io.peregrine.genapi;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;

/** The properties by which nodes refer to others. */
final class Links {
    static final Set<String> ALL = Set.of(
            "pValue",
            "pVariable",
            "pAddress",
            "pIndex",
            "pLength",
            "pMin",
            "pMax",
            "pInc",
            "pIsImplemented",
            "pIsAvailable",
            "pIsLocked",
            "pInvalidator",
            "pPort",
            "pCommandValue",
            "pValueIndexed",
            "pValueDefault",
            "pValueCopy",
            "pOffset",
            "pChunkID",
            "pBlockPolling");
    private static final Set<String> WRITTEN = Set.of("pValue", "pValueCopy", "pValueIndexed", "pValueDefault");
    private static final Set<String> NOT_READ = Set.of("pInvalidator", "pPort");

    private Links() {}

    /** Nodes that a write to this one writes directly. */
    static Set<BaseNode> written(BaseNode node) {
        return targets(node, WRITTEN::contains);
    }

    /** Nodes that this one reads directly: for its value, its range, its address, its conditions. */
    static Set<BaseNode> read(BaseNode node) {
        return targets(node, property -> !NOT_READ.contains(property));
    }

    /** Nodes whose change makes this one forget what it knows, directly. */
    static Set<BaseNode> invalidating(BaseNode node) {
        return targets(node, property -> !property.equals("pPort"));
    }

    private static Set<BaseNode> targets(BaseNode node, Predicate<String> properties) {
        Set<BaseNode> found = new LinkedHashSet<>();
        addTargets(node.context.graph, node.element, properties, found);
        return found;
    }

    private static void addTargets(
            NodeGraph graph, Element element, Predicate<String> properties, Set<BaseNode> found) {
        for (Element child : element.children()) {
            if (ALL.contains(child.name()) && properties.test(child.name())) {
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
