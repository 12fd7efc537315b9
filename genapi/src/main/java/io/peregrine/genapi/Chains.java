package io.peregrine.genapi;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds nodes whose value would need itself, and nodes that hang on longer chains than any real description has, so that
 * no description can make a read go on without end (R33). Real chains have up to 19 links.
 */
final class Chains {
    private static final int MAX_LINKS = 200;
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
    private static final Set<String> OTHER_LINKS =
            Set.of("pMin", "pMax", "pInc", "pIsImplemented", "pIsAvailable", "pIsLocked", "pPort", "pFeature");

    private Chains() {}

    /** Names of the nodes that must not be used, with the reason. */
    static Map<String, String> check(Map<String, BaseNode> nodes) {
        Map<String, String> refused = new LinkedHashMap<>();
        walk(nodes, false, refused);
        walk(nodes, true, refused);
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

    /** Depth first without recursion: with all links it measures length, with value links alone it finds circles. */
    private static void walk(Map<String, BaseNode> nodes, boolean allLinks, Map<String, String> refused) {
        Map<BaseNode, Integer> depths = new HashMap<>();
        for (BaseNode start : nodes.values()) {
            if (depths.containsKey(start)) {
                continue;
            }
            Deque<Step> open = new ArrayDeque<>();
            depths.put(start, -1);
            open.push(new Step(start, targets(nodes, start.element, allLinks)));
            while (!open.isEmpty()) {
                Step step = open.element();
                if (step.next < step.targets.size()) {
                    BaseNode target = step.targets.get(step.next++);
                    Integer known = depths.get(target);
                    if (known == null) {
                        depths.put(target, -1);
                        open.push(new Step(target, targets(nodes, target.element, allLinks)));
                    } else if (known >= 0) {
                        step.depth = Math.max(step.depth, known + 1);
                    } else if (!allLinks) {
                        refused.put(step.node.name, "its value depends on itself, through " + target.name);
                    }
                    continue;
                }
                open.pop();
                depths.put(step.node, step.depth);
                if (step.depth > MAX_LINKS) {
                    refused.put(step.node.name, "it hangs on a chain of more than " + MAX_LINKS + " links");
                }
                if (!open.isEmpty()) {
                    open.element().depth = Math.max(open.element().depth, step.depth + 1);
                }
            }
        }
    }

    private static List<BaseNode> targets(Map<String, BaseNode> nodes, Element element, boolean allLinks) {
        List<BaseNode> found = new ArrayList<>();
        for (Element child : element.children()) {
            if (VALUE_LINKS.contains(child.name()) || (allLinks && OTHER_LINKS.contains(child.name()))) {
                BaseNode target = nodes.get(child.text());
                if (target != null) {
                    found.add(target);
                }
            } else if (child.name().equals("IntSwissKnife")) {
                found.addAll(targets(nodes, child, allLinks));
            }
        }
        return found;
    }
}
