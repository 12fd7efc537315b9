package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.genapi.AccessMode;
import io.peregrine.genapi.CategoryNode;
import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.EnumerationNode;
import io.peregrine.genapi.FloatNode;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.IntegerNode;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** What reading one feature gave. */
record FeatureValue(
        String kind,
        String access,
        Optional<String> value,
        Optional<String> unit,
        Optional<Range> range,
        List<String> entries,
        Optional<String> error) {

    /** Limits of a number, as text. */
    record Range(String min, String max, Optional<String> increment) {}

    /** All features in the order of the categories, without these. */
    static Map<String, FeatureValue> all(NodeMap nodes) {
        Map<String, FeatureValue> values = new LinkedHashMap<>();
        List<Node> features = nodes.features();
        nodes.prefetch(features);
        for (Node node : features) {
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
            return new FeatureValue(
                    node.kind(), access, value, node.unit(), range(node), entries(node), Optional.empty());
        } catch (GenApiException e) {
            return new FeatureValue(
                    node.kind(),
                    access,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    List.of(),
                    Optional.of(e.getMessage()));
        }
    }

    private static Optional<Range> range(Node node) {
        if (!node.readable() && !node.writable()) {
            return Optional.empty();
        }
        if (node instanceof IntegerNode integer) {
            return Optional.of(new Range(
                    Long.toString(integer.min()),
                    Long.toString(integer.max()),
                    Optional.of(Long.toString(integer.increment()))));
        }
        if (node instanceof FloatNode floating) {
            OptionalDouble increment = floating.increment();
            return Optional.of(new Range(
                    Double.toString(floating.min()),
                    Double.toString(floating.max()),
                    increment.isPresent() ? Optional.of(Double.toString(increment.getAsDouble())) : Optional.empty()));
        }
        return Optional.empty();
    }

    private static List<String> entries(Node node) {
        return node instanceof EnumerationNode enumeration && node.accessMode() != AccessMode.NI
                ? enumeration.symbols()
                : List.of();
    }

    void putInto(ObjectNode object) {
        object.put("kind", kind);
        object.put("access", access);
        value.ifPresent(text -> object.put("value", text));
        unit.ifPresent(text -> object.put("unit", text));
        range.ifPresent(limits -> {
            object.put("min", limits.min()).put("max", limits.max());
            limits.increment().ifPresent(text -> object.put("increment", text));
        });
        if (!entries.isEmpty()) {
            ArrayNode symbols = object.putArray("entries");
            entries.forEach(symbols::add);
        }
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
