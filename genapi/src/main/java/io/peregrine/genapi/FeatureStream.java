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
 * Saves and loads the settings of a device: all features that the description marks as streamable, through all
 * selections that reach them, in an order in which what depends on others comes after them (R26).
 */
final class FeatureStream {
    /** Far longer than the way of any real feature to what it depends on. */
    static final int MAX_DEPTH = 500;

    private static final double TOLERANCE = 1e-5;

    private FeatureStream() {}

    // ---- Saving

    static Settings save(NodeMap nodes) {
        return new SettingsReader(nodes, true).read();
    }

    static Settings saveWithoutControl(NodeMap nodes) {
        return new SettingsReader(nodes, false).read();
    }

    /** A value as files of other tools have it, where yes and no are numbers. */
    static String text(Node feature) {
        return feature instanceof BooleanNode bool ? bool.value() ? "1" : "0" : feature.valueAsText();
    }

    static Set<Node> allSelectors(Node feature) {
        Set<Node> found = new LinkedHashSet<>();
        addSelectors(feature, found, new HashSet<>(), MAX_DEPTH);
        found.remove(feature);
        return found;
    }

    /** All selectors of a feature with the selectors of these in front of them, but for those that cannot be moved. */
    static List<Node> selectors(Node feature) {
        return allSelectors(feature).stream().filter(Node::writable).toList();
    }

    private static void addSelectors(Node feature, Set<Node> found, Set<Node> seen, int depth) {
        if (depth > 0 && seen.add(feature)) {
            for (Node selector : feature.selecting()) {
                addSelectors(selector, found, seen, depth - 1);
                found.add(selector);
            }
        }
    }

    static Map<Node, String> values(List<Node> selectors) {
        Map<Node, String> values = new HashMap<>();
        for (Node selector : selectors) {
            try {
                if (selector.readable()) {
                    values.put(selector, selector.valueAsText());
                }
            } catch (RuntimeException e) {
                // A selector whose present value has no text cannot be put back to it.
            }
        }
        return values;
    }

    static void restore(List<Node> selectors, Map<Node, String> before, List<Failure> failures) {
        for (Node selector : selectors) {
            String value = before.get(selector);
            if (value != null) {
                try {
                    selector.setFromText(value);
                } catch (RuntimeException e) {
                    failures.add(
                            new Failure(selector.name(), "cannot be put back to " + value + ": " + e.getMessage()));
                }
            }
        }
    }

    static void bracket(NodeMap nodes, String command, List<Failure> failures) {
        if (nodes.find(command).orElse(null) instanceof CommandNode node) {
            try {
                if (node.writable()) {
                    node.execute();
                }
            } catch (RuntimeException e) {
                failures.add(new Failure(command, e.getMessage()));
            }
        }
    }

    // ---- Loading

    static List<Failure> load(NodeMap nodes, Settings settings, boolean verify) {
        List<Failure> failures = new ArrayList<>();
        List<Setting> values = new ArrayList<>();
        for (Setting setting : settings.settings()) {
            if (namesCommand(nodes, setting)) {
                failures.add(
                        new Failure(setting.feature(), "This would execute a command, and settings are values only"));
            } else {
                values.add(setting);
            }
        }
        Settings kept = new Settings(settings.device(), values, settings.failures());
        failures.addAll(loadSelected(nodes, withSelections(nodes, kept), verify));
        return List.copyOf(failures);
    }

    private static boolean namesCommand(NodeMap nodes, Setting setting) {
        return isCommand(nodes, setting.feature())
                || setting.selection().stream().anyMatch(selected -> isCommand(nodes, selected.getKey()));
    }

    private static boolean isCommand(NodeMap nodes, String name) {
        return nodes.find(name).filter(CommandNode.class::isInstance).isPresent();
    }

    /**
     * Gives values the selection that they have by their place. In files of some tools a selector is in a separate line
     * in front of what it selects; what fails could otherwise be tried again under another selection.
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
        } catch (RuntimeException e) {
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
            if (!selector.readable() || !holds(selector, selected.getValue())) {
                selector.setFromText(selected.getValue());
            }
        }
    }

    private static boolean holds(Node selector, String value) {
        try {
            return selector.valueAsText().equals(value);
        } catch (GenApiException e) {
            // What it holds has no text: it is something else.
            return false;
        }
    }

    private static Optional<String> write(NodeMap nodes, Setting setting) {
        try {
            select(nodes, setting);
            nodes.node(setting.feature()).setFromText(setting.value());
            return Optional.empty();
        } catch (RuntimeException e) {
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
        } catch (RuntimeException e) {
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
