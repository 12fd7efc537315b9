package io.peregrine.device;

import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.EnumerationNode;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The sets of feature values that a device keeps by itself (SFNC 2.7, User Set Control): loaded and saved by name, and
 * one of them used when the device starts. The values of the features are lost for the host when a set is loaded; they
 * are read again.
 *
 * <p>Methods may be called from any thread; no other thread should move UserSetSelector meanwhile.
 */
public final class UserSets {
    /** Devices write to flash memory meanwhile. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final NodeMap nodes;

    UserSets(NodeMap nodes) {
        this.nodes = nodes;
    }

    /** Names of all sets, for example {@code Default} and {@code UserSet1}; empty when the device has none. */
    public List<String> names() {
        return selector().map(EnumerationNode::symbols).orElse(List.of());
    }

    /**
     * Loads a set.
     *
     * @param name one of {@link #names}
     * @throws DeviceException if the device has no such set, or cannot load it now, as while it streams
     */
    public void load(String name) {
        run(name, "UserSetLoad", "loaded");
        nodes.invalidateAll();
    }

    /**
     * Saves the present values as a set.
     *
     * @param name one of {@link #names}; devices do not let themselves change all of them
     * @throws DeviceException if the device has no such set, or does not let it be changed
     */
    public void save(String name) {
        run(name, "UserSetSave", "saved");
    }

    /** The set that the device starts with, where it reports it. */
    public Optional<String> atStart() {
        return atStartNode().map(EnumerationNode::value);
    }

    /**
     * Chooses the set that the device starts with.
     *
     * @param name one of {@link #names}
     * @throws DeviceException if the device has no such set, or does not let it be chosen
     */
    public void atStart(String name) {
        EnumerationNode node = atStartNode()
                .orElseThrow(() -> new DeviceException(
                        "The device has no feature UserSetDefault: what it starts with" + " cannot be chosen"));
        if (!node.symbols().contains(name)) {
            throw new DeviceException("The device cannot start with " + name + ", but with " + node.symbols());
        }
        node.set(name);
    }

    private void run(String name, String command, String done) {
        EnumerationNode selector = selector()
                .orElseThrow(() ->
                        new DeviceException("The device has no user sets: it lacks the feature" + " UserSetSelector"));
        if (!selector.symbols().contains(name)) {
            throw new DeviceException("The device has no user set " + name + ", but " + selector.symbols());
        }
        selector.set(name);
        CommandNode node = nodes.find(command)
                .filter(Node::writable)
                .filter(CommandNode.class::isInstance)
                .map(CommandNode.class::cast)
                .orElseThrow(() -> new DeviceException(name + " cannot be " + done + " now: " + command
                        + " is not available. Stop the streams first"));
        try {
            Commands.executeAndAwait(node, LIMIT);
        } catch (GenApiException | DeviceException e) {
            throw DeviceException.of(name + " cannot be " + done + ": " + e.getMessage(), e);
        }
    }

    private Optional<EnumerationNode> selector() {
        return enumeration("UserSetSelector");
    }

    /** The name of SFNC, and the one before SFNC 2.0. */
    private Optional<EnumerationNode> atStartNode() {
        return enumeration("UserSetDefault").or(() -> enumeration("UserSetDefaultSelector"));
    }

    private Optional<EnumerationNode> enumeration(String name) {
        return nodes.find(name)
                .filter(EnumerationNode.class::isInstance)
                .map(EnumerationNode.class::cast)
                .filter(Node::readable);
    }
}
