package io.peregrine.conformance.genapi;

import io.peregrine.genapi.BooleanNode;
import io.peregrine.genapi.CategoryNode;
import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.EnumEntryNode;
import io.peregrine.genapi.EnumerationNode;
import io.peregrine.genapi.FloatNode;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.IntegerNode;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.RegisterBacked;
import io.peregrine.genapi.RegisterNode;
import io.peregrine.genapi.StringNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** All that Peregrine says about a node, in the words of {@code reference-server.cpp}. */
final class NodeProperties {
    private static final long LONGEST_REGISTER = 1024;

    private final Map<String, String> values = new LinkedHashMap<>();

    private NodeProperties() {}

    static Map<String, String> of(Node node, Set<Node> features) {
        NodeProperties properties = new NodeProperties();
        properties.addCommon(node, features);
        if (node instanceof CategoryNode category) {
            properties.add("features", () -> names(category.features()));
        } else if (node instanceof CommandNode command) {
            properties.add("done", () -> flag(command.isDone()));
        } else if (node instanceof EnumEntryNode entry) {
            properties.add("entry.value", () -> Long.toString(entry.intValue()));
            properties.add("entry.symbol", entry::symbol);
            properties.add("entry.number", () -> number(entry.numericValue()));
            properties.add("entry.selfClearing", () -> flag(entry.selfClearing()));
        } else if (!node.kind().equals("Port")) {
            properties.addValue(node);
        }
        return properties.values;
    }

    private void add(String property, Supplier<String> getter) {
        String value;
        try {
            value = getter.get();
        } catch (GenApiException e) {
            value = "!" + escaped(e.getMessage());
        } catch (RuntimeException | StackOverflowError e) {
            value = "!!" + escaped(e.toString());
        }
        values.put(property, value);
    }

    private void addCommon(Node node, Set<Node> features) {
        add("type", () -> type(node));
        add("access", () -> node.accessMode().name());
        add("visibility", () -> node.visibility().name());
        add("caching", () -> node.cachingMode().name());
        add("standard", () -> flag(node.standardName()));
        add("streamable", () -> flag(node.streamable()));
        add("feature", () -> flag(features.contains(node)));
        add("deprecated", () -> flag(node.deprecated()));
        add(
                "pollingTime",
                () -> Long.toString(node.pollingTime().map(Duration::toMillis).orElse(-1L)));
        add(
                "eventId",
                () -> node.eventId().isPresent()
                        ? Long.toHexString(node.eventId().getAsLong())
                        : "");
        add("docuUrl", () -> escaped(node.documentationUrl().orElse("")));
        add("toolTip", () -> escaped(node.toolTip()));
        add("description", () -> escaped(node.description()));
        add("displayName", () -> escaped(node.displayName()));
        add("alias", () -> node.alias().map(Node::name).orElse(""));
        add("castAlias", () -> node.castAlias().map(Node::name).orElse(""));
        add("selected", () -> names(node.selected()));
        add("selecting", () -> names(node.selecting()));
    }

    private static String type(Node node) {
        if (node instanceof IntegerNode) {
            return "Integer";
        } else if (node instanceof FloatNode) {
            return "Float";
        } else if (node instanceof EnumerationNode) {
            return "Enumeration";
        } else if (node instanceof EnumEntryNode) {
            return "EnumEntry";
        } else if (node instanceof BooleanNode) {
            return "Boolean";
        } else if (node instanceof CommandNode) {
            return "Command";
        } else if (node instanceof StringNode) {
            return "String";
        } else if (node instanceof RegisterNode) {
            return "Register";
        } else if (node instanceof CategoryNode) {
            return "Category";
        }
        return node.kind().equals("Port") ? "Port" : "Value";
    }

    private void addValue(Node node) {
        if (node instanceof IntegerNode integer) {
            add("int.value", () -> Long.toString(integer.value()));
            add("int.min", () -> Long.toString(integer.min()));
            add("int.max", () -> Long.toString(integer.max()));
            add("int.inc", () -> Long.toString(integer.increment()));
            add("int.valid", () -> joined(integer.validValues().stream().map(String::valueOf)));
            add("int.representation", integer::representation);
            add("unit", () -> escaped(node.unit().orElse("")));
        } else if (node instanceof FloatNode floating) {
            add("float.value", () -> number(floating.value()));
            add("float.min", () -> number(floating.min()));
            add("float.max", () -> number(floating.max()));
            add("float.inc", () -> {
                OptionalDouble increment = floating.increment();
                return increment.isPresent() ? number(increment.getAsDouble()) : "";
            });
            add("float.valid", () -> joined(floating.validValues().stream().map(NodeProperties::number)));
            add("float.representation", floating::representation);
            add("unit", () -> escaped(node.unit().orElse("")));
        } else if (node instanceof EnumerationNode enumeration) {
            add("enum.symbols", () -> String.join(" ", enumeration.symbols()));
            add("enum.entries", () -> names(enumeration.entries()));
            add("enum.int", () -> Long.toString(enumeration.intValue()));
            add("enum.current", enumeration::value);
        } else if (node instanceof BooleanNode bool) {
            add("bool.value", () -> flag(bool.value()));
        } else if (node instanceof StringNode text) {
            add("string.value", () -> escaped(text.value()));
            add("string.maxLength", () -> Long.toString(text.maxLengthBytes()));
        }
        if (node instanceof RegisterBacked register) {
            add("reg.address", () -> Long.toString(register.address()));
            add("reg.length", () -> Long.toString(register.lengthBytes()));
            add(
                    "reg.bytes",
                    () -> register.lengthBytes() > LONGEST_REGISTER
                            ? "long"
                            : HexFormat.of().formatHex(register.bytes()));
        }
        add("text", () -> escaped(node instanceof FloatNode floating ? floating.displayText() : node.valueAsText()));
        add("cached", () -> flag(node.valueCached()));
    }

    /** What the description gives a node, by name; values of one name are separated by tabs. */
    static Map<String, String> ofDescription(Node node) {
        NodeProperties properties = new NodeProperties();
        for (Node.Property property : node.properties()) {
            properties.values.merge(
                    property.name(), escaped(property.value()), (first, next) -> first + escaped("\t") + next);
        }
        return properties.values;
    }

    private static String names(Collection<? extends Node> nodes) {
        return joined(nodes.stream().map(Node::name));
    }

    private static String joined(java.util.stream.Stream<String> words) {
        return words.collect(Collectors.joining(" "));
    }

    private static String flag(boolean value) {
        return value ? "1" : "0";
    }

    /** The bits of a number. */
    static String number(double value) {
        return "0x" + HexFormat.of().toHexDigits(Double.doubleToRawLongBits(value));
    }

    /** One line of whatever text: what is not printable ASCII, and the backslash, as its bytes in UTF-8. */
    static String escaped(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b < ' ' || b > '~' || b == '\\') {
                out.append("\\x").append(HexFormat.of().toHexDigits(b));
            } else {
                out.append((char) b);
            }
        }
        return out.toString();
    }

    static List<String> words(String value) {
        return value.isEmpty() ? List.of() : List.of(value.split(" "));
    }
}
