package io.peregrine.browser.resources;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.browser.http.Reply;
import io.peregrine.device.DeviceException;
import io.peregrine.genapi.BooleanNode;
import io.peregrine.genapi.CachingMode;
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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Features as JSON: what the description says of them, and what the device says now. Numbers are texts, since the
 * numbers of a page do not have 64 bits. A property that cannot be read does not hide the others: it is in
 * {@code errors} with the reason.
 */
final class FeatureJson {
    private FeatureJson() {}

    /** The features of a description by category, and what of it could not be used; asks the device for nothing. */
    static ObjectNode tree(NodeMap map) {
        ObjectNode answer = Reply.object().put("model", map.modelName()).put("vendor", map.vendorName());
        map.find("Root", CategoryNode.class).ifPresent(root -> answer.set("root", category(root, new HashSet<>())));
        ArrayNode problems = answer.putArray("problems");
        map.problems()
                .forEach(problem ->
                        problems.addObject().put("node", problem.node()).put("message", problem.message()));
        map.warnings()
                .forEach(problem -> problems.addObject()
                        .put("node", problem.node())
                        .put("message", problem.message())
                        .put("warning", true));
        return answer;
    }

    /** A category, once on each path. */
    private static ObjectNode category(CategoryNode category, Set<String> above) {
        ObjectNode json = describe(category);
        ArrayNode children = json.putArray("children");
        above.add(category.name());
        for (Node feature : category.features()) {
            if (feature instanceof CategoryNode below) {
                if (!above.contains(below.name())) {
                    children.add(category(below, above));
                }
            } else {
                children.add(describe(feature));
            }
        }
        above.remove(category.name());
        return json;
    }

    /** What does not change while the device is open; asks the device for nothing. */
    static ObjectNode describe(Node node) {
        ObjectNode json = Reply.object()
                .put("name", node.name())
                .put("display", node.displayName())
                .put("type", type(node))
                .put("visibility", node.visibility().name().toLowerCase(Locale.ROOT))
                .put("standard", node.standardName())
                .put("deprecated", node.deprecated())
                .put("streamable", node.streamable())
                .put("cached", node.cachingMode() != CachingMode.NO_CACHE)
                .put("toolTip", node.toolTip())
                .put("description", node.description());
        node.pollingTime().ifPresent(time -> json.put("pollingMillis", time.toMillis()));
        names(json, "selected", node.selected());
        names(json, "selectors", node.selecting());
        return json;
    }

    /** What the device says now. */
    static ObjectNode read(Node node) {
        ObjectNode json = Reply.object();
        ObjectNode errors = Reply.object();
        Attempts attempts = new Attempts(json, errors);
        attempts.put("access", name -> json.put(name, node.accessMode().name()));
        String access = json.path("access").asText();
        boolean readable = access.startsWith("R");
        if (readable && !(node instanceof CommandNode)) {
            attempts.put("value", name -> json.put(name, node.valueAsText()));
        }
        attempts.put("unit", name -> node.unit().ifPresent(unit -> json.put(name, unit)));
        if (readable || access.equals("WO")) {
            ranges(node, json, attempts);
        }
        if (node instanceof CommandNode command && readable) {
            attempts.put("done", name -> json.put(name, command.isDone()));
        }
        if (!errors.isEmpty()) {
            json.set("errors", errors);
        }
        return json;
    }

    private static void ranges(Node node, ObjectNode json, Attempts attempts) {
        if (node instanceof IntegerNode integer) {
            attempts.put("min", name -> json.put(name, Long.toString(integer.min())));
            attempts.put("max", name -> json.put(name, Long.toString(integer.max())));
            attempts.put("increment", name -> json.put(name, Long.toString(integer.increment())));
            attempts.put("representation", name -> json.put(name, integer.representation()));
            attempts.put("validValues", name -> texts(json, name, integer.validValues()));
        } else if (node instanceof FloatNode floating) {
            attempts.put("min", name -> json.put(name, Double.toString(floating.min())));
            attempts.put("max", name -> json.put(name, Double.toString(floating.max())));
            attempts.put(
                    "increment",
                    name -> floating.increment().ifPresent(increment -> json.put(name, Double.toString(increment))));
            attempts.put("representation", name -> json.put(name, floating.representation()));
            attempts.put("displayText", name -> json.put(name, floating.displayText()));
            attempts.put("validValues", name -> texts(json, name, floating.validValues()));
        } else if (node instanceof StringNode text) {
            attempts.put("maxLength", name -> json.put(name, Long.toString(text.maxLengthBytes())));
        } else if (node instanceof RegisterNode register) {
            attempts.put("length", name -> json.put(name, Long.toString(register.lengthBytes())));
        } else if (node instanceof EnumerationNode enumeration) {
            attempts.put("entries", name -> entries(json.putArray(name), enumeration));
        }
    }

    /** All entries, each with whether it can be chosen now. */
    private static void entries(ArrayNode array, EnumerationNode enumeration) {
        for (EnumEntryNode entry : enumeration.entries()) {
            ObjectNode object = array.addObject().put("symbol", entry.symbol()).put("display", entry.displayName());
            try {
                object.put("available", entry.accessMode().readable());
                object.put("implemented", !entry.accessMode().name().equals("NI"));
            } catch (GenApiException | DeviceException e) {
                object.put("available", false).put("error", e.getMessage());
            }
        }
    }

    private static void texts(ObjectNode json, String name, List<? extends Number> values) {
        if (!values.isEmpty()) {
            ArrayNode array = json.putArray(name);
            values.forEach(value -> array.add(value.toString()));
        }
    }

    private static void names(ObjectNode json, String name, List<Node> nodes) {
        if (!nodes.isEmpty()) {
            ArrayNode array = json.putArray(name);
            nodes.forEach(node -> array.add(node.name()));
        }
    }

    /** The type that decides on the editor. */
    private static String type(Node node) {
        if (node instanceof IntegerNode) {
            return "integer";
        }
        if (node instanceof FloatNode) {
            return "float";
        }
        if (node instanceof EnumerationNode) {
            return "enumeration";
        }
        if (node instanceof BooleanNode) {
            return "boolean";
        }
        if (node instanceof StringNode) {
            return "string";
        }
        if (node instanceof CommandNode) {
            return "command";
        }
        if (node instanceof RegisterNode) {
            return "register";
        }
        return node instanceof CategoryNode ? "category" : "other";
    }

    private record Attempts(ObjectNode json, ObjectNode errors) {
        void put(String property, Consumer<String> step) {
            try {
                step.accept(property);
            } catch (GenApiException | DeviceException e) {
                json.remove(property);
                errors.put(property, e.getMessage());
            }
        }
    }
}
