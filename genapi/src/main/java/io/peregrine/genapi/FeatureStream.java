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
import java.util.Optional;
import java.util.Set;

/**
 * Saves and loads the settings of a device: all features that the description marks as streamable, through all selections
 * that reach them, in an order in which what depends on others comes after them (R26).
 */
public final class FeatureStream {
    private static final int MAX_SELECTIONS = 4096;
    /** Selections of all selectors together that one feature is read through. */
    private static final int MAX_COMBINATIONS = 65_536;
    /** Far longer than the way of any real feature to what it depends on. */
    private static final int MAX_DEPTH = 500;

    private static final double TOLERANCE = 1e-5;
    private static final Set<String> NOT_DEPENDENCIES = Set.of("pInvalidator", "pSelected", "pPort", "pFeature");

    private FeatureStream() {}

    // ---- Saving

    /**
     * Reads the settings of a device. Selectors are moved on the way and put back.
     *
     * @param nodes the device's features
     * @return the settings; what could not be read is listed in them
     */
    public static Settings save(NodeMap nodes) {
        List<Setting> settings = new ArrayList<>();
        List<Failure> failures = new ArrayList<>();
        bracket(nodes, "DeviceFeaturePersistenceStart", failures);
        try {
            // Features that share their selectors are read together, so that these move as little as possible.
            Map<List<Node>, List<Node>> groups = new LinkedHashMap<>();
            for (Node feature : inOrder(nodes)) {
                groups.computeIfAbsent(selectors(feature), key -> new ArrayList<>())
                        .add(feature);
            }
            for (Map.Entry<List<Node>, List<Node>> group : groups.entrySet()) {
                Map<Node, String> before = values(group.getKey());
                try {
                    int[] left = {MAX_COMBINATIONS};
                    saveGroup(group.getKey(), 0, new ArrayList<>(), group.getValue(), settings, failures, left);
                    if (left[0] < 0) {
                        failures.add(new Failure(
                                group.getValue().get(0).name(),
                                "its selectors have more than " + MAX_COMBINATIONS + " selections together"));
                    }
                } finally {
                    restore(group.getKey(), before, failures);
                }
            }
        } finally {
            bracket(nodes, "DeviceFeaturePersistenceEnd", failures);
        }
        return new Settings(nodes.vendorName() + "::" + nodes.modelName(), settings, failures);
    }

