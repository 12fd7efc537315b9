package io.peregrine.genapi;

import io.peregrine.genapi.Settings.Failure;
import io.peregrine.genapi.Settings.Setting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the settings of a device once: every streamable feature, through every selection that reaches it. */
final class SettingsReader {
    private static final int MAX_SELECTIONS = 4096;
    /** Selections of all selectors together that one feature is read through. */
    private static final int MAX_COMBINATIONS = 65_536;

    private static final Set<String> NOT_DEPENDENCIES = Set.of("pInvalidator", "pSelected", "pPort", "pFeature");
    /** What an address is made of, beside fixed numbers. */
    private static final Set<String> ADDRESS_PARTS = Set.of("pAddress", "pIndex", "IntSwissKnife");

    private final NodeMap nodes;
    private final boolean control;
    private final List<Setting> settings = new ArrayList<>();
    private final List<Failure> failures = new ArrayList<>();
    private int combinationsLeft;

    /**
     * A reader.
     *
     * @param nodes the device's features
     * @param control whether the device itself moves when a selector is moved
     */
    SettingsReader(NodeMap nodes, boolean control) {
        this.nodes = nodes;
        this.control = control;
    }

    Settings read() {
        FeatureStream.bracket(nodes, "DeviceFeaturePersistenceStart", failures);
        try {
            // Features that share their selectors are read together, so that these move as little as possible.
            Map<List<Node>, List<BaseNode>> groups = new LinkedHashMap<>();
            for (BaseNode feature : inOrder()) {
                groups.computeIfAbsent(movable(feature), key -> new ArrayList<>())
                        .add(feature);
            }
            groups.forEach(this::readGroup);
        } finally {
            FeatureStream.bracket(nodes, "DeviceFeaturePersistenceEnd", failures);
        }
        return new Settings(nodes.vendorName() + "::" + nodes.modelName(), settings, failures);
    }

    /** The selectors of a feature that can be moved. */
    private List<Node> movable(BaseNode feature) {
        List<Node> selectors = FeatureStream.selectors(feature);
        if (control) {
            return selectors;
        }
        List<Node> movable =
                selectors.stream().filter(one -> inAddress(feature, one)).toList();
        for (Node selector : selectors) {
            if (!movable.contains(selector) && choices(selector).size() > 1) {
                failures.add(new Failure(
                        feature.name(),
                        "was read for the present selection of " + selector.name()
                                + " alone: to move it, control of the device is needed, which another"
                                + " application has"));
            }
        }
        return movable;
    }

    /** Whether the registers of a feature have separate addresses for each choice of a selector. */
    private static boolean inAddress(BaseNode feature, Node selector) {
        Set<BaseNode> parts = new HashSet<>();
        for (BaseNode part : valueChain(feature)) {
            for (Element child : part.element.children()) {
                if (ADDRESS_PARTS.contains(child.name())) {
                    List<BaseNode> targets = new ArrayList<>();
                    addTargets(part, new Element("", Element.NO_ATTRIBUTES, "", new Element[] {child}), targets);
                    targets.forEach(target -> parts.addAll(needed(target)));
                }
            }
        }
        return valueChain((BaseNode) selector).stream().anyMatch(parts::contains);
    }

    private void readGroup(List<Node> selectors, List<BaseNode> features) {
        Map<Node, String> before = FeatureStream.values(selectors);
        combinationsLeft = MAX_COMBINATIONS;
        try {
            readSelections(selectors, 0, new ArrayList<>(), features);
            if (combinationsLeft < 0) {
                failures.add(new Failure(
                        features.get(0).name(),
                        "its selectors have more than " + MAX_COMBINATIONS + " selections together"));
            }
        } finally {
            FeatureStream.restore(selectors, before, failures);
        }
    }

    private void readSelections(
            List<Node> selectors, int level, List<Map.Entry<String, String>> selection, List<BaseNode> features) {
        if (level == selectors.size()) {
            if (--combinationsLeft >= 0) {
                features.forEach(feature -> read(feature, selection));
            }
            return;
        }
        Node selector = selectors.get(level);
        for (String choice : choices(selector)) {
            if (combinationsLeft < 0) {
                return;
            }
            try {
                selector.setFromText(choice);
            } catch (RuntimeException e) {
                failures.add(new Failure(selector.name(), "cannot select " + choice + ": " + e.getMessage()));
                continue;
            }
            selection.add(Map.entry(selector.name(), choice));
            readSelections(selectors, level + 1, selection, features);
            selection.remove(selection.size() - 1);
        }
    }

