package io.peregrine.genapi;

import io.peregrine.genapi.Node.Linkage;
import io.peregrine.genapi.internal.NearNames;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All nodes of a map by name, the tree of its features, and who is linked with whom. Fixed once the map is built. */
final class NodeTable implements NodeGraph {
    private static final Set<String> NAME_SPACES = Set.of("Std", "Cust");

    /** By name, in the order of the description. */
    final Map<String, BaseNode> nodes = new LinkedHashMap<>();

    private @Nullable Selections selections;

    @Override
    public @Nullable BaseNode node(String name) {
        return nodes.get(name);
    }

    @Override
    public Optional<Node> find(String name) {
        int colons = name.indexOf("::");
        if (colons >= 0 && !NAME_SPACES.contains(name.substring(0, colons))) {
            return Optional.empty();
        }
        if (colons < 0) {
            return Optional.ofNullable(nodes.get(name));
        }
        BaseNode node = nodes.get(name.substring(colons + 2));
        boolean standard = name.startsWith("Std");
        return node != null && node.standardName() == standard ? Optional.of(node) : Optional.empty();
    }

    /** What a program hears that asks for a node that is not there. */
    GenApiException missing(String name, String modelName) {
        String plain = name.substring(name.indexOf("::") < 0 ? 0 : name.indexOf("::") + 2);
        String question =
                NearNames.question(plain, features().stream().map(Node::name).toList());
        if (question.isEmpty()) {
            question = NearNames.question(plain, nodes.keySet());
        }
        return new GenApiException("There is no feature " + name
                + (question.isEmpty() ? " in the description of " + modelName : ". " + question));
    }

    List<Node> all() {
        return List.copyOf(nodes.values());
    }

    /** Features: what the category Root and the categories below it hold. */
    List<Node> features() {
        BaseNode root = nodes.get("Root");
        return root == null ? List.of() : below(root);
    }

    static List<Node> visible(List<Node> features, Visibility highest) {
        return features.stream()
                .filter(feature -> feature.visibility().compareTo(highest) <= 0)
                .toList();
    }

    static List<Node> below(Node category) {
        Set<Node> seen = new LinkedHashSet<>();
        Deque<Node> open = new ArrayDeque<>(List.of(category));
        while (!open.isEmpty()) {
            Node node = open.pop();
            if (seen.add(node) && node instanceof CategoryNode inner) {
                List<Node> inside = inner.features();
                for (int i = inside.size() - 1; i >= 0; i--) {
                    open.push(inside.get(i));
                }
            }
        }
        seen.removeIf(CategoryNode.class::isInstance);
        return List.copyOf(seen);
    }

    private synchronized Selections selections() {
        if (selections == null) {
            selections = new Selections(nodes.values());
        }
        return selections;
    }

    @Override
    public List<Node> selectedBy(BaseNode selector) {
        // Without a category Root there are no features: any node can be meant.
        return selections().selectedBy(selector, nodes.containsKey("Root") ? features() : all());
    }

    @Override
    public List<Node> selectorsOf(BaseNode feature) {
        return selections().selectorsOf(feature);
    }

    @Override
    public List<Node> linked(BaseNode node, Linkage linkage) {
        Collection<BaseNode> found = switch (linkage) {
            case WRITTEN -> Links.written(node);
            case READ -> Links.read(node);
            case INVALIDATING -> Links.invalidating(node);
            case DEPENDING -> Links.reach(node, one -> one.dependents);
            case PARENTS ->
                node.dependents.stream()
                        .distinct()
                        .filter(one -> Links.read(one).contains(node))
                        .toList();
            case TERMINAL ->
                Links.reach(node, Links::written).stream()
                        .filter(one -> Links.written(one).isEmpty())
                        .toList();
        };
        return List.copyOf(found);
    }
}
