package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.device.Device;
import io.peregrine.device.Json;
import io.peregrine.genapi.NodeMap;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows what is known about one camera. */
@Command(
        name = "info",
        description = "Shows what is known about a camera, and the values of its features.",
        mixinStandardHelpOptions = true)
final class InfoCommand implements Runnable {
    @Mixin
    private NamedCamera camera;

    @Mixin
    private Output output;

    @Option(names = "--no-features", description = "Do not show the values of the features")
    private boolean withoutFeatures;

    @Override
    public void run() {
        try (Device device = camera.openReadOnly()) {
            NodeMap nodes = device.nodes();
            ObjectNode object = output.begin(Output.parse(Json.of(device.info())));
            object.put("StreamCount", device.streamCount())
                    .put("LocalAddress", device.network().localAddress().getHostAddress())
                    .put("StreamingMode", device.streamingMode().toString())
                    .put("Nodes", nodes.nodes().size());
            Map<String, FeatureValue> features = withoutFeatures ? Map.of() : FeatureValue.all(nodes);
            if (output.json()) {
                if (!withoutFeatures) {
                    ObjectNode values = object.putObject("Features");
                    features.forEach((name, value) -> values.set(name, value.json()));
                }
                output.print(object);
                return;
            }
            object.properties()
                    .forEach(property -> output.print(String.format(
                            Locale.ROOT,
                            "%-26s %s",
                            property.getKey(),
                            property.getValue().asText())));
            if (!withoutFeatures) {
                output.print("");
                features.forEach((name, value) -> output.print(String.format(Locale.ROOT, "%-36s %s", name, value)));
            }
        }
    }
}
