package io.peregrine.device;

import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.FeatureStream;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Settings;
import io.peregrine.genapi.Settings.Setting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What was set since a device was opened, so that it can be set again when the device comes back without it: the last value
 * of each streamable feature in each selection, selectors, and the user set that was loaded before them. Costs nothing but a
 * look at each value that is set; what nobody set is left as the device has it.
 */
final class SettingsJournal {
    private static final System.Logger LOG = System.getLogger(SettingsJournal.class.getName());
    private static final int MOST_SETTINGS = 65_536;
    private static final String USER_SET_LOAD = "UserSetLoad";
    private static final long COMMAND_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long COMMAND_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private record Key(String feature, List<Map.Entry<String, String>> selection) {}

    private final NodeMap nodes;
    /** Older descriptions do not say which features are settings. */
    private final boolean saysStreamable;

    // Guarded by the lock of the node map.
    private final Map<Key, Setting> settings = new LinkedHashMap<>();
    private Optional<Setting> userSet = Optional.empty();
    private boolean restoring;

    private SettingsJournal(NodeMap nodes) {
        this.nodes = nodes;
        saysStreamable = nodes.nodes().stream().anyMatch(Node::streamable);
    }

    /** Begins to note what is set. */
    static SettingsJournal begin(NodeMap nodes) {
        SettingsJournal journal = new SettingsJournal(nodes);
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
                    settings.clear();
                    userSet = Optional.of(new Setting(node.name(), FeatureStream.selection(node), "1"));
                }
            } else if (isSetting(node) && node.readable() && settings.size() < MOST_SETTINGS) {
                Setting setting = FeatureStream.setting(node);
                Key key = new Key(setting.feature(), setting.selection());
                // What was set last comes last: it was possible with what was set before.
                settings.remove(key);
                settings.put(key, setting);
            }
        } catch (GenApiException e) {
            LOG.log(System.Logger.Level.DEBUG, "Cannot be restored after a loss: " + node.name(), e);
        }
    }

    private boolean isSetting(Node node) {
        return saysStreamable
                ? node.streamable() || !node.selected().isEmpty()
                : !node.name().equals("TLParamsLocked");
    }

    /**
     * Sets everything again.
     *
     * @return what the device did not take, one sentence each
     */
    List<String> restore() {
        List<String> problems = new java.util.ArrayList<>();
        nodes.together(() -> {
            restoring = true;
            try {
                userSet.ifPresent(command -> {
                    load(List.of(command), false, problems);
                    awaitEnd(command.feature());
                    nodes.invalidateAll();
                });
                load(List.copyOf(settings.values()), true, problems);
            } finally {
                restoring = false;
            }
        });
        return problems;
    }

    private void load(List<Setting> values, boolean verify, List<String> problems) {
        FeatureStream.load(nodes, new Settings("", values, List.of()), verify)
                .forEach(failure -> problems.add(failure.toString()));
    }

    private void awaitEnd(String command) {
        long end = System.nanoTime() + COMMAND_LIMIT_NANOS;
        while (!nodes.command(command).isDone() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(COMMAND_TURN_NANOS);
        }
    }
}
