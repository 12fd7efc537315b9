package io.peregrine.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.peregrine.device.DeviceException;
import io.peregrine.genapi.BooleanNode;
import io.peregrine.genapi.CategoryNode;
import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.EnumEntryNode;
import io.peregrine.genapi.EnumerationNode;
import io.peregrine.genapi.FloatNode;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.IntegerNode;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.RegisterNode;
import io.peregrine.genapi.StringNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** What reading one node gave: each property by itself, so that one that fails does not hide the others. */
final class FeatureValue {
    private final ObjectNode json = Output.object();
    private final ObjectNode errors = Output.object();
    private final Node node;
    private String text = "-";

    private FeatureValue(Node node) {
        this.node = node;
    }

    /** All features in the order of the categories, without these. */
    static Map<String, FeatureValue> all(NodeMap nodes) {
        return of(nodes, nodes.features(), Progress.NONE);
    }

    /** The given nodes, without categories, entries of enumerations, and ports. */
    static Map<String, FeatureValue> of(NodeMap nodes, Collection<? extends Node> wanted, Progress progress) {
        List<Node> read = new ArrayList<>();
        for (Node node : wanted) {
            if (!(node instanceof CategoryNode
                    || node instanceof EnumEntryNode
                    || node.kind().equals("Port"))) {
                read.add(node);
            }
        }
        nodes.prefetch(read);
        Map<String, String> categories = new LinkedHashMap<>();
        for (Node node : nodes.nodes()) {
            if (node instanceof CategoryNode category) {
                category.features().forEach(feature -> categories.putIfAbsent(feature.name(), category.name()));
            }
        }
        Map<String, FeatureValue> values = new LinkedHashMap<>();
        for (Node node : read) {
            FeatureValue value = new FeatureValue(node);
            value.describe(categories.get(node.name()));
            values.put(node.name(), value);
            progress.at(values.size());
        }
        return values;
    }

    private void describe(String category) {
        json.put("kind", node.kind());
        json.put("type", type(node));
        if (category != null) {
            json.put("category", category);
        }
        json.put("visibility", word(node.visibility().name()));
        json.put("standard", node.standardName());
        json.put("streamable", node.streamable());
        attempt("caching", name -> json.put(name, word(node.cachingMode().name())));
        attempt("access", name -> json.put(name, node.accessMode().name()));
        boolean readable = json.path("access").asText().startsWith("R");
        boolean known = readable || json.path("access").asText().equals("WO");
        if (readable && !(node instanceof CommandNode)) {
            attempt("value", name -> {
                json.set(name, of(node));
                text = node.valueAsText();
            });
        }
        if (known) {
            describeRange(readable);
        }
        if (node instanceof EnumerationNode enumeration) {
            attempt("entries", name -> describe(enumeration, json.putArray(name)));
            if (readable) {
                attempt("integer", name -> json.put(name, enumeration.intValue()));
            }
        }
        attempt("unit", name -> node.unit().ifPresent(unit -> json.put(name, unit)));
        names("selectors", node.selecting());
        names("selected", node.selected());
        if (!errors.isEmpty()) {
            json.set("errors", errors);
        }
    }

    private void describeRange(boolean readable) {
        if (node instanceof IntegerNode integer) {
            if (readable) {
                attempt("integer", name -> json.put(name, integer.value()));
            }
            attempt("min", name -> json.put(name, integer.min()));
            attempt("max", name -> json.put(name, integer.max()));
            attempt("increment", name -> json.put(name, integer.increment()));
            attempt("representation", name -> json.put(name, integer.representation()));
        } else if (node instanceof FloatNode floating) {
            attempt("min", name -> number(name, floating.min()));
            attempt("max", name -> number(name, floating.max()));
            attempt("increment", name -> {
                OptionalDouble increment = floating.increment();
                if (increment.isPresent()) {
                    number(name, increment.getAsDouble());
                }
            });
            attempt("representation", name -> json.put(name, floating.representation()));
        } else if (node instanceof StringNode text) {
            attempt("maxLength", name -> json.put(name, text.maxLengthBytes()));
        } else if (node instanceof RegisterNode register) {
            attempt("address", name -> json.put(name, register.address()));
            attempt("length", name -> json.put(name, register.lengthBytes()));
        }
    }

    private void number(String name, double value) {
        json.set(name, of(value));
    }

    /** Values that JSON has no number for become text. */
    private static JsonNode of(double value) {
        return Double.isFinite(value) ? DoubleNode.valueOf(value) : TextNode.valueOf(Double.toString(value));
    }

    /** The value of a feature: a number, true or false, or text. Addresses are text. */
    static JsonNode of(Node node) {
        if (node instanceof IntegerNode integer && !integer.representation().endsWith("Address")) {
            return LongNode.valueOf(integer.value());
        }
        if (node instanceof FloatNode floating) {
            return of(floating.value());
        }
        return node instanceof BooleanNode bool
                ? com.fasterxml.jackson.databind.node.BooleanNode.valueOf(bool.value())
                : TextNode.valueOf(node.valueAsText());
    }

    private static void describe(EnumerationNode enumeration, ArrayNode entries) {
        for (EnumEntryNode entry : enumeration.entries()) {
            ObjectNode object = entries.addObject().put("symbol", entry.symbol());
            try {
                object.put("value", entry.intValue());
                object.put("access", entry.accessMode().name());
            } catch (GenApiException | DeviceException e) {
                object.put("error", e.getMessage());
            }
        }
    }

    private void names(String property, List<Node> others) {
        if (!others.isEmpty()) {
            ArrayNode array = json.putArray(property);
            others.forEach(other -> array.add(other.name()));
        }
    }

    private interface Step {
        void put(String name);
    }

    private void attempt(String property, Step step) {
        try {
            step.put(property);
        } catch (GenApiException | DeviceException e) {
            json.remove(property);
            errors.put(property, e.getMessage());
        }
    }

    private static String type(Node node) {
        return node instanceof IntegerNode
                ? "Integer"
                : node instanceof FloatNode
                        ? "Float"
                        : node instanceof EnumerationNode
                                ? "Enumeration"
                                : node instanceof BooleanNode
                                        ? "Boolean"
                                        : node instanceof StringNode
                                                ? "String"
                                                : node instanceof CommandNode
                                                        ? "Command"
                                                        : node instanceof RegisterNode ? "Register" : "None";
    }

    /** WRITE_THROUGH becomes WriteThrough. */
    private static String word(String constant) {
        StringBuilder word = new StringBuilder();
        for (String part : constant.split("_", -1)) {
            word.append(part.charAt(0)).append(part.substring(1).toLowerCase(Locale.ROOT));
        }
        return word.toString();
    }

    ObjectNode json() {
        return json;
    }

    @Override
    public String toString() {
        if (!errors.isEmpty()) {
            String property = errors.fieldNames().next();
            return "error: " + property + ": " + errors.get(property).asText();
        }
        String unit = json.has("unit") ? " " + json.get("unit").asText() : "";
        return (json.has("value") ? text + unit : text) + "  ["
                + json.path("access").asText() + "]";
    }
}
