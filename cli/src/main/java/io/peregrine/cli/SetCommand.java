package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.device.Device;
import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.Node;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes features. */
@Command(
        name = "set",
        description = "Writes features of a camera, in the order given, and prints the values they have then."
                + " A command is executed by the value 1.",
        mixinStandardHelpOptions = true)
final class SetCommand implements Runnable {
    @Mixin
    private NamedCamera camera;

    @Mixin
    private Output output;

    @Option(names = "--node-map", defaultValue = "Device", description = "Device (default), TLDevice or TLDatastream")
    private String nodeMap;

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "FEATURE=VALUE", description = "Features and values")
    private Map<String, String> values;

    @Override
    public void run() {
        try (Device device = camera.open()) {
            ObjectNode object = Output.object();
            values.forEach((feature, value) -> {
                Node node = device.nodeMap(nodeMap).node(feature);
                node.setFromText(value);
                String now = node.readable() && !(node instanceof CommandNode) ? node.valueAsText() : value;
                object.put(feature, now);
                if (!output.json()) {
                    output.print(feature + "=" + now);
                }
            });
            if (output.json()) {
                output.print(object);
            }
        }
    }
}
