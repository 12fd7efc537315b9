package io.peregrine.conformance;

import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.genapi.BooleanNode;
import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.EnumerationNode;
import io.peregrine.genapi.FloatNode;
import io.peregrine.genapi.IntegerNode;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.StringNode;
import java.util.stream.Collectors;

/**
 * Prints every feature of a camera: name, kind, access, value, unit, minimum, maximum, increment and what it selects,
 * with tabs between them. A feature that cannot be read has no value; what a kind does not have is left empty.
 */
final class ReadFeaturesMain {
    private ReadFeaturesMain() {}

    public static void main(String[] arguments) {
        try (Device device = DeviceFactory.open(arguments[0])) {
            device.nodes().problems().forEach(problem -> System.out.println("problem: " + problem));
            for (Node node : device.nodes().features()) {
                System.out.println(String.join(
                        "\t",
                        "feature",
                        node.name(),
                        node.kind(),
                        node.accessMode().name(),
                        node.readable() ? value(node) : "",
                        node.unit().orElse(""),
                        range(node),
                        node.selected().stream().map(Node::name).collect(Collectors.joining(" "))));
            }
        }
    }

    private static String value(Node node) {
        if (node instanceof IntegerNode integer) {
            return Long.toString(integer.value());
        }
        if (node instanceof FloatNode floating) {
            return Double.toString(floating.value());
        }
        if (node instanceof EnumerationNode enumeration) {
            return "'" + enumeration.value() + "'";
        }
        if (node instanceof BooleanNode bool) {
            return Boolean.toString(bool.value());
        }
        if (node instanceof StringNode text) {
            return "'" + text.value() + "'";
        }
        return node instanceof CommandNode ? "" : node.valueAsText();
    }

    private static String range(Node node) {
        if (node.readable() && node instanceof IntegerNode integer) {
            return integer.min() + "\t" + integer.max() + "\t" + integer.increment();
        }
        if (node.readable() && node instanceof FloatNode floating) {
            return floating.min() + "\t" + floating.max() + "\t";
        }
        return "\t\t";
    }
}
