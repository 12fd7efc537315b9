package io.peregrine.genapi;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Finds nodes whose value would need itself, and nodes that hang on longer chains than can be followed, so that no
 * description can make a read go on without end (R33). Real chains have up to 19 links.
 */
final class Chains {
    private static final int MAX_LINKS = 10_000;
    private static final Set<String> VALUE_LINKS = Set.of(
            "pValue",
            "pVariable",
            "pAddress",
            "pIndex",
            "pLength",
            "pCommandValue",
            "pValueIndexed",
            "pValueDefault",
            "pValueCopy");
    private static final Set<String> OTHER_LINKS = Set.of(
            "pMin",
            "pMax",
            "pInc",
            "pIsImplemented",
            "pIsAvailable",
            "pIsLocked",
            "pPort",
            "pChunkID",
            "pError",
            "pBlockPolling",
            "pFeature");
    private static final Set<String> ALL_LINKS = union(VALUE_LINKS, OTHER_LINKS);

    private Chains() {}

    private static Set<String> union(Set<String> some, Set<String> others) {
        Set<String> all = new HashSet<>(some);
        all.addAll(others);
        return all;
    }

    /**
     * Checks all nodes.
     *
     * @param report notified of circles that are harmless: of ranges, conditions, categories and selectors
     * @return names of the nodes that must not be used, with the reason
     */
    static Map<String, String> check(Map<String, BaseNode> nodes, BiConsumer<String, String> report) {
        Map<String, String> refused = new LinkedHashMap<>();
        walk(nodes, VALUE_LINKS, (node, target) -> {
            refused.put(node.name, "its value depends on itself, through " + target.name);
        });
        Map<BaseNode, Integer> depths = walk(nodes, ALL_LINKS, (node, target) -> {
            if (!refused.containsKey(node.name)) {
                report.accept(
                        node.name,
                        node instanceof CategoryNode
                                ? "the category holds itself, through " + target.name
                                : "its range or access depends on itself, through " + target.name
                                        + "; evaluation stops there");
            }
        });
        depths.forEach((node, depth) -> {
            node.links = depth;
            if (depth > MAX_LINKS) {
                refused.put(node.name, "it hangs on a chain of more than " + MAX_LINKS + " links");
            }
        });
        walk(nodes, Set.of("pSelected"), (node, target) -> {
            report.accept(node.name, "it selects what selects it, through " + target.name);
        });
        return refused;
    }

    private static final class Step {
        private final BaseNode node;
        private final List<BaseNode> targets;
        private int next;
        private int depth;

        Step(BaseNode node, List<BaseNode> targets) {
            this.node = node;
            this.targets = targets;
        }
    }

    /** What is done about a link that closes a circle. */
    private interface Circle {
        void found(BaseNode node, BaseNode target);
    }

    /** Depth first without recursion: finds circles, and gives the length of the longest way from each node. */
    private static Map<BaseNode, Integer> walk(Map<String, BaseNode> nodes, Set<String> links, Circle circle) {
        Map<BaseNode, Integer> depths = new LinkedHashMap<>();
        for (BaseNode start : nodes.values()) {
            if (depths.containsKey(start)) {
                continue;
            }
            List<BaseNode> targets = targets(nodes, start.element, links);
            if (targets.isEmpty()) {
                depths.put(start, 0);
                continue;
            }
            Deque<Step> open = new ArrayDeque<>();
            depths.put(start, -1);
            open.push(new Step(start, targets));
            while (!open.isEmpty()) {
                Step step = open.element();
                if (step.next < step.targets.size()) {
                    BaseNode target = step.targets.get(step.next++);
                    Integer known = depths.get(target);
                    if (known == null) {
                        depths.put(target, -1);
                        open.push(new Step(target, targets(nodes, target.element, links)));
                    } else if (known >= 0) {
                        step.depth = Math.max(step.depth, known + 1);
                    } else {
                        circle.found(step.node, target);
                    }
                    continue;
                }
                open.pop();
                depths.put(step.node, step.depth);
                if (!open.isEmpty()) {
                    open.element().depth = Math.max(open.element().depth, step.depth + 1);
                }
            }
        }
        return depths;
    }

    private static List<BaseNode> targets(Map<String, BaseNode> nodes, Element element, Set<String> links) {
        List<BaseNode> found = List.of();
        List<Element> children = element.children();
        for (int i = 0, count = children.size(); i < count; i++) {
            Element child = children.get(i);
            if (links.contains(child.name())) {
                BaseNode target = nodes.get(child.text());
                if (target != null) {
                    found = found.isEmpty() ? new ArrayList<>(4) : found;
                    found.add(target);
                }
            } else if (child.name().equals("IntSwissKnife")) {
                found = new ArrayList<>(found);
                found.addAll(targets(nodes, child, links));
            }
        }
        return found;
    }
}
