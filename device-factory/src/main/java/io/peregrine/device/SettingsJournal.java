package io.peregrine.device;

import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Settings;
import io.peregrine.genapi.Settings.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was set since a device was opened, so that it can be set again when the device comes back without it: the last
 * value of each streamable feature in each selection, where selectors were left, bootstrap registers, and the user set
 * that was loaded in between. Costs nothing but a look at each value that is set; what was not set is left as the
 * device has it.
 *
 * <p>Everything comes again in the order in which it was done: what a user set has in it replaces what was set before
 * it was loaded, and leaves all else as that was.
 */
final class SettingsJournal {
    private static final System.Logger LOGGER = System.getLogger(SettingsJournal.class.getName());
    private static final int MAX_SETTINGS = 65_536;
    private static final String USER_SET_LOAD = "UserSetLoad";
    private static final String USER_SET_SELECTOR = "UserSetSelector";
    private static final Duration COMMAND_LIMIT = Duration.ofSeconds(5);

    private record Key(String feature, List<Map.Entry<String, String>> selection) {}

    private final NodeMap nodes;
    private final RegisterJournal registers;
    /** Older descriptions do not say which features are settings. */
    private final boolean saysStreamable;

    // Guarded by the lock of the node map.
    private final Map<Key, Setting> beforeUserSet = new LinkedHashMap<>();
    /** Selection of the command that loaded the last user set. */
    private Optional<List<Map.Entry<String, String>>> userSet = Optional.empty();

    private final Map<Key, Setting> latest = new LinkedHashMap<>();
    /** The first setting that there was no room for. */
    private Optional<Setting> leftOut = Optional.empty();

    private boolean restoring;
    private final int limit;

    private SettingsJournal(NodeMap nodes, RegisterJournal registers, int limit) {
        this.nodes = nodes;
        this.registers = registers;
        this.limit = limit;
        saysStreamable = nodes.nodes().stream().anyMatch(Node::streamable);
    }

    /**
     * Begins to note what is set.
     *
     * @param registers notes what is written to bootstrap registers
     */
    static SettingsJournal begin(NodeMap nodes, RegisterJournal registers) {
        return begin(nodes, registers, MAX_SETTINGS);
    }

    static SettingsJournal begin(NodeMap nodes, RegisterJournal registers, int limit) {
        SettingsJournal journal = new SettingsJournal(nodes, registers, limit);
        nodes.onWrite(journal::wrote);
        return journal;
    }

    private void wrote(Node node) {
        if (restoring) {
            return;
        }
        try {
            if (node instanceof CommandNode) {
                if (node.name().equals(USER_SET_LOAD)) {
                    userSetLoaded(node);
                }
            } else if (isSetting(node) && node.readable()) {
                note(latest, Setting.of(node));
            }
        } catch (GenApiException | DeviceException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "Cannot be restored after a loss: " + node.name(), e);
        }
    }

    /** What was set last comes last: it was possible with what was set before. */
    private void note(Map<Key, Setting> settings, Setting setting) {
        Key key = new Key(setting.feature(), setting.selection());
        if (settings.remove(key) != null || settings.size() < limit) {
            settings.put(key, setting);
        } else if (leftOut.isEmpty()) {
            leftOut = Optional.of(setting);
        }
    }

    private void userSetLoaded(Node command) {
        List<Map.Entry<String, String>> selection = Setting.selectionOf(command);
        Optional<Node> selector = nodes.find(USER_SET_SELECTOR).filter(Node::readable);
        if (selection.isEmpty() && selector.isPresent()) {
            selection = List.of(Map.entry(USER_SET_SELECTOR, selector.get().valueAsText()));
        }
        userSet = Optional.of(selection);
        latest.values().forEach(setting -> note(beforeUserSet, setting));
        latest.clear();
        registers.userSetLoaded();
    }

    private boolean isSetting(Node node) {
        return saysStreamable
                ? node.streamable() || !node.selected().isEmpty()
                : !node.name().equals("TLParamsLocked");
    }

    /**
     * Sets everything again.
     *
     * @param control the control channel, if there is one
     * @return what the device did not take, one sentence each
     */
    List<String> restore(Optional<ControlChannel> control) {
        List<String> problems = new ArrayList<>();
        nodes.together(() -> {
            restoring = true;
            try {
                registers.without(() -> restore(control, problems));
            } finally {
                restoring = false;
            }
        });
        return problems;
    }

    /** Registers come after features: what features wrote is among it, and may have been written otherwise since. */
    private void restore(Optional<ControlChannel> control, List<String> problems) {
        if (userSet.isPresent()) {
            // The user set replaces most of it: that is not compared.
            load(List.copyOf(beforeUserSet.values()), false, problems);
            control.ifPresent(channel -> registers.restoreBeforeUserSet(channel, problems));
            loadUserSet(userSet.get(), problems);
        }
        restoreLatest(problems);
        leftOut.ifPresent(first -> problems.add("No more than " + limit + " settings are noted, and those after them"
                + " are not made again: the first was " + first.feature()
                + (first.selection().isEmpty() ? "" : " " + first.selection())));
        control.ifPresent(channel -> registers.restoreLatest(channel, problems));
        nodes.invalidateAll();
    }

    private void loadUserSet(List<Map.Entry<String, String>> selection, List<String> problems) {
        try {
            for (Map.Entry<String, String> selected : selection) {
                nodes.node(selected.getKey()).setFromText(selected.getValue());
            }
            Commands.executeAndAwait(nodes.command(USER_SET_LOAD), COMMAND_LIMIT);
        } catch (GenApiException | DeviceException e) {
            problems.add(USER_SET_LOAD + " of " + selection + ": " + e.getMessage());
        }
        nodes.invalidateAll();
    }

    /**
     * A selector that another one selects may have one place for all selections of that, or one for each: it is put
     * where it was in each, which cannot be compared, and at last where it was left.
     */
    private void restoreLatest(List<String> problems) {
        List<Setting> selectors = new ArrayList<>();
        List<Setting> others = new ArrayList<>();
        Map<String, Setting> places = new LinkedHashMap<>();
        for (Setting setting : latest.values()) {
            if (setting.selection().isEmpty()
                    || nodes.node(setting.feature()).selected().isEmpty()) {
                others.add(setting);
            } else {
                selectors.add(setting);
                places.put(setting.feature(), new Setting(setting.feature(), List.of(), setting.value()));
            }
        }
        load(selectors, false, problems);
        load(others, true, problems);
        load(List.copyOf(places.values()), true, problems);
    }

    private void load(List<Setting> values, boolean verify, List<String> problems) {
        if (!values.isEmpty()) {
            new Settings("", values, List.of())
                    .load(nodes, verify)
                    .forEach(failure -> problems.add(failure.toString()));
        }
    }
}
