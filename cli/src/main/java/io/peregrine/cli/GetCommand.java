package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.device.Device;
import io.peregrine.genapi.Node;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads features. */
@Command(name = "get", description = "Reads features of a camera, in the order given.", mixinStandardHelpOptions = true)
final class GetCommand implements Runnable {
    @Mixin
    private NamedCamera camera;

    @Mixin
    private Output output;

    @Option(names = "--node-map", defaultValue = "Device", description = "Device (default), TLDevice or TLDatastream")
    private String nodeMap;

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "FEATURE", description = "Names of features")
    private List<String> features;

    @Override
    public void run() {
        try (Device device = camera.openReadOnly()) {
            ObjectNode object = output.begin(Output.object());
            for (String feature : features) {
                Node node = device.nodeMap(nodeMap).node(feature);
                if (output.json()) {
                    object.set(feature, FeatureValue.of(node));
                } else {
                    String value = node.valueAsText();
                    output.print(features.size() == 1 ? value : feature + "=" + value);
                }
            }
            if (output.json()) {
                output.print(object);
            }
        }
    }
}