    /** A feature that is locked, because the device streams, is a setting all the same. */
    private void read(BaseNode feature, List<Map.Entry<String, String>> selection) {
        try {
            if (feature.accessWithoutLock() == AccessMode.RW) {
                String value = FeatureStream.text(feature);
                if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0) {
                    failures.add(new Failure(feature.name(), "its text has several lines"));
                } else {
                    settings.add(new Setting(feature.name(), control ? selection : present(feature), value));
                }
            }
        } catch (RuntimeException e) {
            failures.add(new Failure(feature.name(), e.getMessage()));
        }
    }

    private static List<Map.Entry<String, String>> present(BaseNode feature) {
        return FeatureStream.selectors(feature).stream()
                .map(selector -> Map.entry(selector.name(), selector.valueAsText()))
                .toList();
    }

    private List<String> choices(Node selector) {
        try {
            if (selector instanceof EnumerationNode enumeration) {
                return enumeration.symbols();
            }
            if (selector instanceof BooleanNode) {
                return List.of("false", "true");
            }
            if (selector instanceof IntegerNode integer) {
                List<String> choices = new ArrayList<>();
                long max = integer.max();
                long step = Math.max(1, integer.increment());
                for (long value = integer.min(); value <= max; value += step) {
                    if (choices.size() == MAX_SELECTIONS) {
                        failures.add(
                                new Failure(selector.name(), "it selects more than " + MAX_SELECTIONS + " values"));
                        break;
                    }
                    choices.add(Long.toString(value));
                    if (value > max - step) {
                        break;
                    }
                }
                return choices;
            }
            return List.of(selector.valueAsText());
        } catch (RuntimeException e) {
            failures.add(new Failure(selector.name(), e.getMessage()));
            return List.of();
        }
    }

    /** Streamable features, those that others depend on first. */
    private List<BaseNode> inOrder() {
        Map<String, BaseNode> features = new LinkedHashMap<>();
        Map<BaseNode, List<BaseNode>> owners = new HashMap<>();
        for (Node node : nodes.nodes()) {
            if (node.streamable()
                    && node instanceof BaseNode base
                    && !(node instanceof CategoryNode || node instanceof CommandNode)) {
                features.put(node.name(), base);
                for (BaseNode part : valueChain(base)) {
                    owners.computeIfAbsent(part, key -> new ArrayList<>()).add(base);
                }
            }
        }
        Set<BaseNode> done = new LinkedHashSet<>();
        Set<BaseNode> open = new HashSet<>();
        features.values().forEach(feature -> visit(feature, owners, done, open, FeatureStream.MAX_DEPTH));
        return List.copyOf(done);
    }

    private static void visit(
            BaseNode feature, Map<BaseNode, List<BaseNode>> owners, Set<BaseNode> done, Set<BaseNode> open, int depth) {
        if (depth == 0 || done.contains(feature) || !open.add(feature)) {
            return;
        }
        Set<BaseNode> own = new HashSet<>(valueChain(feature));
        for (BaseNode needed : needed(feature)) {
            if (!own.contains(needed)) {
                for (BaseNode owner : owners.getOrDefault(needed, List.of())) {
                    if (owner != feature) {
                        visit(owner, owners, done, open, depth - 1);
                    }
                }
            }
        }
        done.add(feature);
    }

    private static List<BaseNode> valueChain(BaseNode feature) {
        List<BaseNode> chain = new ArrayList<>();
        BaseNode node = feature;
        while (node != null && !chain.contains(node)) {
            chain.add(node);
            node = node.pValue == null ? null : node.pValue.nodeOrNull();
        }
        return chain;
    }

    private static Set<BaseNode> needed(BaseNode feature) {
        Set<BaseNode> found = new LinkedHashSet<>();
        List<BaseNode> open = new ArrayList<>(List.of(feature));
        while (!open.isEmpty()) {
            BaseNode node = open.remove(open.size() - 1);
            if (found.add(node)) {
                addTargets(node, node.element, open);
            }
        }
        return found;
    }

    private static void addTargets(BaseNode node, Element element, List<BaseNode> open) {
        for (Element child : element.children()) {
            if (Links.isDependency(child.name()) && !NOT_DEPENDENCIES.contains(child.name())) {
                BaseNode target = node.context.graph.node(child.text());
                if (target != null) {
                    open.add(target);
                }
            } else if (child.name().equals("IntSwissKnife")) {
                addTargets(node, child, open);
            }
        }
    }
}
