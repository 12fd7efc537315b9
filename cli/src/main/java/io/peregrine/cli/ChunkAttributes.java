package io.peregrine.cli;

import io.peregrine.composite.ChunkItem;
import io.peregrine.composite.Composite;
import io.peregrine.device.ChunkNodes;
import io.peregrine.device.Device;
import io.peregrine.genapi.BooleanNode;
import io.peregrine.genapi.FloatNode;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.IntegerNode;
import io.peregrine.genapi.Node;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Chunk data of a frame by the names of its features. */
final class ChunkAttributes {
    /** Features that say which chunks the camera sends. */
    private static final Set<String> CONTROLS = Set.of("ChunkModeActive", "ChunkSelector", "ChunkEnable");

    private ChunkAttributes() {}

    /** Long, Double, Boolean or text by name; without what cannot be read. */
    static Map<String, Object> of(Device device, Composite composite) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (ChunkItem item : composite.chunks()) {
            try (ChunkNodes chunks = device.chunks(composite, item)) {
                for (Node feature : chunks.nodes().features()) {
                    if (feature.name().startsWith("Chunk")
                            && !CONTROLS.contains(feature.name())
                            && feature.readable()) {
                        values.put(feature.name(), value(feature));
                    }
                }
            } catch (GenApiException e) {
                // A frame without these values is better than none.
            }
        }
        return values;
    }

    private static Object value(Node feature) {
        if (feature instanceof IntegerNode number) {
            return number.value();
        } else if (feature instanceof FloatNode number) {
            return number.value();
        } else if (feature instanceof BooleanNode truth) {
            return truth.value();
        }
        return feature.valueAsText();
    }
}
