package io.peregrine.genapi;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Which nodes select which (R21): a selector names nodes, and all that reads one of those, directly or through others,
 * is selected too.
 */
final class Selections {
    /** What selectors name, in the order of the description. */
    private final Map<BaseNode, Set<BaseNode>> named = new LinkedHashMap<>();

    private final Map<BaseNode, Set<BaseNode>> read = new HashMap<>();
    private final Map<BaseNode, List<BaseNode>> readers = new HashMap<>();

    /** Follows the links of all nodes, which must be complete. */
    Selections(Collection<BaseNode> nodes) {
        for (BaseNode node : nodes) {
            Set<BaseNode> targets = Links.read(node);
            read.put(node, targets);
            targets.forEach(target ->
                    readers.computeIfAbsent(target, key -> new ArrayList<>(1)).add(node));
            List<BaseNode> names = node.targets("pSelected");
            if (!names.isEmpty()) {
                named.put(node, new LinkedHashSet<>(names));
            }
        }
    }

    private static Set<BaseNode> reach(
            Collection<BaseNode> start, Function<BaseNode, ? extends Collection<BaseNode>> next) {
        Set<BaseNode> found = new LinkedHashSet<>(start);
        Deque<BaseNode> open = new ArrayDeque<>(start);
        while (!open.isEmpty()) {
            for (BaseNode node : next.apply(open.remove())) {
                if (found.add(node)) {
                    open.add(node);
                }
            }
        }
        return found;
    }

    /** What a selector selects: the nodes it names, then the features among those that read them. */
    List<Node> selectedBy(BaseNode selector, Collection<Node> features) {
        Set<BaseNode> names = named.get(selector);
        if (names == null) {
            return List.of();
        }
        Set<BaseNode> reached = reach(names, node -> readers.getOrDefault(node, List.of()));
        Set<Node> found = new LinkedHashSet<>(names);
        features.stream().filter(reached::contains).forEach(found::add);
        found.remove(selector);
        return List.copyOf(found);
    }

    /** The selectors of a node, in the order of the description. */
    List<Node> selectorsOf(BaseNode feature) {
        Set<BaseNode> reached = reach(List.of(feature), node -> read.getOrDefault(node, Set.of()));
        List<Node> found = new ArrayList<>();
        named.forEach((selector, names) -> {
            if (selector != feature && names.stream().anyMatch(reached::contains)) {
                found.add(selector);
            }
        });
        return List.copyOf(found);
    }
}
