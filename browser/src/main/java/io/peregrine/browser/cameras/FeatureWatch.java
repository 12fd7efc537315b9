package io.peregrine.browser.cameras;

import io.peregrine.device.Device;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Registration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Collects the features whose value, range or access may have changed. */
final class FeatureWatch implements AutoCloseable {
    private final Map<String, NodeMap> maps = new LinkedHashMap<>();
    private final Map<String, Set<String>> changed = new LinkedHashMap<>();
    private final List<Registration> registrations = new ArrayList<>();

    FeatureWatch(Device device) {
        for (String name : device.nodeMapNames()) {
            NodeMap map = device.nodeMap(name);
            maps.put(name, map);
            for (Node feature : map.features()) {
                registrations.add(feature.onChange(node -> note(name, node.name())));
            }
        }
    }

    private void note(String map, String feature) {
        synchronized (changed) {
            changed.computeIfAbsent(map, key -> new TreeSet<>()).add(feature);
        }
    }

    /** Lets features forget their value whose polling time is over. */
    void poll(Duration elapsed) {
        maps.values().forEach(map -> map.poll(elapsed));
    }

    /** What changed since the last call: names of features by node map. */
    Map<String, Collection<String>> take() {
        synchronized (changed) {
            Map<String, Collection<String>> taken = new LinkedHashMap<>(changed);
            changed.clear();
            return taken;
        }
    }

    @Override
    public void close() {
        registrations.forEach(Registration::close);
    }
}
