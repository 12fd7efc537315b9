package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.device.Device;
import io.peregrine.genapi.NodeMap;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tells what is known about one camera. */
@Command(
        name = "info",
        description = "Tells what is known about a camera, and the values of its features.",
        mixinStandardHelpOptions = true)
final class InfoCommand implements Runnable {
    @Mixin
    private NamedCamera camera;

    @Mixin
    private Output output;

    @Option(names = "--no-features", description = "Leave out the values of the features")
    private boolean withoutFeatures;

    @Override
    public void run() {
        try (Device device = camera.openReadOnly()) {
            NodeMap nodes = device.nodes();
            Map<String, String> properties = new LinkedHashMap<>(device.info().properties());
            properties.put("StreamCount", Integer.toString(device.streamCount()));
            properties.put("LocalAddress", device.localAddress().getHostAddress());
            properties.put("StreamingMode", device.streamingMode().toString());
            properties.put("Nodes", Integer.toString(nodes.nodes().size()));
            Map<String, FeatureValue> features = withoutFeatures ? Map.of() : FeatureValue.all(nodes);
            if (output.json()) {
                ObjectNode object = Output.object();
                properties.forEach(object::put);
                if (!withoutFeatures) {
                    ObjectNode values = object.putObject("Features");
                    features.forEach((name, value) -> values.set(name, value.json()));
                }
                output.print(object);
            } else {
                properties.forEach((name, value) -> output.out().printf("%-26s %s%n", name, value));
                if (!withoutFeatures) {
                    output.out().println();
                    features.forEach((name, value) -> output.out().printf("%-36s %s%n", name, value));
                }
                output.out().flush();
            }
        }
    }
}
