package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.peregrine.device.Device;
import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.Node;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes features. */
@Command(
        name = "set",
        description = "Writes features of a camera, in the order given, and prints the values they have then."
                + " A command is executed by the value 1.",
        mixinStandardHelpOptions = true)
final class SetCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Mixin
    private NamedCamera camera;

    @Mixin
    private Output output;

    @Option(names = "--node-map", defaultValue = "Device", description = "Device (default), TLDevice or TLDatastream")
    private String nodeMap;

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "FEATURE=VALUE", description = "Features and values")
    private List<String> assignments;

    @Override
    public void run() {
        for (String assignment : assignments) {
            if (assignment.indexOf('=') <= 0) {
                throw new ParameterException(
                        spec.commandLine(), "'" + assignment + "' sets nothing: write FEATURE=VALUE");
            }
        }
        try (Device device = camera.open()) {
            ObjectNode object = output.begin(Output.object());
            for (String assignment : assignments) {
                int equals = assignment.indexOf('=');
                set(device, assignment.substring(0, equals), assignment.substring(equals + 1), object);
            }
            if (output.json()) {
                output.print(object);
            }
        }
    }

    private void set(Device device, String feature, String value, ObjectNode object) {
        Node node = device.nodeMap(nodeMap).node(feature);
        node.setFromText(value);
        boolean tells = node.readable() && !(node instanceof CommandNode);
        if (output.json()) {
            object.set(feature, tells ? FeatureValue.of(node) : TextNode.valueOf(value));
        } else {
            output.print(feature + "=" + (tells ? node.valueAsText() : value));
        }
    }
}