    private static void saveGroup(
            List<Node> selectors,
            int level,
            List<Map.Entry<String, String>> selection,
            List<Node> features,
            List<Setting> settings,
            List<Failure> failures,
            int[] left) {
        if (level < selectors.size()) {
            Node selector = selectors.get(level);
            for (String choice : choices(selector, failures)) {
                if (left[0] < 0) {
                    return;
                }
                try {
                    selector.setFromText(choice);
                } catch (GenApiException e) {
                    failures.add(new Failure(selector.name(), "cannot select " + choice + ": " + e.getMessage()));
                    continue;
                }
                selection.add(Map.entry(selector.name(), choice));
                saveGroup(selectors, level + 1, selection, features, settings, failures, left);
                selection.remove(selection.size() - 1);
            }
            return;
        }
        if (--left[0] < 0) {
            return;
        }
        for (Node feature : features) {
            try {
                if (feature.accessMode() == AccessMode.RW) {
                    String value = text(feature);
                    if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0) {
                        failures.add(new Failure(feature.name(), "its text has several lines"));
                    } else {
                        settings.add(new Setting(feature.name(), selection, value));
                    }
                }
            } catch (GenApiException e) {
                failures.add(new Failure(feature.name(), e.getMessage()));
            }
        }
    }

    /**
     * One feature as it is set now.
     *
     * @throws GenApiException if it, or a selector of it, cannot be read
     */
    public static Setting setting(Node feature) {
        return new Setting(feature.name(), selection(feature), text(feature));
    }

    /**
     * What the selectors of a feature are set to now, outermost first.
     *
     * @throws GenApiException if one of them cannot be read
     */
    public static List<Map.Entry<String, String>> selection(Node feature) {
        List<Map.Entry<String, String>> selection = new ArrayList<>();
        for (Node selector : allSelectors(feature)) {
            selection.add(Map.entry(selector.name(), selector.valueAsText()));
        }
        return selection;
    }

    /** A value as files of other tools have it, where yes and no are numbers. */
    private static String text(Node feature) {
        return feature instanceof BooleanNode bool ? bool.value() ? "1" : "0" : feature.valueAsText();
    }

    /** All selectors of a feature with the selectors of these in front of them, but for those that cannot be moved. */
    private static List<Node> selectors(Node feature) {
        return allSelectors(feature).stream().filter(Node::writable).toList();
    }

    private static Set<Node> allSelectors(Node feature) {
        Set<Node> found = new LinkedHashSet<>();
        addSelectors(feature, found, new HashSet<>(), MAX_DEPTH);
        found.remove(feature);
        return found;
    }

    private static void addSelectors(Node feature, Set<Node> found, Set<Node> seen, int depth) {
        if (depth > 0 && seen.add(feature)) {
            for (Node selector : feature.selecting()) {
                addSelectors(selector, found, seen, depth - 1);
                found.add(selector);
            }
        }
    }

    private static List<String> choices(Node selector, List<Failure> failures) {
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
                long step = integer.increment();
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
        } catch (GenApiException e) {
            failures.add(new Failure(selector.name(), e.getMessage()));
            return List.of();
        }
    }

    private static Map<Node, String> values(List<Node> selectors) {
        Map<Node, String> values = new HashMap<>();
        for (Node selector : selectors) {
            try {
                if (selector.readable()) {
                    values.put(selector, selector.valueAsText());
                }
            } catch (GenApiException e) {
                // A selector whose present value has no text cannot be put back to it.
            }
        }
        return values;
    }

    private static void restore(List<Node> selectors, Map<Node, String> before, List<Failure> failures) {
        for (Node selector : selectors) {
            String value = before.get(selector);
            if (value != null) {
                try {
                    selector.setFromText(value);
                } catch (GenApiException e) {
                    failures.add(
                            new Failure(selector.name(), "cannot be put back to " + value + ": " + e.getMessage()));
                }
            }
        }
    }

    private static void bracket(NodeMap nodes, String command, List<Failure> failures) {
        if (nodes.find(command).orElse(null) instanceof CommandNode node) {
            try {
                if (node.writable()) {
                    node.execute();
                }
            } catch (GenApiException e) {
                failures.add(new Failure(command, e.getMessage()));
            }
        }
    }

    /** Streamable features, those that others depend on first. */
    private static List<Node> inOrder(NodeMap nodes) {
        Map<String, BaseNode> features = new LinkedHashMap<>();
        Map<BaseNode, List<BaseNode>> owners = new HashMap<>();
        for (Node node : nodes.nodes()) {
            if (node.streamable() && node instanceof BaseNode base && !(node instanceof CategoryNode)) {
                features.put(node.name(), base);
                for (BaseNode part : valueChain(base)) {
                    owners.computeIfAbsent(part, key -> new ArrayList<>()).add(base);
                }
            }
        }
        Set<BaseNode> done = new LinkedHashSet<>();
        Set<BaseNode> open = new HashSet<>();
        features.values().forEach(feature -> visit(feature, owners, done, open, MAX_DEPTH));
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
            if (NodeMap.LINKS.contains(child.name()) && !NOT_DEPENDENCIES.contains(child.name())) {
                node.map.base(child.text()).ifPresent(open::add);
            } else if (child.name().equals("IntSwissKnife")) {
                addTargets(node, child, open);
            }
        }
    }

    // ---- Loading

    /**
     * Writes settings to a device. Everything is tried; what fails is tried again after the rest, as long as that helps,
     * since the range of one feature can hang on the value of another.
     *
     * @param nodes the device's features
     * @param settings what to write
     * @param verify whether to read everything back and compare
     * @return what could not be written, or was not what was written when it was read back; empty when all went well
     */
    public static List<Failure> load(NodeMap nodes, Settings settings, boolean verify) {
        return loadSelected(nodes, withSelections(nodes, settings), verify);
    }

    /**
     * Gives values the selection that they have by their place. In files of some tools a selector stands in a line of its
     * own in front of what it selects; what fails could otherwise be tried again under another selection.
     */
    private static Settings withSelections(NodeMap nodes, Settings settings) {
        Map<String, String> present = new HashMap<>();
        Map<String, Integer> lastLine = new HashMap<>();
        for (int i = 0; i < settings.settings().size(); i++) {
            lastLine.put(settings.settings().get(i).feature(), i);
        }
        List<Setting> selected = new ArrayList<>();
        for (int i = 0; i < settings.settings().size(); i++) {
            Setting setting = settings.settings().get(i);
            Node node = nodes.find(setting.feature()).orElse(null);
            if (node == null || !setting.selection().isEmpty()) {
                selected.add(setting);
                continue;
            }
            List<Map.Entry<String, String>> selection = new ArrayList<>();
            for (Node selector : node.selecting().isEmpty() ? List.<Node>of() : selectors(node)) {
                String value = present.get(selector.name());
                if (value != null) {
                    selection.add(Map.entry(selector.name(), value));
                }
            }
            boolean selector = !node.selected().isEmpty();
            if (selector) {
                present.put(node.name(), setting.value());
            }
            // Only the last value of a selector is one to keep, the others are places.
            if (!selector || lastLine.get(setting.feature()) == i) {
                selected.add(new Setting(setting.feature(), selection, setting.value()));
            }
        }
        return new Settings(settings.device(), selected, settings.failures());
    }

    private static List<Failure> loadSelected(NodeMap nodes, Settings settings, boolean verify) {
        List<Failure> failures = new ArrayList<>();
        Set<Node> moved = new LinkedHashSet<>();
        for (Setting setting : settings.settings()) {
            setting.selection().forEach(entry -> nodes.find(entry.getKey()).ifPresent(moved::add));
        }
        List<Node> selectors = List.copyOf(moved);
        Map<Node, String> before = values(selectors);
        Map<Setting, String> refused = new LinkedHashMap<>();
        bracket(nodes, "DeviceRegistersStreamingStart", failures);
        try {
            List<Setting> open = settings.settings();
            while (true) {
                refused.clear();
                for (Setting setting : open) {
                    write(nodes, setting).ifPresent(reason -> refused.put(setting, reason));
                }
                if (refused.isEmpty() || refused.size() == open.size()) {
                    break;
                }
                open = List.copyOf(refused.keySet());
            }
        } finally {
            bracket(nodes, "DeviceRegistersStreamingEnd", failures);
        }
        consistency(nodes).ifPresent(failures::add);
        refused.forEach((setting, reason) -> failures.add(new Failure(setting.feature(), reason)));
        if (verify) {
            for (Setting setting : settings.settings()) {
                if (!refused.containsKey(setting) && !choosesItself(nodes, setting, selectors)) {
                    differs(nodes, setting).ifPresent(reason -> failures.add(new Failure(setting.feature(), reason)));
                }
            }
        }
        // Selectors whose own value is part of the settings have it already.
        for (Setting setting : settings.settings()) {
            if (setting.selection().isEmpty()) {
                nodes.find(setting.feature())
                        .filter(before::containsKey)
                        .ifPresent(node -> before.put(node, setting.value()));
            }
        }
        restore(selectors, before, failures);
        if (verify) {
            // Selectors moved while the rest was compared, and only now are what they are to be.
            for (Setting setting : settings.settings()) {
                if (!refused.containsKey(setting) && choosesItself(nodes, setting, selectors)) {
                    differs(nodes, setting).ifPresent(reason -> failures.add(new Failure(setting.feature(), reason)));
                }
            }
        }
        return List.copyOf(failures);
    }

    /** What a device that did not check each value finds in all of them together. */
    private static Optional<Failure> consistency(NodeMap nodes) {
        try {
            if (nodes.find("DeviceRegistersStreamingEnd").isPresent()
                    && nodes.find("DeviceRegistersValid").orElse(null) instanceof BooleanNode valid
                    && valid.readable()) {
                valid.refresh();
                if (!valid.value()) {
                    return Optional.of(
                            new Failure(valid.name(), "the device says that its settings do not fit together"));
                }
            }
            return Optional.empty();
        } catch (GenApiException e) {
            return Optional.of(new Failure("DeviceRegistersValid", e.getMessage()));
        }
    }

    private static boolean choosesItself(NodeMap nodes, Setting setting, List<Node> selectors) {
        return setting.selection().isEmpty()
                && nodes.find(setting.feature()).filter(selectors::contains).isPresent();
    }

    private static void select(NodeMap nodes, Setting setting) {
        for (Map.Entry<String, String> selected : setting.selection()) {
            Node selector = nodes.node(selected.getKey());
            if (!selector.readable() || !selector.valueAsText().equals(selected.getValue())) {
                selector.setFromText(selected.getValue());
            }
        }
    }

    private static Optional<String> write(NodeMap nodes, Setting setting) {
        try {
            select(nodes, setting);
            nodes.node(setting.feature()).setFromText(setting.value());
            return Optional.empty();
        } catch (GenApiException e) {
            return Optional.of("cannot be set to " + setting.value() + ": " + e.getMessage());
        }
    }

    private static Optional<String> differs(NodeMap nodes, Setting setting) {
        try {
            select(nodes, setting);
            Node node = nodes.node(setting.feature());
            if (!node.readable()) {
                return Optional.empty();
            }
            node.refresh();
            String value = node.valueAsText();
            if (value.equals(setting.value()) || sameNumber(node, value, setting.value())) {
                return Optional.empty();
            }
            return Optional.of("was set to " + setting.value() + " and is " + value);
        } catch (GenApiException e) {
            return Optional.of("was set to " + setting.value() + " and cannot be read back: " + e.getMessage());
        }
    }

    private static boolean truth(String text) {
        return text.equals("1") || text.equalsIgnoreCase("true");
    }

    private static boolean sameNumber(Node node, String one, String other) {
        if (node instanceof FloatNode) {
            double a = Numbers.parseDouble(node.name(), one);
            double b = Numbers.parseDouble(node.name(), other);
            return Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
        }
        if (node instanceof IntegerNode integer) {
            return Numbers.parse(node.name(), one, integer.representation())
                    == Numbers.parse(node.name(), other, integer.representation());
        }
        return node instanceof BooleanNode && truth(one) == truth(other);
    }
}
