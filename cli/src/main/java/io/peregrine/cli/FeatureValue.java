package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.genapi.CategoryNode;
import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What reading one feature gave. */
record FeatureValue(String access, Optional<String> value, Optional<String> unit, Optional<String> error) {

    /** All features in the order of the categories, without these. */
    static Map<String, FeatureValue> all(NodeMap nodes) {
        Map<String, FeatureValue> values = new LinkedHashMap<>();
        for (Node node : nodes.features()) {
            if (!(node instanceof CategoryNode)) {
                values.put(node.name(), of(node));
            }
        }
        return values;
    }

    /** Reads a feature; a failure becomes part of the result. */
    static FeatureValue of(Node node) {
        String access = "";
        try {
            access = node.accessMode().name();
            Optional<String> value = node.readable() && !(node instanceof CommandNode)
                    ? Optional.of(node.valueAsText())
                    : Optional.empty();
            return new FeatureValue(access, value, node.unit(), Optional.empty());
        } catch (GenApiException e) {
            return new FeatureValue(access, Optional.empty(), Optional.empty(), Optional.of(e.getMessage()));
        }
    }

    void putInto(ObjectNode object) {
        object.put("access", access);
        value.ifPresent(text -> object.put("value", text));
        unit.ifPresent(text -> object.put("unit", text));
        error.ifPresent(text -> object.put("error", text));
    }

    @Override
    public String toString() {
        return error.map(text -> "error: " + text)
                .orElseGet(() -> value.map(text -> text + unit.map(u -> " " + u).orElse(""))
                                .orElse("-")
                        + "  [" + access + "]");
    }
}
